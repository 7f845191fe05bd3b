//go:build !race

package tests

import (
	"strings"
	"testing"
)

// TestRestoresAMoment rehearses what docs/operations.md tells: a base backup is made and the log is archived while runs go on,
// someone empties a table by mistake, and the database is brought back to the moment before. Every run that was accepted by then
// is there, and ends, the books are right, and the service goes on.
func TestRestoresAMoment(t *testing.T) {
	t.Parallel()
	base, first := newPostgres(t), newArchived(t)
	dataDir := t.TempDir()
	p := startOn(t, first.url(), dataDir, []string{"serve"})
	s := begin(t, p.URL)
	load := s.runWithout()
	load.more(3)
	first.copyTo(base.dir, "", "-X", "none")
	load.more(5)

	kept := load.all()
	var moment string
	if err := first.ask("atelier", "SELECT clock_timestamp()::text", &moment); err != nil {
		t.Fatal(err)
	}
	began := load.count()
	load.more(3)
	if err := first.ask("atelier", "TRUNCATE executions, jobs, ledger_entries CASCADE", nil); err != nil {
		t.Fatal(err)
	}
	load.halt()
	lost := load.all()[began+1:] // one may have been on its way at the moment
	p.stop()
	first.archiveAll()
	first.kill()
	base.startAt(first, "recovery_target_time="+moment)

	again := startOn(t, base.url(), dataDir, []string{"serve"})
	db := openDatabase(t, base.url())
	(&loadOf{t: t, accepted: kept, halt: func() {}}).end(db)
	if late := db.strings(`SELECT id::text FROM executions WHERE id = ANY ($1::uuid[])`, lost); len(late) > 0 {
		t.Errorf("runs from after the moment are there: %v", late)
	}
	s.owner = s.owner.at(again.URL)
	code := s.owner.in(s.class).post("/v1/workflows", object{"name": "After", "nodes": []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}, "edges": []object{}}).want(201).text("data.id")
	s.owner.in(s.class).post("/v1/workflows/"+code+"/run?wait=true", object{}).want(200)
	if said, err := runCommand(t, []string{"reconcile"}, "DATABASE_URL="+base.url(), "DATA_DIR="+dataDir); err != nil || !strings.Contains(said, "Every counter") {
		t.Errorf("the books: %v, %s", err, said)
	}
	if len(kept) < 8 || len(lost) == 0 {
		t.Errorf("%d runs were accepted before the moment, %d after it", len(kept), len(lost))
	}
}
