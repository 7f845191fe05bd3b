package run

import (
	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/notice"
)

// tellHeld tells those who may approve a job that it waits for them.
func (s *Service) tellHeld(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan) error {
	return s.Orgs.Notices.Tell(tx, notice.News{
		Kind: notice.JobHeld, Needs: notice.Nothing, SubjectID: &job.ID,
		Facts: notice.Facts{Thing: plan.Name(job.NodeID)}, Key: job.ID.String(),
	}, exec.AccountID)
}
