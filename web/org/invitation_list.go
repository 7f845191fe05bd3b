package org

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// invitationsView is a page of the invitations of an organization in one state.
type invitationsView struct {
	Org    query.OrganizationHead
	List   frame.Listing
	State  query.InvitationState
	Soon   bool // only open ones that end within 3 days
	Search string
	Mail   bool // the install sends mail
	Counts query.InvitationTotals
	Rows   []query.InvitationRow
	Form   frame.Form
}

const invitationsPage = 30

// withdrawn is how addresses call the state of invitations that were withdrawn.
const withdrawn = "withdrawn"

// Invitations lists the invitations of an organization.
func (c Pages) Invitations(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, invitationsPath(frame.PathID(r)), invitationsPage)
	state := invitationState(list.Values.Get("state"))
	soon := state == query.InvitationStateOpen && list.Values.Get("ending") == "soon"
	search := strings.TrimSpace(list.Values.Get("q"))
	res, err := query.Invitations(r.Context(), c.Client, frame.PathID(r), state, soon, &search, list.After())
	if err != nil {
		return err
	}
	o := res.Organization
	list.Loaded(o.Invitations.PageInfo, len(o.Invitations.Nodes), o.Invitations.TotalCount)
	v := invitationsView{
		Org: o.OrganizationHead, List: list, State: state, Soon: soon, Search: search, Mail: res.Install.Mail, Counts: o.InvitationCounts,
		Rows: o.Invitations.Nodes, Form: frame.FormOf(r),
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Invitations", Section: frame.SectionInvitations, Org: o.Id}, invitationsContent(v))
}

func invitationsPath(org string) string { return "/orgs/" + org + "/invitations" }

// invitationState is the state that an address asks for: the open ones unless it says something else.
func invitationState(asked string) query.InvitationState {
	if asked == withdrawn {
		return query.InvitationStateRevoked
	}
	if state := query.InvitationState(asked); slices.Contains(query.AllInvitationState, state) {
		return state
	}
	return query.InvitationStateOpen
}

// changeable tells whether the shown invitations can still be sent again or withdrawn.
func (v invitationsView) changeable() bool {
	return v.State == query.InvitationStateOpen || v.State == query.InvitationStateExpired
}

// bulk tells whether several can be changed at once.
func (v invitationsView) bulk() bool { return v.changeable() && len(v.Rows) > 1 }

func (v invitationsView) chips() (chips []ui.Chip) {
	for _, state := range v.states() {
		chips = append(chips, ui.Chip{Text: state.Text + " " + state.Count, Href: state.Href, On: state.Current})
	}
	return chips
}

func (v invitationsView) states() []ui.NavItem {
	base := v.List.Path
	return []ui.NavItem{
		{Text: "Open", Href: base, Count: ui.Count(v.Counts.Open), Current: v.State == query.InvitationStateOpen && !v.Soon},
		{Text: "Ending soon", Href: endingSoonHref(v.Org), Count: ui.Count(v.Counts.EndingSoon), Current: v.Soon},
		{Text: "Accepted", Href: base + "?state=accepted", Count: ui.Count(v.Counts.Accepted), Current: v.State == query.InvitationStateAccepted},
		{Text: "Expired", Href: base + "?state=expired", Count: ui.Count(v.Counts.Expired), Current: v.State == query.InvitationStateExpired},
		{Text: "Withdrawn", Href: base + "?state=" + withdrawn, Count: ui.Count(v.Counts.Revoked), Current: v.State == query.InvitationStateRevoked},
	}
}

func (v invitationsView) tools(ctx context.Context) ui.ToolsProps {
	return ui.ToolsProps{
		Action: v.List.Path, Search: "q", SearchLabel: "Name or address", Query: v.Search, List: "invitations", Hidden: v.List.Filters("state", "ending"),
		Chips: v.chips(),
	}
}

// endingSoonHref is the list of an organization's open invitations that end within 3 days.
func endingSoonHref(o query.OrganizationHead) string {
	return invitationsPath(o.Id) + "?ending=soon"
}

