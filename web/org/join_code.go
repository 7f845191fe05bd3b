package org

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
	"github.com/gorilla/mux"
)

// codeView is a workspace's join code; Code is nil when there is none.
type codeView struct {
	Workspace query.WorkspaceHead
	Code      *query.Code
	// Address is what people type, Link what they open.
	Address, Link string
	Form          frame.Form
}

func (c Pages) loadCode(r *http.Request) (*query.JoinCodeResponse, codeView, error) {
	res, err := query.JoinCode(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return nil, codeView{}, err
	}
	v := c.codeView(res.Workspace.WorkspaceHead, res.Workspace.JoinCode)
	v.Form = frame.FormOf(r)
	return res, v, nil
}

// codeView is a code with what people type and open.
func (c Pages) codeView(ws query.WorkspaceHead, code *query.Code) codeView {
	v := codeView{Workspace: ws, Code: code, Address: c.joinAddress()}
	if code != nil {
		v.Link = c.Config.PublicURL + "/join/" + url.PathEscape(ui.GroupCode(code.Code))
	}
	return v
}

// joinAddress is the page to join without its scheme, as people type it.
func (c Pages) joinAddress() string {
	_, host, _ := strings.Cut(c.Config.PublicURL, "://")
	return host + "/join"
}

// JoinCode is the page of a workspace's join code.
func (c Pages) JoinCode(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadCode(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, workspacePage(v.Workspace, t(r.Context(), "Join code of %s", v.Workspace.Name)), joinCodeContent(v, c.Now()))
}

// AskRotate asks before a new code replaces the old one.
func (c Pages) AskRotate(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadCode(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, workspacePage(v.Workspace, t(r.Context(), "New code for %s", v.Workspace.Name)), rotateContent(v))
}

// ChangeJoinCode switches the code on or off, or makes a new one.
func (c Pages) ChangeJoinCode(w http.ResponseWriter, r *http.Request) error {
	action := query.JoinCodeAction(mux.Vars(r)["action"])
	back := "/workspaces/" + frame.PathID(r) + "/join-code"
	if action == query.JoinCodeActionRotate {
		if err := c.checkRotate(r); err != nil {
			return frame.Again(w, r, err, c.AskRotate)
		}
	}
	res, err := query.ChangeJoinCode(r.Context(), c.Client, frame.PathID(r), action)
	if err != nil {
		return frame.Again(w, r, err, c.JoinCode)
	}
	return c.Done(w, back, codeSentence(r.Context(), action, res.ChangeJoinCode.Enabled))
}

// openingTimes are how long a code can stay open, in minutes.
var openingTimes = []int{5, 10, 15, 30, 45, 60, 90, 24 * 60}

// EnableCodeUntil opens the code for some minutes; it closes by itself.
func (c Pages) EnableCodeUntil(w http.ResponseWriter, r *http.Request) error {
	minutes, err := strconv.Atoi(frame.Text(r, "minutes"))
	if err != nil || !slices.Contains(openingTimes, minutes) {
		return frame.Again(w, r, frame.Invalid("minutes", t(r.Context(), "Choose how long.")), c.JoinCode)
	}
	closes := c.Now().Add(time.Duration(minutes) * time.Minute)
	if _, err := query.EnableCodeUntil(r.Context(), c.Client, frame.PathID(r), closes); err != nil {
		return frame.Again(w, r, err, c.JoinCode)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r)+"/join-code", t(r.Context(), "The code is switched on for %s.", openingText(r.Context(), minutes)))
}

func openingText(ctx context.Context, minutes int) string {
	if minutes%60 == 0 {
		return tn(ctx, "%d hour", "%d hours", minutes/60)
	}
	return tn(ctx, "%d minute", "%d minutes", minutes)
}

func openingOptions(ctx context.Context) []ui.Option {
	var out []ui.Option
	for _, m := range openingTimes {
		out = append(out, ui.Option{Value: strconv.Itoa(m), Text: openingText(ctx, m), Selected: m == 15})
	}
	return out
}

// secondsLeft is how long a code stays open; 0 for one without an end.
func secondsLeft(code *query.Code, now time.Time) int {
	if code == nil || code.ClosesAt == nil {
		return 0
	}
	return max(1, int(code.ClosesAt.Sub(now).Round(time.Second).Seconds()))
}

// checkRotate asks for the typed name while people are joining, for the code in their hands dies.
func (c Pages) checkRotate(r *http.Request) error {
	_, v, err := c.loadCode(r)
	if err != nil {
		return err
	}
	if joining(v.Code) && strings.TrimSpace(v.Workspace.Name) != frame.Text(r, "typed_name") {
		return frame.Invalid("typed_name", t(r.Context(), "That is not its name."))
	}
	return nil
}

