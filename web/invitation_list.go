package web

import (
	"net/http"

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

func (c *Console) invitations(w http.ResponseWriter, r *http.Request) error {
	state := query.InvitationStateOpen
	for _, known := range query.AllInvitationState {
		if r.URL.Query().Get("state") == string(known) {
			state = known
		}
	}
	soon := state == query.InvitationStateOpen && r.URL.Query().Get("ending") == "soon"
	res, err := query.Invitations(r.Context(), c.client, pathID(r), state, soon, after(r))
	if err != nil {
		return err
	}
	o := res.Organization
	v := invitationsView{
		Org: o.OrganizationHead, State: state, Soon: soon, Counts: o.InvitationCounts, Rows: o.Invitations.Nodes, Next: nextHref(r, o.Invitations.PageInfo),
	}
	return c.page(w, r, res.Shell, page{Title: "Invitations", Section: sectionInvitations, Org: o.Id}, invitationsContent(v))
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

// changeInvitation sends one again, makes a link for the clipboard, or takes it back.
func (c *Console) changeInvitation(w http.ResponseWriter, r *http.Request) error {
	invitation, action, back := mux.Vars(r)["invitation"], mux.Vars(r)["action"], "/orgs/"+pathID(r)+"/invitations"
	if action == "revoke" {
		if _, err := query.RevokeInvitation(r.Context(), c.client, invitation); err != nil {
			return err
		}
		return c.done(w, back, "The invitation is withdrawn; its link is dead.")
	}
	res, err := query.ResendInvitation(r.Context(), c.client, invitation, action == "link")
	if err != nil {
		return err
	}
	if send := res.ResendInvitation; send.Link != nil {
		return c.showLink(w, r, send)
	}
	return c.done(w, back, "A new mail is on its way to "+res.ResendInvitation.Email+". The old link is dead.")
}

// showLink shows a new link, once.
func (c *Console) showLink(w http.ResponseWriter, r *http.Request, send query.InvitationSend) error {
	res, err := query.OrganizationPage(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	at := page{Title: "New link", Section: sectionInvitations, Org: res.Organization.Id}
	return c.page(w, r, res.Shell, at, newLinkContent(res.Organization, send))
}

// changeInvitations does the same to the chosen ones, one after another, until one is refused.
func (c *Console) changeInvitations(w http.ResponseWriter, r *http.Request) error {
	call, sentence := query.InvitationCall{OrganizationId: pathID(r)}, "Nothing was chosen."
	for n, invitation := range r.PostForm["invitation"] {
		send, err := c.changeOne(r, invitation, text(r, "action"))
		if err != nil && n == 0 {
			return err
		}
		if err != nil {
			e, _ := refused(err)
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
	return c.done(w, "/orgs/"+pathID(r)+"/invitations", sentence)
}

func (c *Console) changeOne(r *http.Request, invitation, action string) (*query.InvitationSend, error) {
	if action == "revoke" {
		_, err := query.RevokeInvitation(r.Context(), c.client, invitation)
		return nil, err
	}
	res, err := query.ResendInvitation(r.Context(), c.client, invitation, false)
	if err != nil {
		return nil, err
	}
	return &res.ResendInvitation, nil
}
