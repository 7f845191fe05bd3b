// Command messages keeps the translations of the console current: it reads the messages out of the code and writes them
// into the files of web/locale, with the translations that there are. docs/translation.md says how to work with it.
//
//	go run ./scripts/messages                  writes the files
//	go run ./scripts/messages -check           tells what is missing or stale
//	go run ./scripts/messages -missing [area]  prints what is not translated, for -fill
//	go run ./scripts/messages -fill file       takes translations out of a file
package main

import (
	"flag"
	"fmt"
	"os"
)

// languages are those of the folders in web/locale, in the order of the lines of -fill.
var languages = []string{"de", "es", "fr"}

const folder = "web/locale"

func main() {
	check := flag.Bool("check", false, "tell what is missing or stale, and change nothing")
	missing := flag.Bool("missing", false, "print what is not translated; an argument names one area")
	fill := flag.String("fill", "", "a file with translations, as -missing prints them")
	flag.Parse()
	if err := run(*check, *missing, *fill, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check, missing bool, fill, area string) error {
	messages, err := extract("web", "jobs/mail", "models/notice", "backup")
	if err != nil {
		return err
	}
	messages = append(messages, catalogue()...)
	books := map[string]book{}
	for _, language := range languages {
		if books[language], err = readBook(language); err != nil {
			return err
		}
	}
	switch {
	case check:
		return report(messages, books)
	case missing:
		printMissing(messages, books, area)
		return nil
	case fill != "":
		if err := fillFrom(fill, messages, books); err != nil {
			return err
		}
	}
	for _, language := range languages {
		if err := writeFiles(language, messages, books[language]); err != nil {
			return err
		}
	}
	return nil
}
