# The Java binding, built and tested by Maven with the JDK that make/find-jdk finds.

JAVA  := bindings/java

JAVA_STYLED := $(JAVA)/pom.xml bench/java/pom.xml examples/pom.xml

.PHONY: lint-java
lint-java: | check-jdk check-mvn
	@for pom in $(JAVA_STYLED); do POM=$$pom make/step "google-java-format, $$(dirname $$pom)" make/maven -q spotless:check; done

.PHONY: format-java
format-java: | check-jdk check-mvn
	@for pom in $(JAVA_STYLED); do POM=$$pom make/maven -q spotless:apply; done

.PHONY: test-java
test-java: $(LIB) $(BUILD)/panic/libdv.so | check-jdk check-mvn ## test the Java binding (JUnit), with Iceberg's own library as a peer
	@make/step 'Java build and tests' make/maven verify
