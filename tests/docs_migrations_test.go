//go:build !race

package tests

import (
	"os"
	"regexp"
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
