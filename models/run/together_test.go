package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// atOnce has all functions ask for a run while others are accepted, so that they share a
// transaction, and returns their errors. The others are only pretended.
func (e *engine) atOnce(all ...func() error) []error {
	e.t.Helper()
	e.pretend()
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, ask := range all {
		group.Go(func() { errs[i] = ask() })
	}
	e.untilWaiting(len(all))
	e.goOn()
	group.Wait()
	return errs
}

// goOn ends what was pretended.
func (e *engine) goOn() {
	for range sideBySide() {
		e.acceptNext()
	}
}

// pretend makes runs wait as if others were accepted, until goOn.
func (e *engine) pretend() {
	e.together.mu.Lock()
	defer e.together.mu.Unlock()
	e.together.atWork += sideBySide()
}

// untilWaiting waits until so many runs wait, however slow the machine is.
func (e *engine) untilWaiting(n int) {
	e.t.Helper()
	for range 5_000 {
		e.together.mu.Lock()
		waiting := len(e.together.waiting)
		if waiting > 0 {
			e.together.overdue.Stop()
		}
		e.together.mu.Unlock()
		if waiting == n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// settled checks that the books agree, with runs too, and that nothing waits any more.
func (e *engine) settled() {
	e.t.Helper()
	differences, err := credit.Reconcile(context.Background(), e.DB)
	differences = slices.DeleteFunc(differences, func(d credit.Difference) bool { return d.Counter == "workspace_budgets.allocated" }) // which worlds set
	if err == nil && len(differences) == 0 {
		differences, err = e.Differences(context.Background())
	}
	if err != nil || len(differences) > 0 {
		e.t.Errorf("%v, %+v", err, differences)
	}
	e.together.mu.Lock()
	defer e.together.mu.Unlock()
	if e.together.atWork != 0 || len(e.together.waiting) != 0 {
		e.t.Errorf("%d are at work, %d wait", e.together.atWork, len(e.together.waiting))
	}
}

// times is a function n times.
func times(n int, do func() error) []func() error { return slices.Repeat([]func() error{do}, n) }

// counted counts errors by code; empty is none.
func counted(errs []error) map[models.Code]int {
	found := map[models.Code]int{}
	for _, err := range errs {
		code := models.Code("")
		if err != nil {
			refusal, _ := models.AsError(err)
			code = refusal.Code
		}
		found[code]++
	}
	return found
}

func wantCounts(t *testing.T, errs []error, want map[models.Code]int) {
	t.Helper()
	if got := counted(errs); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v: %v", got, want, errs)
	}
}

// Runs of many people and kinds that share a transaction are as complete as those that have one each.
func TestTogether(t *testing.T) {
	costs(t, "combine-text", 100)
	w := newWorld(t, org.School)
	w.Grant(w.Ann, models.Credit)
	graph := nodegraph.Nodes{text("a", "hello"), combine("b")}
	app, err := w.Flows.Apps().Publish(w.As(w.user), w.save(w.As(w.user), graph, edge("a", "b")).ID, flow.PublishInput{
		Name: "App", PresentationSettings: form(`[{"type":"field","id":"greeting","nodeId":"a","field":"text","allowedValues":["hello","bye"]}]`),
	})
	if err != nil {
		t.Fatal(err)
	}
	mine := w.save(w.As(w.Ann), graph, edge("a", "b"))
	ofRoom := w.save(w.In(w.Room, w.Ann), graph, edge("a", "b"))
	people := []models.ID{w.AddUser(50 * models.Credit), w.AddUser(50 * models.Credit), w.AddUser(50 * models.Credit)}
	var mu sync.Mutex
	made := map[models.ID]*Execution{}
	note := func(exec *Execution, err error) error {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			made[exec.ID] = exec
		}
		return err
	}
	asks := []func() error{
		func() error { return note(w.RunWorkflow(w.As(w.Ann), mine.ID, Input{})) },
		func() error { return note(w.RunWorkflow(w.In(w.Room, w.Ann), ofRoom.ID, Input{})) },
		func() error { return note(w.RunWorkflow(w.In(w.Room, w.Ann), ofRoom.ID, Input{})) },
		func() error { _, err := w.RunWorkflow(w.As(w.Stranger), mine.ID, Input{}); return err },
		func() error { _, err := w.AppRuns().Start(w.As(people[0]), "nowhere", AppInput{}); return err },
		func() error {
			_, err := w.AppRuns().Start(w.As(people[0]), app.Slug, AppInput{Inputs: map[string]any{"greeting": "hey"}})
			return err
		},
		func() error { _, err := w.AppRuns().Start(w.As(w.AddUser(0)), app.Slug, AppInput{}); return err },
	}
	for _, who := range people {
		asks = append(asks, times(2, func() error {
			run, err := w.AppRuns().Start(w.As(who), app.Slug, AppInput{})
			if err != nil {
				return err
			}
			if run.Execution == nil || *run.ExecutionID != run.Execution.ID || run.Execution.AccountID != who {
				t.Errorf("%+v", run)
			}
			return note(run.Execution, nil)
		})...)
	}
	before := w.Count(`SELECT count(*) FROM executions`)
	wantCounts(t, w.atOnce(asks...), map[models.Code]int{"": 9, models.CodeNotFound: 2, models.CodeValidation: 1, models.CodeInsufficientCredits: 1})
	w.settled()
	if n := w.Count(`SELECT count(*) FROM executions`) - before; n != 9 || len(made) != 9 {
		t.Errorf("%d executions were written, %d answered", n, len(made))
	}
	if n := w.Count(`SELECT count(*) FROM app_runs r JOIN executions e ON e.id = r.execution_id AND e.app_id = r.app_id AND e.account_id = r.account_id`); n != 6 {
		t.Errorf("%d runs of the app", n)
	}
	for _, who := range people {
		if n := w.Count(`SELECT count FROM app_daily_runs WHERE user_id = ?`, who); n != 2 {
			t.Errorf("%d runs are counted", n)
		}
	}
	if n := w.Count(`SELECT count(*) FROM ledger_entries WHERE kind = 'hold' AND (actor_id IS NULL OR actor_id <> user_id)`); n != 0 {
		t.Errorf("%d holds do not tell who started the run", n)
	}
	w.work()
	for id := range made {
		if status := w.Count(`SELECT count(*) FROM executions WHERE id = ? AND status = 'completed' AND settled_at IS NOT NULL`, id); status != 1 {
			t.Errorf("%s has not ended", id)
		}
	}
	w.settled()
}

