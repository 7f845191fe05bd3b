package jobs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gocloud.dev/blob/memblob"

	"atelier/jobs"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/media"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/trigger"
)

// house is the areas on a database of their own, with one account.
type house struct {
	db     *models.DB
	runs   *run.Service
	events *event.Service
	ctx    context.Context
	user   models.ID
}

func newHouse(t *testing.T) *house {
	db := dbtest.NewWithClock(t, &models.DatabaseClock{})
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts}
	events := &event.Service{DB: db}
	bucket := memblob.OpenBucket(nil)
	t.Cleanup(func() { bucket.Close() })
	spaces := &space.Service{DB: db, Accounts: accounts, Orgs: orgs}
	h := &house{db: db, events: events, runs: &run.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Credits: &credit.Service{DB: db, Orgs: orgs}, Events: events,
		Flows: &flow.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Events: events, PublicURL: "https://atelier.example"},
		Media: &media.Service{Store: &media.Store{DB: db, Bucket: bucket, PublicURL: "https://atelier.example"}},
	}}
	h.user = models.NewID(db.Clock.Now())
	h.exec(t, `INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, 'a@example.com', 'a@example.com', 'A', now(), now())`, h.user)
	h.exec(t, `INSERT INTO wallets (user_id, balance) VALUES (?, 1000000)`, h.user)
	h.ctx = models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: h.user})
	return h
}

func (h *house) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if err := h.db.Read(context.Background()).Exec(sql, args...).Error; err != nil {
		t.Fatal(err)
	}
}

func (h *house) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	if err := h.db.Read(context.Background()).Raw(sql, args...).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// run starts the workers; stop ends them and waits.
func (h *house) run(t *testing.T, config jobs.Config) (stop func()) {
	t.Helper()
	config.DB, config.Runs, config.Events = h.db, h.runs, h.events
	config.Triggers = &trigger.Service{DB: h.db, Orgs: h.runs.Orgs, Flows: h.runs.Flows, Runs: h.runs}
	all, err := jobs.New(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- all.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the workers ended with %v", err)
			}
		case <-time.After(2 * time.Minute):
			t.Error("the workers do not end")
		}
	}
	t.Cleanup(stop)
	return stop
}

func TestRunsAreDone(t *testing.T) {
	h := newHouse(t)
	h.run(t, jobs.Config{})
	var executions []models.ID
	for i := range 5 {
		run, err := h.runs.Nodes().Run(h.ctx, "delay", map[string]any{"seconds": 0.1 * float64(i), "input": "x"})
		if err != nil {
			t.Fatal(err)
		}
		executions = append(executions, run.Job.ExecutionID)
	}
	begun, err := h.runs.Nodes().Run(h.ctx, "generate-image", map[string]any{"prompt": "a fox", "resolution": "1K"})
	if err != nil {
		t.Fatal(err)
	}
	executions = append(executions, begun.Job.ExecutionID)
	for _, id := range executions {
		exec, err := h.runs.Executions().Await(h.ctx, id, 2*time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if exec.Status != run.ExecutionCompleted {
			t.Errorf("ended as %+v", exec)
		}
	}
	job, err := h.runs.Jobs().Find(h.ctx, begun.Job.ID)
	if err != nil {
		t.Fatal(err)
	}
	if url, _ := job.OutputData["imageUrl"].(string); url == "" || *job.CreditsCharged != 2000 {
		t.Errorf("the image's job is %+v", job)
	}
}

func TestDrainFinishesWhatIsUnderWay(t *testing.T) {
	h := newHouse(t)
	stop := h.run(t, jobs.Config{Drain: 20 * time.Second})
	begun, err := h.runs.Nodes().Run(h.ctx, "generate-image", map[string]any{"prompt": "a fox"})
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(2 * time.Minute)
	underWay := func() bool { // from its first look at the job on, or already done
		return h.count(t, `SELECT count(*) FROM jobs WHERE id = ? AND status <> 'pending'`, begun.Job.ID) == 1
	}
	for !underWay() && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	stop()
	job, err := h.runs.Jobs().Find(h.ctx, begun.Job.ID)
	if err != nil || job.Status != run.JobCompleted {
		t.Errorf("after the end the job is %+v, %v", job, err)
	}
}

// endChoresWait checks that all chores except making the months wait for the first minute, and ends their wait.
func (h *house) endChoresWait(t *testing.T, began time.Time) {
	t.Helper()
	const waiting = `SELECT count(*) FROM river_job WHERE state = 'scheduled' AND kind <> 'ensure_partitions' AND scheduled_at >= ?`
	for deadline := time.Now().Add(time.Minute); h.count(t, waiting, began.Add(time.Minute)) < 7; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d chores wait", h.count(t, waiting, began.Add(time.Minute)))
		}
	}
	if n := h.count(t, `SELECT count(*) FROM river_job WHERE state <> 'scheduled' AND kind <> 'ensure_partitions' OR state = 'scheduled' AND kind = 'ensure_partitions'`); n > 0 {
		t.Errorf("%d chores do not wait, or the months do", n)
	}
	h.exec(t, `UPDATE river_job SET state = 'available', scheduled_at = now() WHERE state = 'scheduled'`)
}