// actions are what can be done with an invitation of the list: the usual next step in sight, the rest in the menu. What
// kills a link asks first.
func (v invitationsView) actions(i query.InvitationRow) ui.RowActionsProps {
	path, back := v.List.Path+"/"+i.Id, "?"+url.Values{"return": {v.List.Here()}}.Encode()
	newLink := ui.MenuItem{Text: "New link…", Href: path + "/link" + back}
	withdraw := ui.MenuItem{Text: "Withdraw…", Href: path + "/withdraw" + back, Danger: true, Apart: v.Mail}
	a := ui.RowActionsProps{ID: i.Id, Of: invitedName(i)}
	if v.Mail {
		a.First = ui.ButtonProps{Text: "Send again", Href: path + "/resend" + back}
		a.Items = []ui.MenuItem{newLink, withdraw}
		return a
	}
	a.First = ui.ButtonProps{Text: newLink.Text, Href: newLink.Href}
	a.Items = []ui.MenuItem{withdraw}
	return a
}

// invitedName is how an invitation is called: by the name beside its address, or by the address.
func invitedName(i query.InvitationRow) string {
	if i.Name != "" {
		return i.Name
	}
	return i.Email
}

// AskResend asks before an invitation is mailed once more.
func (c Pages) AskResend(w http.ResponseWriter, r *http.Request) error {
	return c.askInvitation(w, r, "resend")
}

// AskNewLink asks before an invitation gets a new link.
func (c Pages) AskNewLink(w http.ResponseWriter, r *http.Request) error {
	return c.askInvitation(w, r, "link")
}

// AskWithdraw asks before an invitation is withdrawn.
func (c Pages) AskWithdraw(w http.ResponseWriter, r *http.Request) error {
	return c.askInvitation(w, r, "withdraw")
}

func (c Pages) askInvitation(w http.ResponseWriter, r *http.Request, action string) error {
	res, err := query.InvitationPage(r.Context(), c.Client, frame.PathID(r), mux.Vars(r)["invitation"])
	if err != nil {
		return err
	}
	o := res.Organization
	question := invitationQuestion(o.OrganizationHead, o.Invitation, action, res.Install.Mail, invitationsReturn(r))
	at := frame.Page{Title: question.Title, Section: frame.SectionInvitations, Org: o.Id}
	return c.Page(w, r, res.Shell, at, askInvitationContent(frame.FormOf(r), question))
}

// invitationsReturn is the page of the list that a question came from.
func invitationsReturn(r *http.Request) string {
	back := r.URL.Query().Get("return")
	if r.Method == http.MethodPost {
		back = frame.Text(r, "return")
	}
	return frame.PathOr(back, invitationsPath(frame.PathID(r)))
}

// invitationQuestion says what an action takes, and that the old link dies.
func invitationQuestion(o query.OrganizationHead, i query.InvitationRow, action string, mail bool, back string) ui.ConfirmProps {
	name := invitedName(i)
	q := ui.ConfirmProps{ID: action, Form: ui.FormProps{
		Action: invitationsPath(o.Id) + "/" + i.Id + "/" + action, Key: frame.NewOnceKey(), Hidden: []ui.Hidden{{Name: "return", Value: back}},
	}, CancelHref: back}
	dies := "The link that " + name + " has stops working at once"
	if i.State == query.InvitationStateExpired {
		dies = "The old link has expired, and stays dead"
	}
	switch {
	case action == "withdraw":
		q.Title, q.Danger, q.Confirm = "Withdraw the invitation of "+name+"?", true, "Withdraw it"
		q.Consequences = []string{dies, "Nobody is told", "You can invite " + name + " again at any time"}
	case action == "resend" && mail:
		q.Title, q.Confirm = "Send the invitation of "+name+" again?", "Send it again"
		q.Consequences = []string{"A mail with a new link goes to " + i.Email, dies, "The new link works for 14 days"}
	default:
		q.Title, q.Confirm = "Make a new link for "+name+"?", "Make a new link"
		q.Consequences = []string{dies, "The new link is shown once, and works for 14 days", "No mail is sent: you hand the link on"}
	}
	return q
}

// ChangeInvitation sends one again, makes a link for the clipboard, or withdraws it.
func (c Pages) ChangeInvitation(w http.ResponseWriter, r *http.Request) error {
	action, back := mux.Vars(r)["action"], invitationsReturn(r)
	send, err := c.changeInvitation(r, mux.Vars(r)["invitation"], action)
	switch {
	case err != nil:
		return frame.Again(w, r, err, func(w http.ResponseWriter, r *http.Request) error { return c.askInvitation(w, r, action) })
	case send == nil:
		return c.Done(w, back, "The invitation is withdrawn; its link is dead.")
	case send.Link != nil:
		return c.showLink(w, r, *send, back)
	}
	return c.Done(w, back, "A new mail is on its way to "+send.Email+". The old link is dead.")
}

