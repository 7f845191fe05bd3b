package org

import (
	"slices"

	"atelier/models"
)

// Permission is something that a role may do.
type Permission string

const (
	ReadOrganization   Permission = "organization.read"
	UpdateOrganization Permission = "organization.update"
	TransferOwnership  Permission = "organization.transfer"
	DeleteOrganization Permission = "organization.delete"
	LeaveOrganization  Permission = "organization.leave"
	ReadMembers        Permission = "members.read"
	ManageMembers      Permission = "members.manage"
	CreateWorkspace    Permission = "workspaces.create"
	ArchiveWorkspace   Permission = "workspaces.archive"
	ReadCredits        Permission = "credits.read"
	AllocateCredits    Permission = "credits.allocate"
	BuyCredits         Permission = "credits.buy"
	ReadAudit          Permission = "audit.read"
	ReadUsage          Permission = "usage.read"
	ReadInvitations    Permission = "invitations.read"
	ManageInvitations  Permission = "invitations.manage"

	ReadWorkspace          Permission = "workspace.read"
	UpdateWorkspace        Permission = "workspace.update"
	ReadWorkspaceMembers   Permission = "workspace.members.read" // what members do not see of each other
	ManageWorkspaceMembers Permission = "workspace.members"
	ReadJoinCode           Permission = "workspace.join_code.read"
	ManageJoinCode         Permission = "workspace.join_code"
	// The settings may leave invitations to the organization's admins: see authorizeInviting.
	ReadWorkspaceInvitations Permission = "workspace.invitations.read"
	InviteToWorkspace        Permission = "workspace.invitations"
	ReadWorkspaceBudget      Permission = "workspace.budget" // everyone's rows; one's own row needs none
	ReadWorkspaceUsage       Permission = "workspace.usage"  // everyone's runs; one's own need none
	WorkInWorkspace          Permission = "workspace.work"   // create and run
)

// organizationRoles is who may do what in an organization (contract 3, the
// "Who" columns). An owner cannot leave: that refusal has a code of its own.
var organizationRoles = map[Permission][]Role{
	ReadOrganization:   {Owner, Admin, Member},
	LeaveOrganization:  {Owner, Admin, Member},
	UpdateOrganization: {Owner, Admin},
	ReadMembers:        {Owner, Admin},
	ManageMembers:      {Owner, Admin},
	CreateWorkspace:    {Owner, Admin},
	ArchiveWorkspace:   {Owner, Admin},
	ReadCredits:        {Owner, Admin},
	ReadAudit:          {Owner, Admin},
	ReadUsage:          {Owner, Admin},
	ReadInvitations:    {Owner, Admin},
	ManageInvitations:  {Owner, Admin},
	TransferOwnership:  {Owner},
	DeleteOrganization: {Owner},
	AllocateCredits:    {Owner},
	BuyCredits:         {Owner},
}

// workspaceRoles is who may do what in a workspace; owner and admins of the
// organization count as admins unless a row of their own says otherwise.
var workspaceRoles = map[Permission][]WorkspaceRole{
	ReadWorkspace:            {WorkspaceRoleAdmin, WorkspaceRoleMember},
	WorkInWorkspace:          {WorkspaceRoleAdmin, WorkspaceRoleMember},
	UpdateWorkspace:          {WorkspaceRoleAdmin},
	ReadWorkspaceMembers:     {WorkspaceRoleAdmin},
	ManageWorkspaceMembers:   {WorkspaceRoleAdmin},
	ReadJoinCode:             {WorkspaceRoleAdmin},
	ManageJoinCode:           {WorkspaceRoleAdmin},
	ReadWorkspaceInvitations: {WorkspaceRoleAdmin},
	InviteToWorkspace:        {WorkspaceRoleAdmin},
	ReadWorkspaceBudget:      {WorkspaceRoleAdmin},
	ReadWorkspaceUsage:       {WorkspaceRoleAdmin},
}

// reading lists the permissions that change nothing: they hold in a pending or
// suspended organization too.
var reading = []Permission{ReadOrganization, ReadCredits, ReadAudit, ReadUsage, ReadMembers, ReadWorkspace, ReadWorkspaceMembers, ReadWorkspaceBudget, ReadWorkspaceUsage, ReadJoinCode, ReadInvitations, ReadWorkspaceInvitations}

