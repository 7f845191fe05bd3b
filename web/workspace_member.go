package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// workspaceMemberView is one person listed in a workspace.
type workspaceMemberView struct {
	Workspace query.WorkspaceHead
	Person    query.WorkspacePerson
	Caps      bool
	Self      string
	Form      form
}

func (v workspaceMemberView) path() string {
	return "/workspaces/" + v.Workspace.Id + "/members/" + v.Person.User.Id
}

func (c *Console) loadWorkspaceMember(r *http.Request) (*query.WorkspaceMemberResponse, workspaceMemberView, error) {
	res, err := query.WorkspaceMember(r.Context(), c.client, pathID(r), pathUser(r))
	if err != nil {
		return nil, workspaceMemberView{}, err
	}
	ws := res.Workspace
	return res, workspaceMemberView{
		Workspace: ws.WorkspaceHead, Person: ws.Member, Caps: capsOn(ws.Settings), Self: res.Me.Id, Form: formOf(r),
	}, nil
}

func (c *Console) workspaceMember(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWorkspaceMember(r)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, workspacePage(v.Workspace, v.Person.User.DisplayName), workspaceMemberContent(v))
}

// updateWorkspaceMember changes the role, the standing or the cap, whichever the form sent.
func (c *Console) updateWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	sentence, err := c.changeWorkspaceMember(r)
	if err != nil {
		return again(w, r, err, c.workspaceMember)
	}
	return c.done(w, pathOr(text(r, "return"), r.URL.Path), sentence)
}

func (c *Console) changeWorkspaceMember(r *http.Request) (sentence string, err error) {
	var in query.UpdateWorkspaceMemberInput
	if role := query.WorkspaceRole(text(r, "role")); role != "" {
		in.Role, sentence = &role, "The role is changed."
	}
	if status := query.MemberStatus(text(r, "status")); status != "" {
		in.Status, sentence = &status, "The suspension is lifted."
		if status == query.MemberStatusSuspended {
			sentence = "The person is suspended here. It can be lifted at any time."
		}
	}
	if in.Role != nil || in.Status != nil {
		_, err = query.UpdateWorkspaceMember(r.Context(), c.client, pathID(r), pathUser(r), in)
		return sentence, err
	}
	limit, err := chosenCap(r)
	if err != nil {
		return "", err
	}
	_, err = query.SetCaps(r.Context(), c.client, pathID(r), []string{pathUser(r)}, limit)
	return capSentence(1, limit), err
}

func (c *Console) askRemoveWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWorkspaceMember(r)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, workspacePage(v.Workspace, "Remove "+v.Person.User.DisplayName), removeWorkspaceMemberContent(v))
}

func (c *Console) removeWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemoveWorkspaceMember(r.Context(), c.client, pathID(r), pathUser(r)); err != nil {
		return again(w, r, err, c.askRemoveWorkspaceMember)
	}
	return c.done(w, "/workspaces/"+pathID(r)+"/members", "The person is removed from here.")
}

// removeFromWorkspace says what goes and what stays.
func removeFromWorkspace(v workspaceMemberView) ui.ConfirmProps {
	w := v.Workspace.Organization.Vocabulary
	question := ui.ConfirmProps{
		ID: "remove", Title: "Remove " + v.Person.User.DisplayName + " from " + v.Workspace.Name + "?",
		Text:         "They stay in " + v.Workspace.Organization.Name + " and can be added again.",
		Consequences: []string{"They no longer see this " + lower(w.Workspace) + ", nor run anything in it", "What they made here stays"},
		Form:         ui.FormProps{Action: v.path() + "/remove"},
		Confirm:      "Remove from the " + lower(w.Workspace), CancelHref: v.path(), Danger: true,
	}
	if value(v.Person.Spent) > 0 {
		question.Consequences = append(question.Consequences, "A history of "+inCredits(value(v.Person.Spent))+" stays")
	}
	if role := v.Person.OrganizationRole; role != nil && *role != query.OrganizationRoleMember {
		question.Consequences[0] = "They remain its " + lower(w.Admin) + " by way of the organization"
	}
	if status := v.Person.Status; status != nil && *status == query.MemberStatusSuspended {
		question.Consequences[0] = "The suspension stays: they cannot come back until it is lifted"
	}
	return question
}
