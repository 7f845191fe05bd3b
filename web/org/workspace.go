package org

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// homeView is the home of a workspace; Care is nil for those who do not run it.
type homeView struct {
	query.WorkspaceHomeWorkspace
	Care *careView
	Apps []homeApp
	More bool // there are further apps
	Self query.Viewer
	// ownFile is the path of a file of this install, else "".
	ownFile func(address string) string
	Form    frame.Form
}

// careView is what those who run a workspace see beside what everyone sees.
type careView struct {
	query.WorkspaceCareWorkspace
	Code codeView
}

// Workspace is the home of a workspace: its apps, what one may spend, and for those who run it what needs them.
func (c Pages) Workspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspaceHome(r.Context(), c.Client, frame.PathID(r))
	if frame.HasCode(err, "member_suspended") {
		return c.shutOut(w, r, err)
	}
	if err != nil {
		return err
	}
	v := homeView{
		WorkspaceHomeWorkspace: res.Workspace, Apps: c.homeApps(res.Workspace.Apps.Nodes), More: res.Workspace.Apps.PageInfo.HasNextPage,
		Self: res.Me, ownFile: c.OwnFile, Form: frame.FormOf(r),
	}
	if isWorkspaceAdmin(v.WorkspaceHead) {
		more, err := query.WorkspaceCare(r.Context(), c.Client, v.Id)
		if err != nil {
			return err
		}
		v.Care = &careView{WorkspaceCareWorkspace: more.Workspace, Code: c.codeView(v.WorkspaceHead, more.Workspace.JoinCode)}
	}
	frame.AllowMedia(w)
	return c.Page(w, r, res.Shell, workspacePage(v.WorkspaceHead, v.Name), homeContent(v, c.Now()))
}

// shutOut says to a person who is suspended in a workspace what that means, and what works all the same.
func (c Pages) shutOut(w http.ResponseWriter, r *http.Request, refusal error) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return refusal
	}
	shell := c.Placed(r, res.Shell, "", frame.PathID(r))
	at := frame.PlaceOf(r, shell, "", frame.PathID(r))
	if at.Workspace == nil || at.Org == nil {
		return refusal
	}
	p := frame.Page{Title: at.Workspace.Name, Section: frame.SectionWorkspace, Workspace: at.Workspace.Id, Org: at.Org.Id, Status: http.StatusForbidden}
	return c.Page(w, r, shell, p, shutOutContent(at))
}

// GrantRequest raises the cap of a person who asked for credits.
func (c Pages) GrantRequest(w http.ResponseWriter, r *http.Request) error {
	amount, err := frame.Amount(r, "amount")
	if err == nil {
		_, err = query.GrantCreditRequest(r.Context(), c.Client, mux.Vars(r)["request"], amount)
	}
	if err != nil {
		return frame.Again(w, r, err, c.Workspace)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r), t(r.Context(), "%s may spend %s more.", frame.Text(r, "name"), inCredits(r.Context(), amount)))
}

// CloseRequest ends a request without giving anything.
func (c Pages) CloseRequest(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.CloseCreditRequest(r.Context(), c.Client, mux.Vars(r)["request"]); err != nil {
		return frame.Again(w, r, err, c.Workspace)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r), t(r.Context(), "The request is closed."))
}

// own is the request of the viewer that waits for an answer.
func (v homeView) own() *query.OpenRequest {
	for i := range v.CreditRequests {
		if v.CreditRequests[i].User.Id == v.Self.Id {
			return &v.CreditRequests[i]
		}
	}
	return nil
}

// asked are the requests of others.
func (v homeView) asked() []query.OpenRequest {
	var out []query.OpenRequest
	for _, q := range v.CreditRequests {
		if q.User.Id != v.Self.Id {
			out = append(out, q)
		}
	}
	return out
}

// words are the organization's own.
func (v homeView) words() frame.Words { return v.WorkspaceHead.Organization.Vocabulary }

