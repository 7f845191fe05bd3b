package mcp

import (
	"context"
	"slices"

	"atelier/models"
)

// workspaceTools show workspaces and bring people in.
func (f *face) workspaceTools() {
	add(f, tool{
		Name: "list_workspaces", Title: "List workspaces", Reads: true, Anywhere: true, Operations: []string{"Workspaces"},
		Description: "The person's workspaces, newest first, with their organizations and the person's role.",
	}, listWorkspaces)
	add(f, tool{
		Name: "select_workspace", Title: "Select a workspace", Repeats: true, Operations: []string{"Workspace"},
		Description: "Works in a workspace from now on in this session, or with 'personal' in the personal space. Its budget pays for runs.",
	}, selectWorkspace)
	add(f, tool{
		Name: "read_workspace", Title: "Read a workspace", Reads: true,
		Operations:  []string{"Workspace", "WorkspaceMembers", "WorkspaceInvitations", "WorkspaceJoinCode"},
		Description: "A workspace with its budget and, where show names them, its members, open invitations and join code, as far as the person may see them.",
	}, readWorkspace)
	add(f, tool{
		Name: "invite_members", Title: "Invite people", Outside: true, Operations: []string{"Workspace", "InviteMembers"},
		Description: "Invites up to 50 mail addresses into a workspace. Mails go out at once; a link that comes back is for the person to hand on.",
	}, inviteMembers)
	add(f, tool{
		Name: "change_join_code", Title: "Change the join code", Destroys: true, Operations: []string{"ChangeJoinCode"},
		Description: "Enables, disables or rotates the code that admits people to a workspace; rotate ends the old one.",
	}, changeJoinCode)
}

// WorkspaceRow is a workspace in a list.
type WorkspaceRow struct {
	Workspace      string `json:"workspace" jsonschema:"Its id."`
	Name           string `json:"name"`
	Description    string `json:"description,omitempty"`
	Organization   string `json:"organization" jsonschema:"Name of the organization."`
	OrganizationID string `json:"organizationId"`
	Role           string `json:"role,omitempty" jsonschema:"admin or member."`
	Archived       bool   `json:"archived,omitempty"`
}

// foundWorkspace is a workspace as the schema has it.
type foundWorkspace struct {
	ID, Name, Description string
	Archived              bool
	Role                  *string
	Organization          struct{ ID, Name string }
}

func (w foundWorkspace) row() WorkspaceRow {
	return WorkspaceRow{w.ID, w.Name, w.Description, w.Organization.Name, w.Organization.ID, text(w.Role), w.Archived}
}

type listWorkspacesInput struct {
	Paged
	Search string `json:"search,omitempty" jsonschema:"A part of the name."`
}

type workspaceList struct {
	Workspaces []WorkspaceRow `json:"workspaces"`
	Selected   string         `json:"selected" jsonschema:"Where calls work that name no workspace: its id, or 'personal'."`
	NextCursor string         `json:"nextCursor,omitempty"`
}

func listWorkspaces(ctx context.Context, c *call, in listWorkspacesInput) (*workspaceList, error) {
	variables, err := in.variables()
	if err != nil {
		return nil, err
	}
	if in.Search != "" {
		variables["search"] = in.Search
	}
	var found struct {
		Workspaces struct {
			Nodes    []foundWorkspace
			PageInfo pageInfo
		}
	}
	if err := c.ask(ctx, "Workspaces", variables, &found); err != nil {
		return nil, err
	}
	list := &workspaceList{
		Workspaces: []WorkspaceRow{}, Selected: place(models.ActorFrom(ctx).WorkspaceID), NextCursor: found.Workspaces.PageInfo.next(),
	}
	for _, w := range found.Workspaces.Nodes {
		list.Workspaces = append(list.Workspaces, w.row())
	}
	return list, nil
}

type selectWorkspaceInput struct {
	Workspace string `json:"workspace" jsonschema:"Id of a workspace, or 'personal'."`
}

type selection struct {
	Selected string `json:"selected" jsonschema:"Id of the workspace, or 'personal'."`
	Name     string `json:"name,omitempty"`
	Kept     bool   `json:"kept" jsonschema:"Whether later calls work there by themselves. If false, name the workspace in each of them."`
	Next     string `json:"next,omitempty"`
}

// selectWorkspace keeps where the session works. What was named is selected for this
// call already, which refused what cannot be.
func selectWorkspace(ctx context.Context, c *call, in selectWorkspaceInput) (*selection, error) {
	if in.Workspace == "" {
		return nil, models.Invalid("workspace", "is needed: an id, or 'personal'")
	}
	id := models.ActorFrom(ctx).WorkspaceID
	chosen := &selection{Selected: place(id), Kept: c.in.session != ""}
	if id != nil {
		var found struct{ Workspace foundWorkspace }
		if err := c.ask(ctx, "Workspace", map[string]any{"id": id}, &found); err != nil {
			return nil, err
		}
		chosen.Name = found.Workspace.Name
	}
	if !chosen.Kept {
		chosen.Next = "This client has no session: pass workspace in each call."
		return chosen, nil
	}
	return chosen, c.Resolver.Orgs.Workspaces().SelectForAgent(ctx, c.in.session, id)
}

