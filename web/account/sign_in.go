package account

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// loginView is the sign-in page.
type loginView struct {
	Next     string
	Password bool // the form for address and password is shown
	// PasswordFirst is whether that form comes before the providers, as in the profile.
	PasswordFirst bool
	Billing       bool // that form is for the account that pays alone (contract 3, "Deployment with a billing account")
	Providers     []query.SignInPageInstallSignInSignInOfferProvidersSignInProvider
	Passkeys      bool // people can sign in with a passkey alone
	SignUp        bool
	Problem       string // why an external sign-in was refused
	Form          frame.Form
}

// joinCode is the code that a person typed before they were asked to sign in.
func (v loginView) joinCode() string { return joinCodeIn(v.Next) }

// joinCodeIn is the join code that a page to go on to is of; empty without one.
func joinCodeIn(next string) string {
	code, found := strings.CutPrefix(next, "/join/")
	if !found || len(code) > 12 {
		return ""
	}
	return code
}

func (v loginView) title(ctx context.Context) string {
	if code := v.joinCode(); code != "" {
		return t(ctx, "Join with %s", code)
	}
	return t(ctx, "Sign in")
}

// Login is the sign-in page as the surface profile has it; the one who is signed in goes on from it.
func (c Pages) Login(w http.ResponseWriter, r *http.Request) error {
	f := frame.FormOf(r)
	if f.Err == nil {
		if _, err := query.Frame(r.Context(), c.Client); err == nil {
			return frame.SeeOther(w, frame.PathOr(r.FormValue("next"), frame.Landing))
		}
	}
	page, err := query.SignInPage(r.Context(), c.Client)
	if err != nil {
		return err
	}
	offer := page.Install.SignIn
	email := slices.Contains(offer.Methods, "email")
	v := loginView{
		Next: frame.SafePath(r.FormValue("next")), Form: f, Providers: offer.Providers, Password: email, Passkeys: email && c.Config.Passkeys,
		PasswordFirst: email && offer.Methods[0] == "email",
		SignUp:        email && page.Install.SignUp == "open", Problem: signInProblem(r.Context(), r.URL.Query().Get("error")),
	}
	if v.Problem == "" && r.URL.Query().Has(frame.UnsentField) {
		v.Problem = t(r.Context(), "You were signed out in the meantime, so nothing was changed. Sign in, and send it once more.")
	}
	if !email && (r.FormValue("billing") == "1" || f.Err != nil) {
		v.Password, v.Billing = true, true
	}
	return c.Bare(w, r, ui.BareProps{Title: v.title(r.Context())}, loginContent(v))
}

// SignIn starts a session.
func (c Pages) SignIn(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.SignIn(r.Context(), c.Client, query.SignInInput{Email: frame.Text(r, "email"), Password: r.PostForm.Get("password"), Page: true})
	if asked, err := c.awaitStep(w, err, frame.SafePath(r.PostForm.Get("next")), ""); asked {
		return err
	}
	if frame.HasCode(err, "unauthorized") {
		err = &frame.Error{Status: http.StatusUnauthorized, Code: "wrong_password", Message: t(r.Context(), "The address or the password is wrong.")}
	}
	if err != nil {
		return frame.Again(w, r, err, c.Login)
	}
	c.StartSession(w, res.SignIn.Token, res.SignIn.ExpiresAt)
	return frame.SeeOther(w, frame.PathOr(r.PostForm.Get("next"), frame.Landing))
}

// signUpView is the page to make an account.
type signUpView struct {
	Next       string
	Invitation string
	Name       string // as the one who invited the person wrote it
	Invited    string // the invited address, masked
	Install    query.Install
	Form       frame.Form
}

// operatorCode tells whether the field for the operators' code is shown: to the first one, and to the one who was asked for it.
func (v signUpView) operatorCode() bool {
	return v.Install.AwaitsOperatorCode || v.Form.Error("operatorCode") != "" || v.Form.Value("operatorCode", "") != ""
}

// lead says that a join code that was typed before is kept.
func (v signUpView) lead(ctx context.Context) string {
	if code := joinCodeIn(v.Next); code != "" {
		return t(ctx, "You join with the code %s right after. It is kept until then.", code)
	}
	return ""
}

// SignUpPage is the page to make an account.
func (c Pages) SignUpPage(w http.ResponseWriter, r *http.Request) error {
	v := signUpView{Next: frame.SafePath(r.FormValue("next")), Invitation: r.FormValue("invitationToken"), Form: frame.FormOf(r)}
	if v.Invitation != "" {
		if visit, err := query.InvitedVisit(r.Context(), c.Client, v.Invitation); err == nil {
			v.Install, v.Name, v.Invited = visit.Install, visit.InvitationByToken.Name, visit.InvitationByToken.Email
			return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Create an account")}, signUpContent(v))
		}
	}
	visit, err := query.Visit(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v.Install = visit.Install
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Create an account")}, signUpContent(v))
}

// SignUp makes an account, and starts a session where no mail has to be answered first.
func (c Pages) SignUp(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.SignUp(r.Context(), c.Client, query.SignUpInput{
		Email: frame.Text(r, "email"), Password: r.PostForm.Get("password"), DisplayName: frame.Text(r, "displayName"), InvitationToken: frame.PastedOrNil(r, "invitationToken"),
		OperatorCode: frame.PastedOrNil(r, "operatorCode"),
	})
	if err != nil {
		return frame.Again(w, r, err, c.SignUpPage)
	}
	next := frame.SafePath(r.PostForm.Get("next"))
	in := res.SignUp.SignedIn
	if in == nil { // the address must be confirmed first; whose it is, the mail says
		c.SetCookie(w, frame.NextCookie, next, 24*time.Hour)
		return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Look into your mail")}, mailSentContent(frame.Text(r, "email")))
	}
	c.StartSession(w, in.Token, in.ExpiresAt)
	if frame.Text(r, "operatorCode") != "" && !in.User.IsOperator {
		said := t(r.Context(), "Your account is created, but it is not an operator's: %s is not one of PLATFORM_OPERATOR_EMAILS.", frame.Text(r, "email"))
		return c.DoneWith(w, frame.PathOr(next, frame.Landing), frame.Outcome{Sentence: said, Tone: ui.Warn})
	}
	return frame.SeeOther(w, frame.PathOr(next, frame.Landing))
}

// SignOut ends the session.
func (c Pages) SignOut(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOut(r.Context(), c.Client); err != nil && !frame.HasCode(err, "unauthorized") {
		return err
	}
	c.EndSession(w)
	return c.Done(w, "/login", t(r.Context(), "You are signed out."))
}

// signInProblem puts the code of a refused external sign-in into words; unknown codes get a general sentence.
func signInProblem(ctx context.Context, code string) string {
	if code == "" {
		return ""
	}
	return cmp.Or(frame.SignInProblem(code), t(ctx, "Your provider's answer could not be accepted. Start once more; if it stays like this, tell the operator of this install."))
}
