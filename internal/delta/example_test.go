package delta_test

import (
	"fmt"

	"github.com/libdv/libdv/internal/delta"
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/storage"
)

func deleted(positions ...int64) *dv.Vector {
	v := dv.New()
	if err := v.SetMany(positions); err != nil {
		panic(err)
	}
	return v
}

// A vector goes into a file, its descriptor into the log, and both lead back to it.
func Example() {
	sink := storage.NewMemorySink() // storage.CreatePath for a file
	w := delta.NewWriter(sink)
	result, err := w.Write(deleted(3, 4, 7, 11, 18, 29))
	if err != nil {
		panic(err)
	}
	if err := w.Finalize(); err != nil {
		panic(err)
	}
	file, _ := sink.Take()

	json, err := delta.NewDescriptor("ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin", result)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", json)

	d, err := delta.ParseDescriptor(json)
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Path())
	fmt.Println(d.UniqueID())
	v, err := d.Read(storage.Memory(file))
	fmt.Println(v.Cardinality(), err)
	// Output:
	// {"storageType":"u","pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^","offset":1,"sizeInBytes":44,"cardinality":6}
	// ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin
	// uab^-aqEH.-t@S}K{vb[*k^@1
	// 6 <nil>
}

func ExampleInlineDescriptor() {
	json, err := delta.InlineDescriptor(deleted(3, 4, 7, 11, 18, 29))
	fmt.Printf("%s %v\n", json, err)
	// Output:
	// {"storageType":"i","pathOrInlineDv":"^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L","sizeInBytes":44,"cardinality":6} <nil>
}

// The bytes of an Iceberg blob become a record of a Delta file and an Iceberg blob again.
func ExampleReadBlob() {
	encoding, err := deleted(1).EncodeBlob()
	if err != nil {
		panic(err)
	}
	blob := encoding.Bytes()

	sink := storage.NewMemorySink()
	w := delta.NewWriter(sink)
	result, err := w.WriteBlob(blob, 1)
	if err != nil {
		panic(err)
	}
	if err := w.Finalize(); err != nil {
		panic(err)
	}
	file, _ := sink.Take()
	fmt.Printf("%+v\n", result)

	again, count, err := delta.ReadBlob(storage.Memory(file), result.Offset, result.SizeInBytes, result.Cardinality)
	fmt.Println(string(again) == string(blob), count, err)
	// Output:
	// {Cardinality:1 Offset:1 SizeInBytes:34}
	// true 1 <nil>
}
