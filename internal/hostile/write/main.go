// Command write makes the files that the tests on hostile input read.
//
//	go run ./internal/hostile/write table                  testdata/hostile/table.txt
//	go run ./internal/hostile/write worst SIZE PROGRAM     the inputs that cost most memory, each for a run of PROGRAM
//
// PROGRAM is tests/safety/memory.c: it gets a case as arguments, with the file that holds the input and the kind of source
// to read it through.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/libdv/libdv/internal/hostile"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 1 && arguments[0] == "table" {
		cases, err := hostile.All()
		if err != nil {
			return err
		}
		return os.WriteFile(hostile.Path(), hostile.Table(cases), 0o666)
	}
	if len(arguments) == 3 && arguments[0] == "worst" {
		size, err := strconv.Atoi(arguments[1])
		if err != nil {
			return err
		}
		return worst(size, arguments[2])
	}
	return errors.New("usage: write table, or write worst SIZE PROGRAM")
}

// worst runs program on each of the worst inputs and fails where it did for any. It says which came closest to its bound.
func worst(size int, program string) error {
	dir, err := os.MkdirTemp("", "libdv-worst-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "input")
	count, most, closest := 0, -1, ""
	var failed error
	hostile.Worst(size, func(c hostile.Case) {
		if err := os.WriteFile(file, c.Data, 0o666); err != nil {
			failed = err
			return
		}
		for _, source := range sources[c.How] {
			command := exec.Command(program, c.Name, c.How, c.Status, fmt.Sprint(c.Offset), fmt.Sprint(c.Size), fmt.Sprint(c.Cardinality),
				file, source)
			command.Stderr = os.Stderr
			out, err := command.Output()
			if err != nil {
				failed = fmt.Errorf("%s, source %s: %w", c.Name, source, err)
			}
			count++
			percent := 0
			if _, err := fmt.Sscan(string(out), &percent); err == nil && percent > most {
				most, closest = percent, string(out)
			}
		}
	})
	if failed == nil {
		fmt.Printf("ok      %d inputs; the closest to its bound: %s", count, closest)
	}
	return failed
}

// sources are the kinds of source that an input is read through, "none" where it is none; "inspect" asks what it is.
var sources = map[string][]string{
	hostile.Range:  {"memory", "path", "callbacks"},
	hostile.Puffin: {"memory", "path", "callbacks", "inspect"},
	hostile.Delta:  {"memory", "path", "callbacks", "inspect"},
	hostile.Blob:   {"none", "inspect"}, hostile.Bitmap: {"none", "inspect"}, hostile.Mumbling: {"none", "inspect"},
	hostile.View: {"none"}, hostile.Inline: {"none"}, hostile.Specs: {"none"},
	hostile.Descriptor: {"none"}, hostile.DescriptorRead: {"none"},
}
