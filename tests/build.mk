# The C and C++ programs of tests/, each against the shared library: as it is, and under AddressSanitizer.

TEST_DIR   := $(BUILD)/tests
TEST_FLAGS := -Iinclude -Itests -O1 -g -Wall -Wextra -Werror -pthread
TEST_C     := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
TEST_CXX   := $(patsubst tests/%.cpp,%,$(wildcard tests/test_*.cpp))
TEST_HEADS := $(wildcard tests/*.h tests/*.hpp) include/dv.h $(wildcard include/*.hpp include/dv/*.hpp)
C_FLAGS    := -std=c11 -D_GNU_SOURCE $(TEST_FLAGS)
CXX_FLAGS  := -std=c++11 $(TEST_FLAGS)

# $(call link,directory of a library)
link = -L$(1) -ldv -Wl,-rpath,$(CURDIR)/$(1)

# The library's handles are known to Go's heap alone, which the leak checker does not scan.
ASAN     := -fsanitize=address -fno-omit-frame-pointer
ASAN_ENV := ASAN_OPTIONS=detect_leaks=0:abort_on_error=1
# Go's locks are unknown to the thread checker: it watches the programs, not the library.
TSAN     := -fsanitize=thread
TSAN_ENV := TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1

# The library that panics on demand, see capi/panic_on.go.
PANIC_LIB := $(BUILD)/panic/libdv.so

$(PANIC_LIB): $(GO_SOURCES) $(C_SOURCES)
	$(call build_lib,$@,,dvpanic)

$(TEST_C:%=$(TEST_DIR)/%): $(TEST_DIR)/%: tests/%.c $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $< -o $@ $(call link,$(BUILD))

$(TEST_C:%=$(TEST_DIR)/%.asan): $(TEST_DIR)/%.asan: tests/%.c $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $(ASAN) $< -o $@ $(call link,$(BUILD))

$(TEST_CXX:%=$(TEST_DIR)/%): $(TEST_DIR)/%: tests/%.cpp $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	$(CXX) $(CXX_FLAGS) $< -o $@ $(call link,$(BUILD))

$(TEST_CXX:%=$(TEST_DIR)/%.asan): $(TEST_DIR)/%.asan: tests/%.cpp $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	$(CXX) $(CXX_FLAGS) $(ASAN) $< -o $@ $(call link,$(BUILD))

$(TEST_DIR)/test_threads.tsan: tests/test_threads.c $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $(TSAN) $< -o $@ $(call link,$(BUILD))

# The programs of tests/plain/ are not run under a sanitizer: what they try does not go together with one.
$(TEST_DIR)/test_panic: tests/plain/test_panic.c $(TEST_HEADS) | $(PANIC_LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $< -o $@ $(call link,$(BUILD)/panic)

$(TEST_DIR)/test_no_memory: tests/plain/test_no_memory.c $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) -fno-builtin $< -o $@ $(call link,$(BUILD))

# The files of testdata/golden as lines that a C program reads.
$(TEST_DIR)/golden.tsv: tests/manifest.py testdata/golden/manifest.json
	@mkdir -p $(@D)
	$(PYTHON) tests/manifest.py > $@

# What `make lib` and `make install` leave is enough to build and run a program.
.PHONY: test-install
test-install: $(LIB)
	@rm -f $(LIB).$(VERSION_SO)
	@$(MAKE) lib >/dev/null
	@$(CXX) -std=c++11 -pthread -Itests tests/test_hpp.cpp -o $(TEST_DIR)/linked -Iinclude -L$(BUILD) -ldv -Wl,-rpath,$(CURDIR)/$(BUILD)
	@$(TEST_DIR)/linked
	@rm -rf $(BUILD)/stage
	@$(MAKE) install DESTDIR= PREFIX=$(CURDIR)/$(BUILD)/stage LIBDIR=$(CURDIR)/$(BUILD)/stage/lib >/dev/null
	@grep -q '^Libs: -L$${libdir} -ldv$$' $(BUILD)/stage/lib/pkgconfig/libdv.pc
	@$(CXX) -std=c++11 -pthread -Itests -I$(BUILD)/stage/include tests/test_hpp.cpp -o $(BUILD)/stage/test_hpp \
	  -L$(BUILD)/stage/lib -ldv
	@LD_LIBRARY_PATH=$(BUILD)/stage/lib $(BUILD)/stage/test_hpp

.PHONY: test-c c-programs
test-c: $(LIB) | check-cc check-cxx ## test the C ABI: C and C++ programs, also under AddressSanitizer and ThreadSanitizer
	@make/step 'One list of functions' $(PYTHON) tests/parity.py $(LIB)
	@make/step 'C and C++ programs' $(MAKE) c-programs
	@make/step 'What is installed' $(MAKE) test-install

c-programs: $(TEST_DIR)/golden.tsv $(TEST_DIR)/test_threads.tsan $(TEST_DIR)/test_panic $(TEST_DIR)/test_no_memory \
  $(foreach t,$(TEST_C) $(TEST_CXX),$(TEST_DIR)/$(t) $(TEST_DIR)/$(t).asan)
	@for t in $(TEST_C) $(TEST_CXX); do \
	  $(TEST_DIR)/$$t; $(ASAN_ENV) $(TEST_DIR)/$$t.asan >/dev/null; \
	done
	@$(TSAN_ENV) $(TEST_DIR)/test_threads.tsan >/dev/null
	@$(TEST_DIR)/test_no_memory
	@$(TEST_DIR)/test_panic

# The long form of the programs that profit from it; SOAK is how many seconds the threads work.
.PHONY: soak-c
soak-c: $(foreach t,leak sequences threads,$(TEST_DIR)/test_$(t)) $(TEST_DIR)/test_threads.tsan $(TEST_DIR)/test_sequences.asan
	$(TEST_DIR)/test_leak 50000
	$(TEST_DIR)/test_threads $(SOAK)
	$(TSAN_ENV) $(TEST_DIR)/test_threads.tsan $(SOAK)
	@for seed in 2 3 4 5 6 7 8 9; do \
	  $(TEST_DIR)/test_sequences 100000 $$seed; $(ASAN_ENV) $(TEST_DIR)/test_sequences.asan 30000 $$seed; \
	done
