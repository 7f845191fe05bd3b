package web

import (
	"net/http"
	"time"

	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

func (c *Console) verifyEmailPage(w http.ResponseWriter, r *http.Request) error {
	return c.mailPage(w, r, "Confirm your address", verifyEmailContent(r.FormValue("token"), formOf(r)))
}

func (c *Console) forgotPasswordPage(w http.ResponseWriter, r *http.Request) error {
	return c.mailPage(w, r, "Forgot your password?", forgotPasswordContent(formOf(r)))
}

func (c *Console) resetPasswordPage(w http.ResponseWriter, r *http.Request) error {
	return c.mailPage(w, r, "Choose a new password", resetPasswordContent(r.FormValue("token"), formOf(r)))
}

// mailPage shows a page that a mailed link leads to. Nothing is used up before its button is pressed, for mail
// programs and scanners open links too.
func (c *Console) mailPage(w http.ResponseWriter, r *http.Request, title string, content templ.Component) error {
	c.hideAddress(w, r)
	visit, err := query.Visit(r.Context(), c.client)
	if err != nil {
		return err
	}
	if !visit.Install.Mail {
		return errNotFound
	}
	return c.bare(w, r, ui.BareProps{Title: title}, content)
}

func (c *Console) verifyEmail(w http.ResponseWriter, r *http.Request) error {
	res, err := query.VerifyEmail(r.Context(), c.client, text(r, "token"))
	if err != nil {
		return again(w, r, usedLink(err), c.verifyEmailPage)
	}
	return c.enter(w, r, res.VerifyEmail.Token, res.VerifyEmail.ExpiresAt)
}

func (c *Console) forgotPassword(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ForgotPassword(r.Context(), c.client, text(r, "email")); err != nil {
		return again(w, r, err, c.forgotPasswordPage)
	}
	return c.bare(w, r, ui.BareProps{Title: "Look into your mail"}, resetSentContent(text(r, "email")))
}

func (c *Console) resetPassword(w http.ResponseWriter, r *http.Request) error {
	r = withoutOnceKey(r)
	res, err := query.ResetPassword(r.Context(), c.client, text(r, "token"), r.PostForm.Get("password"))
	if err != nil {
		return again(w, r, usedLink(err), c.resetPasswordPage)
	}
	return c.enter(w, r, res.ResetPassword.Token, res.ResetPassword.ExpiresAt)
}

// enter begins a session and leads to what was wanted before the mail.
func (c *Console) enter(w http.ResponseWriter, r *http.Request, token string, expires time.Time) error {
	c.startSession(w, token, expires)
	c.setCookie(w, WorkspaceCookie, "", 0)
	c.setCookie(w, nextCookie, "", 0)
	return seeOther(w, pathOr(cookieValue(r, nextCookie), landing))
}

// usedLink keeps the refusal of a mailed token on its page; signing in would not help.
func usedLink(err error) error {
	if hasCode(err, "unauthorized") {
		return refusal(http.StatusUnauthorized, "used_link", "This link was used already, has expired, or is not whole.")
	}
	return err
}
