package account

import (
	"context"
	"net/http"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// VerifyEmailPage is where the link of a mail confirms an address.
func (c Pages) VerifyEmailPage(w http.ResponseWriter, r *http.Request) error {
	return c.mailPage(w, r, t(r.Context(), "Confirm your address"), verifyEmailContent(r.FormValue("token"), frame.FormOf(r)))
}

// ForgotPasswordPage asks for the address that gets a link to a new password; where there is no mail, it says who helps.
func (c Pages) ForgotPasswordPage(w http.ResponseWriter, r *http.Request) error {
	visit, err := query.Visit(r.Context(), c.Client)
	if err != nil {
		return err
	}
	if !visit.Install.Mail {
		return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Forgot your password?")}, forgotWithoutMailContent())
	}
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Forgot your password?")}, forgotPasswordContent(frame.FormOf(r)))
}

// ResetPasswordPage is where a link sets a new password: one of a mail, or one that an operator handed over.
func (c Pages) ResetPasswordPage(w http.ResponseWriter, r *http.Request) error {
	c.HideAddress(w, r)
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Choose a new password")}, resetPasswordContent(r.FormValue("token"), frame.FormOf(r)))
}

// mailPage shows a page that a mailed link leads to. Nothing is used up before its button is pressed, for mail
// programs and scanners open links too.
func (c Pages) mailPage(w http.ResponseWriter, r *http.Request, title string, content templ.Component) error {
	c.HideAddress(w, r)
	visit, err := query.Visit(r.Context(), c.Client)
	if err != nil {
		return err
	}
	if !visit.Install.Mail {
		return frame.ErrNotFound
	}
	return c.Bare(w, r, ui.BareProps{Title: title}, content)
}

// VerifyEmail confirms an address and signs in.
func (c Pages) VerifyEmail(w http.ResponseWriter, r *http.Request) error {
	res, err := query.VerifyEmail(r.Context(), c.Client, frame.Pasted(r, "token"))
	if err != nil {
		return frame.Again(w, r, usedLink(r.Context(), err), c.VerifyEmailPage)
	}
	return c.enter(w, r, res.VerifyEmail.Token, res.VerifyEmail.ExpiresAt)
}

// ForgotPassword sends the link to a new password; the answer is the same for every address.
func (c Pages) ForgotPassword(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ForgotPassword(r.Context(), c.Client, frame.Text(r, "email")); err != nil {
		return frame.Again(w, r, err, c.ForgotPasswordPage)
	}
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Look into your mail")}, resetSentContent(frame.Text(r, "email")))
}

// ResetPassword sets a new password and signs in.
func (c Pages) ResetPassword(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.ResetPassword(r.Context(), c.Client, frame.Pasted(r, "token"), r.PostForm.Get("password"))
	next := frame.SafePath(frame.CookieValue(r, frame.NextCookie))
	if asked, err := c.awaitStep(w, err, next, t(r.Context(), "Your password is changed. You are signed out everywhere.")); asked {
		return err
	}
	if err != nil {
		return frame.Again(w, r, usedLink(r.Context(), err), c.ResetPasswordPage)
	}
	return c.enter(w, r, res.ResetPassword.Token, res.ResetPassword.ExpiresAt)
}

// enter begins a session and leads to what was wanted before the mail.
func (c Pages) enter(w http.ResponseWriter, r *http.Request, token string, expires time.Time) error {
	c.StartSession(w, token, expires)
	c.SetCookie(w, frame.NextCookie, "", 0)
	return frame.SeeOther(w, frame.PathOr(frame.CookieValue(r, frame.NextCookie), frame.Landing))
}

// usedLink keeps the refusal of a mailed token on its page; signing in would not help.
func usedLink(ctx context.Context, err error) error {
	if frame.HasCode(err, "unauthorized") || frame.HasCode(err, "not_found") {
		return frame.Refusal(http.StatusUnauthorized, "used_link", t(ctx, "This link was used already, has expired, or is not whole."))
	}
	return err
}
