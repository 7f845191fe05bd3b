package space

import (
	"gorm.io/gorm"

	"atelier/models"
)

// Visibility of a thing in its workspace.
type Visibility string

const (
	Private         Visibility = "private"
	WorkspaceShared Visibility = "workspace"
)

// Access is what a viewer may do with a thing; empty is nothing at all.
type Access string

const (
	CanView   Access = "view"
	CanEdit   Access = "edit"
	IsCreator Access = "creator"
)

// Owned is what decides who may do what with a thing of a space: a workflow, a
// character, a production.
type Owned struct {
	OwnerID        models.ID
	WorkspaceID    *models.ID
	OrganizationID *models.ID
	Visibility     Visibility
}

// AccessTo is what the viewer may do with a thing of the space, the widest of
// what the settings and the grants give (contract 3, "Settings"); empty is nothing at all.
func (v *Viewer) AccessTo(o Owned, grants ...Access) Access {
	access := Access("")
	for _, granted := range grants {
		access = wider(access, granted)
	}
	switch {
	case o.OwnerID == v.UserID:
		return IsCreator
	case v.Workspace == nil:
		return access
	}
	if o.Visibility == WorkspaceShared {
		access = wider(access, Access(v.rules.MemberAccessToShared))
	}
	if v.IsAdmin() {
		access = wider(access, Access(v.rules.AdminAccess))
	}
	return access
}

// wider returns the one of two accesses, neither the creator's, that allows more.
func wider(a, b Access) Access {
	for _, access := range []Access{CanEdit, CanView} {
		if a == access || b == access {
			return access
		}
	}
	return ""
}

// Manages tells whether the viewer, with this access, is the creator, or an admin who
// may edit members' work.
func (v *Viewer) Manages(access Access) bool { return access == IsCreator || v.EditsAsAdmin() }

// MayEditAs refuses a viewer who may only look at a thing, then a closed space. The thing
// is named in the refusal, such as "character".
func (v *Viewer) MayEditAs(access Access, thing string) error {
	if err := EditsAs(access, thing); err != nil {
		return err
	}
	return v.CheckOpen(false)
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
func (v *Viewer) MayWorkAs(access Access, thing string) error {
	if err := EditsAs(access, thing); err != nil {
		return err
	}
	return v.CheckOpen(true)
}

// MayManageAs refuses all but the creator and admins who may edit members' work,
// then a closed space.
func (v *Viewer) MayManageAs(access Access, thing string) error {
	if !v.Manages(access) {
		return models.InsufficientRole("Only who made this " + thing + ", or an admin who may edit members' work, may do this")
	}
	return v.CheckOpen(false)
}

// Place says where a new thing of the space belongs. If no visibility is asked for it is the
// workspace's setting (contract 3, default_workflow_visibility).
func (v *Viewer) Place(asked *Visibility) (Owned, error) {
	o := Owned{OwnerID: v.UserID, Visibility: Private}
	if v.Workspace != nil {
		o.WorkspaceID, o.OrganizationID = &v.Workspace.ID, &v.Workspace.OrganizationID
		o.Visibility = Visibility(v.rules.DefaultWorkflowVisibility)
	}
	if asked != nil {
		if err := CheckVisibility(*asked); err != nil {
			return o, err
		}
		o.Visibility = *asked
	}
	return o, o.CheckVisibility()
}

// CheckVisibility refuses a visibility that there is not.
func CheckVisibility(v Visibility) error {
	if v != Private && v != WorkspaceShared {
		return models.Invalid("visibility", "must be private or workspace")
	}
	return nil
}

// CheckVisibility refuses sharing with a workspace where there is none.
func (o Owned) CheckVisibility() error {
	if err := CheckVisibility(o.Visibility); err != nil {
		return err
	}
	if o.WorkspaceID == nil && o.Visibility == WorkspaceShared {
		return models.Invalid("visibility", "must be private in the personal space")
	}
	return nil
}

// OwnedIn narrows a query of a table to what the viewer may see in the space: the rule of
// AccessTo in SQL. The table has owner_id, workspace_id and visibility. A grant is a
// condition under which the viewer may see a row of the workspace besides.
func OwnedIn(q *gorm.DB, table string, v *Viewer, grants ...*gorm.DB) *gorm.DB {
	if v.Workspace == nil {
		return q.Where(table+".workspace_id IS NULL AND "+table+".owner_id = ?", v.UserID)
	}
	q = q.Where(table+".workspace_id = ?", v.Workspace.ID)
	if v.IsAdmin() {
		return q
	}
	visible := q.Session(&gorm.Session{NewDB: true}).Where("("+table+".owner_id = ? OR "+table+".visibility = ?)", v.UserID, WorkspaceShared)
	for _, granted := range grants {
		visible = visible.Or(granted)
	}
	return q.Where(visible)
}
