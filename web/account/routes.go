package account

import "atelier/web/frame"

// Routes registers the pages of people and their accounts.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	token := "/tokens/{id" + frame.ID + "}"
	passkey := "/account/passkeys/{id" + frame.ID + "}"

	// The start page, and what everyone may read.
	on.Get("/", p.Home)
	on.Get(frame.Landing, p.Land)
	on.Get("/more", p.More)
	on.Get("/storybook", p.Storybook)
	on.Get("/accessibility", p.Accessibility)
	on.Get("/licences", p.Licences)
	on.Get("/terms", p.Terms)
	on.Get("/privacy", p.Privacy)
	on.Post("/theme", p.SetTheme)
	on.Post("/language", p.SetLanguage)

	// What is found by its name, and what the person was told.
	on.Get("/search", p.Search)
	on.Get("/search/results", p.SearchResults)
	on.Get("/notifications", p.Notifications)
	on.Post("/notifications/read", p.ReadNotifications)
	on.Post("/notifications/{id"+frame.ID+"}", p.FollowNotification)
	on.Post("/notifications/{id"+frame.ID+"}/read", p.ReadNotification)
	on.Post("/credit-requests/{id"+frame.ID+"}/decline", p.DeclineCreditRequest)
	on.Get("/account/notifications", p.NotificationChoices)
	on.Post("/account/notifications", p.ChooseNotifications)

	// Signing in and out.
	on.Get("/login", p.Login)
	on.Post("/auth/sign-in", p.SignIn)
	on.Get("/login/second-step", p.SecondStepPage)
	on.Post("/auth/second-factor", p.SecondStep)
	on.Get(frame.ConfirmPath, p.ConfirmPage)
	on.Post(frame.ConfirmPath, p.Confirm)
	on.Post("/auth/passkey/begin", p.BeginPasskey)
	on.Post("/auth/passkey/sign-in", p.SignInWithPasskey)
	on.Get("/sign-up", p.SignUpPage)
	on.Post("/auth/sign-up", p.SignUp)
	on.Post("/auth/sign-out", p.SignOut)
	on.Get("/sso", p.SSO)
	on.Post("/auth/sso/exchange", p.ExchangeSSO)

	// The own account.
	on.Get("/account", p.Account)
	on.Post("/account", p.UpdateAccount)
	on.Post("/account/time-zone", p.UpdateTimeZone)
	on.Post("/account/password", p.ChangePassword)
	on.Post("/account/sessions/{id"+frame.ID+"}/end", p.EndOneSession)
	on.Post("/account/sessions/end-others", p.EndOtherSessions)
	on.Post("/account/sign-out-everywhere", p.SignOutEverywhere)
	on.Upload("/account/picture", p.SetPicture)
	on.Upload("/account/picture/remove", p.RemovePicture)
	on.Post("/account/passkeys", p.AddPasskey)
	on.Get(passkey, p.PasskeyPage)
	on.Post(passkey, p.RenamePasskey)
	on.Get(passkey+"/delete", p.AskDeletePasskey)
	on.Post(passkey+"/delete", p.DeletePasskey)
	on.Get("/account/archive", p.Takeout)
	on.Get("/account/email", p.EmailPage)
	on.Post("/account/email", p.RequestEmailChange)
	on.Get("/account/email/confirm", p.ConfirmEmailPage)
	on.Post("/account/email/confirm", p.ConfirmEmailChange)
	on.Get("/account/delete", p.AskDeleteAccount)
	on.Post("/account/delete", p.DeleteAccount)
	on.Post("/account/operator", p.ProveOperator)

	// How the account is guarded.
	on.Get("/account/security", p.Security)
	on.Get("/account/security/app", p.TotpPage)
	on.Post("/account/security/app", p.BeginTotp)
	on.Post("/account/security/app/confirm", p.ConfirmTotp)
	on.Post("/account/security/app/remove", p.RemoveTotp)
	on.Post("/account/security/recovery", p.CreateRecoveryCodes)

	// Links of mails.
	on.Get("/verify-email", p.VerifyEmailPage)
	on.Post("/auth/verify-email", p.VerifyEmail)
	on.Get("/forgot-password", p.ForgotPasswordPage)
	on.Post("/auth/forgot-password", p.ForgotPassword)
	on.Get("/reset-password", p.ResetPasswordPage)
	on.Post("/auth/reset-password", p.ResetPassword)

	// API tokens.
	on.Get("/tokens", p.Tokens)
	on.Post("/tokens", p.CreateToken)
	on.Get("/tokens/new", p.NewToken)
	on.Get(token, p.TokenPage)
	on.Post(token, p.UpdateToken)
	on.Get(token+"/revoke", p.RevokeTokenPage)
	on.Post(token+"/revoke", p.RevokeToken)

	// Apps of others that act for the person, and the question whether they may.
	on.Get("/oauth/authorize", p.Consent)
	on.Post("/oauth/authorize", p.Decide)
	on.Get("/account/apps", p.ConnectedApps)
	on.Get("/account/agents", p.Agents)
	on.Get("/account/apps/{id"+frame.ID+"}/revoke", p.AskRevokeConnectedApp)
	on.Post("/account/apps/{id"+frame.ID+"}/revoke", p.RevokeConnectedApp)

	// Apps that the person registered.
	app := "/developer/apps/{id" + frame.ID + "}"
	on.Get("/developer/apps", p.DeveloperApps)
	on.Post("/developer/apps", p.CreateDeveloperApp)
	on.Get("/developer/apps/new", p.NewDeveloperApp)
	on.Get(app, p.DeveloperAppPage)
	on.Post(app, p.UpdateDeveloperApp)
	on.Get(app+"/rotate", p.AskRotateClientSecret)
	on.Post(app+"/rotate", p.RotateClientSecret)
	on.Get(app+"/delete", p.AskDeleteDeveloperApp)
	on.Post(app+"/delete", p.DeleteDeveloperApp)
	on.Get(app+"/try", p.TryFlow)
	on.Post(app+"/try", p.AllowTryHere)
}
