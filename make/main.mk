# What a newcomer runs: help, demo, test. And the checks that the tools are there.

##@ Start here

.PHONY: help
help: ## this list
	@awk -f make/help.awk $(MAKEFILE_LIST)

.PHONY: demo
demo: lib-by-soname venv classes-if-possible | check-cc ## a million rows of Parquet: delete, merge, read back, filter; in Python, C and Java
	@examples/demo/run $(BUILD)/demo

# The tests, in this order; the first failure ends the run.
TEST_PARTS := lint test-go test-c test-safety test-headers test-python test-java test-tables test-examples

.PHONY: test
test: ## set up what is needed, then run every check and every test
	@make/check go cc cxx python jdk mvn
	@rm -f $(BUILD)/steps.tsv
	@for part in $(TEST_PARTS); do $(MAKE) $$part; done
	@make/step --summary

# check-go, check-jdk, ...: one clear line where a tool is missing or too old.
check-%: ; @make/check $*

.PHONY: check
check: ## show which tools are found, and what to do about those that are not
	@make/check -v go cc cxx python jdk mvn cargo

.PHONY: clean
clean: ## remove everything that make made (.venv too; the caches of Go, pip and Maven stay)
	rm -rf $(BUILD) $(VENV) dist bindings/java/target
