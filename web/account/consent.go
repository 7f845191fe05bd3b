package account

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// consentView is the question whether an app may act for the person.
type consentView struct {
	Asked    asked
	App      query.AskingApp
	Person   query.ActingPerson
	Receiver receiver
	Scopes   []query.OAuthScope
	Granted  []query.OAuthScope
	// Changed is set where another person is signed in now than the page was shown to.
	Changed bool
	// Refusal is why a request cannot be allowed at all, "" where it can.
	Refusal string
	Form    frame.Form
}

// Consent asks whether an app may act for the person (contract 1, "Authentication" 6). What needs no question, and what
// is refused for the app's own fault, goes to the app at once; of an app that registered itself nothing does before the
// person sends it there, and a request that does not say surely whom it comes from goes nowhere.
func (c Pages) Consent(w http.ResponseWriter, r *http.Request) error {
	c.HideAddress(w, r)
	if name := r.URL.Query().Get("asked"); name != "" && r.Method != http.MethodPost {
		path, err := askedBefore(r, name)
		if err != nil {
			return c.consentProblem(w, r, err)
		}
		c.SetCookie(w, askedCookie, "", 0)
		return frame.SeeOther(w, path)
	}
	a, err := askedIn(r)
	if err != nil {
		return c.consentProblem(w, r, err)
	}
	res, err := query.Authorization(r.Context(), c.Client, a.input())
	if frame.HasCode(err, "unauthorized") {
		return c.signInFor(w, a)
	}
	if err != nil {
		return c.consentProblem(w, r, err)
	}
	found := res.Authorization
	to, ok := receiverOf(found.RedirectUri)
	if !ok {
		return c.consentProblem(w, r, frame.Invalid("redirectUri", t(r.Context(), "The answer would go to an address that no browser may be sent to.")))
	}
	if found.Answer != nil {
		return c.answer(w, r, *found.Answer, to, ofOwnForm(r))
	}
	allowFormsTo(w, to)
	v := consentView{
		Asked: a, App: found.App, Person: res.Me, Receiver: to, Scopes: found.Scopes, Granted: found.Granted, Form: frame.FormOf(r),
		Changed: r.Method == http.MethodPost && frame.Text(r, "account") != res.Me.Id,
	}
	v.App.Name = plainName(r.Context(), v.App.Name)
	if found.Refusal != nil {
		v.Refusal = *found.Refusal
		return frame.Write(w, r, http.StatusBadRequest, frame.Wrap(ui.Bare(ui.BareProps{
			Title: t(r.Context(), "This request cannot be allowed"), Theme: frame.ThemeOf(r),
		}), refusedRequestContent(v)))
	}
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Let an app act for you?"), Wide: true, Scripts: []string{"oauth.js"}}, consentContent(v))
}

// Decide takes the answer of the person and carries it to the app.
func (c Pages) Decide(w http.ResponseWriter, r *http.Request) error {
	c.HideAddress(w, r)
	r = frame.WithoutOnceKey(r) // what is made here is a code, which no store may keep
	a, err := askedIn(r)
	if err != nil {
		return c.consentProblem(w, r, err)
	}
	decision := frame.Text(r, "decision")
	if decision == "switch" {
		return c.switchAccount(w, r, a)
	}
	me, err := query.ActingAccount(r.Context(), c.Client)
	if frame.HasCode(err, "unauthorized") {
		return c.signInFor(w, a)
	}
	if err != nil {
		return err
	}
	if frame.Text(r, "account") != me.Me.Id || decision != "allow" && decision != "refuse" {
		return c.Consent(w, r)
	}
	address, err := c.decided(r, a, decision == "allow")
	if frame.HasCode(err, "unauthorized") {
		return c.signInFor(w, a)
	}
	if err != nil {
		if e, _ := frame.Refused(err); e.Field != "" {
			return c.consentProblem(w, r, err)
		}
		return frame.Again(w, r, err, c.Consent)
	}
	to, ok := receiverOf(address)
	if !ok {
		return c.consentProblem(w, r, frame.Invalid("redirectUri", t(r.Context(), "The answer would go to an address that no browser may be sent to.")))
	}
	return c.answer(w, r, address, to, to.source == "" || frame.ConfirmedHere(r))
}

