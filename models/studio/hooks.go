package studio

import (
	"atelier/models"
	"atelier/models/run"
)

// RegisterHooks has the other areas tell the studio what touches its work.
func (s *Service) RegisterHooks() {
	s.Runs.OnJobEnded(run.ForRender, "studio: keep what a stage made", s.renderedNode)
	s.Runs.OnExecutionEnded(run.ForRender, "studio: end the render", s.renderEnded)
	s.Runs.OnJobEnded(run.ForBreakdown, "studio: write the shots", s.breakdownEnded)
	s.Library.OnChanged("studio: mark shots as stale", markStale)
	s.Library.OnSubjectRemoved("studio: end what shows the person", s.subjectRemoved)
	s.Flows.OnWorkflow("studio: mark shots as stale", func(tx *models.Tx, id models.ID) error { return markStale(tx, id) })
	s.Runs.OnMonthDropped("studio: forget what lay in their files", s.monthDropped)
	s.Spaces.OnProjectDelete("studio: refuse while it holds productions", refuseHeldProject)
	s.Accounts.OnDelete("studio: the personal productions and pipelines, and what is shown to everybody", s.removeOf)
	s.Orgs.OnDelete("studio: soon what its workspaces keep", s.removeLater)
}
