package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// invitationsView is the invitations of an organization in one state.
type invitationsView struct {
	Org    query.OrganizationHead
	State  query.InvitationState
	Soon   bool // only open ones that end within 3 days
	Counts query.InvitationTotals
	Rows   []query.InvitationRow
	Next   string
}

// Invitations lists the invitations of an organization.
func (c Pages) Invitations(w http.ResponseWriter, r *http.Request) error {
	state := query.InvitationStateOpen
	for _, known := range query.AllInvitationState {
		if r.URL.Query().Get("state") == string(known) {
			state = known
		}
	}
	soon := state == query.InvitationStateOpen && r.URL.Query().Get("ending") == "soon"
	res, err := query.Invitations(r.Context(), c.Client, frame.PathID(r), state, soon, nil, frame.After(r))
	if err != nil {
		return err
	}
	o := res.Organization
	v := invitationsView{
		Org: o.OrganizationHead, State: state, Soon: soon, Counts: o.InvitationCounts, Rows: o.Invitations.Nodes, Next: frame.NextHref(r, o.Invitations.PageInfo),
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Invitations", Section: frame.SectionInvitations, Org: o.Id}, invitationsContent(v))
}

func (v invitationsView) base() string { return "/orgs/" + v.Org.Id + "/invitations" }

// changeable tells whether the shown invitations can still be sent again or taken back.
func (v invitationsView) changeable() bool {
	return v.State == query.InvitationStateOpen || v.State == query.InvitationStateExpired
}

func (v invitationsView) tabs() []ui.NavItem {
	return []ui.NavItem{
		{Text: "Open", Href: v.base(), Count: ui.Count(v.Counts.Open), Current: v.State == query.InvitationStateOpen && !v.Soon},
		{Text: "Ending soon", Href: endingSoonHref(v.Org), Count: ui.Count(v.Counts.EndingSoon), Current: v.Soon},
		{Text: "Accepted", Href: v.base() + "?state=accepted", Count: ui.Count(v.Counts.Accepted), Current: v.State == query.InvitationStateAccepted},
		{Text: "Expired", Href: v.base() + "?state=expired", Count: ui.Count(v.Counts.Expired), Current: v.State == query.InvitationStateExpired},
		{Text: "Withdrawn", Href: v.base() + "?state=revoked", Count: ui.Count(v.Counts.Revoked), Current: v.State == query.InvitationStateRevoked},
	}
}

// endingSoonHref is the list of an organization's open invitations that end within 3 days.
func endingSoonHref(o query.OrganizationHead) string {
	return "/orgs/" + o.Id + "/invitations?ending=soon"
}

// ChangeInvitation sends one again, makes a link for the clipboard, or takes it back.
func (c Pages) ChangeInvitation(w http.ResponseWriter, r *http.Request) error {
	invitation, action, back := mux.Vars(r)["invitation"], mux.Vars(r)["action"], "/orgs/"+frame.PathID(r)+"/invitations"
	if action == "revoke" {
		if _, err := query.RevokeInvitation(r.Context(), c.Client, invitation); err != nil {
			return err
		}
		return c.Done(w, back, "The invitation is withdrawn; its link is dead.")
	}
	res, err := query.ResendInvitation(r.Context(), c.Client, invitation, action == "link")
	if err != nil {
		return err
	}
	if send := res.ResendInvitation; send.Link != nil {
		return c.showLink(w, r, send)
	}
	return c.Done(w, back, "A new mail is on its way to "+res.ResendInvitation.Email+". The old link is dead.")
}

// showLink shows a new link, once.
func (c Pages) showLink(w http.ResponseWriter, r *http.Request, send query.InvitationSend) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: "New link", Section: frame.SectionInvitations, Org: res.Organization.Id}
	return c.Page(w, r, res.Shell, at, newLinkContent(res.Organization, send))
}

// ChangeInvitations does the same to the chosen ones, one after another, until one is refused.
func (c Pages) ChangeInvitations(w http.ResponseWriter, r *http.Request) error {
	call, sentence := query.InvitationCall{OrganizationId: frame.PathID(r)}, "Nothing was chosen."
	for n, invitation := range r.PostForm["invitation"] {
		send, err := c.changeOne(r, invitation, frame.Text(r, "action"))
		if err != nil && n == 0 {
			return err
		}
		if err != nil {
			e, _ := frame.Refused(err)
			sentence += " Then it stopped: " + e.Message
			break
		}
		if send != nil {
			call.Sends = append(call.Sends, *send)
		}
		sentence = ui.Plural(n+1, "invitation is", "invitations are") + " changed."
	}
	if hasLinks(call) { // this install sends no mail: the links are in this answer alone
		return c.showCall(w, r, call)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/invitations", sentence)
}

func (c Pages) changeOne(r *http.Request, invitation, action string) (*query.InvitationSend, error) {
	if action == "revoke" {
		_, err := query.RevokeInvitation(r.Context(), c.Client, invitation)
		return nil, err
	}
	res, err := query.ResendInvitation(r.Context(), c.Client, invitation, false)
	if err != nil {
		return nil, err
	}
	return &res.ResendInvitation, nil
}
