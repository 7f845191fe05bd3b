package run

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// The runs of a deleted account go soon, finished or not, wherever they ran; what they cost stays in the ledger, and the runs of others stay.
func TestRunsOfADeletedAccount(t *testing.T) {
	w := newWorld(t, org.Team)
	graph := nodegraph.Nodes{{ID: "a", Type: "text", Data: map[string]any{"text": "hello"}}}
	run := func(user models.ID, room *org.Workspace) models.ID {
		t.Helper()
		payer := credit.Payer{UserID: user}
		ctx := w.As(user)
		if room != nil {
			payer.WorkspaceID, payer.OrganizationID = &room.ID, &room.OrganizationID
			ctx = w.In(room, user)
		}
		var exec *Execution
		err := w.DB.Write(ctx, func(tx *models.Tx) (err error) {
			exec, err = w.AcceptRun(tx, Request{Payer: payer, Trigger: "api", Source: "api", Nodes: graph})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return exec.ID
	}
	run(w.Bob, nil)
	run(w.Bob, w.Room)
	kept := run(w.Ann, w.Room)
	w.work()
	atWork := run(w.Bob, w.Room)
	own := w.save(w.As(w.Bob), graph)
	shared := w.save(w.In(w.Room, w.Bob), graph)
	entries := w.Count(`SELECT count(*) FROM ledger_entries`)
	if n := w.Count(`SELECT count(*) FROM results WHERE account_id = ?`, w.Bob); n != 2 {
		t.Fatalf("%d results to be removed, want 2", n)
	}

	closing, err := w.Accounts.FindClosing(w.As(w.Bob), w.Bob)
	if err != nil {
		t.Fatal(err)
	}
	if closing.Runs != 3 || closing.Workflows != 1 {
		t.Errorf("goes: %+v", closing)
	}
	if err := w.Accounts.DeleteAccount(w.As(w.Bob), w.Bob.String()+"@example.com"); err != nil {
		t.Fatal(err)
	}
	if n := w.Count(`SELECT count(*) FROM workflows WHERE id = ? AND deleted_at IS NOT NULL AND NOT EXISTS (SELECT FROM workflow_versions v WHERE v.workflow_id = workflows.id)`, own.ID); n != 1 {
		t.Error("the own workflow is there still, or its contents are")
	}
	if n := w.Count(`SELECT count(*) FROM workflows WHERE id = ? AND deleted_at IS NULL`, shared.ID); n != 1 {
		t.Error("the workflow of the room went with its maker")
	}
	for range 2 { // the second finds nothing
		if err := w.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"executions", "jobs", "media_files", "app_runs", "results"} {
		if n := w.Count(`SELECT count(*) FROM `+table+` WHERE account_id = ?`, w.Bob); n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
	if n := w.Count(`SELECT count(*) FROM account_erasures`); n != 0 {
		t.Errorf("%d accounts still wait for it", n)
	}
	if n := w.Count(`SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`); n != 0 {
		t.Errorf("%d jobs still wait", n)
	}
	if n := w.Count(`SELECT count(*) FROM executions WHERE id = ?`, kept); n != 1 {
		t.Error("the run of another is gone")
	}
	if n := w.Count(`SELECT count(*) FROM ledger_entries`); n < entries {
		t.Errorf("%d of %d lines of the ledger are left", n, entries)
	}
	if n := w.Count(`SELECT count(*) FROM member_budgets WHERE user_id = ? AND reserved <> 0`, w.Bob); n != 0 {
		t.Error("the run at work holds credits still")
	}
	names, err := w.Executions().Names(context.Background(), []models.ID{kept, atWork})
	if err != nil || len(names) != 2 || names[atWork] != nil {
		t.Errorf("names of runs: %v, %v", names, err)
	}
}