// selected is the workspace of a call that needs one.
func selected(ctx context.Context) (models.ID, error) {
	id := models.ActorFrom(ctx).WorkspaceID
	if id == nil {
		return models.ID{}, models.Invalid("workspace", "is needed, as none is selected: choose one of list_workspaces")
	}
	return *id, nil
}

type readWorkspaceInput struct {
	Paged
	Workspace string   `json:"workspace,omitempty" jsonschema:"Id of the workspace; the selected one when absent."`
	Show      []string `json:"show,omitempty" jsonschema:"members, invitations and joinCode, each once. limit bounds both lists; show one of them alone to go on in it with cursor."`
}

// WorkspaceDetail is a workspace as the person may see it.
type WorkspaceDetail struct {
	WorkspaceRow
	Members         int              `json:"members" jsonschema:"How many there are."`
	Status          string           `json:"status,omitempty" jsonschema:"Of the person: active or suspended."`
	May             WorkspaceRights  `json:"may"`
	Budget          WorkspaceBudget  `json:"budget"`
	MemberList      []MemberRow      `json:"memberList,omitempty"`
	NextCursor      string           `json:"nextCursor,omitempty" jsonschema:"Of further members, for cursor with show members."`
	Invitations     []InvitationRow  `json:"invitations,omitempty" jsonschema:"Open ones."`
	NextInvitations string           `json:"nextInvitations,omitempty" jsonschema:"Of further invitations, for cursor with show invitations."`
	JoinCode        *WorkspaceJoined `json:"joinCode,omitempty" jsonschema:"Absent while there is none."`
}

// WorkspaceRights are what the person may do there.
type WorkspaceRights struct {
	ManageMembers  bool `json:"manageMembers"`
	ManageJoinCode bool `json:"manageJoinCode"`
	Invite         bool `json:"invite"`
	Create         bool `json:"create"`
}

// WorkspaceBudget is what the workspace and the person have left there.
type WorkspaceBudget struct {
	Allocated *models.Credits `json:"allocated,omitempty" jsonschema:"As spent and reserved for admins alone."`
	Reserved  *models.Credits `json:"reserved,omitempty"`
	Spent     *models.Credits `json:"spent,omitempty"`
	Headroom  models.Credits  `json:"headroom" jsonschema:"What the workspace has left."`
	Own       OwnBudget       `json:"own"`
}

// OwnBudget is the person's part of it.
type OwnBudget struct {
	Reserved models.Credits  `json:"reserved"`
	Spent    models.Credits  `json:"spent"`
	Cap      *models.Credits `json:"cap" jsonschema:"The person's own limit; null without one."`
	Headroom *models.Credits `json:"headroom" jsonschema:"What is left of it."`
}

// MemberRow is a member of a workspace; status and cap are for admins.
type MemberRow struct {
	User      string          `json:"user"`
	Name      string          `json:"name"`
	Role      string          `json:"role"`
	Status    string          `json:"status,omitempty"`
	CreditCap *models.Credits `json:"creditCap,omitempty"`
}

// InvitationRow is an open invitation.
type InvitationRow struct {
	ID            string  `json:"id"`
	Email         string  `json:"email"`
	WorkspaceRole *string `json:"workspaceRole,omitempty"`
	ExpiresAt     string  `json:"expiresAt"`
}

// WorkspaceJoined is the code that admits people.
type WorkspaceJoined struct {
	Code     string  `json:"code"`
	Enabled  bool    `json:"enabled"`
	ClosesAt *string `json:"closesAt,omitempty"`
}

func readWorkspace(ctx context.Context, c *call, in readWorkspaceInput) (*WorkspaceDetail, error) {
	id, err := selected(ctx)
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	var found struct {
		Workspace struct {
			foundWorkspace
			MemberStatus *string
			MemberCount  int
			ViewerCan    WorkspaceRights
			Budget       WorkspaceBudget
		}
	}
	if err := c.ask(ctx, "Workspace", map[string]any{"id": id}, &found); err != nil {
		return nil, err
	}
	w := found.Workspace
	detail := &WorkspaceDetail{
		WorkspaceRow: w.row(), Members: w.MemberCount, Status: text(w.MemberStatus), May: w.ViewerCan, Budget: w.Budget,
	}
	for _, what := range in.Show {
		switch what {
		case "members":
			err = c.showMembers(ctx, detail, in.Paged)
		case "invitations":
			err = c.showInvitations(ctx, detail, in.Paged)
		case "joinCode":
			err = c.showJoinCode(ctx, detail)
		}
		if err != nil {
			return nil, err
		}
	}
	return detail, nil
}