// steps lead to a workspace that works: people, credits, an app; nil when it has all three, and for those who do
// not run it.
func (v homeView) steps(ctx context.Context) []guideStep {
	if v.Care == nil || !v.ViewerCan.ManageMembers {
		return nil
	}
	base, joined := "/workspaces/"+v.Id, false
	for _, m := range v.Care.Members.Nodes {
		joined = joined || m.Role == query.WorkspaceRoleMember
	}
	people := guideStep{
		Title: t(ctx, "Let {members} join"), Text: t(ctx, "They type a code of eight characters, from the board or a slip.") + " " + needsAddress(ctx),
		Done: joined, Href: base + "/join-code/enable", Action: t(ctx, "Make a code"), Post: true,
	}
	if v.Care.JoinCode != nil && v.Care.JoinCode.Enabled {
		people.Href, people.Action, people.Post = base+"/join-code/show", t(ctx, "Show the code"), false
	}
	credits := guideStep{
		Title: t(ctx, "Give it credits"), Text: t(ctx, "Every run in the {workspace} is paid from its own budget."),
		Done: frame.Value(v.Budget.Allocated) > 0, Href: base + "/request", Action: t(ctx, "Ask for credits"),
	}
	if v.Organization.ViewerCan.Allocate {
		credits.Href, credits.Action = giveHref(v.OrganizationId, v.Id, ""), t(ctx, "Give credits")
	}
	app := guideStep{
		Title: t(ctx, "Publish a first app"), Text: t(ctx, "Build a workflow and put a form in front: that is what {members} see and run."),
		Done: len(v.Apps) > 0, Href: frame.SpacePath(v.Id, "/workflows/new"), Action: t(ctx, "Start a workflow"),
	}
	steps := []guideStep{people, credits, app}
	if current(steps) < 0 {
		return nil
	}
	return steps
}

// giveHref is the page on which credits are moved to a workspace.
func giveHref(org, workspace, amount string) string {
	q := url.Values{"workspace": {workspace}}
	if amount != "" {
		q.Set("amount", amount)
	}
	return "/orgs/" + org + "/credits/allocate?" + q.Encode()
}

// homeApp is an app with the picture of its card: what it made last, else the publisher's, else "" for a drawing.
type homeApp struct {
	query.HomeApp
	Cover string
}

func (c Pages) homeApps(apps []query.HomeApp) []homeApp {
	out := make([]homeApp, len(apps))
	for i, app := range apps {
		out[i].HomeApp = app
		for _, address := range []string{frame.Value(app.LatestResultUrl), app.IconUrl} {
			if path := c.OwnFile(address); out[i].Cover == "" && ui.IsPicture(path) {
				out[i].Cover = path
			}
		}
	}
	return out
}

// off tells whether an app is switched off; those who only run apps see none that is.
func (a homeApp) off() bool { return a.Admin != nil && !a.Admin.IsActive }

// whyNotRun is why nothing can be run here now, in a sentence; "" when it can.
func (v homeView) whyNotRun(ctx context.Context) string {
	switch {
	case v.ViewerCan.Create:
		return ""
	case v.Archived:
		return t(ctx, "%s is archived: its apps and results can be looked at, and nothing new can be run.", v.Name)
	case v.Organization.Status == query.OrganizationStatusPending:
		return t(ctx, "Nothing can be run yet: %s waits for its approval.", v.WorkspaceHead.Organization.Name)
	}
	return t(ctx, "Nothing can be run in this {workspace} now.")
}

// spendable is what a run of the viewer may cost now.
func spendable(b query.BudgetOfOne) float64 {
	if own := b.Own.Headroom; own != nil {
		return min(*own, b.Headroom)
	}
	return b.Headroom
}

// shortOf tells whether an app costs more than what is left; free ones never do.
func (v homeView) shortOf(a homeApp) bool { return a.EstimatedCredits > spendable(v.Budget) }

