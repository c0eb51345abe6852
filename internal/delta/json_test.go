package delta

import (
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

// with is a good "u" descriptor in which one text is replaced.
func with(t testing.TB, old, new string) string {
	t.Helper()
	const good = `{"storageType":"u","pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^","offset":4,"sizeInBytes":40,"cardinality":6}`
	if !strings.Contains(good, old) {
		t.Fatalf("%q is not in the descriptor", old)
	}
	return strings.Replace(good, old, new, 1)
}

func TestDescriptorJSONAccepted(t *testing.T) {
	for name, text := range map[string]string{
		"as it is":              with(t, "", ""),
		"white space":           " \n\t" + with(t, `,"offset"`, ",\r\n \"offset\"") + " \n",
		"unknown members":       with(t, `{`, `{"maxRowIndex":7,"x":{"storageType":"q","offset":[-1.5e3,null]},`),
		"another order":         `{"cardinality":6,"sizeInBytes":40,"offset":4,"pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^","storageType":"u"}`,
		"escaped name":          with(t, `"offset"`, "\"\\u006fffset\""),
		"escaped value":         with(t, `ab^`, "\\u0061b\\u005e"),
		"a name in other case":  with(t, `{`, `{"OFFSET":-3,"StorageType":5,"cardinality ":"x",`),
		"unknown ones twice":    with(t, `{`, `{"x":1,"x":{"y":1,"y":2},`),
		"a long unknown number": with(t, `{`, `{"x":`+strings.Repeat("9", 500)+`,`),
	} {
		t.Run(name, func(t *testing.T) {
			d, err := ParseDescriptor([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if d.UniqueID() != "uab^-aqEH.-t@S}K{vb[*k^@4" || d.Path() != "ab/"+uuidName || d.size != 40 || d.cardinality != 6 {
				t.Fatalf("%+v", d)
			}
		})
	}
}

func TestDescriptorJSONRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"nothing":                  {"", "JSON"},
		"white space":              {"  ", "JSON"},
		"cut short":                {strings.TrimSuffix(with(t, "", ""), "}"), "JSON"},
		"cut in a string":          {`{"storageType":"u`, "JSON"},
		"no JSON":                  {"storageType", "JSON"},
		"null":                     {"null", "null, expected an object"},
		"a string":                 {`"u"`, "a string, expected an object"},
		"an array":                 {"[" + with(t, "", "") + "]", "an array, expected an object"},
		"two objects":              {with(t, "", "") + with(t, "", ""), "follows"},
		"garbage after":            {with(t, "", "") + "x", "follows"},
		"U+0000 after":             {with(t, "", "") + "\x00", "follows"},
		"a mark before":            {"\xef\xbb\xbf" + with(t, "", ""), "JSON"},
		"comma at the end":         {with(t, "6}", "6,}"), "JSON"},
		"single quotes":            {with(t, `"u"`, `'u'`), "JSON"},
		"comment":                  {with(t, "{", "{/**/"), "JSON"},
		"invalid UTF-8":            {with(t, "ab^", "a\xff^"), "JSON"},
		"invalid UTF-8 elsewhere":  {with(t, "{", "{\"x\":\"\xc0\xaf\","), "JSON"},
		"half a surrogate":         {with(t, "ab^", "\\ud800^"), "JSON"},
		"raw control character":    {with(t, "ab^", "a\n^"), "JSON"},
		"a member twice":           {with(t, `"offset":4`, `"offset":4,"offset":4`), `"offset" stands twice`},
		"null, then a number":      {with(t, `"offset":4`, `"offset":null,"offset":4`), `"offset" stands twice`},
		"an escaped member twice":  {with(t, `"offset":4`, "\"offset\":4,\"\\u006fffset\":5"), `"offset" stands twice`},
		"no storage type":          {with(t, `"storageType":"u",`, ""), "storageType is missing"},
		"no path":                  {with(t, `"pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^",`, ""), "pathOrInlineDv is missing"},
		"no size":                  {with(t, `,"sizeInBytes":40`, ""), "sizeInBytes is missing"},
		"no cardinality":           {with(t, `,"cardinality":6`, ""), "cardinality is missing"},
		"members in another case":  {with(t, `"sizeInBytes"`, `"sizeinbytes"`), "sizeInBytes is missing"},
		"an empty object":          {"{}", "storageType is missing"},
		"storage type a number":    {with(t, `"u"`, "1"), "storageType at byte 14 is a number, expected a string"},
		"storage type null":        {with(t, `"u"`, "null"), "storageType at byte 14 is null, expected a string"},
		"path an array":            {with(t, `"ab^-aqEH.-t@S}K{vb[*k^"`, `["ab"]`), "pathOrInlineDv at byte"},
		"path an object":           {with(t, `"ab^-aqEH.-t@S}K{vb[*k^"`, `{}`), "is an object, expected a string"},
		"path true":                {with(t, `"ab^-aqEH.-t@S}K{vb[*k^"`, `true`), "is true, expected a string"},
		"offset a string":          {with(t, `"offset":4`, `"offset":"4"`), "is a string, expected a number"},
		"offset false":             {with(t, `"offset":4`, `"offset":false`), "is false, expected a number"},
		"offset no literal":        {with(t, `"offset":4`, `"offset":nul`), "JSON"},
		"offset negative":          {with(t, `"offset":4`, `"offset":-1`), `"-1"`},
		"offset a fraction":        {with(t, `"offset":4`, `"offset":4.0`), "expected an integer"},
		"offset with exponent":     {with(t, `"offset":4`, `"offset":4e0`), "expected an integer"},
		"offset beyond int32":      {with(t, `"offset":4`, `"offset":2147483648`), "at most 2147483647"},
		"size negative":            {with(t, "40", "-40"), `"-40"`},
		"size null":                {with(t, "40", "null"), "is null, expected a number"},
		"size beyond int32":        {with(t, "40", "4294967336"), "at most 2147483647"},
		"cardinality negative":     {with(t, ":6", ":-6"), `"-6"`},
		"cardinality null":         {with(t, ":6", ":null"), "is null, expected a number"},
		"cardinality beyond int64": {with(t, ":6", ":9223372036854775808"), "at most 9223372036854775807"},
		"cardinality very long":    {with(t, ":6", ":"+strings.Repeat("6", 5000)), "(5000 bytes)"},
		"leading zero":             {with(t, ":6", ":06"), "JSON"},
		"plus sign":                {with(t, ":6", ":+6"), "JSON"},
		"hex":                      {with(t, ":6", ":0x6"), "JSON"},
		"NaN":                      {with(t, ":6", ":NaN"), "JSON"},
		"minus zero":               {with(t, ":6", ":-0"), `"-0"`},
		"an inline vector's offset": {
			`{"storageType":"i","pathOrInlineDv":"` + example + `","offset":4,"sizeInBytes":44,"cardinality":6}`, "offset 4, expected none"},
		"an inline vector's offset 0": {
			`{"storageType":"i","pathOrInlineDv":"` + example + `","offset":0,"sizeInBytes":44,"cardinality":6}`, "offset 0, expected none"},
		"deep":         {with(t, "{", `{"x":`+strings.Repeat("[", 100_000)), "JSON"},
		"deep objects": {strings.Repeat(`{"x":`, 100_000), "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := ParseDescriptor([]byte(c.text))
			if err == nil {
				t.Fatalf("read as %+v", d)
			}
			wantKind(t, err, fault.ErrInvalidArgument)
			if text := err.Error(); !strings.Contains(text, c.says) || len(text) > 400 || strings.ContainsAny(text, "\n\r") {
				t.Errorf("%q does not say %q in a line", text, c.says)
			}
		})
	}
}

func TestDescriptorStorageTypes(t *testing.T) {
	for _, letter := range []string{"x", "U", "uu", "", " u", "I", "delta"} {
		_, err := ParseDescriptor([]byte(with(t, `"u"`, `"`+letter+`"`)))
		wantKind(t, err, fault.ErrUnsupported)
		if !strings.Contains(err.Error(), `"`+letter+`"`) {
			t.Errorf("%q does not name %q", err, letter)
		}
	}
	// A type that is not known may lack members that are.
	_, err := ParseDescriptor([]byte(`{"storageType":"x"}`))
	wantKind(t, err, fault.ErrUnsupported)
}

// A descriptor cut anywhere is refused.
func TestDescriptorCut(t *testing.T) {
	whole := with(t, "", "")
	for n := range len(whole) {
		_, err := ParseDescriptor([]byte(whole[:n]))
		wantKind(t, err, fault.ErrInvalidArgument)
	}
}
