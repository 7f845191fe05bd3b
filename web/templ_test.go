package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A template is read as it stands: no one scrolls to the right for the end of a field.
func TestNoLineOfATemplateIsTooLong(t *testing.T) {
	const most = 160 // characters
	files, err := filepath.Glob("*/*.templ")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d templates found, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > most {
				t.Errorf("%s:%d has %d characters", name, i+1, n)
			}
		}
	}
}
