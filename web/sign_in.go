package web

import (
	"net/http"
	"time"

	"atelier/web/query"
	"atelier/web/ui"
)

// loginView is the sign-in page.
type loginView struct {
	Next      string
	Password  bool // the form for address and password is shown
	Providers []SignInProvider
	SignUp    bool
	Forgot    bool   // a forgotten password can be put right by mail
	Problem   string // why an external sign-in was refused
	Form      form
}

func (c *Console) login(w http.ResponseWriter, r *http.Request) error {
	f := formOf(r)
	if f.Err == nil {
		if _, err := query.Frame(r.Context(), c.client); err == nil {
			return seeOther(w, pathOr(r.FormValue("next"), landing))
		}
	}
	visit, err := query.Visit(r.Context(), c.client)
	if err != nil {
		return err
	}
	return c.bare(w, r, ui.BareProps{Title: "Sign in"}, loginContent(loginView{
		Next: SafePath(r.FormValue("next")), Form: f, Providers: c.config.SignIn.Providers,
		Password: !c.config.SignIn.ExternalOnly || r.FormValue("billing") == "1",
		SignUp:   visit.Install.SignUp == "open", Forgot: visit.Install.Mail, Problem: signInProblem(r.URL.Query().Get("error")),
	}))
}

func (c *Console) signIn(w http.ResponseWriter, r *http.Request) error {
	r = withoutOnceKey(r)
	res, err := query.SignIn(r.Context(), c.client, query.SignInInput{Email: text(r, "email"), Password: r.PostForm.Get("password")})
	if hasCode(err, "unauthorized") {
		err = &Error{Status: http.StatusUnauthorized, Code: "wrong_password", Message: "The address or the password is wrong."}
	}
	if err != nil {
		return again(w, r, err, c.login)
	}
	c.startSession(w, res.SignIn.Token, res.SignIn.ExpiresAt)
	workspace := ""
	if last := res.SignIn.User.LastWorkspaceId; last != nil {
		workspace = *last
	}
	c.setCookie(w, WorkspaceCookie, workspace, cookieYear)
	return seeOther(w, pathOr(r.PostForm.Get("next"), landing))
}

// signUpView is the page to make an account.
type signUpView struct {
	Next       string
	Invitation string
	Install    query.Install
	Form       form
}

// operatorCode tells whether the field for the operators' code is shown: to the first one, and to whoever was asked for it.
func (v signUpView) operatorCode() bool {
	return v.Install.AwaitsOperatorCode || v.Form.Error("operatorCode") != "" || v.Form.Value("operatorCode", "") != ""
}

func (c *Console) signUpPage(w http.ResponseWriter, r *http.Request) error {
	visit, err := query.Visit(r.Context(), c.client)
	if err != nil {
		return err
	}
	return c.bare(w, r, ui.BareProps{Title: "Create an account"}, signUpContent(signUpView{
		Next: SafePath(r.FormValue("next")), Invitation: r.FormValue("invitationToken"), Install: visit.Install, Form: formOf(r),
	}))
}

func (c *Console) signUp(w http.ResponseWriter, r *http.Request) error {
	r = withoutOnceKey(r)
	res, err := query.SignUp(r.Context(), c.client, query.SignUpInput{
		Email: text(r, "email"), Password: r.PostForm.Get("password"), DisplayName: text(r, "displayName"), InvitationToken: textOrNil(r, "invitationToken"),
		OperatorCode: textOrNil(r, "operatorCode"),
	})
	if err != nil {
		return again(w, r, err, c.signUpPage)
	}
	next := SafePath(r.PostForm.Get("next"))
	in := res.SignUp.SignedIn
	if in == nil { // the address must be confirmed first; whose it is, the mail says
		c.setCookie(w, nextCookie, next, 24*time.Hour)
		return c.bare(w, r, ui.BareProps{Title: "Look into your mail"}, mailSentContent(text(r, "email")))
	}
	c.startSession(w, in.Token, in.ExpiresAt)
	c.setCookie(w, WorkspaceCookie, "", 0)
	return seeOther(w, pathOr(next, landing))
}

func (c *Console) signOut(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.SignOut(r.Context(), c.client); err != nil && !hasCode(err, "unauthorized") {
		return err
	}
	c.endSession(w)
	return c.done(w, "/login", "You are signed out.")
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
