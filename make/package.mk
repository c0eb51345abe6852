# What is given to others.

##@ Package

.PHONY: wheel
wheel: $(LIB) $(VENV_OK) ## build the Python wheel, native library included: dist/
	$(VENV_BIN)/python -m build --wheel --no-isolation --outdir dist $(PY)

.PHONY: jar
jar: $(LIB) | check-jdk check-mvn ## build the jar, native library included: bindings/java/target/
	make/maven -q -DskipTests package
	@ls $(JAVA)/target/*.jar
