# The C and C++ programs of tests/, each against the shared library: as it is, and under AddressSanitizer.

TEST_DIR    := $(BUILD)/tests
TEST_FLAGS  := -Iinclude -Itests -O1 -g -Wall -Wextra -Werror -pthread
TEST_LINK   := -L$(BUILD) -ldv -Wl,-rpath,$(CURDIR)/$(BUILD)
TEST_C      := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
TEST_CXX    := $(patsubst tests/%.cpp,%,$(wildcard tests/test_*.cpp))
TEST_NAMES  := $(TEST_C) $(TEST_CXX)
# The library's handles are known to Go's heap alone, which the leak checker does not scan.
ASAN        := -fsanitize=address -fno-omit-frame-pointer
ASAN_ENV    := ASAN_OPTIONS=detect_leaks=0:abort_on_error=1

$(BUILD)/libdv.so.$(VERSION_SO): $(LIB)
	@ln -sf libdv.so $@

$(TEST_C:%=$(TEST_DIR)/%): $(TEST_DIR)/%: tests/%.c $(wildcard tests/*.h) include/dv.h | $(BUILD)/libdv.so.$(VERSION_SO)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(TEST_FLAGS) $< -o $@ $(TEST_LINK)

$(TEST_C:%=$(TEST_DIR)/%.asan): $(TEST_DIR)/%.asan: tests/%.c $(wildcard tests/*.h) include/dv.h | $(BUILD)/libdv.so.$(VERSION_SO)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(TEST_FLAGS) $(ASAN) $< -o $@ $(TEST_LINK)

.PHONY: test-c
test-c: $(LIB) $(TEST_NAMES:%=$(TEST_DIR)/%) $(TEST_NAMES:%=$(TEST_DIR)/%.asan) ## test the C ABI: C and C++ programs, also under AddressSanitizer
	@set -e; for t in $(TEST_NAMES); do \
	  $(TEST_DIR)/$$t; $(ASAN_ENV) $(TEST_DIR)/$$t.asan; \
	done
