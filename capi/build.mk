# The shared library.

LIB        := $(BUILD)/libdv.so
VERSION_SO := 1
GO_SOURCES := $(shell find capi internal \( -name '*.go' -o -name '*.s' \) -not -name '*_test.go') go.mod go.sum
C_SOURCES  := $(wildcard capi/*.c capi/*.h) include/dv.h capi/libdv.map

# netgo, osusergo: the resolver of the C library would be one more dependency, for nothing.
# -Bsymbolic: two copies in one process (a forked child's own) never mix.
GO_TAGS    := netgo,osusergo
GO_LDFLAGS = -s -w -buildid= -extldflags "-Wl,-soname,libdv.so.$(VERSION_SO) \
	-Wl,--version-script=$(CURDIR)/capi/libdv.map -Wl,-Bsymbolic -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,noexecstack"

# $(call build_lib,output,flags,tags): cgo writes a header of its own beside the library; dv.h is the one to use.
define build_lib
@mkdir -p $(dir $(1))
@echo 'Building $(1)'
@CGO_ENABLED=1 $(GO) build -buildmode=c-shared -trimpath -buildvcs=false $(2) -tags '$(GO_TAGS),$(3)' \
	-ldflags '$(GO_LDFLAGS)' -o $(1) ./capi
@rm -f $(1:.so=.h)
endef

.PHONY: lib
lib: $(LIB) $(LIB).$(VERSION_SO) ## build the shared library: build/libdv.so

# Programs find the library by its soname.
%/libdv.so.$(VERSION_SO): %/libdv.so
	@ln -sf libdv.so $@

$(LIB): $(GO_SOURCES) $(C_SOURCES) | check-go check-cc
	$(call build_lib,$@,,)