// What a wallet, a budget, a cap, a limit of the day or the limit of free runs leaves is given out to the last bit, and to no more.
func TestTogetherToTheLast(t *testing.T) {
	const asked, left = 20, 7
	start := func(e *engine, ctx context.Context, app *flow.App) func() error {
		return func() error { _, err := e.AppRuns().Start(ctx, app.Slug, AppInput{}); return err }
	}
	for name, c := range map[string]struct {
		code  models.Code
		bound func(t *testing.T, w *world, price models.Credits) (context.Context, *int)
	}{
		"Wallet": {models.CodeInsufficientCredits, func(_ *testing.T, w *world, price models.Credits) (context.Context, *int) {
			return w.As(w.AddUser(left*price + price/2)), nil
		}},
		"Budget": {models.CodeBudgetExceeded, func(_ *testing.T, w *world, price models.Credits) (context.Context, *int) {
			w.Exec(`UPDATE workspace_budgets SET allocated = ? WHERE workspace_id = ?`, left*price+price/2, w.Room.ID)
			return w.In(w.Room, w.Ann), nil
		}},
		"Cap": {models.CodeMemberCapExceeded, func(_ *testing.T, w *world, price models.Credits) (context.Context, *int) {
			w.Exec(`UPDATE workspace_budgets SET allocated = ? WHERE workspace_id = ?`, 1000*price, w.Room.ID)
			w.Exec(`INSERT INTO member_budgets (workspace_id, user_id, cap) VALUES (?, ?, ?)
				ON CONFLICT (workspace_id, user_id) DO UPDATE SET cap = EXCLUDED.cap`, w.Room.ID, w.Bob, left*price+price/2)
			return w.In(w.Room, w.Bob), nil
		}},
		"Day": {models.CodeRateLimitExceeded, func(_ *testing.T, w *world, price models.Credits) (context.Context, *int) {
			return w.As(w.AddUser(1000 * price)), new(left)
		}},
		"Free": {models.CodeRateLimitExceeded, func(t *testing.T, w *world, _ models.Credits) (context.Context, *int) {
			costs(t, "motion", 0)
			w.FreeRuns = models.Limit{Name: "runs.free", Max: left, Per: time.Minute}
			return w.As(w.AddUser(0)), nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, org.School)
			price := w.published(nil).Price()
			if price == 0 {
				t.Fatal("the app costs nothing")
			}
			ctx, limit := c.bound(t, w, price)
			app := w.published(limit)
			rich := w.As(w.AddUser(1000 * models.Credit))
			asks := append(times(asked, start(w.engine, ctx, app)), times(left, start(w.engine, rich, app))...)
			wantCounts(t, w.atOnce(asks...), map[models.Code]int{"": 2 * left, c.code: asked - left})
			w.settled()
			if n := w.Count(`SELECT sum(count) FROM app_daily_runs`); n != 2*left {
				t.Errorf("%d runs are counted", n)
			}
		})
	}
}

