package org

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
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
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Invitations"), Section: frame.SectionInvitations, Org: o.Id}, invitationsContent(v))
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

func (v invitationsView) chips(ctx context.Context) (chips []ui.Chip) {
	for _, state := range v.states(ctx) {
		chips = append(chips, ui.Chip{Text: state.Text + " " + state.Count, Href: state.Href, On: state.Current})
	}
	return chips
}

func (v invitationsView) states(ctx context.Context) []ui.NavItem {
	base := v.List.Path
	return []ui.NavItem{
		{Text: tc(ctx, "state", "Open"), Href: base, Count: locale.Count(ctx, v.Counts.Open), Current: v.State == query.InvitationStateOpen && !v.Soon},
		{Text: t(ctx, "Ending soon"), Href: endingSoonHref(v.Org), Count: locale.Count(ctx, v.Counts.EndingSoon), Current: v.Soon},
		{Text: t(ctx, "Accepted"), Href: base + "?state=accepted", Count: locale.Count(ctx, v.Counts.Accepted), Current: v.State == query.InvitationStateAccepted},
		{Text: tc(ctx, "invitations", "Expired"), Href: base + "?state=expired", Count: locale.Count(ctx, v.Counts.Expired), Current: v.State == query.InvitationStateExpired},
		{Text: tc(ctx, "invitation", "Withdrawn"), Href: base + "?state=" + withdrawn, Count: locale.Count(ctx, v.Counts.Revoked), Current: v.State == query.InvitationStateRevoked},
	}
}

func (v invitationsView) tools(ctx context.Context) ui.ToolsProps {
	return ui.ToolsProps{
		Action: v.List.Path, Search: "q", SearchLabel: t(ctx, "Name or address"), Query: v.Search, List: "invitations", Hidden: v.List.Filters("state", "ending"),
		Chips: v.chips(ctx),
	}
}

// endingSoonHref is the list of an organization's open invitations that end within 3 days.
func endingSoonHref(o query.OrganizationHead) string {
	return invitationsPath(o.Id) + "?ending=soon"
}

// actions are what can be done with an invitation of the list: the usual next step in sight, the rest in the menu. What
// kills a link asks first.
func (v invitationsView) actions(ctx context.Context, i query.InvitationRow) ui.RowActionsProps {
	path, back := v.List.Path+"/"+i.Id, "?"+url.Values{"return": {v.List.Here()}}.Encode()
	newLink := ui.MenuItem{Text: t(ctx, "New link…"), Href: path + "/link" + back}
	withdraw := ui.MenuItem{Text: t(ctx, "Withdraw…"), Href: path + "/withdraw" + back, Danger: true, Apart: true}
	a := ui.RowActionsProps{ID: i.Id, Of: invitedName(i)}
	if v.Mail {
		a.First = ui.ButtonProps{Text: t(ctx, "Send again"), Href: path + "/resend" + back}
		a.Items = []ui.MenuItem{newLink, withdraw}
		return a
	}
	a.Items = []ui.MenuItem{newLink, withdraw}
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
	question := invitationQuestion(r.Context(), o.OrganizationHead, o.Invitation, action, res.Install.Mail, invitationsReturn(r))
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
func invitationQuestion(ctx context.Context, o query.OrganizationHead, i query.InvitationRow, action string, mail bool, back string) ui.ConfirmProps {
	name := invitedName(i)
	q := ui.ConfirmProps{ID: action, Form: ui.FormProps{
		Action: invitationsPath(o.Id) + "/" + i.Id + "/" + action, Key: frame.NewOnceKey(), Hidden: []ui.Hidden{{Name: "return", Value: back}},
	}, CancelHref: back}
	dies := t(ctx, "The link that %s has stops working at once", name)
	if i.State == query.InvitationStateExpired {
		dies = t(ctx, "The old link has expired, and stays dead")
	}
	switch {
	case action == "withdraw":
		q.Title, q.Danger, q.Confirm = t(ctx, "Withdraw the invitation of %s?", name), true, t(ctx, "Withdraw it")
		q.Consequences = []string{dies, t(ctx, "No one is told"), t(ctx, "You can invite %s again at any time", name)}
	case action == "resend" && mail:
		q.Title, q.Confirm = t(ctx, "Send the invitation of %s again?", name), t(ctx, "Send it again")
		q.Consequences = []string{t(ctx, "A mail with a new link goes to %s", i.Email), dies, t(ctx, "The new link works for 14 days")}
	default:
		q.Title, q.Confirm = t(ctx, "Make a new link for %s?", name), t(ctx, "Make a new link")
		q.Consequences = []string{dies, t(ctx, "The new link is shown once, and works for 14 days"), t(ctx, "No mail is sent: you hand the link on")}
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
		return c.Done(w, back, t(r.Context(), "The invitation is withdrawn; its link is dead."))
	case send.Link != nil:
		return c.showLink(w, r, *send, back)
	}
	return c.Done(w, back, t(r.Context(), "A new mail is on its way to %s. The old link is dead.", send.Email))
}

// showLink shows a new link, once.
func (c Pages) showLink(w http.ResponseWriter, r *http.Request, send query.InvitationSend, back string) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "New link"), Section: frame.SectionInvitations, Org: res.Organization.Id}
	return c.Page(w, r, res.Shell, at, newLinkContent(res.Organization, send, back))
}

