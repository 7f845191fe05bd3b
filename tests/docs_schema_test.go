//go:build !race

package tests

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"atelier/models/dbtest"
)

// tableComment is the form of the comment that every table has in the database.
var tableComment = regexp.MustCompile(`^A row is ([^.]+)\. Grows with ([^.]+)\. Ends ([^.]+)\.$`)

// databaseTable is a table or view, as the catalog of a migrated database describes it.
type databaseTable struct {
	Name, Kind, Comment string
	Keys                []keyColumn     `gorm:"-"`
	References          []keyReference  `gorm:"-"`
	foreign             map[string]bool // the columns of its references
}

// keyColumn is a column of a primary key or a foreign key.
type keyColumn struct {
	TableName, Name, Type string
	Primary               bool
}

// keyReference is a foreign key.
type keyReference struct {
	TableName, Target, Columns string
	// Cascades says that a row goes with the row that it refers to, Optional that
	// it may refer to none, and Single that each row is referred to once.
	Cascades, Optional, Single bool
}

const (
	tablesQuery = `SELECT relname AS name, relkind AS kind, coalesce(obj_description(oid, 'pg_class'), '') AS comment FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition ORDER BY relname COLLATE "C"`
	keysQuery = `SELECT c.relname AS table_name, a.attname AS name, t.typname AS type, bool_or(k.contype = 'p') AS primary
		FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (k.conkey)
			JOIN pg_type t ON t.oid = a.atttypid
		WHERE k.connamespace = 'public'::regnamespace AND k.contype IN ('p', 'f') AND k.conparentid = 0
		GROUP BY c.relname, a.attname, a.attnum, t.typname ORDER BY c.relname COLLATE "C", bool_or(k.contype = 'p') DESC, a.attnum`
	referencesQuery = `SELECT c.relname AS table_name, k.confrelid::regclass::text AS target, k.confdeltype = 'c' AS cascades,
			(SELECT string_agg(a.attname, ', ' ORDER BY place) FROM unnest(k.conkey) WITH ORDINALITY AS col (num, place)
				JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = col.num) AS columns,
			EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) AND NOT a.attnotnull) AS optional,
			EXISTS (SELECT FROM pg_index i WHERE i.indrelid = k.conrelid AND i.indisunique AND i.indpred IS NULL AND i.indkey::int2[] <@ k.conkey) AS single
		FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
		WHERE k.connamespace = 'public'::regnamespace AND k.contype = 'f' AND k.conparentid = 0 ORDER BY 1, columns`
)

// databaseTables are the tables and views of a migrated database.
func databaseTables(t *testing.T) map[string]*databaseTable {
	t.Helper()
	db := dbtest.New(t).Read(context.Background())
	var found []*databaseTable
	var keys []keyColumn
	var references []keyReference
	for query, rows := range map[string]any{tablesQuery: &found, keysQuery: &keys, referencesQuery: &references} {
		if err := db.Raw(query).Scan(rows).Error; err != nil {
			t.Fatal(err)
		}
	}
	tables := map[string]*databaseTable{}
	for _, table := range found {
		tables[table.Name], table.foreign = table, map[string]bool{}
	}
	for _, key := range keys {
		tables[key.TableName].Keys = append(tables[key.TableName].Keys, key)
	}
	for _, reference := range references {
		table := tables[reference.TableName]
		table.References = append(table.References, reference)
		for column := range strings.SplitSeq(reference.Columns, ", ") {
			table.foreign[column] = true
		}
	}
	return tables
}

// schemaArea is a package with the tables that belong to it.
type schemaArea struct {
	owner  string
	tables []string
}

// schemaAreas are the packages of models/tables.yaml, in their order there.
func schemaAreas(t *testing.T) (areas []schemaArea) {
	t.Helper()
	text, err := os.ReadFile("../models/tables.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Tables yaml.Node `yaml:"tables"`
	}
	if err := yaml.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(list.Tables.Content); i += 2 {
		area := schemaArea{owner: list.Tables.Content[i].Value}
		if err := list.Tables.Content[i+1].Decode(&area.tables); err != nil {
			t.Fatal(err)
		}
		slices.Sort(area.tables)
		areas = append(areas, area)
	}
	return areas
}

