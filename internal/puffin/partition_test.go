package puffin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/libdv/libdv/internal/fault"
)

func TestSpecsThatAreAccepted(t *testing.T) {
	for what, c := range map[string]struct {
		json string
		want string // the specs, printed
	}{
		"none":                    {`[]`, `[]`},
		"white space":             {" \n[ ] ", `[]`},
		"unpartitioned":           {`[{"spec-id":0,"fields":[]}]`, `[0:[]]`},
		"as in metadata":          {dayAndBucket, `[0:[] 3:[1000 1001 1007]]`},
		"order of the fields":     {`[{"fields":[{"field-id":9},{"field-id":2}],"spec-id":1}]`, `[1:[9 2]]`},
		"unknown members":         {`[{"x":{"spec-id":7},"spec-id":0,"fields":[{"y":[1],"field-id":1}],"x":0}]`, `[0:[1]]`},
		"largest ids":             {`[{"spec-id":2147483647,"fields":[{"field-id":2147483647}]}]`, `[2147483647:[2147483647]]`},
		"one field id, two specs": {`[{"spec-id":0,"fields":[{"field-id":1}]},{"spec-id":1,"fields":[{"field-id":1}]}]`, `[0:[1] 1:[1]]`},
	} {
		specs, err := parseSpecs([]byte(c.json))
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		got := []string{}
		for _, s := range specs {
			if s.fields == nil {
				s.fields = []int32{}
			}
			got = append(got, fmt.Sprintf("%d:%v", s.id, s.fields))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", what, got, c.want)
		}
	}
}

func TestSpecsThatAreRefused(t *testing.T) {
	for what, json := range map[string]string{
		"empty":                ``,
		"null":                 `null`,
		"an object":            `{"spec-id":0,"fields":[]}`,
		"no JSON":              `[`,
		"something after":      `[] []`,
		"a number":             `[1]`,
		"no id":                `[{"fields":[]}]`,
		"no fields":            `[{"spec-id":0}]`,
		"fields null":          `[{"spec-id":0,"fields":null}]`,
		"id with a fraction":   `[{"spec-id":0.0,"fields":[]}]`,
		"id as a string":       `[{"spec-id":"0","fields":[]}]`,
		"negative id":          `[{"spec-id":-1,"fields":[]}]`,
		"id beyond int32":      `[{"spec-id":2147483648,"fields":[]}]`,
		"id twice":             `[{"spec-id":0,"spec-id":0,"fields":[]}]`,
		"fields twice":         `[{"spec-id":0,"fields":[],"fields":[]}]`,
		"one id for two":       `[{"spec-id":0,"fields":[]},{"spec-id":0,"fields":[]}]`,
		"other case":           `[{"Spec-Id":0,"fields":[]}]`,
		"field without id":     `[{"spec-id":0,"fields":[{"name":"a"}]}]`,
		"field id twice":       `[{"spec-id":0,"fields":[{"field-id":1,"field-id":1}]}]`,
		"one field id for two": `[{"spec-id":0,"fields":[{"field-id":1},{"field-id":2},{"field-id":1}]}]`,
		"negative field id":    `[{"spec-id":0,"fields":[{"field-id":-1}]}]`,
		"field a number":       `[{"spec-id":0,"fields":[1000]}]`,
		"transform a number":   `[{"spec-id":0,"fields":[{"field-id":1,"transform":1}]}]`,
		"name null":            `[{"spec-id":0,"fields":[{"field-id":1,"name":null}]}]`,
		"name twice":           `[{"spec-id":0,"fields":[{"field-id":1,"name":"a","name":"a"}]}]`,
		"invalid UTF-8":        "[{\"spec-id\":0,\"fields\":[{\"field-id\":1,\"name\":\"\xff\"}]}]",
		"deep":                 strings.Repeat("[", 100_000),
	} {
		t.Run(what, func(t *testing.T) {
			_, err := NewWriter([]byte(json))
			wantKind(t, err, fault.ErrInvalidArgument, "partition specs")
		})
	}
}

func testSpec(t testing.TB) *spec {
	t.Helper()
	specs, err := parseSpecs([]byte(`[{"spec-id":5,"fields":[{"field-id":1002},{"field-id":1000},{"field-id":7}]}]`))
	ok(t, err)
	return &specs[0]
}

