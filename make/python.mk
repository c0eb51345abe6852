# The virtual environment: pinned tools, the tests' peers and the binding itself, all in .venv. And what runs in it.

VENV     := .venv
VENV_BIN := $(VENV)/bin
VENV_OK  := $(VENV)/installed
PY       := bindings/python

PYTHON_STYLED := $(PY) bench examples tests

$(VENV_OK): tools/requirements.txt $(PY)/pyproject.toml $(PY)/hatch_build.py | check-python
	@echo 'Setting up $(VENV) with the packages of $<'
	@$(PYTHON) -m venv $(VENV)
	@$(VENV_BIN)/pip install -q --disable-pip-version-check --no-input -r $<
	@$(VENV_BIN)/pip install -q --disable-pip-version-check --no-input --no-deps --no-build-isolation -e $(PY)
	@touch $@

.PHONY: venv
venv: $(VENV_OK)

.PHONY: update-requirements
update-requirements: | check-python
	rm -rf $(BUILD)/venv
	$(PYTHON) -m venv $(BUILD)/venv
	$(BUILD)/venv/bin/pip install -q --disable-pip-version-check -r tools/requirements.in
	{ echo '# Made by `make update-requirements` from requirements.in.'; $(BUILD)/venv/bin/pip freeze; } > tools/requirements.txt

.PHONY: lint-python
lint-python: $(VENV_OK)
	@make/step 'ruff' $(VENV_BIN)/ruff check $(PYTHON_STYLED)
	@make/step 'ruff format' $(VENV_BIN)/ruff format --check $(PYTHON_STYLED)
	@make/step 'mypy --strict' make/in $(PY) $(CURDIR)/$(VENV_BIN)/mypy
	@make/step 'mypy --strict, outside of the binding' make/in $(PY) $(CURDIR)/$(VENV_BIN)/mypy \
	  $(wildcard $(CURDIR)/bench/*.py $(CURDIR)/bench/python/*/*.py $(CURDIR)/examples/*/*.py $(CURDIR)/tests/docs/*.py $(CURDIR)/tests/tables/*.py)

.PHONY: format-python
format-python: $(VENV_OK)
	$(VENV_BIN)/ruff check --fix $(PYTHON_STYLED)
	$(VENV_BIN)/ruff format $(PYTHON_STYLED)

.PHONY: test-python
test-python: $(LIB) $(VENV_OK) ## test the Python binding
	@make/step 'Python tests' make/in $(PY) $(CURDIR)/$(VENV_BIN)/pytest -q

TABLES := $(CURDIR)/bindings/java/target/tables

# test-java leaves them behind.
$(TABLES)/unpartitioned.json: | $(LIB) check-jdk check-mvn
	@make/maven -q test -Dtest=TableTest

.PHONY: test-tables
test-tables: $(LIB) $(VENV_OK) | $(TABLES)/unpartitioned.json ## test the Iceberg tables that test-java left, with pyiceberg
	@make/step 'Iceberg tables, by pyiceberg' env LIBDV_TABLES=$(TABLES) $(VENV_BIN)/pytest -q tests/tables
