package graph

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"

	"github.com/vikstrous/dataloadgen"
)

// organizationLoaders gather what lists of organizations, workspaces and audit
// entries show beside their rows.
type organizationLoaders struct {
	rows             *dataloadgen.Loader[models.ID, *org.Organization]
	facts            *dataloadgen.Loader[models.ID, *org.Facts]
	workspaceMembers *dataloadgen.Loader[models.ID, int]
	workspaceNames   *dataloadgen.Loader[models.ID, *string]
	workflowNames    *dataloadgen.Loader[models.ID, *string]
	appNames         *dataloadgen.Loader[models.ID, *string]
	projectNames     *dataloadgen.Loader[models.ID, *string]
}

func newOrganizationLoaders(r *Resolver) organizationLoaders {
	return organizationLoaders{
		rows:             loader(r.Orgs.OrganizationsByID),
		facts:            loader(r.Orgs.FactsByOrganization),
		workspaceMembers: loader(r.Orgs.MemberCounts),
		workspaceNames:   loader(r.Orgs.WorkspaceNames),
		workflowNames:    loader(r.Flows.WorkflowNames),
		appNames:         loader(r.Flows.AppNames),
		projectNames:     loader(r.Flows.ProjectNames),
	}
}

// targetName is the name that an audit entry's target has now; nil for what
// has no name or is gone.
func (l organizationLoaders) targetName(ctx context.Context, entry *models.AuditEntry) (*string, error) {
	if entry.TargetID == nil {
		return nil, nil
	}
	switch entry.TargetType {
	case "organization":
		o, err := l.rows.Load(ctx, *entry.TargetID)
		if err != nil {
			return nil, err
		}
		return &o.Name, nil
	case "workspace", "join_code":
		return l.workspaceNames.Load(ctx, *entry.TargetID)
	case "workflow":
		return l.workflowNames.Load(ctx, *entry.TargetID)
	case "app":
		return l.appNames.Load(ctx, *entry.TargetID)
	case "project":
		return l.projectNames.Load(ctx, *entry.TargetID)
	case "user":
		user, err := loadersFrom(ctx).Users.Load(ctx, *entry.TargetID)
		if err != nil {
			return nil, err
		}
		return &user.DisplayName, nil
	}
	return nil, nil
}

// people are the accounts of ids that a use case found, in its order.
func people(ctx context.Context) func([]models.ID, error) ([]*account.User, error) {
	return func(ids []models.ID, err error) ([]*account.User, error) {
		if err != nil {
			return nil, err
		}
		return loadersFrom(ctx).Users.LoadAll(ctx, ids)
	}
}

// orElse is an optional argument or its default.
func orElse[T any](given *T, otherwise T) T {
	if given != nil {
		return *given
	}
	return otherwise
}

// isTrue reads an optional flag.
func isTrue(flag *bool) bool { return flag != nil && *flag }

// LoadUsers reads people in one statement, so that the fields that ask for
// them one after another find them there.
func LoadUsers(ctx context.Context, ids []models.ID) error {
	_, err := loadersFrom(ctx).Users.LoadAll(ctx, ids)
	return err
}
