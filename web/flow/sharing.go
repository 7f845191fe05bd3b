package flow

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// sharingView is whom a workflow is shared with.
type sharingView struct {
	Flow  query.SharedFlow
	Tabs  workflowTabs
	Rows  []query.SharedPerson
	Self  string
	Words frame.Words
	Next  string
	// Search is who is sought to be added, Found those who fit.
	Search string
	Found  []query.Person
	Form   frame.Form
}

func (v sharingView) path() string { return "/workflows/" + v.Flow.Id + "/sharing" }

func (c Pages) loadSharing(r *http.Request) (*query.SharingResponse, sharingView, error) {
	res, err := query.Sharing(r.Context(), c.Client, frame.PathID(r), frame.After(r))
	if err != nil {
		return nil, sharingView{}, err
	}
	flow := res.WorkflowAccess
	flow.WhyNotRun = c.inWords(r, flow.WhyNotRun)
	return res, sharingView{
		Flow: flow.SharedFlow, Tabs: workflowTabs{flow.Id, flow.Name, tabSharing, true, flow.ViewerCan.Publish, flow.ViewerCan.Edit}, Rows: flow.Collaborators.Nodes, Self: res.Me.Id, Next: frame.NextHref(r, flow.Collaborators.PageInfo),
		Words: frame.PlaceOf(r, c.Placed(r, res.Shell, "", frame.Value(flow.WorkspaceId)), "", frame.Value(flow.WorkspaceId)).Words, Search: strings.TrimSpace(r.FormValue("add")), Form: frame.FormOf(r),
	}, nil
}

// Sharing is whom a workflow is shared with, and those of its workspace whom it could be shared with: as a page, or
// those people alone to the script that sends what is typed.
func (c Pages) Sharing(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadSharing(r)
	if err != nil {
		return err
	}
	if v.Flow.ViewerCan.Share && v.Flow.WorkspaceId != nil {
		found, err := query.SharingCandidates(r.Context(), c.Client, v.Flow.Id, v.Search)
		if err != nil {
			return err
		}
		v.Found = found.WorkflowAccess.CollaboratorCandidates
	}
	if r.Method == http.MethodGet && asksForPart(r) {
		return frame.Write(w, r, http.StatusOK, candidates(v))
	}
	at := frame.Page{Title: t(r.Context(), "Sharing of %s", v.Flow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(v.Flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, sharingContent(v))
}

// AddCollaborator shares with a person of the list, or with an address.
func (c Pages) AddCollaborator(w http.ResponseWriter, r *http.Request) error {
	in := query.AddCollaboratorInput{UserId: frame.TextOrNil(r, "user"), Role: query.CollaboratorRole(frame.Text(r, "role"))}
	if in.UserId == nil {
		address := frame.Text(r, "email")
		in.Email = &address
	}
	res, err := query.AddCollaborator(r.Context(), c.Client, frame.PathID(r), in)
	if err != nil {
		return frame.Again(w, r, unknownPerson(r.Context(), err, in), c.Sharing)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/sharing", t(r.Context(), "It is shared with %s now.", res.AddCollaborator.User.DisplayName))
}

// unknownPerson makes "no such account" a refusal of the field, so that the address can be put right.
func unknownPerson(ctx context.Context, err error, in query.AddCollaboratorInput) error {
	e, known := frame.Refused(err)
	if !known || in.Email == nil || e.Code != "not_found" || !strings.HasPrefix(e.Said, "Account") {
		return err
	}
	return frame.Invalid("email", t(ctx, "No one with this address has an account here. Ask for the address that they sign in with."))
}

// UpdateCollaborator changes the role of a person with whom a workflow is shared.
func (c Pages) UpdateCollaborator(w http.ResponseWriter, r *http.Request) error {
	in := query.UpdateCollaboratorInput{Role: query.CollaboratorRole(frame.Text(r, "role"))}
	res, err := query.UpdateCollaborator(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r), in)
	if err != nil {
		return frame.Again(w, r, err, c.Sharing)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/sharing", t(r.Context(), "The role of %s is changed.", res.UpdateCollaborator.User.DisplayName))
}

// AskRemoveCollaborator asks before a workflow is shared no longer.
func (c Pages) AskRemoveCollaborator(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadSharing(r)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Stop sharing %s", v.Flow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(v.Flow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, stopSharingContent(v, frame.PathUser(r)))
}

// RemoveCollaborator ends a grant; one who ended their own may not see the workflow any more.
func (c Pages) RemoveCollaborator(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemoveCollaborator(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r)); err != nil {
		return frame.Again(w, r, err, c.AskRemoveCollaborator)
	}
	if frame.Text(r, "own") != "" {
		return c.Done(w, "/shared", t(r.Context(), "It is not shared with you any more."))
	}
	return c.Done(w, "/workflows/"+frame.PathID(r)+"/sharing", t(r.Context(), "It is not shared with this person any more."))
}

// roleWord is what a person was granted.
func roleWord(ctx context.Context, role query.CollaboratorRole) string {
	if role == query.CollaboratorRoleEditor {
		return tc(ctx, "role", "Editor")
	}
	return tc(ctx, "role", "Viewer")
}

// standingWord is what a grant comes to, and why it is less than the role says.
func (v sharingView) standingWord(ctx context.Context, p query.SharedPerson) string {
	s, said := p.Standing, frame.Saying(ctx, v.Words)
	switch {
	case s == nil:
		return "—"
	case s.Suspended:
		return t(said, "nothing now: suspended in the {workspace}")
	case s.Access == nil:
		return t(ctx, "nothing now")
	case s.Outside:
		return t(said, "can view: outside the {workspace}")
	case *s.Access == query.WorkflowAccessView:
		return t(ctx, "can view")
	case !s.CanRun:
		return t(said, "can edit and run when the {workspace} is open again")
	case p.Role == query.CollaboratorRoleViewer:
		return t(said, "can edit and run: by the settings of the {workspace}")
	case v.Flow.WorkspaceId == nil:
		return t(ctx, "can edit and run, with own credits")
	}
	return t(ctx, "can edit and run")
}

// notSharing says why no one can be added by the viewer; empty when they can.
func (v sharingView) notSharing(ctx context.Context) string {
	said := frame.Saying(ctx, v.Words)
	switch {
	case v.Flow.ViewerCan.Share:
		return ""
	case v.Flow.Access == query.WorkflowAccessCreator:
		return t(said, "Nothing can be shared while its {workspace} is archived or the organization is not active.")
	}
	return t(said, "The person who made it shares it, {admins} who may edit others' work, and editors where the settings allow it.")
}

// everyone says who reaches the workflow without a grant.
func (v sharingView) everyone(ctx context.Context) string {
	said := frame.Saying(ctx, v.Words)
	switch {
	case v.Flow.WorkspaceId == nil:
		return t(ctx, "It lives in the personal space of %s: no one else reaches it without being listed here.", v.Flow.CreatedBy.DisplayName)
	case v.Flow.Visibility == query.WorkflowVisibilityWorkspace:
		return t(said, "Everyone in its {workspace} sees it; the settings say whether they may edit it too.")
	}
	return t(said, "It is private: in its {workspace} only {admins} reach it without being listed here.")
}
