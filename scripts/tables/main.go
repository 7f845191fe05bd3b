// Command tables holds the SQL of the program against models/tables.yaml, which
// says to which package each table belongs: a package reads and writes its own.
package main

import (
	"fmt"
	"os"
)

func main() {
	problems, err := check(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(2)
	}
	for _, problem := range problems {
		fmt.Println(problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}
