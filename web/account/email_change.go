package account

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// EmailPage asks for another address of the account.
func (c Pages) EmailPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.EmailPage(r.Context(), c.Client)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Change your address"), Section: frame.SectionAccount}
	return c.Page(w, r, res.Shell, at, emailChangeContent(res.Shell.Me.Email, res.Install.Mail, frame.FormOf(r)))
}

// RequestEmailChange mails a link to the new address.
func (c Pages) RequestEmailChange(w http.ResponseWriter, r *http.Request) error {
	email := frame.Text(r, "email")
	if _, err := query.RequestEmailChange(r.Context(), c.Client, email); err != nil {
		return frame.Again(w, r, err, c.EmailPage)
	}
	return c.Done(w, "/account", t(r.Context(), "We sent a link to %s. Your address changes once you open it there.", ui.Short(email, 120)))
}

// ConfirmEmailPage is where that link leads.
func (c Pages) ConfirmEmailPage(w http.ResponseWriter, r *http.Request) error {
	return c.mailPage(w, r, t(r.Context(), "Confirm your new address"), confirmEmailContent(r.FormValue("token"), frame.FormOf(r)))
}

// ConfirmEmailChange gives the account its new address.
func (c Pages) ConfirmEmailChange(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ConfirmEmailChange(r.Context(), c.Client, frame.Pasted(r, "token")); err != nil {
		return frame.Again(w, r, usedLink(r.Context(), err), c.ConfirmEmailPage)
	}
	return c.Done(w, "/account", t(r.Context(), "Your address is changed. Sign in with the new one from now on."))
}
