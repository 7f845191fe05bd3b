package org

import (
	"sync/atomic"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/notice"
)

// Service holds the use cases of organizations.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	// AutoApprove makes new organizations active at once.
	AutoApprove bool
	// Mail is whether the install can send mail; without it invitations are links alone.
	Mail bool
	// PublicURL is the base of links.
	PublicURL string
	// Notices tells people what concerns them; nil tells it at the console alone.
	Notices *notice.Service

	refusedJoins atomic.Int64

	onOrganization []func(*models.Tx, *Organization) error
	onWorkspace    []func(*models.Tx, *Workspace) error
	onDelete       []func(*models.Tx, *Organization) error
	onMember       []func(*models.Tx, NewMember) error

	memberColumns, workspaceMemberColumns []string
	workspaceSorts                        map[models.SortBy]models.SortColumn
}

// ShowWithMembers adds what a higher area knows of an organization's members to
// their list: a column of SQL that may name organization_members and says which
// field of OrganizationMember it fills.
func (s *Service) ShowWithMembers(column string) {
	s.memberColumns = append(s.memberColumns, column)
}

// SortWorkspaces adds what a higher area knows of workspaces to what those who
// read an organization's credits can sort them by.
func (s *Service) SortWorkspaces(by models.SortBy, column models.SortColumn) {
	if s.workspaceSorts == nil {
		s.workspaceSorts = map[models.SortBy]models.SortColumn{}
	}
	s.workspaceSorts[by] = column
}

// ShowWithWorkspaceMembers adds a column to what admins see of a workspace's
// members, whose rows it knows as m; it says which field of ListedMember it fills.
func (s *Service) ShowWithWorkspaceMembers(column string) {
	s.workspaceMemberColumns = append(s.workspaceMemberColumns, column)
}

// OnOrganization adds what else a new organization gets, in the same transaction.
func (s *Service) OnOrganization(fn func(*models.Tx, *Organization) error) {
	s.onOrganization = append(s.onOrganization, fn)
}

// OnWorkspace adds what else a new workspace gets, in the same transaction.
func (s *Service) OnWorkspace(fn func(*models.Tx, *Workspace) error) {
	s.onWorkspace = append(s.onWorkspace, fn)
}

// NewMember is somebody who has become a listed plain member of a workspace.
type NewMember struct {
	WorkspaceID, UserID models.ID
	// Changes are what the audit log will say of it; hooks add to them.
	Changes models.Fields
}

// OnWorkspaceMember adds what else happens to whoever becomes a listed plain
// member of a workspace, in whatever way, in the same transaction.
func (s *Service) OnWorkspaceMember(fn func(*models.Tx, NewMember) error) {
	s.onMember = append(s.onMember, fn)
}

// becameMember runs those hooks.
func (s *Service) becameMember(tx *models.Tx, m NewMember) error {
	for _, fn := range s.onMember {
		if err := fn(tx, m); err != nil {
			return err
		}
	}
	return nil
}

// OnDelete adds what else must hold, or happen, when an organization is
// deleted, in the same transaction; an error refuses the deletion.
func (s *Service) OnDelete(fn func(*models.Tx, *Organization) error) {
	s.onDelete = append(s.onDelete, fn)
}
