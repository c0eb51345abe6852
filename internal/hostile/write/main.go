// Command write makes the files that the tests on hostile input read.
//
//	go run ./internal/hostile/write table        testdata/hostile/table.txt
package main

import (
	"fmt"
	"os"

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
	return fmt.Errorf("usage: write table")
}
