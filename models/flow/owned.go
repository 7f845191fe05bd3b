package flow

import (
	"context"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/org"
)

// Owned is what decides who reaches a thing of a space: a workflow, or something
// that another area keeps there by the same rules.
type Owned struct {
	OwnerID        models.ID
	WorkspaceID    *models.ID
	OrganizationID *models.ID
	Visibility     Visibility
}

func (w *Workflow) owned() Owned {
	return Owned{w.OwnerID, w.WorkspaceID, w.OrganizationID, w.Visibility}
}

// AccessTo is what the caller may do with a thing of the space, the widest of
// what the settings and the grants give; empty is nothing at all (contract 3, "Settings").
func (r *Reach) AccessTo(o Owned, grants ...Access) Access {
	access := Access("")
	for _, granted := range grants {
		access = wider(access, granted)
	}
	switch {
	case o.OwnerID == r.UserID:
		return IsCreator
	case r.Workspace == nil:
		return access
	}
	if o.Visibility == WorkspaceShared {
		access = wider(access, Access(r.rules.MemberAccessToShared))
	}
	if r.isAdmin() {
		access = wider(access, Access(r.rules.AdminAccess))
	}
	return access
}

// managesAs tells whether somebody of this access is the creator, or an admin who
// may edit members' work.
func (r *Reach) managesAs(access Access) bool { return access == IsCreator || r.adminEdits() }

// MayEditAs refuses who may only look at a thing, then a closed space. The thing
// is named in the refusal, such as "character".
func (r *Reach) MayEditAs(access Access, thing string) error {
	if err := EditsAs(access, thing); err != nil {
		return err
	}
	return r.open(false)
}

// EditsAs is the part of MayEditAs that asks for the role.
func EditsAs(access Access, thing string) error {
	if access == CanView {
		return models.InsufficientRole("You may look at this " + thing + ", but not change it")
	}
	return nil
}

// MayWorkAs is MayEditAs for what starts work on a thing: a closed space refuses it as it
// refuses what is created.
func (r *Reach) MayWorkAs(access Access, thing string) error {
	if err := EditsAs(access, thing); err != nil {
		return err
	}
	return r.open(true)
}

// MayManageAs refuses all but the creator and admins who may edit members' work,
// then a closed space.
func (r *Reach) MayManageAs(access Access, thing string) error {
	if !r.managesAs(access) {
		return models.InsufficientRole("Only who made this " + thing + ", or an admin who may edit members' work, may do this")
	}
	return r.open(false)
}

// Open refuses writes while the space cannot change; see open.
func (r *Reach) Open(creates bool) error { return r.open(creates) }

// IsAdmin tells whether the caller is an admin of the workspace.
func (r *Reach) IsAdmin() bool { return r.isAdmin() }

// Key names the space in the names of lists.
func (r *Reach) Key() string { return r.key() }

// SelectedSpace is the space in which lists read: the selected workspace, or the personal space.
func (s *Service) SelectedSpace(ctx context.Context) (*Reach, error) { return s.selectedSpace(ctx) }

// SpaceForCreate is the selected space for what a transaction creates, held until it ends.
func (s *Service) SpaceForCreate(tx *models.Tx) (*Reach, error) { return s.spaceForCreate(tx) }

// SpaceOf is the caller's reach in a space: not_found for a workspace that they
// do not belong to, and for the personal space of somebody else.
func (s *Service) SpaceOf(ctx context.Context, o Owned) (*Reach, error) {
	if o.WorkspaceID == nil && o.OwnerID != models.ActorFrom(ctx).UserID {
		return nil, models.NotFound("Space")
	}
	return s.reach(ctx, o.WorkspaceID)
}

// HoldSpaceOf holds the workspace of a thing until the transaction ends, so that
// it is not archived meanwhile.
func HoldSpaceOf(tx *models.Tx, o Owned) error {
	if o.WorkspaceID == nil {
		return nil
	}
	return org.HoldWorkspace(tx, *o.WorkspaceID)
}

// Place is where a new thing of the space belongs. Without a wish its visibility
// is the workspace's setting (contract 3, default_workflow_visibility).
func (r *Reach) Place(wish *Visibility) (Owned, error) {
	o := Owned{OwnerID: r.UserID, Visibility: Private}
	if r.Workspace != nil {
		o.WorkspaceID, o.OrganizationID = &r.Workspace.ID, &r.Workspace.OrganizationID
		o.Visibility = Visibility(r.rules.DefaultWorkflowVisibility)
	}
	if wish != nil {
		if err := checkVisibility(*wish); err != nil {
			return o, err
		}
		o.Visibility = *wish
	}
	return o, o.CheckVisibility()
}

// CheckVisibility refuses sharing with a workspace where there is none.
func (o Owned) CheckVisibility() error {
	if o.Visibility != Private && o.Visibility != WorkspaceShared {
		return checkVisibility(o.Visibility)
	}
	if o.WorkspaceID == nil && o.Visibility == WorkspaceShared {
		return models.Invalid("visibility", "must be private in the personal space")
	}
	return nil
}

// OwnedIn narrows a query of a table to what the caller can reach in the space:
// the rule of AccessTo in SQL. The table has owner_id, workspace_id and visibility. A
// grant is a condition under which a row of the workspace is in reach besides.
func OwnedIn(q *gorm.DB, table string, space *Reach, grants ...*gorm.DB) *gorm.DB {
	if space.Workspace == nil {
		return q.Where(table+".workspace_id IS NULL AND "+table+".owner_id = ?", space.UserID)
	}
	q = q.Where(table+".workspace_id = ?", space.Workspace.ID)
	if space.isAdmin() {
		return q
	}
	reached := q.Session(&gorm.Session{NewDB: true}).Where("("+table+".owner_id = ? OR "+table+".visibility = ?)", space.UserID, WorkspaceShared)
	for _, granted := range grants {
		reached = reached.Or(granted)
	}
	return q.Where(reached)
}

// CheckFolder refuses a project that is none of the space's: not_found. nil is no folder.
func CheckFolder(q *gorm.DB, space *Reach, projectID *models.ID) error {
	if projectID == nil {
		return nil
	}
	_, err := models.First[Project](liveProjects(q, space).Where("id = ?", *projectID), models.NotFound("Project"))
	return err
}

// ReachOf is how far somebody gets in a space, whoever calls: the workspace if they belong to
// it and may enter it, else their personal space.
func (s *Service) ReachOf(ctx context.Context, by Judged) (*Reach, error) {
	if by.WorkspaceID == nil {
		return &Reach{UserID: by.UserID}, nil
	}
	r := &Reach{UserID: by.UserID}
	w, err := s.Orgs.StandingIn(s.DB.Read(ctx), by.UserID, *by.WorkspaceID)
	if err == nil {
		err = r.enter(w)
	}
	if _, refused := models.AsError(err); refused {
		return &Reach{UserID: by.UserID}, nil
	}
	return r, err
}
