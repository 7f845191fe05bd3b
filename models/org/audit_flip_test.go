package org_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// Whatever is changed of an entry, the check of the log names that entry.
func TestVerifyNamesTheBrokenEntry(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	actor := models.ActorFrom(ada)
	actor.IP, actor.UserAgent = "203.0.113.77", "curl/8.5.0" // so that every column has a value
	ada = models.WithActor(ada, actor)
	o := w.Team(ada, "North")
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		w.Workspace(ada, o, name)
	}
	const broken = 4
	var columns []string
	w.NoError(w.DB.Read(ada).Raw(`SELECT column_name::text || ' ' || udt_name::text FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name = 'audit_entries' AND column_name NOT IN ('id', 'organization_id', 'sequence') ORDER BY 1`).Scan(&columns).Error)
	if len(columns) < 9 {
		t.Fatalf("only the columns %v", columns)
	}
	columns = append(columns, "organization_id moved", "id moved", "sequence moved")
	changes := map[string]string{
		"uuid": "gen_random_uuid()", "timestamptz": "%s + interval '1 microsecond'", "jsonb": `jsonb_set(%s, '{name,to}', '"Z"')`,
		"text": "overlay(%s PLACING CASE WHEN left(%s, 1) = 'x' THEN 'y' ELSE 'x' END FROM 1 FOR 1)", "moved": "",
	}
	for _, described := range columns {
		column, kind, _ := strings.Cut(described, " ")
		t.Run(column, func(t *testing.T) {
			w.Clock.Advance(time.Minute)
			change, known := changes[kind]
			if !known {
				t.Fatalf("how is a %s changed?", kind)
			}
			wanted := int64(broken)
			switch column {
			case "organization_id":
				change, wanted = "gen_random_uuid()", broken+1
			case "sequence":
				change, wanted = "sequence + 1000", broken+1
			case "id":
				change = "overlay(id::text PLACING CASE WHEN right(id::text, 1) = '0' THEN '1' ELSE '0' END FROM 36 FOR 1)::uuid"
			}
			w.Exec(`DROP TABLE IF EXISTS kept`)
			w.Exec(`CREATE TABLE kept AS SELECT * FROM audit_entries`)
			w.Exec(`UPDATE audit_entries SET `+column+` = `+strings.ReplaceAll(change, "%s", column)+` WHERE organization_id = ? AND sequence = ?`, o.ID, broken)
			found, err := w.Orgs.Audit().Verify(ada, o.ID)
			w.NoError(err)
			if found.Intact || found.Broken == nil || found.Broken.Sequence != wanted {
				t.Errorf("found %+v, want entry %d", found, wanted)
			}
			w.Exec(`DELETE FROM audit_entries`)
			w.Exec(`INSERT INTO audit_entries SELECT * FROM kept`)
			if found, err := w.Orgs.Audit().Verify(ada, o.ID); err != nil || !found.Intact {
				t.Fatalf("not restored: %+v, %v", found, err)
			}
		})
	}
}

// Every code that opens nothing costs the same statements, known or not.
func TestJoinCodeOracle(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	codes := map[string]string{"unknown": "ABCDABCD", "malformed": "???", "too long": "ABCDABCDABCD", "empty": ""}
	off, archived, closed := w.Workspace(ada, o, "A"), w.Workspace(ada, o, "B"), w.Workspace(ada, o, "C")
	codes["disabled"] = enable(w, ada, off, org.EnableCode).Code
	enable(w, ada, off, org.DisableCode)
	codes["archived"] = enable(w, ada, archived, org.EnableCode).Code
	_, err := w.Orgs.Workspaces().Archive(ada, archived.ID)
	w.NoError(err)
	codes["closed"] = enable(w, ada, closed, org.EnableCode).Code
	w.Exec(`UPDATE join_codes SET closes_at = ? WHERE workspace_id = ?`, w.Clock.Now().Add(-time.Second), closed.ID)
	other := w.Team(ada, "South")
	codes["inactive organization"] = enable(w, ada, w.Workspace(ada, other, "D"), org.EnableCode).Code
	_, err = w.Orgs.SuspendOrganization(w.Operator(), other.ID, "Unpaid")
	w.NoError(err)

	seen := map[string][]string{}
	statements := dbtest.CountStatements(w, w.DB)
	for name, code := range codes {
		pupil := w.Person("p-" + strings.ReplaceAll(name, " ", "-"))
		before := statements.Load()
		_, err := w.Orgs.JoinCodes().Join(pupil, code)
		w.Refused(err, "join_code_invalid", 400)
		cost := fmt.Sprint(statements.Load()-before, " statements: ", err)
		seen[cost] = append(seen[cost], name)
	}
	if len(seen) != 1 {
		t.Errorf("the answers or their work differ: %v", seen)
	}
}
