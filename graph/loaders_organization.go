package graph

import (
	"context"
	"errors"

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
	workspaceNames   *dataloadgen.Loader[models.ID, *models.Named]
	workflowNames    *dataloadgen.Loader[models.ID, *models.Named]
	appNames         *dataloadgen.Loader[models.ID, *models.Named]
	projectNames     *dataloadgen.Loader[models.ID, *models.Named]
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
// has no name, is gone, or is not of the entry's organization.
func (l organizationLoaders) targetName(ctx context.Context, entry *models.AuditEntry) (*string, error) {
	if entry.TargetID == nil {
		return nil, nil
	}
	named := func(names *dataloadgen.Loader[models.ID, *models.Named]) (*string, error) {
		name, err := names.Load(ctx, *entry.TargetID)
		return name.In(entry.OrganizationID), err
	}
	switch entry.TargetType {
	case "organization":
		o, err := l.rows.Load(ctx, *entry.TargetID)
		return nameOf(err, func() string { return o.Name })
	case "workspace", "join_code":
		return named(l.workspaceNames)
	case "workflow":
		return named(l.workflowNames)
	case "app":
		return named(l.appNames)
	case "project":
		return named(l.projectNames)
	case "user":
		user, err := loadersFrom(ctx).Users.Load(ctx, *entry.TargetID)
		return nameOf(err, func() string { return user.DisplayName })
	}
	return nil, nil
}

// nameOf is the name of a row that was loaded; nil when there is none.
func nameOf(err error, name func() string) (*string, error) {
	if errors.Is(err, dataloadgen.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text := name()
	return &text, nil
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