// ChangeInvitations does the same to those that are selected, once the person is sure, one after another until one is
// refused.
func (c Pages) ChangeInvitations(w http.ResponseWriter, r *http.Request) error {
	chosen, action := r.PostForm["invitation"], frame.Text(r, "action")
	if len(chosen) == 0 || len(chosen) > invitationsPage {
		return frame.Again(w, r, frame.Invalid("invitation", t(r.Context(), "Select the invitations first.")), c.Invitations)
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
			refused = " " + t(r.Context(), "Then it stopped: %s", e.Message)
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
	return c.Done(w, invitationsReturn(r), changedSentence(r.Context(), action, done)+refused)
}

func changedSentence(ctx context.Context, action string, n int) string {
	if action == "withdraw" {
		return tn(ctx, "%d invitation is withdrawn.", "%d invitations are withdrawn.", n)
	}
	return tn(ctx, "%d mail is on the way. The old links are dead.", "%d mails are on the way. The old links are dead.", n)
}

// askInvitations asks once for all that are selected.
func (c Pages) askInvitations(w http.ResponseWriter, r *http.Request, action string, chosen []string) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	q := invitationsQuestion(r.Context(), res.Organization, action, len(chosen), invitationsReturn(r))
	for _, id := range chosen {
		q.Form.Hidden = append(q.Form.Hidden, ui.Hidden{Name: "invitation", Value: id})
	}
	at := frame.Page{Title: q.Title, Section: frame.SectionInvitations, Org: res.Organization.Id}
	return c.Page(w, r, res.Shell, at, askInvitationContent(frame.FormOf(r), q))
}

func invitationsQuestion(ctx context.Context, o query.OrganizationHead, action string, n int, back string) ui.ConfirmProps {
	all := tn(ctx, "%d invitation", "%d invitations", n)
	q := ui.ConfirmProps{ID: "invitations", CancelHref: back, Form: ui.FormProps{
		Action: invitationsPath(o.Id), Key: frame.NewOnceKey(),
		Hidden: []ui.Hidden{{Name: "return", Value: back}, {Name: "action", Value: action}, {Name: "sure", Value: "1"}},
	}}
	switch action {
	case "withdraw":
		q.Title, q.Danger, q.Confirm = t(ctx, "Withdraw %s?", all), true, t(ctx, "Withdraw %s", all)
		q.Consequences = []string{t(ctx, "Their links stop working at once"), t(ctx, "No one is told"), t(ctx, "Everyone can be invited again at any time")}
	case "resend":
		q.Title, q.Confirm = t(ctx, "Send %s again?", all), t(ctx, "Send %s", all)
		q.Consequences = []string{t(ctx, "Everyone gets a mail with a new link"), t(ctx, "The links that they have stop working at "+
			"once"), t(ctx, "The new links work for 14 days")}
	default:
		q.Title, q.Confirm = tn(ctx, "Make %d new link?", "Make %d new links?", n), tn(ctx, "Make %d new link", "Make %d new links", n)
		q.Consequences = []string{t(ctx, "The links that they have stop working at once"), t(ctx, "The new links are shown once, and work for 14 "+
			"days"), t(ctx, "No mail is sent: you hand the links on")}
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
