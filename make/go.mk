# The Go packages: tests, race detector, pure Go twins of the assembly, fuzzing.

##@ Test one part

# What shares objects between threads is run under the race detector, the rest is not: it takes many times as long there.
RACE_TESTS := 'Concurrent|Threads|Race'

.PHONY: test-go
test-go: | check-go check-cc ## test the Go packages: as they are, without assembly, under the race detector, fuzzed in short
	@make/step 'Go tests' $(GO) test ./...
	@make/step 'Go tests without assembly' $(GO) test -tags purego ./internal/...
	@make/step 'Go tests without AVX-512' env GODEBUG=cpu.avx512f=off $(GO) test ./internal/kernel ./internal/dv
	@make/step 'Go tests of what threads share, under the race detector' $(GO) test -race -run $(RACE_TESTS) ./internal/... ./capi
	@make/step 'Fuzzing, in short' make/fuzz 5000x
