# What a host must be able to take: hostile bytes, signals, threads, faults of its disk, its own end in the middle of a write. The
# programs are in tests/safety/; docs/embedding.md and SECURITY.md say what they prove.

SAFETY     := $(BUILD)/safety
# These load the library themselves.
SAFETY_DL  := handlers runtimes
SAFETY_ALL := $(patsubst tests/safety/%.c,%,$(wildcard tests/safety/*.c))
SAFETY_LIB := $(filter-out $(SAFETY_DL),$(SAFETY_ALL))

$(SAFETY_LIB:%=$(SAFETY)/%): $(SAFETY)/%: tests/safety/%.c $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $< -o $@ $(call link,$(BUILD))

$(SAFETY_DL:%=$(SAFETY)/%): $(SAFETY)/%: tests/safety/%.c $(TEST_HEADS)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $< -o $@ -ldl

$(SAFETY)/handles.asan: tests/safety/handles.c $(TEST_HEADS) | $(LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $(ASAN) $< -o $@ $(call link,$(BUILD))

# Another Go library, for two runtimes in one process.
$(SAFETY)/other.so: $(wildcard tests/safety/other/*.go)
	@mkdir -p $(@D)
	@$(GO) build -buildmode=c-shared -trimpath -buildvcs=false -o $@ ./tests/safety/other

# The library with its C half, and what cgo writes around it, under ThreadSanitizer: it sees each call enter and leave Go.
TSAN_LIB := $(BUILD)/tsan/libdv.so
$(TSAN_LIB): export CGO_CFLAGS := -O1 -g $(TSAN)
$(TSAN_LIB): export CGO_LDFLAGS := $(TSAN)
$(TSAN_LIB): $(GO_SOURCES) $(C_SOURCES) | check-go check-cc
	$(call build_lib,$@,,)

TSAN_OWN := threads callbacks sequences
$(TSAN_OWN:%=$(SAFETY)/%.tsan): $(SAFETY)/%.tsan: tests/test_%.c $(TEST_HEADS) | $(TSAN_LIB).$(VERSION_SO)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $(TSAN) $< -o $@ $(call link,$(BUILD)/tsan)

SAFETY_RUN := $(SAFETY_ALL:%=$(SAFETY)/%) $(SAFETY)/handles.asan $(SAFETY)/other.so $(TSAN_OWN:%=$(SAFETY)/%.tsan)
MEMORY     := $(GO) run ./internal/hostile/write worst

.PHONY: test-safety safety-threads
test-safety: $(LIB) $(SAFETY_RUN) | check-go check-cc ## what a host must take: signals, threads, disk faults, kills, memory bounds
	@make/step 'Random calls on random handles' env $(ASAN_ENV) $(SAFETY)/handles.asan 3
	@make/step 'Memory of the worst inputs' $(MEMORY) 8000000 $(SAFETY)/memory
	@make/step 'Threads, the library under ThreadSanitizer too' $(MAKE) safety-threads
	@make/step 'Storms of signals, small stacks' $(SAFETY)/signals 2
	@make/step 'Threads that come and go, a process that ends' $(SAFETY)/lives
	@make/step "The host's signal handlers" $(SAFETY)/handlers $(LIB)
	@make/step 'Beside another Go library' $(SAFETY)/runtimes $(LIB) $(SAFETY)/other.so
	@make/step 'Beside another Go library, loaded first' $(SAFETY)/runtimes $(LIB) $(SAFETY)/other.so first
	@make/step 'Every system call fails, or ends the process' $(SAFETY)/syscalls
	@make/step 'A full disk' tests/safety/full-disk $(SAFETY)/disk

safety-threads:
	@TSAN_OPTIONS=halt_on_error=1 $(SAFETY)/threads.tsan 1
	@TSAN_OPTIONS=halt_on_error=1 $(SAFETY)/callbacks.tsan
	@TSAN_OPTIONS=halt_on_error=1 $(SAFETY)/sequences.tsan 3000

.PHONY: soak-safety
soak-safety: $(LIB) $(SAFETY_RUN) ## the long form of test-safety: some 15 minutes
	@for i in 1 2 3 4 5; do make/step 'Random calls on random handles' env $(ASAN_ENV) $(SAFETY)/handles.asan 60; done
	@make/step 'Memory of the worst inputs' $(MEMORY) 100000000 $(SAFETY)/memory
	@make/step 'Threads, the library under ThreadSanitizer too' env TSAN_OPTIONS=halt_on_error=1 $(SAFETY)/threads.tsan 120
	@make/step 'Storms of signals, small stacks' $(SAFETY)/signals 120
	@make/step 'Threads that come and go, a process that ends' $(SAFETY)/lives 100000
	@make/step 'Every system call fails, or ends the process' $(SAFETY)/syscalls 1000
