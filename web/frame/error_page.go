package frame

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"atelier/web/ui"
)

// problem is an error page in plain words: what happened, what to do next.
type problem struct {
	Title     string
	Text      string
	Help      string // who can do something about it
	Next      ui.ButtonProps
	RequestID string
	// Seconds until it is worth trying again, 0 for no matter.
	Seconds int
	Address string // of this page, to try again
}

// errorPage answers with the page of a refusal; a person who is not signed in goes to the sign-in page and comes
// back from there. Failures that are no one's refusal are logged.
func (c *Console) errorPage(w http.ResponseWriter, r *http.Request, err error) {
	e, known := Refused(err)
	requestID := w.Header().Get("X-Request-Id")
	if !known {
		c.Config.Log.ErrorContext(r.Context(), "console page failed", "path", r.URL.Path, "request_id", requestID, "error", err)
	}
	if e.Status == http.StatusUnauthorized && e.Code == "unauthorized" {
		_ = SeeOther(w, loginPath(r))
		return
	}
	if e.Code == "reauthentication_required" {
		if err = c.confirmPage(w, r); err == nil {
			return
		}
		e, _ = Refused(err)
	}
	p := describe(r.Context(), e)
	p.RequestID = requestID
	if waits(e) {
		p.Seconds = retrySeconds(e)
		w.Header().Set("Retry-After", strconv.Itoa(p.Seconds))
		if r.Method == http.MethodGet {
			p.Address = r.URL.RequestURI()
			w.Header().Set("Refresh", strconv.Itoa(p.Seconds))
		} else if e.Status == http.StatusTooManyRequests {
			p.Text = t(r.Context(), "Try it again %s.", ui.Wait(r.Context(), p.Seconds))
		}
	}
	if err := c.writeProblem(w, r, e, p); err != nil {
		c.Config.Log.ErrorContext(r.Context(), "error page failed", "request_id", requestID, "error", err)
		http.Error(w, p.Title+" "+p.Text, e.Status)
	}
}

// Refuse answers a request that was not let in.
func (c *Console) Refuse(w http.ResponseWriter, r *http.Request, e *Error) {
	nonce := newNonce()
	setHeaders(w.Header(), nonce)
	r = atAddress(c.forReader(w, r, nonce))
	said := *e
	said.Said, said.Message = e.Message, c.Client.forPeople(r.Context(), e.Field, e.Message)
	c.errorPage(w, r, &said)
}

// writeProblem shows the problem inside the shell when the person is signed in and the shell loads, else alone.
func (c *Console) writeProblem(w http.ResponseWriter, r *http.Request, e *Error, p problem) error {
	status := e.Status
	if status < 500 && status != http.StatusTooManyRequests {
		if shell, help, err := c.helpShell(r.Context(), e); err == nil {
			var page Page
			shell = c.placedShell(r, shell)
			p, page = placedProblem(r, e, p, shell, help)
			r = c.inZone(w, r, shell)
			return Write(w, r, status, Wrap(ui.Page(c.Shell(r, shell, page)), problemContent(p)))
		} else if status == http.StatusNotFound && HasCode(err, "unauthorized") {
			p.Text = t(r.Context(), "There is nothing at this address, or only people who are signed in see it.")
			p.Next = ui.ButtonProps{Text: t(r.Context(), "Go to the sign-in page"), Href: loginPath(r)}
		}
	}
	return Write(w, r, status, Wrap(ui.Bare(ui.BareProps{Title: p.Title, Theme: ThemeOf(r)}), problemContent(p)))
}

// loginPath is the sign-in page that leads back to what was asked for. A form that was lost leads to the page
// that it stood on.
func loginPath(r *http.Request) string {
	back, query := r.URL.RequestURI(), url.Values{}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		back = "/"
		if from, err := url.Parse(r.Referer()); err == nil && from.Host == r.Host {
			back = from.RequestURI()
		}
		if hadSession(r) {
			query.Set(UnsentField, "1")
		}
	}
	if back = SafePath(back); back != "" && back != "/" {
		query.Set("next", back)
	}
	if len(query) == 0 {
		return "/login"
	}
	return "/login?" + query.Encode()
}

// hadSession tells whether the browser has a session, which has ended.
func hadSession(r *http.Request) bool {
	_, plain := r.Cookie(SessionCookie(false))
	_, secure := r.Cookie(SessionCookie(true))
	return plain == nil || secure == nil
}

// UnsentField tells the sign-in page that a form was sent after the session had ended.
const UnsentField = "unsent"

// describe puts a refusal into plain words.
func describe(ctx context.Context, e *Error) problem {
	e = said(ctx, e)
	home := ui.ButtonProps{Text: t(ctx, "Go to the start page"), Href: "/"}
	if text := SignInProblem(e.Code); text != "" {
		return problem{Title: t(ctx, "You are not signed in"), Text: t(ctx, text), Help: tellWhoRuns(ctx, e.Code), Next: ui.ButtonProps{Text: t(ctx, "Go to the sign-in page"), Href: "/login"}}
	}
	switch {
	case e.Code == "sso_required":
		return problem{Title: t(ctx, "Sign in another way"), Text: t(ctx, "This install asks everyone to sign in through its own provider. Sign out, then use that button."), Next: ui.ButtonProps{Text: t(ctx, "Go to the sign-in page"), Href: "/login"}}
	case e.Code == "second_factor_setup_required":
		return problem{Title: t(ctx, "Set up a second factor first"), Text: e.Message, Next: ui.ButtonProps{Text: t(ctx, "Go to security"), Href: "/account/security"}}
	case e.Code == "not_a_member":
		return problem{Title: t(ctx, "You cannot work here"), Text: t(ctx, "You are not in there, or not any more, or an operator has not approved it. Nothing was changed."), Next: ui.ButtonProps{Text: t(ctx, "Choose where to work"), Href: "/spaces"}}
	case e.Code == "member_suspended", e.Code == "org_not_active", e.Code == "workspace_archived":
		return problem{Title: t(ctx, "This cannot be changed now"), Text: e.Message, Next: home}
	case e.Status == http.StatusNotFound:
		return problem{Title: t(ctx, "Nothing here"), Text: t(ctx, "There is nothing at this address, or you may not see it. Perhaps it was deleted, or you are signed in with another account."), Next: home}
	case e.Status == http.StatusForbidden:
		return problem{Title: t(ctx, "You may not do this"), Text: e.Message, Next: home}
	case e.Code == "stale_version":
		return problem{Title: t(ctx, "Another change came first"), Text: t(ctx, "This was changed by another person while you had it open. Open it again to see what it is now, then make your change."), Next: home}
	case e.Status == http.StatusConflict:
		return problem{Title: t(ctx, "This does not fit any more"), Text: e.Message, Next: home}
	case e.Status == http.StatusTooManyRequests:
		return problem{Title: t(ctx, "Too many attempts"), Text: t(ctx, "Please wait a moment."), Next: home}
	case waits(e):
		return problem{Title: t(ctx, "The service is busy"), Text: t(ctx, "Too many people are here at once. Nothing was changed. Wait a moment, then try again; if you were sending a form, go back first: your browser keeps what you typed."), Next: home}
	case e.Status >= 500:
		return problem{Title: t(ctx, "Something failed on our side"), Text: t(ctx, "It is not your doing, and nothing was half done. Try once more in a moment; if it stays like this, tell the operator of this install the number below."), Next: home}
	}
	return problem{Title: t(ctx, "This was refused"), Text: e.Message, Next: home}
}