// showLink shows a new link, once.
func (c Pages) showLink(w http.ResponseWriter, r *http.Request, send query.InvitationSend, back string) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: "New link", Section: frame.SectionInvitations, Org: res.Organization.Id}
	return c.Page(w, r, res.Shell, at, newLinkContent(res.Organization, send, back))
}

// ChangeInvitations does the same to those that are selected, once the person is sure, one after another until one is
// refused.
func (c Pages) ChangeInvitations(w http.ResponseWriter, r *http.Request) error {
	chosen, action := r.PostForm["invitation"], frame.Text(r, "action")
	if len(chosen) == 0 || len(chosen) > invitationsPage {
		return frame.Again(w, r, frame.Invalid("invitation", "Select the invitations first."), c.Invitations)
	}
	if frame.Text(r, "sure") == "" {
		return c.askInvitations(w, r, action, chosen)
	}
	call, done := query.InvitationCall{OrganizationId: frame.PathID(r)}, 0
	var refused string
	for _, invitation := range chosen {
		send, err := c.changeInvitation(r, invitation, action)
		if err != nil {
			e, known := frame.Refused(err)
			if !known || done == 0 {
				return frame.Again(w, r, err, c.Invitations)
			}
			refused = " Then it stopped: " + e.Message
			break
		}
		done++
		if send != nil {
			call.Sends = append(call.Sends, *send)
		}
	}
	if hasLinks(call) { // the links are in this answer alone
		return c.showCall(w, r, call)
	}
	return c.Done(w, invitationsReturn(r), changedSentence(action, done)+refused)
}

func changedSentence(action string, n int) string {
	if action == "withdraw" {
		return ui.Plural(n, "invitation is", "invitations are") + " withdrawn."
	}
	return ui.Plural(n, "mail is", "mails are") + " on the way. The old links are dead."
}

// askInvitations asks once for all that are selected.
func (c Pages) askInvitations(w http.ResponseWriter, r *http.Request, action string, chosen []string) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	q := invitationsQuestion(res.Organization, action, len(chosen), invitationsReturn(r))
	for _, id := range chosen {
		q.Form.Hidden = append(q.Form.Hidden, ui.Hidden{Name: "invitation", Value: id})
	}
	at := frame.Page{Title: q.Title, Section: frame.SectionInvitations, Org: res.Organization.Id}
	return c.Page(w, r, res.Shell, at, askInvitationContent(frame.FormOf(r), q))
}

func invitationsQuestion(o query.OrganizationHead, action string, n int, back string) ui.ConfirmProps {
	all := ui.Plural(n, "invitation", "invitations")
	q := ui.ConfirmProps{ID: "invitations", CancelHref: back, Form: ui.FormProps{
		Action: invitationsPath(o.Id), Key: frame.NewOnceKey(),
		Hidden: []ui.Hidden{{Name: "return", Value: back}, {Name: "action", Value: action}, {Name: "sure", Value: "1"}},
	}}
	switch action {
	case "withdraw":
		q.Title, q.Danger, q.Confirm = "Withdraw "+all+"?", true, "Withdraw "+all
		q.Consequences = []string{"Their links stop working at once", "Nobody is told", "Everybody can be invited again at any time"}
	case "resend":
		q.Title, q.Confirm = "Send "+all+" again?", "Send "+all
		q.Consequences = []string{"Everybody gets a mail with a new link", "The links that they have stop working at once", "The new links work for 14 days"}
	default:
		q.Title, q.Confirm = "Make "+ui.Plural(n, "new link", "new links")+"?", "Make "+ui.Plural(n, "new link", "new links")
		q.Consequences = []string{"The links that they have stop working at once", "The new links are shown once, and work for 14 days", "No mail is sent: you hand the links on"}
	}
	return q
}

// changeInvitation changes one; nil stands for one that is withdrawn.
func (c Pages) changeInvitation(r *http.Request, invitation, action string) (*query.InvitationSend, error) {
	if action == "withdraw" {
		_, err := query.RevokeInvitation(r.Context(), c.Client, invitation)
		return nil, err
	}
	res, err := query.ResendInvitation(r.Context(), c.Client, invitation, action == "link")
	if err != nil {
		return nil, err
	}
	return &res.ResendInvitation, nil
}
