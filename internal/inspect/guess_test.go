package inspect

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
	"github.com/libdv/libdv/internal/golden"
	"github.com/libdv/libdv/internal/storage"
)

func TestGuess(t *testing.T) {
	zeros := strings.Repeat("00", 20)
	for _, c := range []struct {
		name, hex string
		want      Format
		says      string // the message where the format is unknown
	}{
		{"nothing", "", Unknown, "0 bytes that begin with : no format"},
		{"PFA1 and no more", "50464131", Puffin, ""},
		{"PFA1 at the end alone", zeros + "50464131", Puffin, ""},
		{"the magic of a vector at 4", "00000000d1d33964" + zeros, Blob, ""},
		{"the same in the wrong order", "000000006439d3d1" + zeros, Blob, ""},
		{"the older magic", "00000000d0d33964" + zeros, Blob, ""},
		{"a length that fits", "0000001400000000" + zeros, Blob, ""},
		{"a length that does not", "0000001500000000" + zeros, Unknown, ""},
		{"the magic of a vector at 5", "0700000000d1d33964" + zeros, Delta, ""},
		{"a size that fits", "01" + "0000000c" + zeros[:32], Delta, ""},
		{"a version byte alone", "01", Delta, ""},
		{"another byte alone", "02", Unknown, "1 bytes that begin with 02"},
		{"an empty 64-bit bitmap", "0000000000000000", Roaring, ""},
		{"zeros", zeros, Unknown, ""},
		{"a bitmap", "0100000000000000" + "07000000" + "3a30000000000000", Roaring, ""},
		{"a bitmap with runs", "0100000000000000" + "07000000" + "3b30010000000000", Roaring, ""},
		{"a count beyond the bytes", "0200000000000000" + "07000000" + "3a30000000000000", Roaring, ""},
		{"the same with runs", "0200000000000000" + "07000000" + "3b30010000000000", Unknown, ""},
		{"an empty Mumbling bitmap", "010000000000", Mumbling, ""},
		{"the same and a byte", "01000000000000", Unknown, ""},
		{"Mumbling with its most", "010000200020" + zeros, Mumbling, ""},
		{"Mumbling with a position more", "010100200020" + zeros, Unknown, ""},
		{"Mumbling with a container more", "010000200120" + zeros, Unknown, ""},
		{"Mumbling of another version", "020000200020" + zeros, Unknown, ""},
		{"magic and bitmap", "d1d33964" + zeros, Unknown, "a vector without length and CRC"},
		{"an inline vector", hex.EncodeToString([]byte("^Bg9^0rr91")), Unknown, "the text of an inline vector"},
		{"a 32-bit bitmap", "3a30000001000000" + zeros, Unknown, "a 32-bit roaring bitmap"},
		{"a 32-bit bitmap with runs", "3b30000001000000" + zeros, Unknown, "a 32-bit roaring bitmap"},
		{"Java's legacy form", "00" + "00000001" + "00000000" + "3a300000" + zeros, Unknown, "Roaring64NavigableMap"},
		{"Parquet", hex.EncodeToString([]byte("PAR1")) + zeros, Unknown, "a Parquet file"},
		{"a descriptor", hex.EncodeToString([]byte(`{"storageType":"u"}`)), Unknown, "a JSON object"},
	} {
		data, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		o := look(t, data, Unknown)
		if o.Format != string(c.want) {
			t.Errorf("%s: %s, expected %s", c.name, o.Format, c.want)
			continue
		}
		if c.want == Unknown && (o.Fault == nil || o.Fault.Status != "DV_UNSUPPORTED" || !strings.Contains(o.Fault.Message, c.says) || o.Count != 0) {
			t.Errorf("%s: fault %+v, expected %q", c.name, o.Fault, c.says)
		}
	}
}

// TestGuessHostileFiles names what cannot be told, because all that marks the format is gone.
func TestGuessHostileFiles(t *testing.T) {
	lost := map[string]string{}
	for name, format := range map[string]Format{
		"iceberg/length_zero.dv": Blob, "iceberg/magic_zero.dv": Blob, "iceberg/trunc_15.dv": Blob, "iceberg/count_2_64_minus_1.dv": Blob,
		"delta/version_255.bin": Delta, "delta/magic_byteswapped.bin": Delta, "delta/magic_native_portable_data.bin": Delta, "delta/trunc_17.bin": Delta,
		"roaring/control_run4.roaring64": Roaring, "roaring/array_duplicate.roaring64": Roaring, "roaring/run_overlap.roaring64": Roaring,
		"mumbling/descriptor_40.bin": Mumbling, "mumbling/trunc_14.bin": Mumbling, "mumbling/sparse_unsorted.bin": Mumbling,
		"puffin/bad_head_magic.puffin": Puffin, "puffin/bad_middle_magic.puffin": Puffin, "puffin/footer_size_0.puffin": Puffin,
		"mumbling/version_2.bin": Unknown, "roaring/cookie_00003039.roaring64": Unknown, "iceberg/trunc_07.dv": Unknown,
	} {
		if got := look(t, golden.Read(t, "hostile/"+name), Unknown).Format; got != string(format) {
			lost[name] = got
		}
	}
	if len(lost) > 0 {
		t.Errorf("taken for something else: %v", lost)
	}
}

func TestNamed(t *testing.T) {
	for _, f := range formats {
		if got, err := Named(string(f)); got != f || err != nil {
			t.Errorf("%s: %s, %v", f, got, err)
		}
	}
	for _, name := range []string{"", "Puffin", "puffin ", "parquet", strings.Repeat("x", 9999)} {
		if _, err := Named(name); fault.Kind(err) != fault.ErrInvalidArgument || !strings.Contains(err.Error(), "puffin, dv-blob, delta-dv, roaring-64, mumbling, unknown") || len(err.Error()) > 300 {
			t.Errorf("%.20q: %v", name, err)
		}
	}
	// A format that was named is taken at its word.
	if o := lookAt(t, storage.Memory(golden.Read(t, "iceberg/pos5.puffin")), Mumbling); o.Fault == nil || o.Format != "mumbling" {
		t.Errorf("a Puffin file as Mumbling: %+v", o.Fault)
	}
}
