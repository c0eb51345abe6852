# The Java binding, built and tested by Maven with the JDK that make/find-jdk finds.

JAVA  := bindings/java

.PHONY: lint-java
lint-java: | check-jdk check-mvn
	@make/step 'google-java-format' make/maven -q spotless:check

.PHONY: format-java
format-java: | check-jdk check-mvn
	make/maven -q spotless:apply

.PHONY: test-java
test-java: $(LIB) | check-jdk check-mvn ## test the Java binding (JUnit), with Iceberg's own library as a peer
	@make/step 'Java build and tests' make/maven verify
