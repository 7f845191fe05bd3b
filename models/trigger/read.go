package trigger

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// ListTriggers lists what starts a workflow by itself, of one type or all,
// newest first, with the addresses, for the one who owns it: insufficient_role
// for everyone else.
func (s *Service) ListTriggers(
	ctx context.Context, workflowID models.ID, kind *TriggerType, page models.Page,
) (*models.Connection[*Trigger], error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return nil, err
	}
	w, _, err := s.Flows.ReachWithoutGraph(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	if w.Access != space.IsCreator {
		return nil, models.InsufficientRole("Only the workflow's creator sees its triggers, because anyone who knows their addresses can run it")
	}
	list := models.List[*Trigger]{Name: "triggers:" + w.ID.String(), Position: func(t *Trigger) string { return t.ID.String() }}
	query := s.DB.Read(ctx).Model(&Trigger{}).Where("workflow_id = ?", w.ID)
	if kind != nil {
		query, list.Name = query.Where("type = ?", *kind), list.Name+" "+string(*kind)
	}
	found, err := models.ListPage(s.DB, list, page, query, models.NewestFirst("workflow_triggers.id"))
	if err != nil {
		return nil, err
	}
	for _, t := range found.Nodes {
		s.showToken(ctx, t, w, actor)
	}
	return found, nil
}

// FindTrigger is one trigger of a workflow that the caller may edit.
func (s *Service) FindTrigger(ctx context.Context, id models.ID) (*Trigger, error) {
	t, w, viewer, err := s.findTrigger(ctx, id)
	if err == nil {
		err = flow.CheckEdits(viewer, w)
	}
	if err != nil {
		return nil, err
	}
	s.showToken(ctx, t, w, models.ActorFrom(ctx))
	return t, nil
}

// findTrigger reads a trigger with its workflow, and the caller's reach around that.
func (s *Service) findTrigger(ctx context.Context, id models.ID) (*Trigger, *flow.Workflow, *space.Viewer, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, nil, nil, err
	}
	t, err := models.First[Trigger](s.DB.Read(ctx).Where("id = ?", id), errNoTrigger)
	if err != nil {
		return nil, nil, nil, err
	}
	w, viewer, err := s.Flows.ReachWithoutGraph(ctx, t.WorkflowID)
	return t, w, viewer, asNoTrigger(err)
}

// lockTrigger reads a trigger for a change, with its workflow, which is held first.
func (s *Service) lockTrigger(tx *models.Tx, id models.ID) (*Trigger, *flow.Workflow, *space.Viewer, error) {
	found, err := models.First[Trigger](tx.Select("workflow_id").Where("id = ?", id), errNoTrigger)
	if err != nil {
		return nil, nil, nil, err
	}
	w, viewer, err := s.Flows.LockWorkflow(tx, found.WorkflowID)
	if err != nil {
		return nil, nil, nil, asNoTrigger(err)
	}
	t, err := models.First[Trigger](tx.Where("id = ?", id).Clauses(clause.Locking{Strength: "UPDATE"}), errNoTrigger)
	return t, w, viewer, err
}

// asNoTrigger says of a trigger whose workflow is beyond reach that it is not there.
func asNoTrigger(err error) error {
	if models.HasCode(err, models.CodeNotFound) || errors.Is(err, gorm.ErrRecordNotFound) {
		return errNoTrigger
	}
	return err
}

// Parameters are the keys of a call's body that the trigger's config names.
func (t *Trigger) Parameters() []*nodegraph.Parameter {
	all := []*nodegraph.Parameter{}
	for _, p := range nodegraph.ReadParameters(t.Config["parameters"]) {
		all = append(all, &p)
	}
	return all
}