// TestPartitionValuesAreCopiedVerbatim covers Iceberg's single-value JSON of every primitive type.
func TestPartitionValuesAreCopiedVerbatim(t *testing.T) {
	s := testSpec(t)
	for _, value := range []string{
		`null`, `true`, `false`, `0`, `-0`, `34`, `-2147483648`, `9223372036854775807`, `1.0`, `1.10`, `-0.0`, `1E400`, `1e-7`,
		`123456789012345678901234567890`, `"2022-01-08"`, `"14.20"`, `"2E+20"`, `"22:31:08.123456"`,
		`"2017-11-16T22:31:08.123456+00:00"`, `"f79c3e09-677c-4bbd-a479-3f349cb785e7"`, `"78797A"`, `""`, `"é \u00e9 \/ \"\\ \ud83d\udc27"`,
		`"\u0000"`, `"` + strings.Repeat("v", 100_000) + `"`,
	} {
		want := `[` + value + `,1,"x"]`
		for _, json := range []string{
			`{"1002":` + value + `,"1000":1,"7":"x"}`,
			`{"7":"x","1000":1,"1002":` + value + `}`,
			"[ " + value + " , 1 ,\n\"x\"] ",
		} {
			got, err := s.partition([]byte(json))
			if err != nil || string(got) != want {
				t.Errorf("%.80s: %.80s, want %.80s, %v", json, got, want, err)
			}
		}
	}
}

func TestPartitionsThatAreRefused(t *testing.T) {
	s := testSpec(t)
	for what, c := range map[string]struct{ json, says string }{
		"empty":                 {``, "ends here"},
		"empty object":          {`{}`, "no value for field id 1002"},
		"empty array":           {`[]`, "0 values, the spec has 3 fields"},
		"null":                  {`null`, "found null"},
		"a string":              {`"x"`, "expected an object"},
		"field missing":         {`{"1002":1,"1000":1}`, "no value for field id 7"},
		"field of no spec":      {`{"1002":1,"1000":1,"7":1,"8":1}`, `"8" is no field id`},
		"name for an id":        {`{"day":1,"1000":1,"7":1}`, `"day" is no field id`},
		"id with zeros":         {`{"1002":1,"1000":1,"07":1}`, `"07" is no field id`},
		"id with a plus":        {`{"1002":1,"1000":1,"+7":1}`, `"+7" is no field id`},
		"id with a space":       {`{"1002":1,"1000":1," 7":1}`, `" 7" is no field id`},
		"empty id":              {`{"1002":1,"1000":1,"":1}`, `"" is no field id`},
		"id beyond int32":       {`{"1002":1,"1000":1,"4294967303":1}`, "is no field id"},
		"field twice":           {`{"1002":1,"1000":1,"7":1,"7":1}`, "field id 7 stands twice"},
		"field twice, escaped":  {`{"1002":1,"1000":1,"7":1,"\u0037":1}`, "field id 7 stands twice"},
		"null, then value":      {`{"1002":1,"1000":1,"7":null,"7":1}`, "field id 7 stands twice"},
		"too few":               {`[1,2]`, "2 values, the spec has 3 fields"},
		"too many":              {`[1,2,3,4]`, "value 4 follows"},
		"object as a value":     {`[1,2,{}]`, "primitive"},
		"array as a value":      {`{"1002":1,"1000":[],"7":1}`, "primitive"},
		"something after":       {`[1,2,3]]`, "expected its end"},
		"NaN":                   {`[1,2,NaN]`, "invalid JSON"},
		"leading zero":          {`[1,2,03]`, "invalid JSON"},
		"invalid UTF-8":         {"[1,2,\"\xff\"]", "UTF-8"},
		"lone surrogate":        {`[1,2,"\ud800"]`, "surrogate"},
		"raw control character": {"[1,2,\"\n\"]", "invalid JSON"},
		"not closed":            {`[1,2,3`, ""},
	} {
		t.Run(what, func(t *testing.T) {
			_, err := s.partition([]byte(c.json))
			wantKind(t, err, fault.ErrInvalidArgument, "partition for spec 5", c.says)
		})
	}
	unpartitioned := &spec{}
	for _, json := range []string{`null`, `[null]`, `{"1":null}`, ``, `0`} {
		_, err := unpartitioned.partition([]byte(json))
		wantKind(t, err, fault.ErrInvalidArgument)
	}
	for _, json := range [][]byte{nil, []byte(`{}`), []byte(` [ ] `)} {
		if got, err := unpartitioned.partition(json); err != nil || string(got) != "[]" {
			t.Errorf("%q: %q, %v", json, got, err)
		}
	}
}

// TestManyFieldsAreNotQuadratic would take very long if each were compared with each.
func TestManyFieldsAreNotQuadratic(t *testing.T) {
	const n = 50_000
	var specs, partition strings.Builder
	for i := range n {
		fmt.Fprintf(&specs, `,{"field-id":%d}`, n-i)
		fmt.Fprintf(&partition, `,"%d":%d`, i+1, i)
	}
	w := newWriter(t, `[{"spec-id":0,"fields":[`+specs.String()[1:]+`]}]`)
	ok(t, w.Add("a", []int64{1}, 0, []byte(`{`+partition.String()[1:]+`}`)))
	_, entries := flush(t, w, "loc")
	if got := parseEntries(t, entries)[0].Partition; len(got) != n || string(got[0]) != fmt.Sprint(n-1) {
		t.Fatalf("%d values", len(got))
	}
}