// check refuses what is shown twice, and a cursor that two lists could mean.
func (in readWorkspaceInput) check() error {
	for i, what := range in.Show {
		if !slices.Contains([]string{"members", "invitations", "joinCode"}, what) || slices.Contains(in.Show[:i], what) {
			return models.Invalid("show", "may hold members, invitations and joinCode, each once")
		}
	}
	if in.Cursor != "" && slices.Contains(in.Show, "members") == slices.Contains(in.Show, "invitations") {
		return models.Invalid("cursor", "goes on in one list: show members or invitations with it, not both")
	}
	return nil
}

func (c *call) showMembers(ctx context.Context, detail *WorkspaceDetail, page Paged) error {
	variables, err := page.variables()
	if err != nil {
		return err
	}
	variables["id"] = detail.Workspace
	var found struct {
		WorkspaceMembers struct {
			Nodes []struct {
				User      struct{ ID, DisplayName string }
				Role      string
				Status    *string
				CreditCap *models.Credits
			}
			PageInfo pageInfo
		}
	}
	if err := c.ask(ctx, "WorkspaceMembers", variables, &found); err != nil {
		return err
	}
	detail.NextCursor = found.WorkspaceMembers.PageInfo.next()
	for _, m := range found.WorkspaceMembers.Nodes {
		detail.MemberList = append(detail.MemberList, MemberRow{m.User.ID, m.User.DisplayName, m.Role, text(m.Status), m.CreditCap})
	}
	return nil
}

func (c *call) showInvitations(ctx context.Context, detail *WorkspaceDetail, page Paged) error {
	variables, err := page.variables()
	if err != nil {
		return err
	}
	variables["organizationId"], variables["workspaceId"] = detail.OrganizationID, detail.Workspace
	var found struct {
		OrganizationInvitations struct {
			Nodes    []InvitationRow
			PageInfo pageInfo
		}
	}
	err = c.ask(ctx, "WorkspaceInvitations", variables, &found)
	detail.Invitations, detail.NextInvitations = found.OrganizationInvitations.Nodes, found.OrganizationInvitations.PageInfo.next()
	return err
}

func (c *call) showJoinCode(ctx context.Context, detail *WorkspaceDetail) error {
	var found struct{ WorkspaceJoinCode *WorkspaceJoined }
	err := c.ask(ctx, "WorkspaceJoinCode", map[string]any{"id": detail.Workspace}, &found)
	detail.JoinCode = found.WorkspaceJoinCode
	return err
}

type inviteMembersInput struct {
	Space
	Once
	Emails []string `json:"emails" jsonschema:"1 to 50 addresses."`
	Role   string   `json:"role,omitempty" jsonschema:"In the workspace: member (when absent) or admin."`
}

type invited struct {
	Sends []Send `json:"sends"`
}

// Send is what became of an invitation.
type Send struct {
	Email  string  `json:"email"`
	Status string  `json:"status" jsonschema:"queued or sent: a mail is on its way. link_only: hand the link on. failed: see error."`
	Link   *string `json:"link,omitempty" jsonschema:"Shown once."`
	Error  *string `json:"error,omitempty"`
}

func inviteMembers(ctx context.Context, c *call, in inviteMembersInput) (*invited, error) {
	id, err := selected(ctx)
	if err != nil {
		return nil, err
	}
	if len(in.Emails) < 1 || len(in.Emails) > 50 {
		return nil, models.Invalid("emails", "must be 1 to 50")
	}
	var found struct{ Workspace foundWorkspace }
	if err := c.ask(ctx, "Workspace", map[string]any{"id": id}, &found); err != nil {
		return nil, err
	}
	input := map[string]any{"emails": in.Emails, "workspaceId": id}
	if in.Role != "" {
		input["workspaceRole"] = in.Role
	}
	var made struct{ Batch invited }
	err = c.once(ctx, in.IdempotencyKey, "InviteMembers", map[string]any{"organizationId": found.Workspace.Organization.ID, "input": input}, &made)
	return &made.Batch, err
}

type changeJoinCodeInput struct {
	Space
	Action string `json:"action" jsonschema:"enable, disable or rotate."`
}

func changeJoinCode(ctx context.Context, c *call, in changeJoinCodeInput) (*WorkspaceJoined, error) {
	id, err := selected(ctx)
	if err != nil {
		return nil, err
	}
	var found struct{ JoinCode WorkspaceJoined }
	err = c.ask(ctx, "ChangeJoinCode", map[string]any{"id": id, "action": in.Action}, &found)
	return &found.JoinCode, err
}
