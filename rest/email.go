package rest

import (
	"context"
	"net/http"
)

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
