module github.com/libdv/libdv

go 1.26.0

require (
	github.com/RoaringBitmap/roaring/v2 v2.30.0
	github.com/bits-and-blooms/bitset v1.24.4
	github.com/go-json-experiment/json v1.27.2
	github.com/google/go-cmp v0.7.0
	github.com/google/uuid v1.6.0
	github.com/mattn/go-pointer v0.0.1
	github.com/mschoch/smat v0.2.0
	github.com/pierrec/lz4/v4 v4.1.33
	golang.org/x/sys v0.30.0
)
