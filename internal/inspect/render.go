package inspect

// render gives the report as JSON without white space.
func (r *report) render() []byte {
	var w writer
	w.open('{')
	w.text("format", string(r.Format))
	w.flag("guessed", r.Guessed)
	w.number("size", r.Size)
	w.optionalNumber("version", r.Version)
	w.texts("checks", r.Checks)
	w.fault(r.Fault)
	w.footer(r.Footer)
	list(&w, "vectors", r.Vectors, (*writer).vector)
	w.number("vector_count", r.VectorCount)
	w.number("vectors_omitted", r.VectorsOmitted)
	w.number("vectors_faulty", r.VectorsFaulty)
	w.number("vectors_unexamined", r.VectorsUnexamined)
	list(&w, "other_blobs", r.OtherBlobs, (*writer).blob)
	w.number("other_blobs_omitted", r.OtherBlobsOmitted)
	if w.object("rest", r.Rest != nil) {
		w.number("offset", r.Rest.Offset)
		w.number("size", r.Rest.Size)
		w.close('}')
	}
	w.close('}')
	return w.out
}

func (w *writer) fault(f *faultInfo) {
	if w.object("fault", f != nil) {
		w.text("status", f.Status)
		w.text("message", f.Message)
		w.close('}')
	}
}

func (w *writer) footer(f *footerInfo) {
	if w.object("footer", f != nil) {
		w.number("offset", f.Offset)
		w.number("size", f.Size)
		w.flag("compressed", f.Compressed)
		w.optionalText("created_by", f.CreatedBy)
		w.close('}')
	}
}

func (w *writer) blob(b *blobInfo) {
	w.number("index", b.Index)
	w.text("type", b.Type)
	w.optionalText("compression_codec", b.CompressionCodec)
	w.number("offset", b.Offset)
	w.number("size", b.Size)
}

func (w *writer) vector(v *vector) {
	w.number("index", v.Index)
	w.number("offset", v.Offset)
	w.number("size", v.Size)
	w.optionalNumber("size_in_bytes", v.SizeInBytes)
	w.optionalText("referenced_data_file", v.ReferencedDataFile)
	w.optionalNumber("declared_cardinality", v.DeclaredCardinality)
	w.texts("checks", v.Checks)
	w.fault(v.Fault)
	w.flag("complete", v.Complete)
	w.optionalNumber("cardinality", v.Cardinality)
	if w.object("bounds", v.Bounds != nil) {
		w.number("first", v.Bounds.First)
		w.number("last", v.Bounds.Last)
		w.close('}')
	}
	w.optionalNumber("bitmap_count", v.BitmapCount)
	w.optionalNumber("empty_bitmaps", v.EmptyBitmaps)
	list(w, "bitmaps", v.Bitmaps, (*writer).bitmap)
	w.number("bitmaps_omitted", v.BitmapsOmitted)
	if w.object("containers", v.Containers != nil) {
		for _, k := range v.Containers {
			w.object(k.Name, true)
			w.number("count", k.Count)
			w.number("bytes", k.Bytes)
			w.close('}')
		}
		w.close('}')
	}
	w.optionalNumber("padding", v.Padding)
	w.optionalFlag("smallest", v.Smallest)
	w.optionalFlag("canonical", v.Canonical)
	w.optionalNumber("canonical_size", v.CanonicalSize)
}

func (w *writer) bitmap(b *bitmap) {
	w.number("key", int64(b.Key))
	w.number("cookie", int64(b.Cookie))
	w.number("offset", b.Offset)
	w.number("size", b.Size)
	w.number("cardinality", b.Cardinality)
	w.number("containers", b.Containers)
	w.number("array", b.Array)
	w.number("bitmap", b.Bitmap)
	w.number("run", b.Run)
	w.flag("offset_header", b.OffsetHeader)
}