// TestDocsTableComments checks that the comment of every table says what a row is, what
// the table grows with and what ends its rows.
func TestDocsTableComments(t *testing.T) {
	owned := map[string]bool{}
	for _, area := range schemaAreas(t) {
		for _, name := range area.tables {
			owned[name] = true
		}
	}
	tables := databaseTables(t)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		foreign := strings.HasPrefix(name, "river_") || name == "goose_db_version"
		switch comment := tables[name].Comment; {
		case foreign:
		case !owned[name]:
			t.Errorf("models/tables.yaml does not say to which package %s belongs", name)
		case !tableComment.MatchString(comment):
			t.Errorf("the comment of %s is %q: a migration sets it with COMMENT ON TABLE, in the form %q", name, comment, "A row is …. Grows with …. Ends ….")
		}
	}
	for name := range owned {
		if tables[name] == nil {
			t.Errorf("models/tables.yaml names %s, which the database does not have", name)
		}
	}
}

// schemaSections are the tables of every area, with a diagram of their references.
func schemaSections(t *testing.T) string {
	tables := databaseTables(t)
	var b strings.Builder
	for _, area := range schemaAreas(t) {
		fmt.Fprintf(&b, "### %s\n\n", area.owner)
		writeDiagram(&b, area, tables)
		b.WriteString("| Table | A row is | Key | Refers to | Grows with | Ends |\n| --- | --- | --- | --- | --- | --- |\n")
		for _, name := range area.tables {
			if table := tables[name]; table != nil {
				b.WriteString(table.line())
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// line is the table's line of the page.
func (d *databaseTable) line() string {
	parts := tableComment.FindStringSubmatch(d.Comment)
	if parts == nil {
		parts = []string{"", "", "", ""}
	}
	name := "`" + d.Name + "`"
	switch d.Kind {
	case "p":
		name += " (by month)"
	case "v":
		name += " (view)"
	}
	var key, references []string
	for _, column := range d.Keys {
		if column.Primary {
			key = append(key, "`"+column.Name+"`")
		}
	}
	for _, r := range d.References {
		text := "`" + r.Columns + "` → `" + r.Target + "`"
		if r.Cascades {
			text += " (goes with it)"
		}
		references = append(references, text)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", name, parts[1], cmp.Or(strings.Join(key, ", "), "–"),
		cmp.Or(strings.Join(references, "<br>"), "–"), parts[2], parts[3])
}

// writeDiagram draws the tables of an area that refer to others or are referred to, with
// the columns of their keys; tables of other areas are names alone.
func writeDiagram(b *strings.Builder, area schemaArea, tables map[string]*databaseTable) {
	drawn, lines := map[string]bool{}, []string{}
	for _, name := range area.tables {
		if tables[name] == nil {
			continue
		}
		to := map[string][]keyReference{}
		for _, r := range tables[name].References {
			to[r.Target] = append(to[r.Target], r)
		}
		for _, target := range slices.Sorted(maps.Keys(to)) {
			drawn[name], drawn[target] = true, true
			lines = append(lines, "  "+relation(name, target, to[target]))
		}
	}
	if len(lines) == 0 {
		return
	}
	b.WriteString("```mermaid\nerDiagram\n")
	for _, name := range area.tables {
		if !drawn[name] {
			continue
		}
		fmt.Fprintf(b, "  %s {\n", name)
		for _, column := range tables[name].Keys {
			var roles []string
			if column.Primary {
				roles = append(roles, "PK")
			}
			if tables[name].foreign[column.Name] {
				roles = append(roles, "FK")
			}
			fmt.Fprintf(b, "    %s %s %s\n", column.Type, column.Name, strings.Join(roles, ", "))
		}
		b.WriteString("  }\n")
	}
	b.WriteString(strings.Join(lines, "\n") + "\n```\n\n")
}

// relation is the line of a diagram for the references of one table to another.
func relation(name, target string, references []keyReference) string {
	one, many := "|o", "o{"
	columns := make([]string, len(references))
	for i, r := range references {
		columns[i] = r.Columns
		if !r.Optional {
			one = "||"
		}
	}
	if len(references) == 1 && references[0].Single {
		many = "o|"
	}
	return fmt.Sprintf("%s %s--%s %s : \"%s\"", target, one, many, name, strings.Join(columns, "; "))
}
