package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// list is models/tables.yaml.
type list struct {
	// Tables are those of each package.
	Tables map[string][]string `yaml:"tables"`
	// Reads are the tables of others that a function reads all the same.
	Reads []exception `yaml:"reads"`
}

type exception struct {
	Package  string   `yaml:"package"`
	Function string   `yaml:"function"`
	Tables   []string `yaml:"tables"`
	Reason   string   `yaml:"reason"`
}

// check is what is wrong with the program under root and with its list.
func check(root string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "models", "tables.yaml"))
	if err != nil {
		return nil, err
	}
	var l list
	if err := yaml.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	created, err := migrated(root)
	if err != nil {
		return nil, err
	}
	found, err := uses(root, "./...")
	if err != nil {
		return nil, err
	}
	return append(l.complete(created), l.breaches(found)...), nil
}

var creates = regexp.MustCompile(`(?m)^CREATE (?:TABLE|VIEW) (\w+)(.*)`)

// migrated are the tables and views that the migrations make.
func migrated(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "migrations", "*.sql"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		for _, made := range creates.FindAllStringSubmatch(up, -1) {
			if !strings.Contains(made[2], "PARTITION OF") {
				names = append(names, made[1])
			}
		}
	}
	return names, nil
}

// complete finds tables that the list does not give to exactly one package.
func (l *list) complete(created []string) (problems []string) {
	owners := l.owners()
	for _, table := range created {
		if len(owners[table]) == 0 {
			problems = append(problems, fmt.Sprintf("models/tables.yaml: say to which package %s belongs", table))
		}
	}
	for table, packages := range owners {
		if len(packages) > 1 {
			problems = append(problems, fmt.Sprintf("models/tables.yaml: %s belongs to %s", table, strings.Join(packages, " and ")))
		}
		if !slices.Contains(created, table) {
			problems = append(problems, fmt.Sprintf("models/tables.yaml: no migration makes %s", table))
		}
	}
	for _, e := range l.Reads {
		if e.Reason == "" {
			problems = append(problems, fmt.Sprintf("models/tables.yaml: say why %s of %s reads %s", e.Function, e.Package, strings.Join(e.Tables, ", ")))
		}
	}
	slices.Sort(problems)
	return problems
}

func (l *list) owners() map[string][]string {
	owners := map[string][]string{}
	for owner, tables := range l.Tables {
		for _, table := range tables {
			owners[table] = append(owners[table], owner)
		}
	}
	return owners
}

// breaches finds uses of tables of others, and exceptions that no one uses.
func (l *list) breaches(found []use) (problems []string) {
	owners := l.owners()
	used := map[string]bool{}
	for _, u := range found {
		if u.folder == "migrations" || strings.HasSuffix(u.folder, "test") {
			continue // a migration may change anything, a test's world too
		}
		at := fmt.Sprintf("%s:%d", u.position.Filename, u.position.Line)
		if u.table == computed {
			if !l.allows(u, computedTable, used) {
				problems = append(problems, fmt.Sprintf("%s: %s computes the name of a table: write it out", at, u.within))
			}
			continue
		}
		owner := owners[u.table]
		if len(owner) == 0 || slices.Contains(owner, u.folder) || !u.writes && l.allows(u, u.table, used) {
			continue
		}
		does := "reads"
		if u.writes {
			does = "writes"
		}
		problems = append(problems, fmt.Sprintf("%s: %s %s %s, a table of %s", at, u.within, does, u.table, owner[0]))
	}
	for _, e := range l.Reads {
		for _, table := range e.Tables {
			if !used[e.key(table)] {
				problems = append(problems, fmt.Sprintf("models/tables.yaml: %s of %s does not read %s", e.Function, e.Package, table))
			}
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

// computedTable stands in the list for a name that is put together.
const computedTable = "computed"

func (l *list) allows(u use, table string, used map[string]bool) bool {
	for _, e := range l.Reads {
		if e.Package == u.folder && e.Function == u.within && slices.Contains(e.Tables, table) {
			used[e.key(table)] = true
			return true
		}
	}
	return false
}

func (e exception) key(table string) string { return e.Package + "." + e.Function + ":" + table }