// A row that another transaction holds, one that panics, and one who leaves hold up none of the others.
func TestTogetherAlone(t *testing.T) {
	e := newEngine(t)
	app := e.published(nil)
	start := func(ctx context.Context) func() error {
		return func() error { _, err := e.AppRuns().Start(ctx, app.Slug, AppInput{}); return err }
	}
	others := func() []func() error { return times(5, start(e.As(e.AddUser(100*models.Credit)))) }
	t.Run("Locked", func(t *testing.T) {
		held := e.AddUser(100 * models.Credit)
		release, waits := make(chan struct{}), make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			err := e.DB.Write(context.Background(), func(tx *models.Tx) error {
				_, err := tx.Run(`SELECT FROM wallets WHERE user_id = $1 FOR UPDATE`, held)
				close(waits)
				<-release
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-waits
		var done sync.WaitGroup
		done.Add(5)
		asks := others()
		for i, ask := range asks {
			asks[i] = func() error { defer done.Done(); return ask() }
		}
		group.Go(func() { done.Wait(); close(release) }) // only once all others are accepted
		wantCounts(t, e.atOnce(append(asks, start(e.As(held)))...), map[models.Code]int{"": 6})
		group.Wait()
	})
	t.Run("Panics", func(t *testing.T) {
		var panicked any
		bad := func() error {
			defer func() { panicked = recover() }()
			_, err := e.Accept(e.As(e.user), &Start{
				Ask:   func(*models.Tx) (*Request, error) { panic("asked") },
				Alone: func(*models.Tx) (*Execution, error) { panic("alone") },
			})
			return err
		}
		wantCounts(t, e.atOnce(append(others(), bad)...), map[models.Code]int{"": 6})
		if panicked != "alone" {
			t.Errorf("the caller met %v", panicked)
		}
	})
	t.Run("AnswerLost", func(t *testing.T) { // what may have been committed is not done a second time
		before := e.Count(`SELECT count(*) FROM executions`)
		kind := StartKind{Name: "lost", Write: func(tx *models.Tx, _ []*Start) ([]*Start, error) {
			tx.After(func(context.Context) { panic("behind the commit") })
			return nil, nil
		}}
		lost := func() error {
			_, err := e.Accept(e.As(e.user), &Start{
				Kind: kind,
				Ask: func(tx *models.Tx) (*Request, error) {
					return &Request{Payer: credit.Payer{UserID: e.user}, Trigger: "api", Source: "api", Nodes: nodegraph.Nodes{text("a", "A")}}, nil
				},
				Alone: func(*models.Tx) (*Execution, error) { t.Error("it was done again"); return nil, nil },
			})
			return err
		}
		wantCounts(t, e.atOnce(append(others(), lost, lost)...), map[models.Code]int{models.CodeInternal: 7})
		if n := e.Count(`SELECT count(*) FROM executions`) - before; n != 7 {
			t.Errorf("%d executions were written", n)
		}
	})
	t.Run("Leaves", func(t *testing.T) {
		ctx, cancel := context.WithCancel(e.As(e.user))
		before := e.Count(`SELECT count(*) FROM executions WHERE account_id = ?`, e.user)
		e.pretend()
		left := make(chan error)
		go func() { left <- start(ctx)() }()
		e.untilWaiting(1)
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("the one who left got %v", err)
		}
		e.goOn()
		wantCounts(t, e.atOnce(others()...), map[models.Code]int{"": 5})
		if n := e.Count(`SELECT count(*) FROM executions WHERE account_id = ?`, e.user) - before; n != 0 {
			t.Errorf("%d runs of the one who left", n)
		}
	})
	t.Run("Large", func(t *testing.T) {
		var many, long nodegraph.Nodes
		for i := range maxNodesTogether + 1 {
			many = append(many, text(fmt.Sprint("n", i), "x"))
		}
		for i := range maxNodesTogether {
			long = append(long, text(fmt.Sprint("n", i), strings.Repeat("x", maxTextTogether/maxNodesTogether+1)))
		}
		var asks []func() error
		for _, all := range []nodegraph.Nodes{many, long, {componentNode("c", e.save(e.As(e.user), long).ID, nil)}} {
			id := e.save(e.As(e.user), all).ID
			asks = append(asks, func() error { _, err := e.RunWorkflow(e.As(e.user), id, Input{}); return err })
		}
		wantCounts(t, e.atOnce(append(others(), asks...)...), map[models.Code]int{"": 8})
		var transactions []string
		if err := e.DB.Read(t.Context()).Raw(`SELECT DISTINCT xmin::text FROM (SELECT xmin FROM executions ORDER BY id DESC LIMIT 8) e`).Scan(&transactions).Error; err != nil {
			t.Fatal(err)
		}
		if len(transactions) != 4 { // the others', and one for each
			t.Errorf("8 runs were written by %d transactions", len(transactions))
		}
	})
	t.Run("Draft", func(t *testing.T) { // is locked and changed
		draft, err := e.AppRuns().CreateDraft(e.As(e.user), app.Slug)
		if err != nil {
			t.Fatal(err)
		}
		once := func() error {
			_, err := e.AppRuns().Start(e.As(e.user), app.Slug, AppInput{RunID: &draft.ID})
			return err
		}
		var group sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			group.Go(func() { errs[i] = once() })
		}
		group.Wait()
		wantCounts(t, errs, map[models.Code]int{"": 1, models.CodeRunAlreadyStarted: 7})
	})
	e.settled()
}

