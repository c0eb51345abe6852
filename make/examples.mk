# The examples, which are tests too, and the documents, whose snippets are parts of the examples.

EXAMPLES := iceberg scan delta delta_table mumbling inspection

# Programs find the library by its soname.
.PHONY: lib-by-soname
lib-by-soname:
	@$(MAKE) $(LIB).$(VERSION_SO)

# The classes of the Java binding, which has no dependencies: javac is enough.
JAVA_SOURCES := $(shell find bindings/java/src/main/java -name '*.java')
CLASSES      := $(BUILD)/classes/compiled

$(CLASSES): $(JAVA_SOURCES) | check-jdk
	@echo 'Compiling the Java binding'
	@rm -rf $(@D)
	@"$$(make/find-jdk)/bin/javac" --release 22 -d $(@D) $(JAVA_SOURCES)
	@touch $@

.PHONY: classes-if-possible
classes-if-possible:
	@if make/find-jdk >/dev/null; then $(MAKE) $(CLASSES); fi

.PHONY: test-examples
test-examples: lib-by-soname $(VENV_OK) $(CLASSES) | check-cc check-cxx ## run the examples in every language, the demo in short, and check the documents
	@for name in $(EXAMPLES); do make/step "Example $$name" examples/run $$name; done
	@make/step 'Demo, in short' examples/demo/run $(BUILD)/demo-short 20000
	@make/step 'Documents' $(VENV_BIN)/pytest -q tests/docs

.PHONY: update-docs
update-docs: $(VENV_OK)
	$(VENV_BIN)/python tests/docs/update.py
