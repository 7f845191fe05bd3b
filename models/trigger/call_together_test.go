package trigger

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/run"
)

// Calls that come while another run is accepted share a transaction, and each is answered as by itself.
func TestCallsTogether(t *testing.T) {
	w := newWorld(t, org.Team)
	w.withKey()
	costs(t, "text", 100)
	free := func(ctx context.Context) (string, models.ID) {
		found := w.triggers(ctx, w.save(ctx, nodegraph.Nodes{hook("hook", "say"), text("a", "A")}, from("hook", "say", "a", "text")).ID)["hook"]
		return *found.Token, found.ID
	}
	var mu sync.Mutex
	started := map[models.ID][]*run.Execution{} // by trigger
	type one struct {
		token   string
		trigger models.ID
		code    models.Code
		payload map[string]any
	}
	var calls []one
	add := func(ctx context.Context, code models.Code) *one {
		token, trigger := free(ctx)
		calls = append(calls, one{token: token, trigger: trigger, code: code, payload: map[string]any{"say": "hello"}})
		return &calls[len(calls)-1]
	}
	for range 3 {
		add(w.As(w.AddUser(models.Credit)), "")
	}
	twice := *add(w.As(w.AddUser(models.Credit)), "")
	calls = append(calls, twice)
	add(w.In(w.Room, w.Ann), "")
	add(w.In(w.Room, w.Bob), "")
	add(w.As(w.AddUser(99)), models.CodeInsufficientCredits)
	add(w.As(w.AddUser(models.Credit)), models.CodeValidation).payload = map[string]any{"say": 7.0}
	paused := w.AddUser(models.Credit)
	w.setTrigger(w.As(paused), add(w.As(paused), models.CodeTriggerPaused).trigger, false)
	banned := w.AddUser(models.Credit)
	add(w.As(banned), models.CodeRunRequiresMember)
	w.Exec(`UPDATE users SET banned_at = now() WHERE id = ?`, banned)
	gone := add(w.As(w.AddUser(models.Credit)), models.CodeNotFound).trigger
	other := add(w.As(w.user), "").trigger
	newOwner := w.AddUser(models.Credit)

	busy := make(chan struct{})
	var group, begun sync.WaitGroup
	begun.Add(2 * runtime.GOMAXPROCS(0)) // as many as wait for none, or more
	for range 2 * runtime.GOMAXPROCS(0) {
		group.Go(func() {
			_, err := w.Runs.Accept(w.As(w.user), &run.Start{
				Ask: func(*models.Tx) (*run.Request, error) { return nil, run.ErrAlone },
				Alone: func(*models.Tx) (*run.Execution, error) {
					begun.Done()
					<-busy
					return nil, nil
				},
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	begun.Wait()
	admitted := make([]context.Context, len(calls))
	for i, c := range calls {
		var err error
		if admitted[i], err = w.AdmitCall(context.Background(), c.token); err != nil {
			t.Fatal(err)
		}
	}
	w.Exec(`DELETE FROM workflow_triggers WHERE id = ?`, gone)
	w.Exec(`UPDATE workflow_triggers SET created_by = ? WHERE id = ?`, newOwner, other) // between the two
	w.Exec(`UPDATE workflows SET owner_id = ? WHERE id = (SELECT workflow_id FROM workflow_triggers WHERE id = ?)`, newOwner, other)
	for i, c := range calls {
		group.Go(func() {
			exec, err := w.CallTrigger(admitted[i], c.payload)
			if c.code != "" {
				wantCode(t, err, c.code)
				return
			}
			if err != nil || exec == nil || *exec.TriggerID != c.trigger || *exec.Subject != "hello" {
				t.Errorf("%+v, %v", exec, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			started[c.trigger] = append(started[c.trigger], exec)
		})
	}
	time.AfterFunc(100*time.Millisecond, func() { close(busy) })
	group.Wait()

	if len(started) != 7 || len(started[twice.trigger]) != 2 || started[other][0].AccountID != newOwner {
		t.Errorf("%+v", started)
	}
	for trigger, runs := range started {
		var n int
		var last models.ID
		if err := w.DB.Row(t.Context(), `SELECT run_count, last_execution_id FROM workflow_triggers WHERE id = $1 AND last_error IS NULL AND last_fired_at IS NOT NULL`, trigger).Scan(&n, &last); err != nil || n != len(runs) {
			t.Errorf("%d runs are noted of %d, %v", n, len(runs), err)
		}
		if last != runs[0].ID && last != runs[len(runs)-1].ID {
			t.Errorf("%s is noted as the last run", last)
		}
	}
	for _, c := range calls {
		left := 0 // entries in the history
		if c.code == models.CodeInsufficientCredits || c.code == models.CodeRunRequiresMember {
			left = 1
		}
		if n := w.Count(`SELECT count(*) FROM executions WHERE trigger_id = ? AND status = 'failed' AND error_code = ?`, c.trigger, string(c.code)); n != left {
			t.Errorf("%s: %d entries of refusals", c.code, n)
		}
	}
	w.work()
	for _, runs := range started {
		for _, exec := range runs {
			if n := w.Count(`SELECT count(*) FROM jobs WHERE execution_id = ? AND status = 'completed' AND output_data ->> 'text' = 'hello'`, exec.ID); n != 1 {
				t.Errorf("%s said something else", exec.ID)
			}
		}
	}
	if differences, err := w.Runs.Differences(t.Context()); err != nil || len(differences) > 0 {
		t.Errorf("%v, %+v", err, differences)
	}
	differences, err := credit.Reconcile(t.Context(), w.DB)
	for _, d := range differences {
		if d.Counter != "workspace_budgets.allocated" { // which the world sets
			t.Errorf("%+v", d)
		}
	}
	if err != nil {
		t.Error(err)
	}
}