// A payer that refuses has a group written in vain once, and not again and again.
func TestTogetherWithThePoor(t *testing.T) {
	e := newEngine(t)
	app := e.published(nil)
	poor := e.As(e.AddUser(0))
	var asked atomic.Int64
	other := func() error {
		request := Request{Payer: credit.Payer{UserID: e.user}, Trigger: "api", Source: "api", Nodes: nodegraph.Nodes{text("a", "A")}}
		_, err := e.Accept(e.As(e.user), &Start{
			Ask:   func(*models.Tx) (*Request, error) { asked.Add(1); return &request, nil },
			Alone: func(tx *models.Tx) (*Execution, error) { return e.AcceptRun(tx, request) },
		})
		return err
	}
	for _, want := range []int64{2, 1, 1} {
		asked.Store(0)
		errs := e.atOnce(other, func() error { _, err := e.AppRuns().Start(poor, app.Slug, AppInput{}); return err }, func() error { _, err := e.AppRuns().Start(poor, app.Slug, AppInput{}); return err })
		wantCounts(t, errs, map[models.Code]int{"": 1, models.CodeInsufficientCredits: 2})
		if n := asked.Load(); n != want {
			t.Errorf("the other one was prepared %d times, want %d", n, want)
		}
	}
	e.settled()
}

// A run waits for those before it only so long, and many in turn.
func TestTogetherWaits(t *testing.T) {
	e := newEngineOn(t, dbtest.New(t))
	app := e.published(nil)
	ctx := e.As(e.user)
	stuck := make(chan struct{})
	var group, begun sync.WaitGroup
	begun.Add(sideBySide())
	for range sideBySide() {
		group.Go(func() {
			_, err := e.Accept(ctx, &Start{Alone: func(*models.Tx) (*Execution, error) {
				begun.Done()
				<-stuck
				return nil, models.NotFound("Run")
			}})
			wantCode(t, err, models.CodeNotFound)
		})
	}
	begun.Wait()
	var accepted sync.WaitGroup
	for range 2*maxTogether + 5 {
		accepted.Go(func() {
			if _, err := e.AppRuns().Start(ctx, app.Slug, AppInput{}); err != nil {
				t.Error(err)
			}
		})
	}
	accepted.Wait() // though the first are stuck
	close(stuck)
	group.Wait()
	e.settled()
}

// A group makes as many statements as any other, whatever its size: of apps, and in classes.
func TestStatementsOfAGroup(t *testing.T) {
	w := newWorld(t, org.School)
	app := w.published(nil)
	w.Exec(`UPDATE workspace_budgets SET allocated = 1000000000`)
	room := w.AddRoom("Next")
	w.Exec(`UPDATE workspace_budgets SET allocated = 1000000000`)
	statements := dbtest.CountStatements(t, w.DB)
	var before int64
	for _, n := range []int{2, 4, 8} {
		var asks []func() error
		for range n {
			person := w.AddUser(100 * models.Credit)
			w.Join(w.Room, person, "member")
			w.Join(room, person, "member")
			for _, ctx := range []context.Context{w.As(person), w.In(w.Room, person), w.In(room, person)} {
				asks = append(asks, func() error { _, err := w.AppRuns().Start(ctx, app.Slug, AppInput{}); return err })
			}
		}
		statements.Store(0)
		wantCounts(t, w.atOnce(asks...), map[models.Code]int{"": 3 * n})
		made := statements.Load()
		if n > 2 && made != before || made > 14 {
			t.Errorf("%d runs made %d statements, fewer made %d", 3*n, made, before)
		}
		before = made
	}
	w.settled()
}