// decided is where the browser goes with the person's answer.
func (c Pages) decided(r *http.Request, a asked, allow bool) (string, error) {
	if !allow {
		res, err := query.DenyAuthorization(r.Context(), c.Client, a.input())
		if err != nil {
			return "", err
		}
		return res.DenyAuthorization, nil
	}
	res, err := query.ApproveAuthorization(r.Context(), c.Client, a.input())
	if err != nil {
		return "", err
	}
	return res.ApproveAuthorization, nil
}

// switchAccount signs out and comes back with the account that signs in then.
func (c Pages) switchAccount(w http.ResponseWriter, r *http.Request, a asked) error {
	if _, err := query.SignOut(r.Context(), c.Client); err != nil && !frame.HasCode(err, "unauthorized") {
		return err
	}
	c.EndSession(w)
	return c.signInFor(w, a)
}

// answer sends the browser to the app. Browsers hold the whole way of a form against the policy of the page that it
// stood on: where that page could not allow the app's address, this one ends the way, and another begins from here.
func (c Pages) answer(w http.ResponseWriter, r *http.Request, address string, to receiver, pause bool) error {
	if !pause {
		w.Header().Set("Location", address)
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	w.Header().Set("Refresh", "0;url="+address)
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Going back")}, goingBackContent(address, to))
}

// ofOwnForm tells whether the request may stand at the end of a form of this site: that of signing in.
func ofOwnForm(r *http.Request) bool { return r.Header.Get("Sec-Fetch-Site") == "same-origin" }

// allowFormsTo lets the forms of a page lead to one more origin, and to no other.
func allowFormsTo(w http.ResponseWriter, to receiver) {
	if to.source == "" {
		return
	}
	policy := w.Header().Get("Content-Security-Policy")
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "form-action 'self'", "form-action 'self' "+to.source, 1))
}

// consentFault is what is wrong with a request that goes nowhere, and what to do.
type consentFault struct{ Title, Text, Next, Detail string }

// consentProblem shows what is wrong with a request that cannot be answered. It leads nowhere.
func (c Pages) consentProblem(w http.ResponseWriter, r *http.Request, err error) error {
	e, known := frame.Refused(err)
	if !known || e.Status != http.StatusBadRequest && e.Status != http.StatusNotFound {
		return err
	}
	return frame.Write(w, r, http.StatusBadRequest, frame.Wrap(ui.Bare(ui.BareProps{
		Title: t(r.Context(), "This request cannot be answered"), Theme: frame.ThemeOf(r),
	}), consentProblemContent(faultOf(r.Context(), e))))
}

func faultOf(ctx context.Context, e *frame.Error) consentFault {
	const again = "Go back to the app and begin there once more. If it stays like this, tell the people who make the app what is written below."
	switch {
	case e.Field == "clientId" || e.Status == http.StatusNotFound:
		return consentFault{
			Title: t(ctx, "This app is not known here"), Next: again, Detail: e.Message,
			Text: t(ctx, "Something sent you here to let it act for you, but no app of that id is registered. Perhaps it was deleted, or it belongs to another install."),
		}
	case e.Field == "redirectUri":
		return consentFault{
			Title: t(ctx, "The app's address does not fit"), Next: again, Detail: e.Message,
			Text: t(ctx, "The answer would go to an address that is not registered for this app, so nothing was sent there. That is a mistake of the app, or an attempt to read along."),
		}
	}
	return consentFault{Title: t(ctx, "This request cannot be answered"), Text: t(ctx, "Nothing was allowed, and nothing was sent."), Next: again, Detail: e.Message}
}
