package org

import (
	"context"
	"net/http"
	"strings"
	"unicode"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// joinView is the page to join; a code in the address only prefills it.
type joinView struct {
	Code string
	// Name and Email are whose account joins, empty for visitors.
	Name, Email string
	Form        frame.Form
}

// JoinPage is the page to join with a code.
func (c Pages) JoinPage(w http.ResponseWriter, r *http.Request) error {
	v := joinView{Code: mux.Vars(r)["code"], Form: frame.FormOf(r)}
	if v.Code == "" {
		v.Code = r.FormValue("code")
	}
	switch me, err := query.Joining(r.Context(), c.Client); {
	case err == nil:
		v.Name, v.Email = me.Me.DisplayName, me.Me.Email
	case !frame.HasCode(err, "unauthorized"): // visitors may look at the page
		return err
	}
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Join with a code")}, joinContent(v))
}

// JoinEcho says what was understood of a half-typed code.
func (c Pages) JoinEcho(w http.ResponseWriter, r *http.Request) error {
	return frame.Write(w, r, http.StatusOK, echo(r.FormValue("code")))
}

// Join spends one attempt. A person who is not signed in comes back to the page with the code filled in.
func (c Pages) Join(w http.ResponseWriter, r *http.Request) error {
	code := frame.Text(r, "code")
	res, err := query.JoinWorkspace(r.Context(), c.Client, code)
	if frame.HasCode(err, "unauthorized") {
		return frame.SeeOther(w, frame.WithNext("/login", joinPath(code)))
	}
	if err != nil {
		return frame.Again(w, r, joinRefusal(r.Context(), err), c.JoinPage)
	}
	joined := res.JoinWorkspace
	if joined.WorkspaceId == nil || joined.Workspace == nil {
		return c.Done(w, "/orgs/"+joined.OrganizationId, t(r.Context(), "You have joined."))
	}
	return c.Done(w, "/workspaces/"+*joined.WorkspaceId, welcome(r.Context(), joined.Workspace.Name, joined.Workspace.Organization.Vocabulary))
}

// joinRefusal is a refusal in words for a person who does not know yet what is called a workspace where.
func joinRefusal(ctx context.Context, err error) error {
	if frame.HasCode(err, "join_code_invalid") {
		return frame.Invalid("code", t(ctx, "Nothing can be joined with this code. Check it against the board or the slip, or ask for a new one."))
	}
	return err
}

// welcome says what a person can do who has just joined.
func welcome(ctx context.Context, name string, words frame.Words) string {
	return t(frame.Saying(ctx, words), "Welcome to %s. Choose an app and press Run: the {workspace} pays for it, not you.", name)
}

// LeaveForJoin signs out a person who wants to join with another account, and comes back with the code filled in.
func (c Pages) LeaveForJoin(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOut(r.Context(), c.Client); err != nil && !frame.HasCode(err, "unauthorized") {
		return err
	}
	c.EndSession(w)
	return frame.SeeOther(w, frame.WithNext("/login", joinPath(frame.Text(r, "code"))))
}

// understood are the letters and digits of what was typed, in capitals: what the service looks at.
func understood(code string) string {
	return strings.Map(func(c rune) rune {
		if c = unicode.ToUpper(c); c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, code)
}

// joinPath is the page to join with the code filled in.
func joinPath(code string) string {
	c := understood(code)
	if c == "" {
		return "/join"
	}
	return "/join/" + ui.GroupCode(c[:min(len(c), 32)])
}

// echoSentence says what was understood, and what is missing.
func echoSentence(ctx context.Context, code string) string {
	c := understood(code)
	switch n := len(c); {
	case n == 0:
		return ""
	case n < 8:
		return tn(ctx, "Understood: %[2]s. %[1]d more character.", "Understood: %[2]s. %[1]d more characters.", 8-n, ui.GroupCode(c))
	case n == 8:
		return t(ctx, "Understood: %s.", ui.GroupCode(c))
	default:
		return tn(ctx, "That is %d character too many; a code has eight.", "That is %d characters too many; a code has eight.", n-8)
	}
}
