package org

import (
	"encoding/json"
	"time"

	"atelier/models"
)

// WorkspaceRole is a role in a workspace.
type WorkspaceRole string

const (
	WorkspaceRoleAdmin  WorkspaceRole = "admin"
	WorkspaceRoleMember WorkspaceRole = "member"
)

// Workspace is a class, a team, a room: work happens in it and is paid by it.
type Workspace struct {
	ID             models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	Name           string
	Slug           string
	Description    string
	Settings       json.RawMessage `gorm:"type:jsonb"`
	ArchivedAt     *time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time

	// The caller's own standing and the organization's, read along with the row.
	ListedRole      *WorkspaceRole  `gorm:"->"`
	ListedStatus    *MemberStatus   `gorm:"->"`
	OrgRole         *Role           `gorm:"->"`
	OrgMemberStatus *MemberStatus   `gorm:"->"`
	OrgStatus       Status          `gorm:"->"`
	OrgKind         Kind            `gorm:"->"`
	OrgSettings     json.RawMessage `gorm:"->"`
	// OrgUnguarded is whether the user lacks the second factor that the organization requires.
	OrgUnguarded bool `gorm:"->"`
}

func (Workspace) TableName() string { return "workspaces" }

// Archived tells whether the workspace is closed to new work.
func (w *Workspace) Archived() bool { return w.ArchivedAt != nil }

// WorkspaceMember is a person's row in a workspace.
type WorkspaceMember struct {
	WorkspaceID    models.ID `gorm:"primaryKey"`
	UserID         models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	Role           WorkspaceRole
	Status         MemberStatus
	JoinedByCode   bool
	AddedAt        time.Time
	UpdatedAt      time.Time
}

func (WorkspaceMember) TableName() string { return "workspace_members" }

// ListedMember is a member as the list of a workspace shows it; what follows
// AddedAt is for admins and nil for others.
type ListedMember struct {
	WorkspaceID models.ID
	UserID      models.ID
	Role        WorkspaceRole
	AddedAt     time.Time
	Status      *MemberStatus
	CreditCap   *models.Credits
	Reserved    *models.Credits
	Spent       *models.Credits
	// OrganizationRole tells apart those whom a cap cannot bind.
	OrganizationRole *Role
	// LastRunAt is when the person last ran something in the workspace; nil when never.
	LastRunAt *time.Time
}

// WorkspacePermissions is what a caller may do in a workspace.
type WorkspacePermissions struct {
	Update, Archive, ManageMembers, ManageJoinCode, Create, Invite bool
}

// CreateWorkspaceInput makes a workspace.
type CreateWorkspaceInput struct {
	Name        string
	Slug        *string
	Description *string
	Settings    map[string]any
}

// UpdateWorkspaceInput changes one.
type UpdateWorkspaceInput struct {
	Name        models.Opt[string]
	Description models.Opt[string]
	Settings    map[string]any
	// UnchangedSince is the UpdatedAt that the change was made for.
	UnchangedSince *time.Time
}
