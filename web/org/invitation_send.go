package org

import (
	"context"
	"maps"
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
	"github.com/gorilla/mux"
)

// maxInvitations is how many addresses one call may hold (contract 3, "Limits").
const maxInvitations = 200

// inviteView is the first two steps: where to invite, and who.
type inviteView struct {
	Org     query.OrganizationHead
	Left    int // invitations that may still be sent today
	Mail    bool
	Targets []query.InviteTarget
	Read    reading
	Rows    []query.PreviewRow // of the second step, as many as Read.People
	Form    frame.Form
}

// loadInvite reads what the first two steps need; workspaces are those that the person may invite into.
func (c Pages) loadInvite(r *http.Request) (*query.InvitePageResponse, inviteView, error) {
	res, err := query.InvitePage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return nil, inviteView{}, err
	}
	v := inviteView{Org: res.Organization.OrganizationHead, Left: res.Organization.InvitationsLeftToday, Mail: res.Install.Mail, Form: frame.FormOf(r)}
	for _, w := range res.Organization.Workspaces.Nodes {
		if v.Org.ViewerCan.Invite || w.Role != nil && *w.Role == query.WorkspaceRoleAdmin {
			v.Targets = append(v.Targets, w)
		}
	}
	return res, v, nil
}

func (v inviteView) page(title string) frame.Page {
	return frame.Page{Title: title, Section: frame.SectionInvitations, Org: v.Org.Id}
}

// title names the workspace that is chosen.
func (v inviteView) title(ctx context.Context) string {
	for _, w := range v.Targets {
		if w.Id == v.Form.Value("workspace", "") {
			return t(ctx, "Invite people to %s", w.Name)
		}
	}
	return t(ctx, "Invite people")
}

// InvitePage is the first step. A list that was checked comes back to it to be changed.
func (c Pages) InvitePage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadInvite(r)
	if err != nil {
		return err
	}
	if v.Form.Values == nil {
		v.Form.Values = r.URL.Query()        // a workspace in the address
		maps.Copy(v.Form.Values, r.PostForm) // the list to change
	}
	if list := v.Form.Value("list", ""); list != "" { // all of it, and not only what would be sent
		v.Form.Values = maps.Clone(v.Form.Values)
		v.Form.Values.Set("emails", list)
	}
	return c.Page(w, r, res.Shell, v.page(v.title(r.Context())), inviteContent(v))
}

// InviteCount says how many addresses stand in the field so far.
func (c Pages) InviteCount(w http.ResponseWriter, r *http.Request) error {
	left, _ := strconv.Atoi(frame.Text(r, "left"))
	return frame.Write(w, r, http.StatusOK, inviteCount(len(readPeople(r.Context(), r.PostForm.Get("emails")).People), left))
}

// InvitePreview is the second step: what sending would do, address by address.
func (c Pages) InvitePreview(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadInvite(r) // strangers have no file read
	if err != nil {
		return err
	}
	list, err := typedPeople(r)
	if err != nil {
		return frame.Again(w, r, err, c.InvitePage)
	}
	var rows []query.PreviewRow
	if len(list.People) > 0 || len(list.Apart) == 0 { // a list may hold nothing but what is to be chosen from
		preview, err := query.InvitePreview(r.Context(), c.Client, frame.PathID(r), inviteInput(r, list.People))
		if err != nil {
			return frame.Again(w, r, inWords(r.Context(), err), c.InvitePage)
		}
		rows = preview.InvitationPreview
	}
	v.Read, v.Rows, v.Form = list, rows, frame.Form{Values: r.PostForm}
	return c.Page(w, r, res.Shell, v.page(t(r.Context(), "Check the list")), invitePreviewContent(v))
}

// The roles that a person can be invited as.
const (
	asMember   = "member"
	asAdmin    = "admin"    // of the workspace
	asOrgAdmin = "orgadmin" // of the organization, and so of every workspace
)

func inviteInput(r *http.Request, people []invitee) query.CreateInvitationsInput {
	input := query.CreateInvitationsInput{WorkspaceId: frame.TextOrNil(r, "workspace")}
	for _, person := range people {
		input.Emails, input.Names = append(input.Emails, person.Email), append(input.Names, person.Name)
	}
	org, workspace := query.OrganizationRoleMember, query.WorkspaceRoleMember
	switch frame.Text(r, "as") {
	case asAdmin:
		workspace = query.WorkspaceRoleAdmin
	case asOrgAdmin:
		org, workspace = query.OrganizationRoleAdmin, query.WorkspaceRoleAdmin
	}
	input.OrgRole = &org
	if input.WorkspaceId != nil {
		input.WorkspaceRole = &workspace
	}
	return input
}

