# libdv - `make help` lists what there is.

BUILD := build
GO    ?= go
CC    ?= cc
CXX   ?= c++

.DEFAULT_GOAL := help
.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

include capi/build.mk
include tests/build.mk
