package account

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// ChangePassword keeps the person signed in here; everyone else who was signed in is not.
func (c Pages) ChangePassword(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	revoke := r.PostForm.Get("revokeTokens") != ""
	_, err := query.ChangePassword(r.Context(), c.Client, query.ChangePasswordInput{
		CurrentPassword: r.PostForm.Get("currentPassword"), NewPassword: r.PostForm.Get("newPassword"), RevokeTokens: revoke,
	})
	if err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	if revoke {
		return c.Done(w, "/account", t(r.Context(), "Your password is changed. You are signed out everywhere else, and your API tokens are revoked."))
	}
	return c.Done(w, "/account", t(r.Context(), "Your password is changed. You are signed out everywhere else."))
}

// EndOneSession signs the person out somewhere else.
func (c Pages) EndOneSession(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.EndSession(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", t(r.Context(), "Signed out there, at once."))
}

// EndOtherSessions signs the person out everywhere but here.
func (c Pages) EndOtherSessions(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.EndOtherSessions(r.Context(), c.Client); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/account", t(r.Context(), "Signed out everywhere else, at once."))
}

// SignOutEverywhere ends every session of the person, this one too.
func (c Pages) SignOutEverywhere(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOutEverywhere(r.Context(), c.Client); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	c.EndSession(w)
	return c.Done(w, "/login", t(r.Context(), "You are signed out everywhere."))
}

// ProveOperator makes the one who knows the operators' code one of them.
func (c Pages) ProveOperator(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	if _, err := query.ProveOperator(r.Context(), c.Client, frame.Text(r, "operatorCode")); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	return c.Done(w, "/operator", t(r.Context(), "You are an operator of this install."))
}
