package account

import (
	"net/http"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// loginView is the sign-in page.
type loginView struct {
	Next      string
	Password  bool // the form for address and password is shown
	Providers []frame.SignInProvider
	SignUp    bool
	Forgot    bool   // a forgotten password can be put right by mail
	Problem   string // why an external sign-in was refused
	Form      frame.Form
}

// Login is the sign-in page; whoever is signed in goes on from it.
func (c Pages) Login(w http.ResponseWriter, r *http.Request) error {
	f := frame.FormOf(r)
	if f.Err == nil {
		if _, err := query.Frame(r.Context(), c.Client); err == nil {
			return frame.SeeOther(w, frame.PathOr(r.FormValue("next"), frame.Landing))
		}
	}
	visit, err := query.Visit(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Bare(w, r, ui.BareProps{Title: "Sign in"}, loginContent(loginView{
		Next: frame.SafePath(r.FormValue("next")), Form: f, Providers: c.Config.SignIn.Providers,
		Password: !c.Config.SignIn.ExternalOnly || r.FormValue("billing") == "1",
		SignUp:   visit.Install.SignUp == "open", Forgot: visit.Install.Mail, Problem: signInProblem(r.URL.Query().Get("error")),
	}))
}

// SignIn starts a session.
func (c Pages) SignIn(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.SignIn(r.Context(), c.Client, query.SignInInput{Email: frame.Text(r, "email"), Password: r.PostForm.Get("password")})
	if frame.HasCode(err, "unauthorized") {
		err = &frame.Error{Status: http.StatusUnauthorized, Code: "wrong_password", Message: "The address or the password is wrong."}
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
	Install    query.Install
	Form       frame.Form
}

// operatorCode tells whether the field for the operators' code is shown: to the first one, and to whoever was asked for it.
func (v signUpView) operatorCode() bool {
	return v.Install.AwaitsOperatorCode || v.Form.Error("operatorCode") != "" || v.Form.Value("operatorCode", "") != ""
}

// SignUpPage is the page to make an account.
func (c Pages) SignUpPage(w http.ResponseWriter, r *http.Request) error {
	visit, err := query.Visit(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Bare(w, r, ui.BareProps{Title: "Create an account"}, signUpContent(signUpView{
		Next: frame.SafePath(r.FormValue("next")), Invitation: r.FormValue("invitationToken"), Install: visit.Install, Form: frame.FormOf(r),
	}))
}

// SignUp makes an account, and starts a session where no mail has to be answered first.
func (c Pages) SignUp(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	res, err := query.SignUp(r.Context(), c.Client, query.SignUpInput{
		Email: frame.Text(r, "email"), Password: r.PostForm.Get("password"), DisplayName: frame.Text(r, "displayName"), InvitationToken: frame.TextOrNil(r, "invitationToken"),
		OperatorCode: frame.TextOrNil(r, "operatorCode"),
	})
	if err != nil {
		return frame.Again(w, r, err, c.SignUpPage)
	}
	next := frame.SafePath(r.PostForm.Get("next"))
	in := res.SignUp.SignedIn
	if in == nil { // the address must be confirmed first; whose it is, the mail says
		c.SetCookie(w, frame.NextCookie, next, 24*time.Hour)
		return c.Bare(w, r, ui.BareProps{Title: "Look into your mail"}, mailSentContent(frame.Text(r, "email")))
	}
	c.StartSession(w, in.Token, in.ExpiresAt)
	return frame.SeeOther(w, frame.PathOr(next, frame.Landing))
}

// SignOut ends the session.
func (c Pages) SignOut(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOut(r.Context(), c.Client); err != nil && !frame.HasCode(err, "unauthorized") {
		return err
	}
	c.EndSession(w)
	return c.Done(w, "/login", "You are signed out.")
}

// signInProblem puts the code of a refused external sign-in into words; unknown codes get a general sentence.
func signInProblem(code string) string {
	switch code {
	case "":
		return ""
	case "email_unverified":
		return "Your provider has not confirmed your address yet. Confirm it there, then sign in once more."
	case "account_exists":
		return "This sign-in cannot be connected to an account here. Sign in the way you did before, or ask whoever runs this install."
	case "account_linked_other_provider":
		return "Your account is connected to another provider. Use that one."
	case "account_linked_other_subject":
		return "This account belongs to another sign-in of your provider. Ask whoever runs this install."
	case "expired", "assertion_replayed", "too_long_lived":
		return "This sign-in was too old or had been used before. Start once more."
	case "unknown_provider", "no_assertion", "not_assertion_provider":
		return "This way to sign in is not set up here."
	}
	return "Your provider's answer could not be accepted. Start once more; if it stays like this, tell whoever runs this install."
}
