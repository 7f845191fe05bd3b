package flow

import (
	"context"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// List is whom a workflow is shared with, the latest grant
// first: everyone who may view it. The standings are for those who may share
// it; others see their own.
func (s Collaborators) List(ctx context.Context, workflowID models.ID, page models.Page) (*models.Connection[*Collaborator], error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	w, viewer, err := s.flow.ReachWithoutGraph(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	list := models.List[*Collaborator]{
		Name:     "collaborators:" + w.ID.String(),
		Position: func(c *Collaborator) string { return models.TimePosition(c.CreatedAt, c.UserID) },
	}
	found, err := models.ListPage(s.flow.DB, list, page, collaborators(s.flow.DB.Read(ctx), w.ID),
		models.LatestFirst("workflow_collaborators.created_at", "workflow_collaborators.user_id"))
	if err != nil {
		return nil, err
	}
	return found, s.flow.addStandings(ctx, viewer, w, found.Nodes)
}

// addStandings works out what grants come to, in one statement for all of them.
func (s *Service) addStandings(ctx context.Context, viewer *space.Viewer, w *Workflow, list []*Collaborator) (err error) {
	shown, people := []*Collaborator{}, []models.ID{}
	for _, c := range list {
		if shares(viewer, w) || c.UserID == viewer.UserID {
			shown, people = append(shown, c), append(people, c.UserID)
		}
	}
	var members map[models.ID]*org.Workspace
	if w.WorkspaceID != nil && len(shown) > 0 {
		if members, err = s.Orgs.WorkspaceMembers().Standings(s.DB.Read(ctx), *w.WorkspaceID, people); err != nil {
			return err
		}
	}
	for _, c := range shown {
		c.Standing = c.standing(*w, members[c.UserID])
	}
	return nil
}

// standing is what the grant comes to for a person with a standing in the
// workflow's workspace, if it has one.
func (c *Collaborator) standing(theirs Workflow, in *org.Workspace) *CollaboratorStanding {
	theirs.Granted = &c.Role
	v := space.Personal(c.UserID, false)
	if in != nil {
		var err error
		if v, err = space.Member(c.UserID, in); err != nil {
			err = allowAsCollaborator(v, &theirs, err)
		}
		if err != nil {
			return &CollaboratorStanding{Suspended: models.HasCode(err, models.CodeMemberSuspended)}
		}
	}
	if err := fill(v, &theirs); err != nil {
		return &CollaboratorStanding{}
	}
	return &CollaboratorStanding{Access: &theirs.Access, Outside: v.IsOutside(), CanRun: theirs.Can.Run}
}
