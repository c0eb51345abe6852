package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/libdv/libdv/internal/inspect"
)

//export godv_inspect
func godv_inspect(source, format unsafe.Pointer, out *C.dv_bytes) (status C.dv_status) {
	var c call
	defer c.end(&status)
	c.begin()
	src := c.source(source)
	if src == nil {
		return
	}
	named := inspect.Unknown
	if format != nil {
		if named, c.err = inspect.Named(text(format)); c.err != nil {
			return
		}
	}
	var json []byte
	json, c.err = inspect.Inspect(src, named)
	c.giveCopy(out, json)
	return
}
