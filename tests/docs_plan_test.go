//go:build !race

package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const plan = "../docs/architecture.md"

// roomLine is a line of the plan's tree: two spaces for each folder above, then names that end in a stroke.
var roomLine = regexp.MustCompile(`^( *)((?:[\w.]+/ )*[\w.]+/?)(?: |$)`)

// rooms are the folders and files of the plan's tree.
func rooms(t *testing.T, page string) map[string]bool {
	t.Helper()
	_, tree, found := strings.Cut(page, "## The rooms\n\n```\n")
	tree, _, closed := strings.Cut(tree, "```")
	if !found || !closed {
		t.Fatal("the plan shows no tree")
	}
	all, above := map[string]bool{}, ""
	for line := range strings.Lines(tree) {
		found := roomLine.FindStringSubmatch(line)
		if found == nil || len(found[1]) > 2 { // what goes on from the line before
			continue
		}
		for name := range strings.FieldsSeq(found[2]) {
			name = strings.TrimSuffix(name, "/")
			if found[1] == "" {
				above = name
				all[name] = true
			} else {
				all[above+"/"+name] = true
			}
		}
	}
	return all
}

// TestDocsPlan holds the tree of docs/architecture.md against the folders, and
// every file that it names to be there.
func TestDocsPlan(t *testing.T) {
	text, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	told := rooms(t, string(text))
	if len(told) < 35 {
		t.Fatalf("the tree names only %d places", len(told))
	}
	for place := range told {
		if _, err := os.Stat("../" + place); err != nil {
			t.Errorf("the plan shows %s, which is not there", place)
		}
	}
	for _, pattern := range []string{"../*/*.go", "../*/*/*.go", "../scripts/*", "../docs/*.md"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			folder := strings.TrimPrefix(filepath.Dir(file), "../")
			if strings.HasPrefix(folder, "node_modules") || folder == "data" || folder == "bin" {
				continue
			}
			if !told[folder] {
				t.Errorf("%s is not in the plan's tree", folder)
				told[folder] = true
			}
		}
	}
	for _, found := range regexp.MustCompile("`([a-z_]+/[\\w./*-]+)`").FindAllStringSubmatch(string(text), -1) {
		if matches, _ := filepath.Glob("../" + found[1]); len(matches) == 0 {
			t.Errorf("the plan names %s, which is not there", found[1])
		}
	}
}