// joining tells whether people joined with an enabled code today.
func joining(code *query.Code) bool { return code != nil && code.Enabled && code.JoinedToday > 0 }

func codeSentence(ctx context.Context, action query.JoinCodeAction, enabled bool) string {
	switch {
	case action == query.JoinCodeActionDisable:
		return t(ctx, "The code is switched off. No one can join with it.")
	case action == query.JoinCodeActionEnable:
		return t(ctx, "The code is switched on.")
	case enabled:
		return t(ctx, "There is a new code. The old one is dead.")
	}
	return t(ctx, "There is a new code. It stays switched off until you switch it on.")
}

// rotateQuestion says what a new code does to the old one.
func rotateQuestion(ctx context.Context, v codeView) ui.ConfirmProps {
	p := ui.ConfirmProps{
		ID: "rotate", Title: t(ctx, "Make a new code for %s?", v.Workspace.Name), Text: t(ctx, "The code that is written down now stops working at once, "+
			"and does not come back."),
		Consequences: []string{t(ctx, "Links and QR codes that were handed out are dead"), t(ctx, "Anyone who has joined stays")},
		Form:         ui.FormProps{Action: "/workspaces/" + v.Workspace.Id + "/join-code/rotate"},
		Confirm:      t(ctx, "Make a new code"), CancelHref: "/workspaces/" + v.Workspace.Id + "/join-code", TypedError: v.Form.Error("typed_name"),
	}
	if joining(v.Code) {
		p.Consequences = append(p.Consequences, tn(ctx, "%d person joined with it today; others may be typing it now", "%d people joined with it today; "+
			"others may be typing it now", v.Code.JoinedToday))
		p.TypedName, p.Danger = v.Workspace.Name, true
	}
	return p
}

// Projector shows the code to a room. A disabled code is refused.
func (c Pages) Projector(w http.ResponseWriter, r *http.Request) error {
	_, v, err := c.loadCode(r)
	if err != nil {
		return err
	}
	base := "/workspaces/" + v.Workspace.Id + "/join-code"
	p := ui.ProjectorProps{Name: v.Workspace.Name, Theme: frame.ThemeOf(r), BackHref: base}
	switch {
	case v.Workspace.Archived:
		p.Off = t(r.Context(), "This is archived: no one can join it.")
	case v.Code == nil:
		p.Off = t(r.Context(), "There is no code yet. Go back and make one.")
	case !v.Code.Enabled:
		p.Off = t(r.Context(), "The code is switched off, so it is not shown. Go back and switch it on.")
	default:
		p.Code, p.Address, p.JoinURL = v.Code.Code, v.Address, v.Link
		p.Joined, p.JoinedURL, p.DisablePath = v.Code.JoinedToday, base+"/show/joined", base+"/disable"
		if v.Code.ClosesAt != nil { // without script too the code leaves the wall when it closes
			p.ClosesAt, p.Left = *v.Code.ClosesAt, time.Duration(secondsLeft(v.Code, c.Now()))*time.Second
			w.Header().Set("Refresh", strconv.Itoa(secondsLeft(v.Code, c.Now())+1))
		}
	}
	return frame.Write(w, r, http.StatusOK, ui.Projector(p))
}

// JoinedLive streams the number of people who joined, without a name; it ends when the code is switched off.
func (c Pages) JoinedLive(w http.ResponseWriter, r *http.Request) error {
	s := frame.Subscription{Query: query.WorkspaceChanged_Operation, Name: "WorkspaceChanged", Variables: map[string]any{"id": frame.PathID(r)}}
	return c.Live(w, r, s, func() (templ.Component, bool, error) {
		res, err := query.JoinedToday(r.Context(), c.Client, frame.PathID(r))
		if err != nil {
			return nil, true, err
		}
		code := res.Workspace.JoinCode
		if code == nil {
			return plainText("0"), true, nil
		}
		return plainText(ui.Digits(code.JoinedToday)), !code.Enabled, nil
	})
}

// PrintCode is the code on paper: a poster, or slips.
func (c Pages) PrintCode(w http.ResponseWriter, r *http.Request) error {
	_, v, err := c.loadCode(r)
	if err != nil {
		return err
	}
	frame.NoReferrer(w)
	slips := r.URL.Query().Get("sheet") == "slips"
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Code of %s", v.Workspace.Name), Wide: true}, printContent(v, slips))
}