// balance is the one meter of a home: the whole budget for those who run the workspace, what is left of one's own cap
// for others, and without a cap what everyone shares.
func balance(ctx context.Context, ws query.WorkspaceHead, b query.BudgetOfOne) ui.MeterProps {
	p := ui.MeterProps{ID: "balance", Label: t(ctx, "You"), Left: frame.Thousandths(b.Headroom)}
	switch {
	case b.Allocated != nil:
		p.Label, p.Limit = ws.Name, frame.Thousandths(*b.Allocated)
		p.Spent, p.Reserved = frame.Thousandths(frame.Value(b.Spent)), frame.Thousandths(frame.Value(b.Reserved))
	case b.Own.Headroom != nil && *b.Own.Headroom <= b.Headroom:
		p.Limit, p.Spent, p.Reserved = frame.Thousandths(*b.Own.Cap), frame.Thousandths(b.Own.Spent), frame.Thousandths(b.Own.Reserved)
	}
	return p
}

// balanceNote says what the meter is about.
func balanceNote(ctx context.Context, ws query.WorkspaceHead, b query.BudgetOfOne) string {
	switch {
	case b.Allocated != nil && *b.Allocated == 0:
		return t(ctx, "This {workspace} has no credits yet, so that only what is free can be run.")
	case b.Allocated != nil && b.Headroom <= 0:
		return t(ctx, "Everything is spent or reserved. No new run starts until there is more.")
	case b.Allocated != nil:
		return t(ctx, "Every run in here is paid from this.")
	case b.Headroom <= 0:
		return t(ctx, "The {workspace} has none left. No new run that costs something starts until its {admin} gets more.")
	case b.Own.Headroom != nil && *b.Own.Headroom <= 0:
		return t(ctx, "You have used up what you may spend. Ask your {admin} for more.")
	case b.Own.Headroom != nil && *b.Own.Headroom <= b.Headroom:
		return t(ctx, "The {workspace} pays for what you run here, up to this.")
	case b.Own.Headroom != nil:
		return t(ctx, "That is all that the {workspace} has left, for everyone in it.")
	}
	return t(ctx, "Everyone in the {workspace} shares them. You have spent %s.", inCredits(ctx, b.Own.Spent))
}

// names lists the first of n people: "Mina Lang, Jonas Weber, Ada Kay and 4 more".
func names(ctx context.Context, people []query.AtCap, n int) string {
	list := make([]string, len(people))
	for i, p := range people {
		list[i] = p.DisplayName
	}
	if n > len(people) {
		return tn(ctx, "%[2]s and %[1]d more", "%[2]s and %[1]d more", n-len(people), strings.Join(list, ", "))
	}
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return t(ctx, "%s and %s", strings.Join(list[:last], ", "), list[last])
}

// toTry is something that a person can begin with at once.
type toTry struct{ Title, Text, Href string }

// nothingMade tells whether no one has made anything here that the person sees, though they may.
func (v homeView) nothingMade() bool {
	if v.Care != nil {
		return v.ViewerCan.Create && len(v.Care.Everybody.Nodes) == 0
	}
	return v.ViewerCan.Create && len(v.Made.Nodes) == 0 && len(v.Shared.Nodes) == 0
}

// toTry are three ways to make something without knowing anything yet.
func (v homeView) toTry(ctx context.Context) []toTry {
	return []toTry{
		{t(ctx, "Make a character"), t(ctx, "Describe someone. They look the same in every picture that you make of "+
			"them."), frame.SpacePath(v.Id, "/library/characters/new")},
		{t(ctx, "Find the words for a picture"), t(ctx, "Begin with an idea. The prompt helper asks what it leaves open."), frame.SpacePath(v.Id, "/prompt-helper")},
		{t(ctx, "Hear a voice"), t(ctx, "Choose who speaks, let them say something, and design a voice of your own."), frame.SpacePath(v.Id, "/voices")},
	}
}
