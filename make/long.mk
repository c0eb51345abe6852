# What takes longer than a test run should: fuzzing, races everywhere, other libraries built from source.

##@ Longer

FUZZTIME ?= 60s
SOAK     ?= 20

.PHONY: fuzz
fuzz: | check-go check-cc ## fuzz every target, FUZZTIME=60s each
	@make/fuzz $(FUZZTIME)

.PHONY: soak
soak: $(LIB) | check-go check-cc check-cxx ## every Go test under the race detector, then the C and C++ programs SOAK=20 times
	@make/step 'Go tests under the race detector' $(GO) test -race ./internal/...
	@for i in $$(seq $(SOAK)); do make/step "C and C++ programs, round $$i" $(MAKE) c-programs; done

.PHONY: interop
interop: $(LIB) | check-cargo ## Delta vectors between libdv and delta_kernel (Rust), both ways
	@make/step 'delta_kernel' make/in tests/interop $(CARGO) test --locked
