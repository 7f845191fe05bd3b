package rest

import (
	"context"
	"net/http"

	"atelier/models"
	"atelier/models/account"
)

// SignOutPath ends a session, which must always be possible.
const SignOutPath = "/auth/sign-out"

// signInRoutes are the JSON forms of signing in; the console posts forms to
// the same addresses.
func (a *API) signInRoutes() {
	const tag = "Signing in"
	handle(a, route{Method: "POST", Path: "/auth/sign-up", Tag: tag, Summary: "Create an account and begin a session", Public: true, Status: 201, Also: 202}, a.signUp)
	handle(a, route{Method: "POST", Path: "/auth/sign-in", Tag: tag, Summary: "Begin a session", Public: true}, a.signIn)
	handle(a, route{Method: "POST", Path: "/auth/second-factor", Tag: tag, Summary: "Begin a session with the second step of a sign-in", Public: true}, a.secondFactor)
	a.passkeyRoutes(tag)
	handle(a, route{Method: "POST", Path: SignOutPath, Tag: tag, Summary: "End the session everywhere at once"}, a.signOut)
}

type signUpInput struct {
	Body struct {
		Email           string  `json:"email"`
		Password        string  `json:"password" doc:"At least 10 characters."`
		DisplayName     string  `json:"displayName"`
		InvitationToken *string `json:"invitationToken,omitempty" doc:"Of an invitation's link; needed where new accounts are by invitation and the install sends no mail."`
		OperatorCode    *string `json:"operatorCode,omitempty" doc:"For an operator's address on an install without mail: the code that the service prints at its start. Others may leave it out."`
	}
}

type signInInput struct {
	Body struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
}

type signedInView struct {
	User struct {
		ID          models.ID `json:"id"`
		Email       string    `json:"email"`
		DisplayName string    `json:"displayName"`
	} `json:"user"`
	Token     string    `json:"token" doc:"The session JWT: send it as a bearer token."`
	ExpiresAt timestamp `json:"expiresAt"`
}

// sessionReply is { data: session } with the session's cookie.
type sessionReply struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
	Body      struct {
		Data signedInView `json:"data"`
	}
}

// signUpReply is a session, or 202 { success: true } where the address must be
// confirmed by mail first.
type signUpReply struct {
	Status    int
	SetCookie string `header:"Set-Cookie"`
	Body      struct {
		Data    *signedInView `json:"data,omitempty" doc:"On installs without mail."`
		Success bool          `json:"success,omitempty" doc:"On installs with mail, with 202 and for every address alike: the mail says how to go on."`
	}
}

func (a *API) signUp(ctx context.Context, in *signUpInput) (*signUpReply, error) {
	result, err := a.mutation().SignUp(ctx, account.SignUpInput{
		Email: in.Body.Email, Password: in.Body.Password, DisplayName: in.Body.DisplayName, InvitationToken: in.Body.InvitationToken,
		OperatorCode: in.Body.OperatorCode,
	})
	if err != nil {
		return nil, err
	}
	reply := &signUpReply{Status: http.StatusAccepted}
	if result.SignedIn == nil {
		reply.Body.Success = true
		return reply, nil
	}
	session := a.sessionReply(result.SignedIn)
	reply.Status, reply.SetCookie, reply.Body.Data = http.StatusCreated, session.SetCookie.String(), &session.Body.Data
	return reply, nil
}

func (a *API) signIn(ctx context.Context, in *signInInput) (*sessionReply, error) {
	signedIn, err := a.mutation().SignIn(ctx, account.SignInInput{Email: in.Body.Email, Password: in.Body.Password})
	if err != nil {
		return nil, err
	}
	return a.sessionReply(signedIn), nil
}

type secondFactorInput struct {
	Body struct {
		SecondFactorToken string         `json:"secondFactorToken" doc:"Of the refused sign-in: five minutes, one use, five tries."`
		Code              *string        `json:"code,omitempty" doc:"Of the authenticator app, or a recovery code."`
		Passkey           *passkeyAnswer `json:"passkey,omitempty" doc:"Instead of a code."`
	}
}

func (a *API) secondFactor(ctx context.Context, in *secondFactorInput) (*sessionReply, error) {
	step := account.SecondStepInput{SecondFactorToken: in.Body.SecondFactorToken, Code: in.Body.Code}
	if p := in.Body.Passkey; p != nil {
		answer, err := p.answer()
		if err != nil {
			return nil, err
		}
		step.Passkey = answer
	}
	signedIn, err := a.mutation().CompleteSignIn(ctx, step)
	if err != nil {
		return nil, err
	}
	return a.sessionReply(signedIn), nil
}

func (a *API) signOut(ctx context.Context, _ *struct{}) (*success, error) {
	_, err := a.mutation().SignOut(ctx)
	return succeeded(err)
}

func (a *API) sessionReply(s *account.SignedIn) *sessionReply {
	reply := &sessionReply{SetCookie: http.Cookie{
		Name: a.SessionCookie, Value: s.Token, Path: "/", Expires: s.ExpiresAt,
		HttpOnly: true, Secure: a.SecureCookies, SameSite: http.SameSiteLaxMode,
	}}
	view := &reply.Body.Data
	view.User.ID, view.User.Email, view.User.DisplayName = s.User.ID, s.User.Email, s.User.DisplayName
	view.Token, view.ExpiresAt = s.Token, timestamp(s.ExpiresAt)
	return reply
}

// emailRoutes are what mailed links lead to; they exist on installs that send mail.
func (a *API) emailRoutes() {
	const tag = "Signing in"
	handle(a, route{Method: "POST", Path: "/auth/verify-email", Tag: tag, Summary: "Confirm an address with a mailed token and begin a session", Public: true}, a.verifyEmail)
	handle(a, route{Method: "POST", Path: "/auth/forgot-password", Tag: tag, Summary: "Mail a link to choose a new password", Public: true, Status: http.StatusAccepted}, a.forgotPassword)
	handle(a, route{Method: "POST", Path: "/auth/reset-password", Tag: tag, Summary: "Choose a password with a mailed token; other sessions end, and API tokens are revoked", Public: true}, a.resetPassword)
}

type verifyEmailInput struct {
	Body struct {
		Token string `json:"token" doc:"From the mail; works once."`
	}
}

func (a *API) verifyEmail(ctx context.Context, in *verifyEmailInput) (*sessionReply, error) {
	signedIn, err := a.mutation().VerifyEmail(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return a.sessionReply(signedIn), nil
}

type forgotPasswordInput struct {
	Body struct {
		Email string `json:"email"`
	}
}

// forgotPassword answers the same for every address.
func (a *API) forgotPassword(ctx context.Context, in *forgotPasswordInput) (*success, error) {
	_, err := a.mutation().ForgotPassword(ctx, in.Body.Email)
	return succeeded(err)
}

type resetPasswordInput struct {
	Body struct {
		Token    string `json:"token" doc:"From the mail; works once."`
		Password string `json:"password" doc:"At least 10 characters."`
	}
}

func (a *API) resetPassword(ctx context.Context, in *resetPasswordInput) (*sessionReply, error) {
	signedIn, err := a.mutation().ResetPassword(ctx, in.Body.Token, in.Body.Password)
	if err != nil {
		return nil, err
	}
	return a.sessionReply(signedIn), nil
}
