# Style: what the formatters would write, what the linters know. All tools are pinned: tools/go.mod, tools/requirements.txt.

##@ Style

STATICCHECK := $(GO) tool -modfile=tools/go.mod staticcheck
C_STYLED     = $(shell find capi include tests examples -name target -prune -o \( -name '*.[ch]' -o -name '*.[ch]pp' \) -print)
GO_STYLED    = $(shell find . -name '*.go' -not -path './$(VENV)/*' -not -path './$(BUILD)/*')

.PHONY: lint
lint: lint-go lint-c lint-python lint-java lint-rust ## check style and lint in every language

.PHONY: format
format: $(VENV_OK) format-python format-java ## format every language in place
	@$$($(GO) env GOROOT)/bin/gofmt -w $(GO_STYLED)
	@$(VENV_BIN)/clang-format -i $(C_STYLED)

.PHONY: lint-go
lint-go: | check-go check-cc
	@make/step 'gofmt' make/gofmt $(GO_STYLED)
	@make/step 'go vet' $(GO) vet ./...
	@make/step 'staticcheck' $(STATICCHECK) ./...
	@make/step 'Generated assembly is current' make/check-assembly

.PHONY: lint-c
lint-c: $(VENV_OK)
	@make/step 'clang-format' $(VENV_BIN)/clang-format --dry-run -Werror $(C_STYLED)
