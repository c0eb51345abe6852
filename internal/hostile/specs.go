package hostile

import (
	"fmt"
	"strconv"
	"strings"
)

// partitioned is the specs that a case changes, and its partition; every value in them that is replaced stands once.
const (
	partitioned = `[{"spec-id":3,"fields":[{"source-id":1,"field-id":1000,"name":"day","transform":"day"},` +
		`{"source-id":2,"field-id":1001,"name":"b","transform":"bucket[8]"}]},{"spec-id":0,"fields":[]}]`
	partition = `{"1000":"2022-01-08","1001":4}`
)

// specs breaks what a writer is told of partitions. All of it is the caller's: an argument.
func (t *table) specs() {
	none := int64(Unknown)
	spec := func(name, status, json string) {
		t.add(Case{Name: "specs/" + name, How: Specs, Status: status, Offset: none, Size: none, Cardinality: none, Data: []byte(json)})
	}
	change := func(name, status, old, new string) {
		if strings.Count(partitioned, old) != 1 {
			panic(old + " does not stand once in the specs")
		}
		spec(name, status, strings.Replace(partitioned, old, new, 1))
	}
	spec("whole", OK, partitioned)
	spec("none", OK, "[]")
	for n := 0; n < len(partitioned); n += 3 {
		spec(fmt.Sprintf("cut-%03d", n), Invalid, partitioned[:n])
	}
	for _, value := range []string{"-1", "3.0", "3e0", `"3"`, "null", "{}", "", "2147483648", "03"} {
		change("spec-id-"+token(value), Invalid, `"spec-id":3`, `"spec-id":`+value)
		change("field-id-"+token(value), Invalid, `"field-id":1000`, `"field-id":`+value)
	}
	change("spec-id-of-two-specs", Invalid, `"spec-id":3`, `"spec-id":0`)
	change("field-id-0", OK, `"field-id":1000`, `"field-id":0`)
	change("field-id-twice", Invalid, `"field-id":1000`, `"field-id":1001`)
	change("field-id-missing", Invalid, `"field-id":1000,`, "")
	change("spec-id-missing", Invalid, `"spec-id":3,`, "")
	change("spec-id-stands-twice", Invalid, `"spec-id":3,`, `"spec-id":3,"spec-id":3,`)
	change("fields-missing", Invalid, `,"fields":[]`, "")
	change("fields-null", Invalid, `"fields":[]`, `"fields":null`)
	change("name-no-text", Invalid, `"day","transform"`, "\"\xff\",\"transform\"")
	change("transform-null", Invalid, `"bucket[8]"`, "null")
	for _, json := range []string{" ", "null", "{}", "[null]", "[[]]", "[{}]", "[1]", "[]x", "[],", "[[", "\ufeff[]"} {
		spec("no-"+token(json), Invalid, json)
	}
	t.partitions()
}

func (t *table) partitions() {
	add := func(name, status string, specID int64, json string) {
		t.add(Case{Name: "partition/" + name, How: Partition, Status: status, Offset: specID, Size: Unknown, Cardinality: Unknown,
			Text: partitioned, Data: []byte(json)})
	}
	add("whole", OK, 3, partition)
	add("list", OK, 3, `["2022-01-08",4]`)
	add("nulls", OK, 3, `[null,null]`)
	add("unpartitioned", OK, 0, "{}")
	for _, id := range []int64{-1 << 31, -1, 1, 4, 1<<31 - 1} {
		add("spec-"+token(strings.Replace(strconv.FormatInt(id, 10), "-", "m", 1)), Invalid, id, partition)
	}
	cuts([]byte(partition), func(name string, data []byte) {
		if len(data) > 0 {
			add(name, Invalid, 3, string(data))
		}
	})
	for _, json := range []string{
		" ", "null", "1", `""`, "{}", "[]", "[1]", "[1,2,3]", `{"1000":1}`, `{"1000":1,"1001":2,"1002":3}`, `{"1000":1,"1001":2,"1000":1}`,
		`{"01000":1,"1001":2}`, `{"+1000":1,"1001":2}`, `{"1e3":1,"1001":2}`, `{"day":1,"b":2}`, `{"1000":{},"1001":2}`, `{"1000":[],"1001":2}`,
		`{"1000":01,"1001":2}`, `{"1000":NaN,"1001":2}`, `{"1000":1,"1001":2}x`, `[1,2]x`, `[1,[2]]`, "{\"1000\":\"\xff\",\"1001\":2}",
		"{\"1000\":\"\n\",\"1001\":2}", `{"1000":"\ud800","1001":2}`,
	} {
		add("no-"+token(json), Invalid, 3, json)
	}
	add("none-under-unpartitioned", Invalid, 0, `{"1000":1}`)
}
