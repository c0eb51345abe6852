# libdv - `make help` lists what there is. The parts are in make/, capi/build.mk and tests/build.mk.

BUILD  := build
GO     ?= go
CC     ?= cc
CXX    ?= c++
PYTHON ?= python3
MVN    ?= mvn
CARGO  ?= cargo
export GO CC CXX PYTHON MVN CARGO

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS   += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

include make/main.mk
include capi/build.mk
include make/go.mk
include tests/build.mk
include tests/safety.mk
include make/headers.mk
include make/python.mk
include make/java.mk
include make/examples.mk
include make/lint.mk
include make/package.mk
include make/long.mk
include make/bench.mk
