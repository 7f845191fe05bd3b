package usage

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// askedOfOrganization reads a query about an organization: owner and admins.
func (s *Service) askedOfOrganization(ctx context.Context, id models.ID, q Query) (*asked, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesRead); err != nil {
		return nil, err
	}
	a, err := q.read(s.DB.Clock.Now())
	if err != nil {
		return nil, err
	}
	o, err := s.Orgs.FindOrganization(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := o.Authorize(org.ReadUsage); err != nil {
		return nil, err
	}
	a.organizationID = o.ID
	if a.workspaceID == nil {
		return &a, nil
	}
	w, err := s.Orgs.Workspaces().FindFor(ctx, actor.UserID, *a.workspaceID)
	if err != nil {
		return nil, err
	}
	if w.OrganizationID != o.ID {
		return nil, models.NotFound("Workspace")
	}
	return &a, nil
}

// askedOfWorkspace reads a query about a workspace: for its admins about
// everyone's runs, for members about their own.
func (s *Service) askedOfWorkspace(ctx context.Context, id models.ID, q Query) (*asked, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesRead); err != nil {
		return nil, err
	}
	a, err := q.read(s.DB.Clock.Now())
	if err != nil {
		return nil, err
	}
	if a.group == ByWorkspace {
		return nil, models.Invalid("groupBy", "must be member, model, day or none: only an organization has several workspaces")
	}
	w, err := s.Orgs.Workspaces().Find(ctx, id)
	if err != nil {
		return nil, err
	}
	if a.workspaceID != nil && *a.workspaceID != w.ID {
		return nil, models.NotFound("Workspace")
	}
	a.organizationID, a.workspaceID = w.OrganizationID, &w.ID
	if w.Authorize(org.ReadWorkspaceUsage) == nil {
		return &a, nil
	}
	switch {
	case a.group == ByMember:
		return nil, models.Invalid("groupBy", "must be model, day or none: members see their own runs alone")
	case a.userID != nil && *a.userID != actor.UserID:
		return nil, models.InsufficientRole("Members see their own runs alone")
	}
	a.userID = &actor.UserID
	return &a, nil
}