// Authorize refuses what the caller may not do, in the contract's order: not a
// member is not_found, a suspended membership member_suspended, an account
// without the second factor that is required second_factor_setup_required (but
// for leaving), a low role insufficient_role, a change while the organization is not active org_not_active.
func (o *Organization) Authorize(p Permission) error {
	switch {
	case o.Role == nil || o.DeletedAt != nil:
		return models.NotFound("Organization")
	case o.MemberStatus != nil && *o.MemberStatus == MemberSuspended:
		return ErrMemberSuspended
	case o.Unguarded && p != LeaveOrganization:
		return ErrUnguarded
	case !slices.Contains(organizationRoles[p], *o.Role):
		return models.InsufficientRole("This needs a higher role in the organization than %s", *o.Role)
	case o.Status != Active && !slices.Contains(reading, p):
		return ErrNotActive(o.Status)
	}
	return nil
}

// ViewerCan is what the caller may do with the organization now.
func (o *Organization) ViewerCan() OrganizationPermissions {
	can := func(p Permission) bool { return o.Authorize(p) == nil }
	return OrganizationPermissions{
		Update: can(UpdateOrganization), CreateWorkspace: can(CreateWorkspace), ManageMembers: can(ManageMembers),
		ReadCredits: can(ReadCredits), Allocate: can(AllocateCredits), ReadAudit: can(ReadAudit),
		Transfer: can(TransferOwnership), Delete: can(DeleteOrganization),
		Leave: can(LeaveOrganization) && *o.Role != Owner, Invite: can(ManageInvitations),
		ReadInvitations: can(ReadInvitations) || can(ReadOrganization) && o.Administers,
	}
}

// Role is the caller's role in the workspace: the row's, else admin for owner
// and admins of the organization, else nil.
func (w *Workspace) Role() *WorkspaceRole {
	switch {
	case w.ListedRole != nil:
		return w.ListedRole
	case w.OrgRole != nil && *w.OrgRole != Member:
		admin := WorkspaceRoleAdmin
		return &admin
	}
	return nil
}

// MemberStatus is the caller's standing: suspended in the organization or in
// the workspace is suspended.
func (w *Workspace) MemberStatus() *MemberStatus {
	if w.OrgMemberStatus != nil && *w.OrgMemberStatus == MemberSuspended {
		return w.OrgMemberStatus
	}
	if w.ListedStatus != nil {
		return w.ListedStatus
	}
	return w.OrgMemberStatus
}

// Authorize refuses what the caller may not do, in the contract's order.
// Whether the workspace is archived is for the use case, which knows whether
// it creates or changes: see CheckNotArchived.
func (w *Workspace) Authorize(p Permission) error {
	status := w.MemberStatus()
	switch {
	case w.OrgRole == nil:
		return models.NotFound("Workspace")
	case *w.OrgMemberStatus == MemberSuspended:
		return ErrMemberSuspended
	case w.Role() == nil:
		return models.NotFound("Workspace")
	case *status == MemberSuspended:
		return ErrMemberSuspended
	case w.OrgUnguarded:
		return ErrUnguarded
	case !slices.Contains(workspaceRoles[p], *w.Role()):
		return models.InsufficientRole("This needs a higher role in the workspace than %s", *w.Role())
	case w.OrgStatus != Active && !slices.Contains(reading, p):
		return ErrNotActive(w.OrgStatus)
	}
	return nil
}

// CheckNotArchived refuses writes in an archived workspace: 409 for creates, 403 for other writes.
func (w *Workspace) CheckNotArchived(creates bool) error {
	if w.Archived() {
		return models.WorkspaceArchived(creates)
	}
	return nil
}

// ViewerCan is what the caller may do in the workspace now.
func (w *Workspace) ViewerCan() WorkspacePermissions {
	can := func(p Permission) bool { return w.Authorize(p) == nil }
	open := !w.Archived()
	return WorkspacePermissions{
		Update: can(UpdateWorkspace) && open, ManageMembers: can(ManageWorkspaceMembers) && open,
		ManageJoinCode: can(ManageJoinCode) && open, Create: can(WorkInWorkspace) && open,
		Archive: w.AuthorizeArchiving() == nil, Invite: w.authorizeInviting(ManageInvitations) == nil && open,
	}
}

// ErrMemberSuspended is the refusal of a suspended membership, before any role is looked at.
var ErrMemberSuspended = models.Err(models.CodeMemberSuspended, "Your membership is suspended. An admin of the organization can lift that.")

// ErrNotActive refuses a change in an organization that is pending or suspended.
func ErrNotActive(s Status) error {
	return models.Err(models.CodeOrgNotActive, "The organization is %s: nothing in it can change", s)
}
