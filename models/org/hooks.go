package org

import "atelier/models"

// hooks are what areas above do when something happens to an organization or a workspace.
type hooks struct {
	created          models.Hooks[func(*models.Tx, *Organization) error]
	deleted          models.Hooks[func(*models.Tx, *Organization) error]
	workspaceCreated models.Hooks[func(*models.Tx, *Workspace) error]
	memberAdded      models.Hooks[func(*models.Tx, NewMember) error]
}

// HookPoints lists who follows what.
func (s *Service) HookPoints() []models.HookPoint {
	return []models.HookPoint{
		{Event: "an organization is created", Hooks: s.hooks.created.Names()},
		{Event: "an organization is deleted", Hooks: s.hooks.deleted.Names()},
		{Event: "a workspace is created", Hooks: s.hooks.workspaceCreated.Names()},
		{Event: "an account becomes a plain member of a workspace", Hooks: s.hooks.memberAdded.Names()},
	}
}

// RegisterHooks has accounts leave their organizations when they are deleted.
func (s *Service) RegisterHooks() {
	s.Accounts.OnDelete("org: leave all organizations", leaveAll)
	s.Accounts.OnClosing("org: organizations that are left or owned", s.countMemberships)
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

// ShowWithWorkspaceMembers adds a column to what admins see of the members of a
// workspace, whose rows it knows as m; it says which field of ListedMember it fills.
func (s *Service) ShowWithWorkspaceMembers(column func(workspaceID models.ID) string) {
	s.workspaceMemberColumns = append(s.workspaceMemberColumns, column)
}

// OnOrganization adds what else a new organization gets, in the same transaction.
func (s *Service) OnOrganization(name string, do func(*models.Tx, *Organization) error) {
	s.hooks.created.Add(name, do)
}

// OnWorkspace adds what else a new workspace gets, in the same transaction.
func (s *Service) OnWorkspace(name string, do func(*models.Tx, *Workspace) error) {
	s.hooks.workspaceCreated.Add(name, do)
}

// NewMember is a person who has become a listed plain member of a workspace.
type NewMember struct {
	WorkspaceID, UserID models.ID
	// Changes are what the audit log will say of it; hooks add to them.
	Changes models.Fields
}

// OnWorkspaceMember adds what else happens to an account that becomes a listed plain
// member of a workspace, in whatever way, in the same transaction.
func (s *Service) OnWorkspaceMember(name string, do func(*models.Tx, NewMember) error) {
	s.hooks.memberAdded.Add(name, do)
}

// becameMember runs those hooks.
func (s *Service) becameMember(tx *models.Tx, m NewMember) error {
	for _, hook := range s.hooks.memberAdded {
		if err := hook.Do(tx, m); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}

// OnDelete adds what else must hold, or happen, when an organization is
// deleted, in the same transaction; an error refuses the deletion.
func (s *Service) OnDelete(name string, do func(*models.Tx, *Organization) error) {
	s.hooks.deleted.Add(name, do)
}
