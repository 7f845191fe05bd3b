package run

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// A month of runs goes with what they left, and those on both sides of it stay and go on; so do the books.
func TestMonthsOfRunsGo(t *testing.T) {
	w := newWorld(t, org.Team)
	ctx := context.Background()
	clock := w.DB.Clock.(*dbtest.Clock)
	now := clock.Now()
	middle := time.Date(now.Year(), now.Month()+2, 1, 0, 0, 0, 0, time.UTC)
	w.withMonths(middle.AddDate(0, -1, 0), 4)
	graph := nodegraph.Nodes{{ID: "a", Type: "text", Data: map[string]any{"text": "hello"}}}
	run := func(at time.Time) models.ID {
		t.Helper()
		clock.Set(at)
		payer := credit.Payer{UserID: w.Ann, WorkspaceID: &w.Room.ID, OrganizationID: &w.Room.OrganizationID}
		var exec *Execution
		err := w.DB.Write(w.In(w.Room, w.Ann), func(tx *models.Tx) (err error) {
			exec, err = w.AcceptRun(tx, Request{Payer: payer, Trigger: "api", Source: "api", Nodes: graph})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return exec.ID
	}
	end := middle.AddDate(0, 1, 0)
	runs := map[string]models.ID{}
	runs["before"] = run(middle.Add(-time.Millisecond))
	runs["first"] = run(middle)
	runs["last"] = run(end.Add(-time.Millisecond))
	runs["after"] = run(end)
	w.Exec(`INSERT INTO media_files (id, account_id, execution_id, key, sha256, content_type, size, private, created_at)
		SELECT gen_random_uuid(), account_id, id, id::text, decode(md5(id::text), 'hex'), 'text/plain', 10, false, now() FROM executions`)

	// None of it goes while a run of the month is open.
	if dropped, err := w.dropMonths(ctx, end); err != nil || len(dropped) > 0 {
		t.Fatalf("dropped %v, %v", dropped, err)
	}
	w.work()
	// That of midnight was begun by the last one.
	w.Exec(`UPDATE jobs SET id = ? WHERE execution_id = ?`, models.NewID(end.Add(time.Millisecond)), runs["last"])
	// And the first one of the next month has a job whose maker's clock was behind.
	early := models.NewID(end.Add(-time.Millisecond / 2))
	w.Exec(`UPDATE jobs SET id = ? WHERE execution_id = ?`, early, runs["after"])
	// As docs/scale.md once said it, it is refused.
	var refused *pgconn.PgError
	_, err := w.DB.Work.Exec(ctx, `DROP TABLE executions_`+middle.Format("200601"))
	if !errors.As(err, &refused) || refused.Code != "2BP01" {
		t.Errorf("dropped where it is: %v", err)
	}
	there := func(stay ...string) {
		t.Helper()
		for name, id := range runs {
			for table, column := range map[string]string{"executions": "id", "media_files": "execution_id", "results": "execution_id", "jobs": "execution_id", "kept_outputs": "execution_id"} {
				if n := w.Count(`SELECT count(*) FROM `+table+` WHERE `+column+` = ?`, id); n > 0 != slices.Contains(stay, name) {
					t.Errorf("%s: %d rows in %s", name, n, table)
				}
			}
		}
	}
	if gone, err := w.dropMonth(ctx, middle); err != nil || !gone {
		t.Fatalf("%v, %v", gone, err)
	}
	there("before", "after")
	run(end.Add(time.Minute))
	w.work()
	dropped, err := w.dropMonths(ctx, end)
	if err != nil || !slices.Equal(dropped, []string{middle.AddDate(0, -1, 0).Format("2006-01")}) {
		t.Fatalf("dropped %v, %v", dropped, err)
	}
	there("after")
	if n := w.Count(`SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = 'jobs'::regclass AND confrelid = 'executions'::regclass AND conparentid = 0`); n != 1 {
		t.Error("jobs refer to executions no more")
	}
	differences, err := w.Differences(ctx)
	if err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %v, %v", differences, err)
	}
	if wrong, err := w.Spaces.RebuildStorage(ctx); err != nil || wrong > 0 {
		t.Errorf("%d counters of what is kept differ, %v", wrong, err)
	}
	run(end.Add(time.Hour))
	w.work()
	if n := w.Count(`SELECT count(*) FROM executions WHERE status = 'completed'`); n != 3 {
		t.Errorf("%d runs are completed", n)
	}
	if again, err := w.dropMonths(ctx, end); err != nil || len(again) > 0 {
		t.Errorf("then %v, %v", again, err)
	}
}

// withMonths makes the partitions of so many months.
func (e *engine) withMonths(first time.Time, months int) {
	e.t.Helper()
	for month := range months {
		for _, table := range models.PartitionedTables {
			e.Exec(`SELECT ensure_month(?, ?)`, table, first.AddDate(0, month, 0))
		}
	}
}

// The files that a retry took over from runs of a month that goes stay with it.
func TestFilesOfRetriedRunsStay(t *testing.T) {
	e := newEngine(t)
	e.withMedia(t)
	month := time.Date(e.clock.Now().Year(), e.clock.Now().Month()+2, 1, 0, 0, 0, 0, time.UTC)
	next := month.AddDate(0, 1, 0)
	e.withMonths(month, 2)
	broken := true
	flaky(t, &broken)
	ctx := e.As(e.user)
	e.clock.Set(next.Add(-time.Hour))
	w := e.save(ctx, nodegraph.Nodes{text("a", "x"), combine("b"), template("bad")}, edge("a", "b"), handle(edge("b", "bad"), "text", "values.x"))
	exec, err := e.RunWorkflow(ctx, w.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	for _, at := range []time.Time{next.Add(-time.Minute), next.Add(time.Minute)} {
		e.clock.Set(at)
		broken = at.Before(next)
		if exec, err = e.Executions().Retry(ctx, exec.ID); err != nil {
			t.Fatal(err)
		}
		e.work()
	}
	if gone, err := e.dropMonth(context.Background(), month); err != nil || !gone {
		t.Fatalf("%v, %v", gone, err)
	}
	if done := e.execution(exec.ID); done.Status != ExecutionCompleted {
		t.Fatalf("the last retry is %s", done.Status)
	}
	address, _ := e.jobs(exec.ID)["b"].OutputData["url"].(string)
	gone, err := e.Media.FilesGone(e.DB.Read(ctx), []string{address})
	if err != nil || address == "" || len(gone) > 0 {
		t.Errorf("%q is gone (%v): %v", address, gone, err)
	}
	if n := e.Count(`SELECT count(*) FROM media_files`); n != 1 {
		t.Errorf("%d files", n)
	}
	if wrong, err := e.Spaces.RebuildStorage(context.Background()); err != nil || wrong > 0 {
		t.Errorf("%d counters of what is kept differ, %v", wrong, err)
	}
}

// An organization keeps its runs no longer than its owner says: older ones are erased, and no one else's; the books stay.
func TestOrganizationsKeepRuns(t *testing.T) {
	w := newWorld(t, org.Team)
	ctx := context.Background()
	clock := w.DB.Clock.(*dbtest.Clock)
	start := models.FirstKept(clock.Now(), -1)
	w.withMonths(start, 8)
	graph := nodegraph.Nodes{{ID: "a", Type: "text", Data: map[string]any{"text": "hello"}}}
	run := func(of context.Context, payer credit.Payer) models.ID {
		t.Helper()
		var exec *Execution
		err := w.DB.Write(of, func(tx *models.Tx) (err error) {
			exec, err = w.AcceptRun(tx, Request{Payer: payer, Trigger: "api", Source: "api", Nodes: graph})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return exec.ID
	}
	inRoom, payer := w.In(w.Room, w.Ann), credit.Payer{UserID: w.Ann, WorkspaceID: &w.Room.ID, OrganizationID: &w.Room.OrganizationID}
	clock.Set(start.Add(time.Hour))
	old := run(inRoom, payer)
	own := run(w.As(w.Ann), credit.Payer{UserID: w.Ann})
	w.Exec(`INSERT INTO media_files (id, account_id, execution_id, key, sha256, content_type, size, private, created_at)
		SELECT gen_random_uuid(), account_id, id, id::text, decode(md5(id::text), 'hex'), 'text/plain', 10, false, now() FROM executions`)
	w.work()
	clock.Set(start.AddDate(0, 1, 0))
	kept := run(inRoom, payer)
	w.work()

	keep := func(of models.ID, months models.Opt[int]) error {
		_, err := w.Orgs.UpdateOrganization(w.As(of), w.Org.ID, org.UpdateOrganizationInput{KeepRunsMonths: months})
		return err
	}
	w.Exec(`UPDATE organization_members SET role = 'admin' WHERE organization_id = ? AND user_id = ?`, w.Org.ID, w.Bob)
	for name, refused := range map[string]struct {
		err  error
		code models.Code
	}{
		"one month": {keep(w.Owner, models.Some(1)), models.CodeValidation}, "ten years and a month": {keep(w.Owner, models.Some(121)), models.CodeValidation},
		"an admin": {keep(w.Bob, models.Some(2)), models.CodeInsufficientRole}, "a member": {keep(w.Ann, models.Some(2)), models.CodeInsufficientRole},
	} {
		if !models.HasCode(refused.err, refused.code) {
			t.Errorf("%s: %v", name, refused.err)
		}
	}
	would := func(of models.ID, months int) *int {
		t.Helper()
		asked := w.As(of)
		o, err := w.Orgs.FindOrganization(asked, w.Org.ID)
		if err != nil {
			t.Fatal(err)
		}
		n, err := CountUnkept(asked, w.DB, o, months)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	expired := func() int {
		return w.Count(`SELECT count(*) FROM audit_entries WHERE organization_id = ? AND action = 'run.expired'`, w.Org.ID)
	}
	erased := func(what string, entries int, want ...models.ID) {
		t.Helper()
		if err := w.KeepRuns(ctx, 0); err != nil {
			t.Fatal(err)
		}
		for _, id := range []models.ID{old, own, kept} {
			gone := slices.Contains(want, id)
			for _, table := range []string{"results", "media_files"} {
				if id == kept && table == "media_files" {
					continue
				}
				if n := w.Count(`SELECT count(*) FROM `+table+` WHERE execution_id = ?`, id); n > 0 == gone {
					t.Errorf("%s: %d rows in %s", what, n, table)
				}
			}
			if n := w.Count(`SELECT count(*) FROM jobs WHERE execution_id = ? AND output_data IS NULL`, id); n > 0 != gone {
				t.Errorf("%s: %d jobs without outputs", what, n)
			}
			if n := w.Count(`SELECT count(*) FROM executions WHERE id = ?`, id); n != 1 {
				t.Errorf("%s: %d rows of a run", what, n)
			}
		}
		if n := expired(); n != entries {
			t.Errorf("%s: %d entries in the log", what, n)
		}
	}
	clock.Set(start.AddDate(0, 2, 20))
	erased("no choice", 0)
	if err := keep(w.Owner, models.Some(2)); err != nil {
		t.Fatal(err)
	}
	erased("two months", 1)
	clock.Set(start.AddDate(0, 3, 0))
	if now, later := would(w.Owner, 2), would(w.Owner, 3); now == nil || *now != 1 || later == nil || *later != 0 {
		t.Errorf("would be erased: %v, %v", models.Deref(now), models.Deref(later))
	}
	if would(w.Bob, 2) != nil || would(w.Ann, 2) != nil {
		t.Error("others than the owner are told how many would be erased")
	}
	if _, err := CountUnkept(w.As(w.Owner), w.DB, w.Org, 1); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("one month: %v", err)
	}
	w.Exec(`UPDATE executions SET status = 'running' WHERE id = ?`, old)
	erased("one that runs", 1)
	w.Exec(`UPDATE executions SET status = 'completed' WHERE id = ?`, old)
	erased("the first month", 2, old)
	if n := would(w.Owner, 2); n == nil || *n != 0 {
		t.Errorf("would be erased again: %v", models.Deref(n))
	}
	erased("again", 2, old)
	if _, err := w.Executions().Find(inRoom, old); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("the run is still found: %v", err)
	}
	if _, err := w.Executions().Find(inRoom, kept); err != nil {
		t.Errorf("the run that is kept: %v", err)
	}
	if err := keep(w.Owner, models.Null[int]()); err != nil {
		t.Fatal(err)
	}
	clock.Set(start.AddDate(0, 6, 0))
	erased("no choice again", 2, old)
	differences, err := w.Differences(ctx)
	if err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %v, %v", differences, err)
	}
	if wrong, err := w.Spaces.RebuildStorage(ctx); err != nil || wrong > 0 {
		t.Errorf("%d counters of what is kept differ, %v", wrong, err)
	}
}
