package flow

import (
	"context"

	"atelier/models"
	"atelier/models/space"
)

// Candidates are people of the workflow's workspace whom it is not
// shared with yet, by a part of their name, at most 20: for those who may share
// it. No one is found for a personal workflow, which is shared by address.
func (s Collaborators) Candidates(ctx context.Context, workflowID models.ID, search string) ([]models.ID, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	w, viewer, err := s.flow.ReachWithoutGraph(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	if err := mayShare(viewer, w); err != nil || w.WorkspaceID == nil {
		return []models.ID{}, err
	}
	shared := []models.ID{}
	if err := s.flow.DB.Read(ctx).Table("workflow_collaborators").Where("workflow_id = ?", w.ID).Pluck("user_id", &shared).Error; err != nil {
		return nil, err
	}
	return s.flow.Orgs.WorkspaceMembers().Search(ctx, *w.WorkspaceID, search, append(shared, w.OwnerID, viewer.UserID))
}
