# What takes longer than a test run should: fuzzing, races everywhere, other libraries built from source.

##@ Longer

FUZZTIME ?= 60s
SOAK     ?= 60

.PHONY: fuzz
fuzz: | check-go check-cc ## fuzz every target, FUZZTIME=60s each
	@make/fuzz $(FUZZTIME)

.PHONY: soak
soak: $(LIB) | check-go check-cc check-cxx ## every Go test under the race detector, then leaks, threads, signals, faults and call sequences from C, SOAK=60 seconds and more each, and leaks and storms from Python and Java
	@make/step 'Go tests under the race detector' $(GO) test -race ./internal/... ./capi
	@make/step 'C programs, the long form' $(MAKE) soak-c
	@$(MAKE) soak-safety
	@$(MAKE) soak-python soak-java

.PHONY: soak-python
soak-python: $(LIB) $(VENV_OK)
	@make/step 'Python: 100,000 cycles of every kind of object' \
	  make/in $(PY) env LIBDV_SOAK_CYCLES=100000 $(CURDIR)/$(VENV_BIN)/pytest -q tests/test_soak.py

.PHONY: soak-java
soak-java: $(LIB) $(BUILD)/panic/libdv.so | check-jdk check-mvn
	@make/step 'Java: 200,000 cycles of every kind of object, and longer storms' \
	  make/maven -q test -Dtest=LeakTest,StormTest -Dleak.cycles=200000 -Dstorm.rounds=100

.PHONY: interop
interop: $(LIB) | check-cargo ## Delta vectors between libdv and delta_kernel (Rust), both ways
	@make/step 'delta_kernel' make/in tests/interop $(CARGO) test --locked
