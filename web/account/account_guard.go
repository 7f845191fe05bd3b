package account

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

// securityPath is the page of how one's account is guarded.
const securityPath = "/account/security"

// fewCodes is from how few recovery codes on the page asks for new ones.
const fewCodes = 3

// securityView is how the account is guarded.
type securityView struct {
	Guard    query.Guard
	Password bool // it signs in with one; without, its provider sees to a second factor
	Passkeys bool // browsers have them for the address of the install
	Form     frame.Form
	Now      time.Time
}

// on tells whether there is a second factor.
func (v securityView) on() bool { return v.Guard.Since != nil }

// asked tells whether an organization asks for a second factor that is not there.
func (v securityView) asked() bool { return v.Password && !v.on() && len(v.Guard.RequiredBy) > 0 }

// Security is the page of how the account is guarded.
func (c Pages) Security(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Security(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v := securityView{Guard: res.SecondFactor, Password: res.Self.HasPassword, Passkeys: c.Config.Passkeys, Form: frame.FormOf(r), Now: c.Now()}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Security"), Section: frame.SectionAccount}, securityContent(v))
}

// totpView is an authenticator app that is being set up.
type totpView struct {
	Secret, URI string // empty where they are not known any more
	Form        frame.Form
}

// grouped is the secret as people type it.
func (v totpView) grouped() string {
	var parts []string
	for rest := v.Secret; rest != ""; {
		n := min(4, len(rest))
		parts, rest = append(parts, rest[:n]), rest[n:]
	}
	return strings.Join(parts, " ")
}

// TotpPage says what an authenticator app is, before one is set up.
func (c Pages) TotpPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	f := frame.FormOf(r)
	v := totpView{Secret: f.Value("secret", ""), URI: f.Value("secretUri", ""), Form: f}
	return c.totpPage(w, r, res.Shell, v)
}

func (c Pages) totpPage(w http.ResponseWriter, r *http.Request, shell query.Shell, v totpView) error {
	if !strings.HasPrefix(v.URI, "otpauth://totp/") || len(v.URI) > 1000 || len(v.Secret) > 100 {
		v.Secret, v.URI = "", ""
	}
	frame.HoldSecret(w)
	return c.Page(w, r, shell, frame.Page{Title: t(r.Context(), "Set up an authenticator app"), Section: frame.SectionAccount}, totpContent(v))
}

// BeginTotp shows the secret of a new authenticator app, once.
func (c Pages) BeginTotp(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.BeginTotp(r.Context(), c.Client)
	if err != nil {
		return frame.Again(w, r, err, c.Security)
	}
	page, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.totpPage(w, r, page.Shell, totpView{Secret: res.BeginTotp.Secret, URI: res.BeginTotp.Uri})
}

// ConfirmTotp turns the codes of the app on, and shows the recovery codes.
func (c Pages) ConfirmTotp(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.ConfirmTotp(r.Context(), c.Client, frame.Text(r, "code"))
	if err != nil {
		return frame.Again(w, r, err, c.TotpPage)
	}
	return c.recoveryPage(w, r, t(r.Context(), "The app is asked for now when you sign in. Keep these codes before you go on."), res.ConfirmTotp)
}

// RemoveTotp turns the codes of the app off.
func (c Pages) RemoveTotp(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemoveTotp(r.Context(), c.Client); err != nil {
		return frame.Again(w, r, err, c.Security)
	}
	return c.Done(w, securityPath, t(r.Context(), "The authenticator app is not asked for any more."))
}

// CreateRecoveryCodes makes new recovery codes, and shows them once.
func (c Pages) CreateRecoveryCodes(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.CreateRecoveryCodes(r.Context(), c.Client)
	if err != nil {
		return frame.Again(w, r, err, c.Security)
	}
	return c.recoveryPage(w, r, t(r.Context(), "These are your new recovery codes. The earlier ones stopped working."), res.CreateRecoveryCodes)
}

func (c Pages) recoveryPage(w http.ResponseWriter, r *http.Request, said string, codes []string) error {
	page, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	frame.HoldSecret(w)
	return c.Page(w, r, page.Shell, frame.Page{Title: t(r.Context(), "Recovery codes"), Section: frame.SectionAccount}, recoveryContent(said, codes, page.Shell.Me.Email))
}

// codesAddress is a text file of the codes, as an address that holds it: the service keeps none.
func codesAddress(ctx context.Context, codes []string, email string) string {
	head := t(ctx, "Recovery codes of %s", email) + "\r\n" + t(ctx, "Each works once, in place of the second step.") + "\r\n\r\n"
	return "data:text/plain;charset=utf-8," + url.PathEscape(head+strings.Join(codes, "\r\n")+"\r\n")
}

// leftOf says how many recovery codes are left.
func leftOf(ctx context.Context, n int) string {
	if n == 0 {
		return t(ctx, "None is left.")
	}
	return tn(ctx, "%d code is left.", "%d codes are left.", n)
}
