package main

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func TestReferences(t *testing.T) {
	for text, expected := range map[string]string{
		`SELECT * FROM users u JOIN ONLY sessions s ON s.user_id = u.id`:            "users sessions",
		`SELECT 1 FROM a, b x, LATERAL (SELECT c, d FROM e) y, f WHERE g IN (h, i)`: "a b e f",
		`INSERT INTO wallets (a, b) SELECT c, d FROM users`:                         "wallets! users",
		`UPDATE jobs j SET x = 1 FROM lanes, owners WHERE y`:                        "jobs! lanes owners",
		`DELETE FROM jobs USING executions e WHERE true`:                            "jobs! executions",
		`INSERT INTO a VALUES (1) ON CONFLICT (b) DO UPDATE SET c = 1`:              "a!",
		`SELECT FROM a WHERE b IS DISTINCT FROM c FOR NO KEY UPDATE OF a`:           "a",
		`SELECT 'FROM users' FROM a -- JOIN users`:                                  "a",
		"DELETE FROM " + computed + " WHERE true":                                   computed + "!",
		`SELECT * FROM %s`:    computed,
		`TRUNCATE TABLE jobs`: "jobs!",
		`removed from users`:  "",
		`WITH own AS (SELECT id FROM users) SELECT FROM own`: "users own",
	} {
		var found []string
		for _, r := range references(text) {
			if r.writes {
				r.table += "!"
			}
			found = append(found, r.table)
		}
		if strings.Join(found, " ") != expected {
			t.Errorf("%s: found %q, expected %q", text, found, expected)
		}
	}
}

func TestBreaches(t *testing.T) {
	l := list{
		Tables: map[string][]string{"models/account": {"users"}, "models/org": {"organizations"}},
		Reads: []exception{
			{"models/org", "search", []string{"users"}, "one statement"},
			{"models/org", "gone", []string{"users"}, "one statement"},
		},
	}
	at := func(folder, within, table string, writes bool) use {
		return use{folder, within, token.Position{Filename: "x.go", Line: 1}, reference{table, writes}}
	}
	for _, c := range []struct {
		use      use
		expected string
	}{
		{at("models/org", "list", "organizations", true), ""},
		{at("models/org", "list", "own", false), ""},
		{at("models/org", "search", "users", false), ""},
		{at("models/org", "search", "users", true), "search writes users, a table of models/account"},
		{at("models/org", "list", "users", false), "list reads users, a table of models/account"},
		{at("models/org", "list", computed, false), "list computes the name of a table"},
		{at("models/org/orgtest", "Person", "users", true), ""},
	} {
		problems := fmt.Sprint(l.breaches([]use{c.use, at("models/org", "search", "users", false)}))
		unused := "models/tables.yaml: gone of models/org does not read users"
		if !strings.Contains(problems, c.expected) || !strings.Contains(problems, unused) || c.expected == "" && problems != "["+unused+"]" {
			t.Errorf("%v: %s", c.use, problems)
		}
	}
}

// One of each way in which a package names a table.
func TestUses(t *testing.T) {
	found, err := uses("../..", "./models/account", "./models/org")
	if err != nil {
		t.Fatal(err)
	}
	for _, expected := range []struct{ within, table string }{
		{"Sweep", "sessions"},                        // DB.SweepRows
		{"Join", "users"},                            // a fragment put together
		{"ListedIn", "workspace_members"},            // a constant
		{"FindExisting", "users"},                    // models.First
		{"RememberWorkspace", "users"},               // Model
		{"Count", "workspace_members"},               // Table
		{"HoldWorkspace", "workspaces"},              // Exec
		{"organizationMembers", "workspace_members"}, // a column's own SELECT
	} {
		if !slices.ContainsFunc(found, func(u use) bool { return u.within == expected.within && u.table == expected.table }) {
			t.Errorf("%s: %s was not found", expected.within, expected.table)
		}
	}
}
