package run

import (
	"context"
	"fmt"
	"io"
	"maps"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

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
	if e.Count(`SELECT last_value FROM deadlocks`) < 2 {
		t.Error("no transaction was tried again")
	}
	if differences, err := credit.Reconcile(context.Background(), e.DB); err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

// What the service itself cannot do for a moment is no failure of a node: the job comes back when its lease ends, and is done.
func TestPassingTroubleFailsNoNode(t *testing.T) {
	e := newEngine(t)
	uncounted := models.Unavailable(time.Second)
	uncounted.Code = models.CodeRateLimitUnavailable
	broke := e.DB.Write(context.Background(), func(*models.Tx) error { return io.ErrUnexpectedEOF })
	for name, trouble := range map[string]error{
		"busy": models.Unavailable(time.Second), "not counted": fmt.Errorf("the limit: %w", uncounted),
		"a database that starts": &pgconn.PgError{Code: "57P03"}, "a broken connection": broke,
	} {
		for _, inline := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, inline %t", name, inline), func(t *testing.T) {
				change(t, "combine-text", func(n *kit.Node) { n.Inline, n.Cost = inline, 1500 })
				calls := 0
				slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) {
					if calls++; calls == 1 {
						return nil, trouble
					}
					return kit.Output{"text": "made"}, nil
				})
				change(t, "combine-text", func(n *kit.Node) { n.Inline = inline })
				run := e.start(nodegraph.Nodes{combine("a")}, nil)
				lease := e.claim()
				if err := e.RunJob(context.Background(), *lease); !models.Passes(err) {
					t.Fatalf("the first call: %v", err)
				}
				if e.claim() != nil {
					t.Fatal("taken up while the lease lasts")
				}
				e.work()
				if done := e.execution(run.ID); done.Status != ExecutionCompleted || done.Charged != 1500 || calls != 2 {
					t.Errorf("after %d calls it ended as %+v", calls, done)
				}
			})
		}
	}
	t.Run("a server of others", func(t *testing.T) {
		slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) { return nil, io.ErrUnexpectedEOF })
		run := e.start(nodegraph.Nodes{combine("a")}, nil)
		if err := e.RunJob(context.Background(), *e.claim()); err != nil {
			t.Fatal(err)
		}
		if done := e.execution(run.ID); done.Status != ExecutionFailed {
			t.Errorf("it ended as %+v", done)
		}
	})
	t.Run("before the call", func(t *testing.T) {
		slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) { return kit.Output{"text": "made"}, nil })
		run := e.start(nodegraph.Nodes{combine("a")}, nil)
		lease := e.claim()
		err := e.DB.Write(context.Background(), func(tx *models.Tx) error {
			w, err := e.claimJob(tx, *lease)
			if err != nil {
				return err
			}
			return e.failRefused(tx, w, uncounted)
		})
		if !models.Passes(err) {
			t.Fatalf("it ended: %v", err)
		}
		e.work()
		if done := e.execution(run.ID); done.Status != ExecutionCompleted {
			t.Errorf("it ended as %+v", done)
		}
	})
}
