# What is given to others.

##@ Package

.PHONY: wheel
wheel: $(LIB) $(VENV_OK) ## build the Python wheel, native library included: dist/
	$(VENV_BIN)/python -m build --wheel --no-isolation --outdir dist $(PY)

.PHONY: jar
jar: $(LIB) | check-jdk check-mvn ## build the jar, native library included: bindings/java/target/
	make/maven -q -DskipTests package
	@ls $(JAVA)/target/*.jar

# Where `make install` puts things; DESTDIR goes before it all, for those who pack.
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
VERSION  = $(shell sed -n 's/^\#define DV_VERSION "\([^"]*\)".*/\1/p' include/dv.h)
STAGE    = $(DESTDIR)$(LIBDIR)

define PKG_CONFIG_FILE
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$${prefix}/include

Name: libdv
Description: Deletion vectors of Apache Iceberg and Delta Lake
Version: $(VERSION)
Libs: -L$${libdir} -ldv
Cflags: -I$${includedir}
endef
export PKG_CONFIG_FILE

.PHONY: install
install: $(LIB) ## install library, headers and pkg-config file: PREFIX=/usr/local, DESTDIR, LIBDIR
	install -d '$(STAGE)/pkgconfig' '$(DESTDIR)$(PREFIX)/include/dv'
	install -m 755 $(LIB) '$(STAGE)/libdv.so.$(VERSION)'
	ln -sf libdv.so.$(VERSION) '$(STAGE)/libdv.so.$(VERSION_SO)'
	ln -sf libdv.so.$(VERSION_SO) '$(STAGE)/libdv.so'
	install -m 644 include/dv.h include/dv.hpp '$(DESTDIR)$(PREFIX)/include'
	install -m 644 include/dv/*.hpp '$(DESTDIR)$(PREFIX)/include/dv'
	@echo "$$PKG_CONFIG_FILE" >'$(STAGE)/pkgconfig/libdv.pc'
