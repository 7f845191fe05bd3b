package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// Media work that fails is counted, and beyond an hour in an hour none begins.
func TestUnpaidMediaWorkIsBounded(t *testing.T) {
	e := newEngine(t)
	media := lane.Lease{Kind: Pools[kit.Media].Kind.Name}
	paid, failed := models.Credit, errors.New("it failed")
	count := func(job *Job, called, ended error) {
		e.countUnpaid(context.Background(), &work{lease: media, exec: &Execution{AccountID: e.user}, job: job}, 15*time.Minute, called, ended)
	}
	counted := func() int {
		return e.Count(`SELECT coalesce(sum(count), 0) FROM rate_windows WHERE name = 'media.unpaid'`)
	}
	count(&Job{Cost: paid, CreditsCharged: &paid}, nil, nil)
	count(&Job{Cost: paid}, nil, errors.New("the database is away"))
	count(&Job{Cost: paid}, &kit.Pause{}, nil)
	if counted() != 0 {
		t.Fatalf("%d seconds are counted for work that is paid, or taken up again", counted())
	}
	count(&Job{Cost: paid}, failed, nil)
	count(&Job{}, nil, nil)
	count(&Job{Cost: paid}, failed, lane.ErrLost)
	if counted() != 45*60 {
		t.Fatalf("%d seconds are counted", counted())
	}
	picture := func() *Job {
		exec := e.start(nodegraph.Nodes{node("r", "resize-image", map[string]any{"imageUrl": "https://atelier.example/x.png", "width": 10.0})}, nil)
		e.work()
		return e.jobs(exec.ID)["r"]
	}
	if job := picture(); strings.Contains(models.Deref(job.ErrorMessage), "cost nothing") {
		t.Errorf("refused too early: %s", *job.ErrorMessage)
	}
	count(&Job{}, nil, nil)
	job := picture()
	if job.Status != JobFailed || !strings.Contains(models.Deref(job.ErrorMessage), "has taken 60 minutes in this hour") {
		t.Errorf("%s: %s", job.Status, models.Deref(job.ErrorMessage))
	}
	if code := e.Count(`SELECT count(*) FROM executions WHERE id = ? AND error_code = 'rate_limit_exceeded'`, job.ExecutionID); code != 1 {
		t.Error("the run does not say rate_limit_exceeded")
	}
	e.clock.Advance(time.Hour)
	if job := picture(); strings.Contains(models.Deref(job.ErrorMessage), "cost nothing") {
		t.Errorf("still refused in the next hour: %s", *job.ErrorMessage)
	}
}

// Runs that cost nothing are bounded, however they are started; those that cost are not.
func TestFreeRunsAreBounded(t *testing.T) {
	e := newEngine(t)
	e.FreeRuns = models.Limit{Name: "runs.free", Max: 3, Per: time.Minute}
	free := e.save(e.As(e.user), nodegraph.Nodes{node("a", "text", map[string]any{"text": "x"})})
	for range 3 {
		if _, err := e.RunWorkflow(e.As(e.user), free.ID, Input{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := e.RunWorkflow(e.As(e.user), free.ID, Input{})
	wantError(t, err, models.CodeRateLimitExceeded, "At most 3 in a minute")
	costly := e.save(e.As(e.user), nodegraph.Nodes{node("a", "generate-image", map[string]any{"prompt": "sky"})})
	if _, err := e.RunWorkflow(e.As(e.user), costly.ID, Input{}); err != nil {
		t.Error(err)
	}
}