// inWords says what is wrong with a list as a person would.
func inWords(ctx context.Context, err error) error {
	e, known := frame.Refused(err)
	if known && e.Field == "emails" {
		return frame.Invalid("emails", t(ctx, "Give 1 to 200 addresses at a time."))
	}
	return err
}

// Invite is the third step. What is mailed is watched at an address of its own; links are in this answer alone.
func (c Pages) Invite(w http.ResponseWriter, r *http.Request) error {
	list := readPeople(r.Context(), r.PostForm.Get("emails"))
	res, err := query.CreateInvitations(r.Context(), c.Client, frame.PathID(r), inviteInput(r, list.People))
	if err != nil {
		return frame.Again(w, r, inWords(r.Context(), err), c.InvitePage)
	}
	return c.showCall(w, r, res.CreateInvitations)
}

func (c Pages) showCall(w http.ResponseWriter, r *http.Request, call query.InvitationCall) error {
	if !hasLinks(call) {
		return frame.SeeOther(w, callPath(call))
	}
	res, err := query.OrganizationPage(r.Context(), c.Client, call.OrganizationId)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Invitations to hand on"), Section: frame.SectionInvitations, Org: call.OrganizationId}
	return c.Page(w, r, res.Shell, at, inviteLinksContent(res.Organization, call, c.typedWay(r, call)))
}

// typedWay is what a person without a camera types in place of a link of a slip: the join code of the workspace, while
// that admits people as what they are invited as.
type typedWay struct {
	Address, Code string
}

func (c Pages) typedWay(r *http.Request, call query.InvitationCall) typedWay {
	if call.WorkspaceId == nil || call.WorkspaceRole == nil || *call.WorkspaceRole != query.WorkspaceRoleMember {
		return typedWay{}
	}
	res, err := query.SlipCode(r.Context(), c.Client, *call.WorkspaceId)
	if err != nil || res.WorkspaceJoinCode == nil || !res.WorkspaceJoinCode.Enabled {
		return typedWay{} // who invites need not be one who sees the code
	}
	if ends := res.WorkspaceJoinCode.ClosesAt; ends != nil && ends.Before(call.ExpiresAt) {
		return typedWay{} // the slip would promise a way that is closed before its link
	}
	return typedWay{Address: c.joinAddress(), Code: res.WorkspaceJoinCode.Code}
}

func hasLinks(call query.InvitationCall) bool {
	for _, send := range call.Sends {
		if send.Link != nil {
			return true
		}
	}
	return false
}

func callPath(call query.InvitationCall) string {
	return "/orgs/" + call.OrganizationId + "/invite/" + call.Id
}

// InviteProgress is the third step where mails leave; it can be left and opened again.
func (c Pages) InviteProgress(w http.ResponseWriter, r *http.Request) error {
	res, err := query.InvitationCallPage(r.Context(), c.Client, mux.Vars(r)["batch"], frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Invitations"), Section: frame.SectionInvitations, Org: res.Organization.Id}
	return c.Page(w, r, res.Shell, at, inviteProgressContent(res.Organization, res.InvitationBatch))
}

// InviteLive streams how far a call has come.
func (c Pages) InviteLive(w http.ResponseWriter, r *http.Request) error {
	batch := mux.Vars(r)["batch"]
	s := frame.Subscription{Query: query.InvitationCallChanged_Operation, Name: "InvitationCallChanged", Variables: map[string]any{"id": batch}}
	return c.Live(w, r, s, func() (templ.Component, bool, error) {
		res, err := query.InvitationCallNow(r.Context(), c.Client, batch)
		if err != nil {
			return nil, true, err
		}
		return inviteTableNow(res.InvitationBatch), res.InvitationBatch.Waiting == 0, nil
	})
}

// InviteRetry sends what was not sent of a call.
func (c Pages) InviteRetry(w http.ResponseWriter, r *http.Request) error {
	res, err := query.RetryInvitations(r.Context(), c.Client, mux.Vars(r)["batch"])
	if err != nil {
		return err
	}
	return c.showCall(w, r, res.RetryInvitations)
}

// InviteTable gives the links of the page back as a file: they are kept nowhere else.
func (c Pages) InviteTable(w http.ResponseWriter, r *http.Request) error {
	form := sheetOf(r)
	rows := [][]string{{"name", "email", "link"}}
	names, links := r.PostForm["name"], r.PostForm["link"]
	for i, email := range r.PostForm["email"] {
		if i < len(links) && i < len(names) {
			rows = append(rows, []string{names[i], email, links[i]})
		}
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="invitations.csv"`)
	return form.write(w, true, rows...)
}

// inviteStages are the three steps.
func inviteStages(ctx context.Context, current int) []ui.Step {
	steps := []ui.Step{{Text: t(ctx, "People")}, {Text: t(ctx, "Check")}, {Text: t(ctx, "Done")}}
	for i := range steps {
		steps[i].Done, steps[i].Current = i < current, i == current
	}
	return steps
}
