//go:build !race

package tests

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestDocsMigrations checks that the first line of every migration says what it is for.
func TestDocsMigrations(t *testing.T) {
	files, err := os.ReadDir("../migrations")
	if err != nil {
		t.Fatal(err)
	}
	purpose := regexp.MustCompile(`\A(-- [A-Z][^\n]*\.\n-- \+goose Up\n|// [A-Z][^\n]*\.\n\npackage migrations\n)`)
	checked := 0
	for _, file := range files {
		name := file.Name()
		if !strings.HasSuffix(name, ".sql") && name != "addresses.go" {
			continue
		}
		text, err := os.ReadFile("../migrations/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if checked++; !purpose.Match(text) {
			t.Errorf("the first line of %s is no comment that says what it is for", name)
		}
	}
	if checked < 45 {
		t.Fatalf("only %d migrations found", checked)
	}
}

// takesAway are statements with which a program of the release before may fail, on the schema of this one.
var takesAway = map[string]*regexp.Regexp{
	"drops what an older program may use":                     regexp.MustCompile(`(?is)\bDROP\s+(TABLE|COLUMN|FUNCTION|VIEW)\b`),
	"gives what an older program uses another name or type":   regexp.MustCompile(`(?is)\bRENAME\b|\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b`),
	"asks for a value that an older program does not write":   regexp.MustCompile(`(?is)\bSET\s+NOT\s+NULL\b`),
	"adds a column that an older program does not write":      regexp.MustCompile(`(?is)\bADD\s+COLUMN\s[^,;]*\bNOT\s+NULL\b`),
	"takes away a preset that an older program may depend on": regexp.MustCompile(`(?is)\bDROP\s+DEFAULT\b`),
}

// TestMigrationsAdd holds the rule that replicas are exchanged one after the other: a migration only adds, or says after
// "-- Older programs:" why those of the release before go on beside it. Long tests try it with the program of that release.
func TestMigrationsAdd(t *testing.T) {
	const since = 81 // the first one after which the program was given to anyone
	files, err := os.ReadDir("../migrations")
	if err != nil {
		t.Fatal(err)
	}
	preset := regexp.MustCompile(`(?is)\bDEFAULT\b|\bGENERATED\b`)
	comment := regexp.MustCompile(`(?m)--.*$`)
	checked := 0
	for _, file := range files {
		number, rest, _ := strings.Cut(file.Name(), "_")
		if version, err := strconv.Atoi(number); err != nil || version < since || !strings.HasSuffix(rest, ".sql") {
			continue
		}
		text, err := os.ReadFile("../migrations/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		checked++
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		if strings.Contains(up, "\n-- Older programs: ") {
			continue
		}
		up = comment.ReplaceAllString(up, "")
		for fault, sign := range takesAway {
			for _, found := range sign.FindAllString(up, -1) {
				if !strings.HasPrefix(strings.ToUpper(found), "ADD COLUMN") || !preset.MatchString(after(up, found)) {
					t.Errorf("%s %s: %s", file.Name(), fault, found)
				}
			}
		}
	}
	if checked < 5 {
		t.Fatalf("only %d migrations found", checked)
	}
}

// after is what follows a part of a statement, with the part, up to the next column or the end of the statement.
func after(text, part string) string {
	_, rest, _ := strings.Cut(text, part)
	end := strings.IndexAny(rest, ",;")
	if end < 0 {
		end = len(rest)
	}
	return part + rest[:end]
}
