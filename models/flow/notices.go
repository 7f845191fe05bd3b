package flow

import (
	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/notice"
)

// SeesNotice is the condition that what a notification, as n, tells of a job is
// still there for its recipient.
const SeesNotice = `n.kind <> 'job_held' OR EXISTS (
	SELECT FROM jobs nj WHERE nj.id = n.subject_id AND nj.account_id = n.recipient_id AND nj.erased_at IS NULL)`

// tellHeld tells those who may approve a job that it waits for them.
func (s *Service) tellHeld(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan) error {
	return s.Orgs.Notices.Tell(tx, notice.News{
		Kind: notice.JobHeld, Needs: notice.Nothing, SubjectID: &job.ID,
		Facts: notice.Facts{Thing: plan.Name(job.NodeID)}, Key: job.ID.String(),
	}, exec.AccountID)
}
