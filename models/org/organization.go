// Package org holds organizations, their members and workspaces, join codes,
// settings, and the reading of the audit log.
package org

import (
	"encoding/json"
	"time"

	"atelier/models"
)

// Kind of an organization: it decides the defaults of settings and the words.
type Kind string

const (
	School Kind = "school"
	Team   Kind = "team"
)

// Status of an organization.
type Status string

const (
	Pending   Status = "pending"
	Active    Status = "active"
	Suspended Status = "suspended"
)

// Role in an organization.
type Role string

const (
	Owner  Role = "owner"
	Admin  Role = "admin"
	Member Role = "member"
)

// MemberStatus is the standing of a member of an organization or a workspace.
type MemberStatus string

const (
	MemberActive    MemberStatus = "active"
	MemberSuspended MemberStatus = "suspended"
)

// Organization is a school or a team.
type Organization struct {
	ID               models.ID `gorm:"primaryKey"`
	Name             string
	Kind             Kind
	Slug             string
	Status           Status
	Settings         json.RawMessage `gorm:"type:jsonb"`
	SuspensionReason *string
	TermsAcceptedAt  *time.Time
	CreatedBy        models.ID
	CreatedAt        time.Time
	UpdatedAt        time.Time
	DeletedAt        *time.Time
	// RequireSecondFactor refuses members whose account has none, see ErrUnguarded.
	RequireSecondFactor bool
	// KeepRunsMonths is for how many whole months behind the current one runs are kept; nil is as long as the install keeps them.
	KeepRunsMonths *int
	// RunsErasedBefore is before when runs have been erased, see EraseRuns.
	RunsErasedBefore *time.Time

	// The caller's own membership, read along with the row.
	Role         *Role         `gorm:"->"`
	MemberStatus *MemberStatus `gorm:"->"`
	// Administers is whether the caller is listed as admin of a workspace in it.
	Administers bool `gorm:"->"`
	// Unguarded is whether the caller lacks the second factor that is required.
	Unguarded bool `gorm:"->"`
}

func (Organization) TableName() string { return "organizations" }

// OrganizationMember is a person's membership.
type OrganizationMember struct {
	OrganizationID models.ID `gorm:"primaryKey"`
	UserID         models.ID `gorm:"primaryKey"`
	Role           Role
	Status         MemberStatus
	JoinedAt       time.Time
	UpdatedAt      time.Time

	// Email is the member's address, read along for owner and admins.
	Email string `gorm:"->"`
	// Workspaces is in how many workspaces the member is listed, Spent what
	// they spent in all of the organization's; read along too.
	Workspaces int            `gorm:"->"`
	Spent      models.Credits `gorm:"->"`
	// WorkspaceRole is the highest role in those workspaces; nil in none.
	WorkspaceRole *WorkspaceRole `gorm:"->"`
}

func (OrganizationMember) TableName() string { return "organization_members" }

// Vocabulary is the words that an organization uses.
type Vocabulary struct {
	Workspace, Workspaces, Member, Members, Admin, Admins string
}

// Setting is a setting with where its value comes from.
type Setting struct {
	Key    string
	Value  json.RawMessage
	Source string // workspace, organization or default
	// Inherited is the value without this layer's own, and InheritedFrom where that comes from.
	Inherited     json.RawMessage
	InheritedFrom string
}

// SettingOverride is how many workspaces in use set a key themselves.
type SettingOverride struct {
	Key        string
	Workspaces int
}

// OrganizationPermissions is what a caller may do with an organization.
type OrganizationPermissions struct {
	Update, CreateWorkspace, ManageMembers, ReadCredits, Allocate, ReadAudit, ReadInvitations, Transfer, Delete, Leave, Invite bool
}

// CreateOrganizationInput makes an organization.
type CreateOrganizationInput struct {
	Name        string
	Kind        Kind
	Slug        *string
	AcceptTerms *bool
	Settings    map[string]any
}

// UpdateOrganizationInput changes one.
type UpdateOrganizationInput struct {
	Name     models.Opt[string]
	Settings map[string]any
	// RequireSecondFactor asks members for a second factor; nil leaves it as it is.
	RequireSecondFactor *bool
	// KeepRunsMonths is for how many months runs are kept, null as long as the install keeps them (the owner alone).
	KeepRunsMonths models.Opt[int]
	// UnchangedSince is the UpdatedAt that the change was made for; another one
	// by now refuses it.
	UnchangedSince *time.Time
}
