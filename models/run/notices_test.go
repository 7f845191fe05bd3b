package run

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/notice"
)

// What is told of a job that waits for its review goes with the contents of its run.
func TestNoticesOfHeldJobsGoWithTheirRun(t *testing.T) {
	e := newEngine(t)
	e.Orgs.Notices = &notice.Service{DB: e.DB}
	held := text("a", "x")
	held.Data["holdForReview"] = true
	told := func(job models.ID) (n int) {
		if err := e.DB.Row(context.Background(), `SELECT count(*) FROM notifications WHERE subject_id = $1`, job).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var jobs []models.ID
	var runs []*Execution
	for range 2 {
		exec := e.start(nodegraph.Nodes{held}, nil)
		e.work()
		job := e.jobs(exec.ID)["a"]
		if told(job.ID) != 1 {
			t.Fatalf("told %d times", told(job.ID))
		}
		if _, err := e.Jobs().Approve(e.As(e.user), job.ID); err != nil {
			t.Fatal(err)
		}
		jobs, runs = append(jobs, job.ID), append(runs, exec)
	}
	err := e.DB.Write(e.As(e.user), func(tx *models.Tx) error {
		erased, err := e.EraseResults(tx, runs[0].ID)
		if !erased {
			t.Error("nothing was erased")
		}
		return err
	})
	if err != nil || told(jobs[0]) != 0 || told(jobs[1]) != 1 {
		t.Errorf("%v; of the erased run %d are left, of the other %d", err, told(jobs[0]), told(jobs[1]))
	}
}