func TestHousekeeping(t *testing.T) {
	h := newHouse(t)
	old := time.Now().Add(-48 * time.Hour)
	h.exec(t, `INSERT INTO rate_windows (name, key, started_at, ends_at, count) VALUES ('x', 'old', ?, ?, 1), ('x', 'new', now(), now() + interval '1 minute', 1)`, old, old)
	h.exec(t, `INSERT INTO idempotency_keys (account_id, key, request_hash, status, answer, created_at) VALUES (?, 'old', '', 200, '', ?), (?, 'new', '', 200, '', now())`, h.user, old, h.user)
	h.exec(t, `INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', ?, ?), (?, ?, 'password', now(), now() + interval '1 hour')`,
		models.NewID(old), h.user, old, old, models.NewID(time.Now()), h.user)
	org, month := models.NewID(time.Now()), time.Now().AddDate(0, 0, -31)
	h.exec(t, `INSERT INTO organizations (id, name, kind, slug, status, created_by, created_at, updated_at) VALUES (?, 'X', 'team', 'x', 'active', ?, now(), now())`, org, h.user)
	for _, created := range []time.Time{month, time.Now()} {
		batch := models.NewID(created)
		h.exec(t, `INSERT INTO invitation_batches (id, organization_id, org_role, created_by, created_at) VALUES (?, ?, 'member', ?, ?)`, batch, org, h.user, created)
		h.exec(t, `INSERT INTO invitation_sends (id, batch_id, organization_id, email, status, error, created_at, finished_at) VALUES (?, ?, ?, 'nobody', 'failed', 'invalid_email', ?, ?)`,
			models.NewID(created), batch, org, created, created)
	}
	far := time.Now().UTC()
	far = time.Date(far.Year(), far.Month()+3, 1, 0, 0, 0, 0, time.UTC)
	h.exec(t, fmt.Sprintf(`DROP TABLE IF EXISTS jobs_%s`, far.Format("200601")))

	endpoint, waiting := models.NewID(month), models.NewID(month)
	h.exec(t, `INSERT INTO webhook_endpoints (id, account_id, url, url_key, events, is_active, created_at, updated_at)
		VALUES (?, ?, 'https://example.com/', 'https://example.com/', '{job.completed}', true, now(), now())`, endpoint, h.user)
	h.exec(t, `INSERT INTO webhook_deliveries (id, endpoint_id, account_id, event, status, created_at) VALUES (?, ?, ?, 'ping', 'pending', ?)`, waiting, endpoint, h.user, month)
	h.exec(t, `INSERT INTO webhook_attempts (id, delivery_id, endpoint_id, number, duration_ms, created_at) VALUES (?, ?, ?, 1, 1, ?)`, models.NewID(month), waiting, endpoint, month)

	began := time.Now()
	h.run(t, jobs.Config{Sweepers: []jobs.Sweeper{h.db, h.runs.Accounts, h.runs.Orgs, h.events, h.runs}})
	h.endChoresWait(t, began)
	deadline := time.Now().Add(2 * time.Minute)
	for {
		left := h.count(t, `SELECT (SELECT count(*) FROM rate_windows) + (SELECT count(*) FROM idempotency_keys) + (SELECT count(*) FROM sessions) +
			(SELECT count(*) FROM invitation_batches) + (SELECT count(*) FROM invitation_sends) +
			(SELECT count(*) FROM webhook_deliveries) + (SELECT count(*) FROM webhook_attempts)`)
		made := h.count(t, `SELECT count(*) FROM pg_class WHERE relname = ?`, "jobs_"+far.Format("200601"))
		if left == 5 && made == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d rows are left, %d partitions made", left, made)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
