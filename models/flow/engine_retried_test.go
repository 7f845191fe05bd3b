package flow

import (
	"context"
	"maps"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// A transaction that the database asks to try again charges what a first try
// would have: nothing of that one is left.
func TestDeadlockedConclusionChargesAll(t *testing.T) {
	e := newEngine(t)
	change(t, "combine-text", func(n *kit.Node) { n.Inline, n.Cost = false, 1500 })
	for _, sql := range []string{
		`CREATE SEQUENCE deadlocks`,
		`CREATE FUNCTION deadlock_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('deadlocks') = 1 THEN RAISE 'deadlock detected' USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$`,
		`CREATE TRIGGER deadlock BEFORE INSERT ON ledger_entries FOR EACH ROW WHEN (NEW.kind = 'release') EXECUTE FUNCTION deadlock_once()`,
	} {
		if err := e.DB.Read(context.Background()).Exec(sql).Error; err != nil {
			t.Fatal(err)
		}
	}
	run := e.start(nodegraph.Nodes{{ID: "a", Type: "combine-text", Data: map[string]any{"texts": []any{"x"}}}}, nil)
	e.work()
	done := e.execution(run.ID)
	if done.Status != ExecutionCompleted || done.Charged != 1500 {
		t.Errorf("ended as %+v", done)
	}
	if got := e.charges(run.ID); !maps.Equal(got, map[string]models.Credits{"a": 1500}) {
		t.Errorf("charged %v", got)
	}
	if e.count(`SELECT last_value FROM deadlocks`) < 2 {
		t.Error("no transaction was tried again")
	}
	if differences, err := credit.Reconcile(context.Background(), e.DB); err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}
