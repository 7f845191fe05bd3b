package web

import (
	"net/http"

	"atelier/web/query"
)

// changePassword keeps the person signed in here; whoever else was signed in is not.
func (c *Console) changePassword(w http.ResponseWriter, r *http.Request) error {
	r = withoutOnceKey(r)
	revoke := r.PostForm.Get("revokeTokens") != ""
	_, err := query.ChangePassword(r.Context(), c.client, query.ChangePasswordInput{
		CurrentPassword: r.PostForm.Get("currentPassword"), NewPassword: r.PostForm.Get("newPassword"), RevokeTokens: revoke,
	})
	if err != nil {
		return again(w, r, err, c.account)
	}
	if revoke {
		return c.done(w, "/account", "Your password is changed. You are signed out everywhere else, and your API tokens are revoked.")
	}
	return c.done(w, "/account", "Your password is changed. You are signed out everywhere else.")
}

func (c *Console) endOneSession(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.EndSession(r.Context(), c.client, pathID(r)); err != nil {
		return again(w, r, err, c.account)
	}
	return c.done(w, "/account", "Signed out there, at once.")
}

func (c *Console) signOutEverywhere(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOutEverywhere(r.Context(), c.client); err != nil {
		return again(w, r, err, c.account)
	}
	c.endSession(w)
	return c.done(w, "/login", "You are signed out everywhere.")
}

func (c *Console) proveOperator(w http.ResponseWriter, r *http.Request) error {
	r = withoutOnceKey(r)
	if _, err := query.ProveOperator(r.Context(), c.client, text(r, "operatorCode")); err != nil {
		return again(w, r, err, c.account)
	}
	return c.done(w, "/operator", "You are an operator of this install.")
}
