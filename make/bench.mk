# Benches against the peers, each in one process with them. BENCH holds their options: BENCH='--quick --task T1'.

##@ Benches

BENCH   ?=
RESULTS := bench/results

.PHONY: bench
bench: $(LIB) | check-cargo check-cc ## libdv against CRoaring and the roaring crate; BENCH='--quick --task T1' for a part
	@make/in bench/native $(CARGO) run --release --locked -- $(BENCH)

.PHONY: bench-python
bench-python: $(LIB) $(VENV_OK) ## the Python binding against pyroaring and pyiceberg
	@make/in bench/python $(CURDIR)/$(VENV_BIN)/python -m libdv_bench $(BENCH)

.PHONY: bench-java
bench-java: $(LIB) | check-jdk check-mvn ## the Java binding against Iceberg and RoaringBitmap (JMH)
	@POM=bench/java/pom.xml make/maven -q compile exec:exec '-Dbench.arguments=$(BENCH)'

.PHONY: bench-results
bench-results: ## all three in full, with bench/RESULTS.md and the plots made from them: half an hour on a quiet machine
	@mkdir -p $(RESULTS)
	@$(MAKE) bench BENCH='--growth --json $(CURDIR)/$(RESULTS)/native.json $(BENCH)'
	@$(MAKE) bench-python BENCH='--json $(CURDIR)/$(RESULTS)/python.json $(BENCH)'
	@$(MAKE) bench-java BENCH='--json $(CURDIR)/$(RESULTS)/java.json $(BENCH)'
	@$(MAKE) bench-render

.PHONY: bench-render
bench-render: | check-python ## make bench/RESULTS.md from the JSON in bench/results
	@$(PYTHON) bench/render.py $(RESULTS)/*.json

# Rust is for benches, an example and one test with a peer: who has none can do without.
.PHONY: lint-rust
lint-rust:
	@if $(CARGO) fmt --version >/dev/null 2>&1; then \
	  for crate in bench/native tests/abi-rs tests/interop; do \
	    make/step "cargo fmt, $$crate" make/in $$crate $(CARGO) fmt --check; \
	  done; \
	  make/step 'rustfmt, examples' rustfmt --check --edition 2024 --config max_width=120 examples/*/*.rs; \
	else \
	  echo 'libdv: cargo fmt is not there: the format of the Rust code was not checked'; \
	fi
