package run

import (
	"context"
	"time"

	"atelier/models"
)

// MaxAnswer is how long the start of a single node is held for its result.
const MaxAnswer = 15 * time.Second

// Rests tells whether nothing is left to do for a job: it has ended, or waits
// for a review.
func (j *Job) Rests() bool {
	switch j.Status {
	case JobWaiting, JobPending, JobProcessing:
		return false
	}
	return true
}

// Await waits for the job of a run whose type is answered with its result,
// at most MaxAnswer, and leaves in it how the job then stands. While it
// waits it holds neither a worker nor a database connection; within a
// transaction, whose job no one else sees yet, it does not wait.
func (s Nodes) Await(ctx context.Context, run *NodeRun) error {
	if !run.Awaited || run.Inline || models.InTransaction(ctx) {
		return nil
	}
	job, err := s.run.Jobs().Await(ctx, run.Job.ID, MaxAnswer)
	if err != nil {
		return err
	}
	run.Job, run.Inline = job, job.Rests()
	return nil
}

// Await waits until a job of the actor's account has ended, at most for
// most, and returns it as it then is.
func (s Jobs) Await(ctx context.Context, id models.ID, most time.Duration) (*Job, error) {
	actor := models.ActorFrom(ctx)
	find := func() (*Job, error) {
		return models.First[Job](ofApp(s.run.DB.Read(ctx), actor).Where(models.FitsID("id", id)).Where("account_id = ? AND erased_at IS NULL", actor.UserID), models.NotFound("Job"))
	}
	job, err := find()
	if err != nil || job.Rests() {
		return job, err
	}
	wake, unsubscribe := s.run.DB.Bus.Subscribe((&Execution{ID: job.ExecutionID}).topic())
	defer unsubscribe()
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	enough := time.NewTimer(most)
	defer enough.Stop()
	for {
		// What happened before the subscription woke no one.
		if job, err = find(); err != nil || job.Rests() {
			return job, err
		}
		select {
		case <-wake:
		case <-ticker.C:
		case <-enough.C:
			return job, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
