package inspect

import (
	"encoding/binary"

	"github.com/libdv/libdv/internal/delta"
	"github.com/libdv/libdv/internal/dv"
	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/puffin"
	"github.com/libdv/libdv/internal/storage"
)

// puffin examines a Puffin file and every vector in it.
func (in *inspector) puffin() error {
	file, passed, err := puffin.Examine(in.src)
	if err := in.refuse(err); err != nil {
		return err
	}
	in.Checks = passed
	if file == nil {
		return nil
	}
	footer := file.Footer()
	in.Footer = &footerInfo{footer.Offset, footer.Size, footer.Compressed, optional(footer.CreatedBy, footer.CreatedBy != "")}
	allowed := 2*in.Size + examinedFree
	for i := range file.Blobs() {
		b := &file.Blobs()[i]
		if b.Type != puffin.DeletionVector {
			in.other(i, b)
			continue
		}
		if err := in.blob(i, b, &allowed); err != nil {
			return err
		}
	}
	return nil
}

// other lists a blob that is no vector.
func (in *inspector) other(index int, b *puffin.Blob) {
	if len(in.OtherBlobs) == otherBlobsMost {
		in.OtherBlobsOmitted++
		return
	}
	in.OtherBlobs = append(in.OtherBlobs, blobInfo{int64(index), cut(b.Type), optional(b.Codec, b.HasCodec), b.Offset, b.Length})
}

// blob examines a vector of a Puffin file. allowed is how many bytes may still be looked at.
func (in *inspector) blob(index int, b *puffin.Blob, allowed *int64) error {
	v := vector{Index: int64(index), Offset: b.Offset, Size: b.Length, ReferencedDataFile: optional(b.DataFile, b.HasDataFile)}
	if b.Cardinality != dv.Unknown {
		v.DeclaredCardinality = &b.Cardinality
	}
	refused := b.CheckVector()
	if refused == nil {
		v.Checks = append(v.Checks, "footer_entry")
	}
	switch {
	case b.HasCodec || dv.BlobForm.CheckSize(b.Length) != nil: // nothing to be seen
	case b.Length > *allowed:
		in.VectorsUnexamined++
	default:
		*allowed -= b.Length
		data, err := storage.Read(in.src, b.Offset, b.Length, "deletion vector blob")
		if err != nil {
			return err
		}
		if err := v.examine(data, dv.BlobForm, b.Cardinality, in.bitmaps()); refused == nil {
			refused = err
		}
	}
	return in.add(&v, fault.In(refused, "blob %d at offset %d of the Puffin file", index, b.Offset))
}

// delta examines the records of a Delta file up to the first that is at fault.
func (in *inspector) delta() error {
	records, err := delta.NewRecords(in.src)
	if err != nil {
		return in.refuse(err)
	}
	in.Checks = []string{"version"}
	for in.Fault == nil {
		if _, left := records.Rest(); left == 0 {
			return nil
		}
		record, err := records.Next()
		if err := in.record(&record, err); err != nil {
			return err
		}
	}
	return nil
}

// record examines a record, which refused says is at fault already.
func (in *inspector) record(r *delta.Record, refused error) error {
	if refused != nil {
		if _, err := faultOf(refused); err != nil {
			return err
		}
	}
	v := vector{Index: in.VectorCount, Offset: r.Offset, Size: int64(len(r.Data))}
	if len(r.Data) >= 4 {
		size := int64(int32(binary.BigEndian.Uint32(r.Data)))
		v.SizeInBytes = &size
	}
	if r.Data != nil {
		if err := v.examine(r.Data, dv.RecordForm, dv.Unknown, in.bitmaps()); refused == nil {
			refused = fault.In(err, "delta record at %d", r.Offset)
		}
	}
	if end := v.Offset + v.Size; refused != nil && end < in.Size {
		in.Rest = &span{end, in.Size - end}
	}
	return in.add(&v, refused)
}
