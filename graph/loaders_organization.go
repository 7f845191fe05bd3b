package graph

import (
	"context"
	"errors"
	"slices"
	"time"

	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/library"
	"atelier/models/org"

	"github.com/vikstrous/dataloadgen"
)

// organizationLoaders gather what lists of organizations, workspaces and audit
// entries show beside their rows.
type organizationLoaders struct {
	rows              *dataloadgen.Loader[models.ID, *org.Organization]
	facts             *dataloadgen.Loader[models.ID, *org.OrganizationFacts]
	workspaceMembers  *dataloadgen.Loader[models.ID, int]
	workspaceNames    *dataloadgen.Loader[models.ID, *models.Named]
	ownWorkspaceNames *dataloadgen.Loader[models.ID, string]
	allocations       *dataloadgen.Loader[models.ID, *credit.Allocation]
	trends            *dataloadgen.Loader[models.ID, *credit.SpendingTrend]
	workflowNames     *dataloadgen.Loader[models.ID, *models.Named]
	appNames          *dataloadgen.Loader[models.ID, *models.Named]
	projectNames      *dataloadgen.Loader[models.ID, *models.Named]
	productionNames   *dataloadgen.Loader[models.ID, *models.Named]
	pipelineNames     *dataloadgen.Loader[models.ID, *models.Named]
	postNames         *dataloadgen.Loader[models.ID, *models.Named]
	elementNames      *dataloadgen.Loader[models.ID, *models.Named]
	voiceNames        *dataloadgen.Loader[models.ID, *models.Named]
	presetNames       *dataloadgen.Loader[models.ID, *models.Named]
	creditRequests    *dataloadgen.Loader[models.ID, *credit.Request]
	pools             *dataloadgen.Loader[models.ID, models.Credits]
	lastSeen          *dataloadgen.Loader[models.ID, time.Time]
	invitations       *dataloadgen.Loader[models.ID, *models.Named]
	helpers           *dataloadgen.Loader[models.ID, []models.ID]
	workspaceHelpers  *dataloadgen.Loader[models.ID, []models.ID]
	toReview          *dataloadgen.Loader[models.ID, int]
	glances           *dataloadgen.Loader[*org.Workspace, *generated.WorkspaceGlance]
}

func newOrganizationLoaders(r *Resolver) organizationLoaders {
	return organizationLoaders{
		rows:              loader(r.Orgs.OrganizationsByID),
		facts:             loader(r.Orgs.FactsByOrganization),
		workspaceMembers:  loader(r.Orgs.WorkspaceMembers().Count),
		workspaceNames:    loader(r.Orgs.Workspaces().Names),
		ownWorkspaceNames: loader(r.Orgs.Workspaces().OwnNames),
		allocations:       loader(r.Credits.AllocationsByWorkspace),
		trends:            loader(r.Credits.TrendsByWorkspace),
		workflowNames:     loader(r.Flows.WorkflowNames),
		appNames:          loader(r.Flows.Apps().Names),
		projectNames:      loader(r.Spaces.ProjectNames),
		productionNames:   loader(r.Studio.ProductionNames),
		pipelineNames:     loader(r.Studio.PipelineNames),
		postNames:         loader(r.Community.PostNames),
		elementNames:      loader(ofLibrary(r, library.ElementNames)),
		voiceNames:        loader(ofLibrary(r, library.VoiceNames)),
		presetNames:       loader(ofLibrary(r, library.PresetNames)),
		creditRequests:    loader(r.Credits.RequestsByID),
		pools:             loader(r.Credits.PoolsByOrganization),
		lastSeen:          loader(r.Accounts.People().LastSeen),
		invitations:       loader(r.Orgs.Invitations().Addresses),
		helpers:           loader(r.Orgs.Members().HelpersByOrganization),
		workspaceHelpers:  loader(r.Orgs.WorkspaceMembers().Helpers),
		toReview:          loader(r.Community.CountToReview),
		glances:           loader(r.glances),
	}
}

// ofLibrary are names that the library tells.
func ofLibrary(r *Resolver, names func(context.Context, *library.Service, []models.ID) (map[models.ID]*models.Named, error)) func(context.Context, []models.ID) (map[models.ID]*models.Named, error) {
	return func(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
		return names(ctx, r.Library, ids)
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
	case "production":
		return named(l.productionNames)
	case "pipeline":
		return named(l.pipelineNames)
	case "post":
		return named(l.postNames)
	case "character", "object", "creature", "location":
		return named(l.elementNames)
	case "voice":
		return named(l.voiceNames)
	case "preset":
		return named(l.presetNames)
	case "invitation":
		return named(l.invitations)
	case "user":
		user, err := loadersFrom(ctx).Users.Load(ctx, *entry.TargetID)
		return nameOf(err, func() string { return user.DisplayName })
	}
	return nil, nil
}

// helpersOf are the accounts that a loader names for a place; those that are gone are left out.
func helpersOf(ctx context.Context, of *dataloadgen.Loader[models.ID, []models.ID], place models.ID) ([]*account.User, error) {
	ids, err := of.Load(ctx, place)
	if err != nil || len(ids) == 0 {
		return []*account.User{}, err
	}
	users, err := loadersFrom(ctx).Users.LoadAll(ctx, ids)
	return slices.DeleteFunc(users, func(u *account.User) bool { return u == nil }), err
}

// personName is the name of the person that an audit entry names beside its target.
func personName(ctx context.Context, entry *models.AuditEntry) (*string, error) {
	id := entry.Person()
	if id == nil {
		return nil, nil
	}
	user, err := loadersFrom(ctx).Users.Load(ctx, *id)
	return nameOf(err, func() string { return user.DisplayName })
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

// memberships is what a lookup found; one that failed says so, and the rest of
// the profile is there all the same.
func memberships(ctx context.Context, found *org.Memberships, err error) (*generated.Memberships, error) {
	if models.HasCode(err, models.CodeValidation) {
		return nil, err
	}
	if err != nil {
		logUnavailable(ctx, "memberships", err)
		return &generated.Memberships{Unavailable: true}, nil
	}
	return &generated.Memberships{Organizations: found.Organizations, Workspaces: found.Workspaces, More: found.More}, nil
}

// nameIn is the name of a workspace that a row of an organization names.
func (l organizationLoaders) nameIn(ctx context.Context, organizationID, workspaceID *models.ID) (*string, error) {
	if organizationID == nil || workspaceID == nil {
		return nil, nil
	}
	name, err := l.workspaceNames.Load(ctx, *workspaceID)
	return name.In(*organizationID), err
}

// allocation is what a workspace holds; nil where the caller may not read that.
func (l organizationLoaders) allocation(ctx context.Context, workspaceID models.ID) (*credit.Allocation, error) {
	held, err := l.allocations.Load(ctx, workspaceID)
	if errors.Is(err, dataloadgen.ErrNotFound) {
		return nil, nil
	}
	return held, err
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
