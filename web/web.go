package web

import (
	"net/http"

	"atelier/web/account"
	"atelier/web/assets"
	"atelier/web/community"
	"atelier/web/event"
	"atelier/web/flow"
	"atelier/web/frame"
	"atelier/web/library"
	"atelier/web/operator"
	"atelier/web/org"
	"atelier/web/studio"

	"github.com/gorilla/mux"
)

// What others need of the console's frame.
type (
	// Config is what the console needs of its surroundings.
	Config = frame.Config
	// Statement is what is confirmed about one subject of a consent.
	Statement = frame.Statement
	// Error is a refusal of the service, or of the console itself.
	Error = frame.Error
)

// Space is what the address of a page says of where to work.
type Space = frame.Space

// SpaceOf is where the address of a page says to work; the request has been routed.
func SpaceOf(r *http.Request) Space { return frame.SpaceOf(r) }

// SessionCookie is the name of the cookie that holds the session JWT.
func SessionCookie(secure bool) string { return frame.SessionCookie(secure) }

// TakeSecretMark tells whether an answer shows a secret, so that it is not compressed, and takes the mark of that off.
func TakeSecretMark(h http.Header) bool { return frame.TakeSecretMark(h) }

// Console is the pages of the service.
type Console struct{ *frame.Console }

// New makes the console.
func New(config Config) *Console {
	c := &Console{frame.New(config)}
	c.PasskeySlot = account.PasskeySlot
	return c
}

// Routes registers every page of the console. Those of each area are below.
func (c *Console) Routes(router *mux.Router) {
	on := c.On(router)
	router.PathPrefix(assets.Prefix).Handler(assets.Handler())
	router.Handle("/favicon.ico", http.RedirectHandler(assets.URL("icon.svg"), http.StatusTemporaryRedirect)).Methods(http.MethodGet, http.MethodHead)
	c.accountRoutes(on)
	c.orgRoutes(on)
	c.operatorRoutes(on)
	c.flowRoutes(on)
	c.libraryRoutes(on)
	c.communityRoutes(on)
	c.studioRoutes(on)
	c.eventRoutes(on)
}

// NotFound is the page for addresses that nobody serves.
func (c *Console) NotFound() http.Handler {
	return c.Serve(func(http.ResponseWriter, *http.Request) error { return frame.ErrNotFound })
}

// accountRoutes are the pages of people and their accounts.
func (c *Console) accountRoutes(on frame.Routes) {
	a := account.Pages{Console: c.Console}
	token := "/tokens/{id" + frame.ID + "}"
	passkey := "/account/passkeys/{id" + frame.ID + "}"

	// The start page, and what everybody may read.
	on.Get("/", a.Home)
	on.Get(frame.Landing, a.Land)
	on.Get("/more", a.More)
	on.Get("/storybook", a.Storybook)
	on.Get("/accessibility", a.Accessibility)
	on.Get("/licences", a.Licences)
	on.Post("/theme", a.SetTheme)

	// What is found by its name, and what the person was told.
	on.Get("/search", a.Search)
	on.Get("/search/results", a.SearchResults)
	on.Get("/notifications", a.Notifications)
	on.Post("/notifications/read", a.ReadNotifications)
	on.Post("/notifications/{id"+frame.ID+"}", a.FollowNotification)
	on.Post("/notifications/{id"+frame.ID+"}/read", a.ReadNotification)
	on.Post("/credit-requests/{id"+frame.ID+"}/decline", a.DeclineCreditRequest)
	on.Get("/account/notifications", a.NotificationChoices)
	on.Post("/account/notifications", a.ChooseNotifications)

	// Signing in and out.
	on.Get("/login", a.Login)
	on.Post("/auth/sign-in", a.SignIn)
	on.Get("/login/second-step", a.SecondStepPage)
	on.Post("/auth/second-factor", a.SecondStep)
	on.Get(frame.ConfirmPath, a.ConfirmPage)
	on.Post(frame.ConfirmPath, a.Confirm)
	on.Post("/auth/passkey/begin", a.BeginPasskey)
	on.Post("/auth/passkey/sign-in", a.SignInWithPasskey)
	on.Get("/sign-up", a.SignUpPage)
	on.Post("/auth/sign-up", a.SignUp)
	on.Post("/auth/sign-out", a.SignOut)
	on.Get("/sso", a.SSO)
	on.Post("/auth/sso/exchange", a.ExchangeSSO)

	// The own account.
	on.Get("/account", a.Account)
	on.Post("/account", a.UpdateAccount)
	on.Post("/account/time-zone", a.UpdateTimeZone)
	on.Post("/account/password", a.ChangePassword)
	on.Post("/account/sessions/{id"+frame.ID+"}/end", a.EndOneSession)
	on.Post("/account/sessions/end-others", a.EndOtherSessions)
	on.Post("/account/sign-out-everywhere", a.SignOutEverywhere)
	on.Upload("/account/picture", a.SetPicture)
	on.Upload("/account/picture/remove", a.RemovePicture)
	on.Post("/account/passkeys", a.AddPasskey)
	on.Get(passkey, a.PasskeyPage)
	on.Post(passkey, a.RenamePasskey)
	on.Get(passkey+"/delete", a.AskDeletePasskey)
	on.Post(passkey+"/delete", a.DeletePasskey)
	on.Get("/account/delete", a.AskDeleteAccount)
	on.Post("/account/delete", a.DeleteAccount)
	on.Post("/account/operator", a.ProveOperator)

	// How the own account is guarded.
	on.Get("/account/security", a.Security)
	on.Get("/account/security/app", a.TotpPage)
	on.Post("/account/security/app", a.BeginTotp)
	on.Post("/account/security/app/confirm", a.ConfirmTotp)
	on.Post("/account/security/app/remove", a.RemoveTotp)
	on.Post("/account/security/recovery", a.CreateRecoveryCodes)

	// Links of mails.
	on.Get("/verify-email", a.VerifyEmailPage)
	on.Post("/auth/verify-email", a.VerifyEmail)
	on.Get("/forgot-password", a.ForgotPasswordPage)
	on.Post("/auth/forgot-password", a.ForgotPassword)
	on.Get("/reset-password", a.ResetPasswordPage)
	on.Post("/auth/reset-password", a.ResetPassword)

	// API tokens.
	on.Get("/tokens", a.Tokens)
	on.Post("/tokens", a.CreateToken)
	on.Get("/tokens/new", a.NewToken)
	on.Get(token, a.TokenPage)
	on.Post(token, a.UpdateToken)
	on.Get(token+"/revoke", a.RevokeTokenPage)
	on.Post(token+"/revoke", a.RevokeToken)

	// Apps of others that act for the person, and the question whether they may.
	on.Get("/oauth/authorize", a.Consent)
	on.Post("/oauth/authorize", a.Decide)
	on.Get("/account/apps", a.ConnectedApps)
	on.Get("/account/apps/{id"+frame.ID+"}/revoke", a.AskRevokeConnectedApp)
	on.Post("/account/apps/{id"+frame.ID+"}/revoke", a.RevokeConnectedApp)

	// Apps that the person registered.
	app := "/developer/apps/{id" + frame.ID + "}"
	on.Get("/developer/apps", a.DeveloperApps)
	on.Post("/developer/apps", a.CreateDeveloperApp)
	on.Get("/developer/apps/new", a.NewDeveloperApp)
	on.Get(app, a.DeveloperAppPage)
	on.Post(app, a.UpdateDeveloperApp)
	on.Get(app+"/rotate", a.AskRotateClientSecret)
	on.Post(app+"/rotate", a.RotateClientSecret)
	on.Get(app+"/delete", a.AskDeleteDeveloperApp)
	on.Post(app+"/delete", a.DeleteDeveloperApp)
	on.Get(app+"/try", a.TryFlow)
	on.Post(app+"/try", a.AllowTryHere)
}

// orgRoutes are the pages of organizations, their workspaces and their credits.
func (c *Console) orgRoutes(on frame.Routes) {
	o := org.Pages{Console: c.Console}
	org := "/orgs/{id" + frame.ID + "}"
	workspace := "/workspaces/{id" + frame.ID + "}"
	people := org + "/members"
	purchase := org + "/purchases/{purchase" + frame.ID + "}"
	members := workspace + "/members"
	code := workspace + "/join-code"

	// Where to work.
	on.Get("/spaces", o.Spaces)

	// Organizations, their workspaces and credits.
	on.Get("/orgs", o.Organizations)
	on.Get("/orgs/new", o.NewOrganization)
	on.Get("/orgs/new/slug", o.SlugPreview)
	on.Post("/orgs", o.CreateOrganization)
	on.Get(org, o.Overview)
	on.Get(org+"/workspaces", o.Workspaces)
	on.Get(org+"/workspaces/new", o.NewWorkspace)
	on.Post(org+"/workspaces", o.CreateWorkspace)
	on.Get(org+"/credits", o.Credits)
	on.Post(org+"/credits/export", o.ExportLedger)
	on.Get(org+"/usage", o.OrganizationUsage)
	on.Post(org+"/usage/export", o.ExportOrganizationUsage)
	on.Get(org+"/credits/allocate", o.AllocatePage)
	on.Get(org+"/credits/preview", o.AllocatePreview)
	on.Post(org+"/credits/allocate", o.Allocate)

	// Buying credits.
	on.Get(org+"/credits/buy", o.BuyCredits)
	on.Post(org+"/credits/checkout", o.Checkout)
	on.Get(org+"/purchases", o.Purchases)
	on.Get(purchase, o.Purchase)
	on.Get(purchase+"/receipt", o.Receipt)
	on.Get(purchase+"/cancel", o.AskCancelPurchase)
	on.Post(purchase+"/cancel", o.CancelPurchase)
	on.Get(purchase+"/confirm", o.AskConfirmPurchase)
	on.Post(purchase+"/confirm", o.ConfirmPurchase)
	on.Get(purchase+"/refund", o.RefundPage)
	on.Get(purchase+"/refund/preview", o.RefundPreview)
	on.Post(purchase+"/refund", o.Refund)

	// People of an organization.
	on.Get(people, o.Members)
	on.Post(people+"/export", o.ExportMembers)
	on.Post(people+"/bulk", o.ChangeMembers)
	on.Get(people+"/{user"+frame.ID+"}", o.Member)
	on.Post(people+"/{user"+frame.ID+"}", o.UpdateMember)
	on.Get(people+"/{user"+frame.ID+"}/remove", o.AskRemoveMember)
	on.Post(people+"/{user"+frame.ID+"}/remove", o.RemoveMember)

	// Handing over, leaving, deleting.
	on.Get(org+"/danger", o.Danger)
	on.Post(org+"/danger/transfer", o.TransferOwnership)
	on.Post(org+"/danger/return", o.ReturnCredits)
	on.Get(org+"/leave", o.AskLeave)
	on.Post(org+"/leave", o.LeaveOrganization)
	on.Post(org+"/danger/delete", o.DeleteOrganization)

	// The audit log.
	on.Get(org+"/audit", o.Audit)
	on.Get(org+"/audit/verify", o.VerifyAudit)
	on.Post(org+"/audit/export", o.ExportAudit)

	// A workspace, its home and its budget.
	on.Get(workspace, o.Workspace)
	on.Get(workspace+"/budget", o.WorkspaceBudget)
	on.Get(workspace+"/usage", o.WorkspaceUsage)
	on.Post(workspace+"/usage/export", o.ExportWorkspaceUsage)
	on.Post(workspace+"/requests/{request"+frame.ID+"}/grant", o.GrantRequest)
	on.Post(workspace+"/requests/{request"+frame.ID+"}/close", o.CloseRequest)
	on.Get(workspace+"/request", o.AskCredits)
	on.Post(workspace+"/request", o.RequestCredits)
	on.Get(workspace+"/archive", o.AskArchive)
	on.Post(workspace+"/archive", o.ArchiveWorkspace)
	on.Post(workspace+"/unarchive", o.UnarchiveWorkspace)

	// People of a workspace.
	on.Get(members, o.WorkspaceMembers)
	on.Post(members, o.AddWorkspaceMember)
	on.Post(members+"/caps", o.SetCaps)
	on.Post(members+"/default-cap", o.SetDefaultCap)
	on.Post(members+"/default-cap/apply", o.ApplyDefaultCap)
	on.Get(members+"/{user"+frame.ID+"}", o.WorkspaceMember)
	on.Post(members+"/{user"+frame.ID+"}", o.UpdateWorkspaceMember)
	on.Get(members+"/{user"+frame.ID+"}/remove", o.AskRemoveWorkspaceMember)
	on.Post(members+"/{user"+frame.ID+"}/remove", o.RemoveWorkspaceMember)

	// Settings of both.
	on.Get(org+"/settings", o.OrganizationSettings)
	on.Post(org+"/settings", o.UpdateOrganization)
	on.Post(org+"/settings/reset", o.ResetOrganizationSetting)
	on.Get(org+"/settings/words", o.OrganizationWords)
	on.Post(org+"/settings/words/preview", o.PreviewOrganizationWords)
	on.Get(org+"/settings/rules", o.OrganizationRules)
	on.Get(org+"/settings/sign-in", o.OrganizationSignIn)
	on.Post(org+"/settings/rules/preview", o.PreviewOrganizationRules)
	on.Get(org+"/settings/domains", o.OrganizationDomains)
	on.Get(workspace+"/edit", o.WorkspaceSettings)
	on.Post(workspace+"/edit", o.UpdateWorkspace)
	on.Post(workspace+"/edit/reset", o.ResetWorkspaceSetting)
	on.Post(workspace+"/edit/preview", o.PreviewWorkspaceRules)

	// The join code of a workspace.
	on.Get(code, o.JoinCode)
	on.Get(code+"/rotate", o.AskRotate)
	on.Post(code+"/{action:enable|disable|rotate}", o.ChangeJoinCode)
	on.Post(code+"/until", o.EnableCodeUntil)
	on.Get(code+"/show", o.Projector)
	on.Get(code+"/show/joined", o.JoinedLive)
	on.Get(code+"/print", o.PrintCode)

	// Joining with a code.
	on.Get("/join", o.JoinPage)
	on.Get("/join/echo", o.JoinEcho)
	on.Get("/join/{code}", o.JoinPage)
	on.Post("/join", o.Join)
	on.Post("/join/leave", o.LeaveForJoin)

	// Invitations.
	on.Get(org+"/invite", o.InvitePage)
	on.Post(org+"/invite/count", o.InviteCount)
	on.Post(org+"/invite/preview", o.InvitePreview)
	on.Post(org+"/invite/change", o.InvitePage)
	on.Post(org+"/invite", o.Invite)
	on.Post(org+"/invite/table", o.InviteTable)
	on.Get(org+"/invite/{batch"+frame.ID+"}", o.InviteProgress)
	on.Get(org+"/invite/{batch"+frame.ID+"}/live", o.InviteLive)
	on.Post(org+"/invite/{batch"+frame.ID+"}/retry", o.InviteRetry)
	on.Get(org+"/invitations", o.Invitations)
	on.Post(org+"/invitations", o.ChangeInvitations)
	on.Get(org+"/invitations/{invitation"+frame.ID+"}/resend", o.AskResend)
	on.Get(org+"/invitations/{invitation"+frame.ID+"}/link", o.AskNewLink)
	on.Get(org+"/invitations/{invitation"+frame.ID+"}/withdraw", o.AskWithdraw)
	on.Post(org+"/invitations/{invitation"+frame.ID+"}/{action:resend|link|withdraw}", o.ChangeInvitation)
	on.Get("/invitations/{token}", o.Invitation)
	on.Post("/invitations/{token}/accept", o.AcceptInvitation)
	on.Post("/invitations/{token}/leave", o.OtherAccount)
	on.Get("/operator/purchases", o.OperatorPurchases)
}

// operatorRoutes are the pages of those who operate the install.
func (c *Console) operatorRoutes(on frame.Routes) {
	o := operator.Pages{Console: c.Console}
	pending := "/operator/orgs/{id" + frame.ID + "}"
	person := "/operator/people/{id" + frame.ID + "}"

	on.Get("/operator", o.Operator)
	on.Get("/operator/orgs", o.OperatorOrganizations)
	on.Get(pending, o.OperatorOrganization)
	on.Post(pending+"/approve", o.Approve)
	on.Get(pending+"/reject", o.AskReject)
	on.Post(pending+"/reject", o.Reject)
	on.Get(pending+"/suspend", o.AskSuspend)
	on.Post(pending+"/suspend", o.Suspend)
	on.Post(pending+"/reinstate", o.Reinstate)
	on.Get("/operator/sign-in", o.OperatorSignIn)
	on.Get("/operator/people", o.OperatorPeople)
	on.Get(person, o.OperatorPerson)
	on.Post(person+"/reset-link", o.ResetLink)
	on.Post(person+"/end-sessions", o.EndSessionsOf)
	on.Post(person+"/reset-second-factor", o.ResetSecondFactor)
	on.Get(person+"/ban", o.AskBan)
	on.Post(person+"/ban", o.Ban)
	on.Post(person+"/unban", o.Unban)
	on.Get(person+"/delete", o.AskDeletePerson)
	on.Post(person+"/delete", o.DeletePerson)
	on.Get("/operator/grant", o.GrantPage)
	on.Post("/operator/grant", o.Grant)
}

// flowRoutes are the pages of workflows, apps and runs.
func (c *Console) flowRoutes(on frame.Routes) {
	f := flow.Pages{Console: c.Console}
	managed := "/apps/{id" + frame.ID + "}"
	run := "/runs/{id" + frame.ID + "}"
	result := "/results/{id" + frame.ID + "}"
	job := "/jobs/{id" + frame.ID + "}"
	workflow := "/workflows/{id" + frame.ID + "}"
	app := "/app/{slug" + flow.SlugForm + "}"
	embed := "/embed/{slug" + flow.SlugForm + "}"
	nodes := workflow + "/nodes"
	editor := workflow + "/editor"
	appRun := app + "/runs/{id" + frame.ID + "}"
	embedRun := embed + "/runs/{id" + frame.ID + "}"

	// Workflows, their editor and their versions.
	for _, space := range frame.Spaces {
		editor := space + editor
		on.Get(space+"/workflows", f.Workflows)
		on.Large(space+"/workflows", f.CreateWorkflow)
		on.Get(space+"/workflows/new", f.NewWorkflow)
		on.Get(space+"/apps", f.Apps)
		on.Get(space+"/runs", f.Runs)
		on.Get(space+"/results", f.Results)
		on.Get(space+"/jobs", f.Jobs)
		on.Get(space+"/make", f.MakeList)
		on.Get(space+"/make/"+flow.MakeType, f.MakePage)
		on.Upload(space+"/make/"+flow.MakeType, f.MakeIt)
		on.Post(space+"/make/"+flow.MakeType+"/price", f.MakePrice)
		on.Get(space+"/keep/{id"+frame.ID+"}", f.KeepPage)
		on.Post(space+"/keep/{id"+frame.ID+"}", f.Keep)
		on.Large(editor+"/check", f.Answering(f.CheckGraph))
		on.Large(editor+"/save", f.SaveGraph)
		on.Get(editor+"/run", f.EditorRunForm)
		on.Get(editor+"/choices", f.Answering(f.EditorChoices))
		on.Post(editor+"/run", f.Answering(f.RunFromEditor))
		on.Post(editor+"/try", f.Answering(f.TryNode))
		on.Upload(editor+"/upload", f.Answering(f.UploadFromEditor))
		on.Get(editor+"/runs/{run"+frame.ID+"}/live", f.EditorRunLive)
		on.Get(editor+"/runs/{run"+frame.ID+"}/state", f.EditorRunState)
	}
	on.Get(workflow, f.WorkflowPage)
	on.Large(workflow, f.UpdateWorkflow)
	on.Post(workflow+"/run", f.RunWorkflow)
	on.Get(editor, f.EditorPage)
	on.Get(nodes, f.NodesPage)
	on.Post(nodes, f.ChangingGraph(flow.AddNode, f.NodesPage))
	on.Get(nodes+"/edit", f.NodePage)
	on.Large(nodes+"/edit", f.ChangingGraph(flow.SetFields, f.NodePage))
	on.Post(nodes+"/connect", f.ChangingGraph(flow.ConnectNode, f.NodePage))
	on.Post(nodes+"/disconnect", f.ChangingGraph(flow.DisconnectNode, f.NodePage))
	on.Post(nodes+"/move", f.ChangingGraph(flow.MoveNode, f.NodesPage))
	on.Post(nodes+"/remove", f.ChangingGraph(flow.RemoveNode, f.NodesPage))
	on.Get(workflow+"/versions", f.Versions)
	on.Get(workflow+"/versions/{version:[0-9]{1,9}}", f.VersionPage)
	on.Post(workflow+"/versions/{version:[0-9]{1,9}}/restore", f.RestoreVersion)
	on.Get(workflow+"/triggers", f.Triggers)
	on.Post(workflow+"/triggers", f.CreateTrigger)
	trigger := workflow + "/triggers/{trigger" + frame.ID + "}"
	on.Post(trigger+"/active", f.SetTriggerActive)
	on.Get(trigger+"/try", f.TryTriggerPage)
	on.Post(trigger+"/try", f.TryTrigger)
	on.Get(trigger+"/delete", f.DeleteTriggerPage)
	on.Post(trigger+"/delete", f.DeleteTrigger)
	on.Get(workflow+"/schedules", f.Schedules)
	on.Post(workflow+"/schedules", f.MakeSchedule)
	schedule := workflow + "/schedules/{schedule" + frame.ID + "}"
	on.Get(schedule, f.SchedulePage)
	on.Post(schedule, f.ChangeSchedule)
	on.Post(schedule+"/active", f.SwitchSchedule)
	on.Get(schedule+"/delete", f.DeleteSchedulePage)
	on.Post(schedule+"/delete", f.RemoveSchedule)
	on.Get(workflow+"/template", f.ExportTemplate)
	on.Get(workflow+"/delete", f.DeleteWorkflowPage)
	on.Post(workflow+"/delete", f.DeleteWorkflow)
	on.Get(workflow+"/publish", f.PublishPage)
	on.Post(workflow+"/publish", f.PublishWorkflow)
	on.Post(workflow+"/publish/preview", f.PreviewPublishing)

	// Sharing.
	on.Get("/shared", f.Shared)
	on.Get(workflow+"/sharing", f.Sharing)
	on.Post(workflow+"/sharing", f.AddCollaborator)
	on.Post(workflow+"/sharing/{user"+frame.ID+"}", f.UpdateCollaborator)
	on.Get(workflow+"/sharing/{user"+frame.ID+"}/remove", f.AskRemoveCollaborator)
	on.Post(workflow+"/sharing/{user"+frame.ID+"}/remove", f.RemoveCollaborator)

	// Published apps, on their own address and in frames of other sites.
	on.Get(managed, f.AppSettings)
	on.Post(managed, f.UpdateApp)
	on.Post(managed+"/active", f.SetAppActive)
	on.Post(managed+"/embedding", f.SetAppEmbedding)
	on.Get(managed+"/delete", f.DeleteAppPage)
	on.Post(managed+"/delete", f.DeleteApp)
	on.Get(app, f.AppPage)
	on.Post(app+"/markup", f.SetAppMarkup)
	on.Upload(app+"/run", f.RunApp)
	on.Get(app+"/runs", f.AppRuns)
	on.Get(appRun, f.AppRunPage)
	on.Get(appRun+"/live", f.AppRunLive)
	on.Post(appRun+"/cancel", f.CancelAppRun)
	on.Post(appRun+"/archive", f.ArchiveAppRun)
	on.Post(appRun+"/restore", f.RestoreAppRun)
	on.Get(appRun+"/delete", f.AskDeleteRun)
	on.Post(appRun+"/delete", f.DeleteAppRun)
	on.Get(embed, f.EmbedPage)
	on.Upload(embed+"/run", f.EmbedRun)
	on.Get(embedRun, f.EmbedRunPage)
	on.Get(embedRun+"/live", f.EmbedRunLive)
	on.Post(embedRun+"/cancel", f.CancelEmbedRun)

	// Runs and jobs.
	on.Get(run, f.RunPage)
	on.Get(run+"/live", f.RunLive)
	on.Post(run+"/cancel", f.CancelRun)
	on.Get(result, f.ResultPage)
	on.Get(result+"/text", f.ResultText)
	on.Post(result+"/share", f.ShareResult)
	on.Post(result+"/unshare", f.UnshareResult)
	on.Get("/credentials", f.Credentials)
	on.Post("/credentials", f.CreateCredential)
	on.Get("/credentials/new", f.NewCredential)
	on.Get("/credentials/{id"+frame.ID+"}", f.CredentialPage)
	on.Post("/credentials/{id"+frame.ID+"}", f.UpdateCredential)
	on.Get("/credentials/{id"+frame.ID+"}/delete", f.DeleteCredentialPage)
	on.Post("/credentials/{id"+frame.ID+"}/delete", f.DeleteCredential)
	on.Post(run+"/retry", f.RetryRun)
	on.Get(job, f.JobPage)
	on.Get(job+"/live", f.JobLive)
	on.Post(job+"/cancel", f.CancelJob)
	on.Post(job+"/approve", f.ApproveJob)
	on.Post(job+"/reject", f.RejectJob)
}

// libraryRoutes are the pages of what a space keeps to make things with.
func (c *Console) libraryRoutes(on frame.Routes) {
	l := library.Pages{Console: c.Console}
	voice := "/voices/{id" + frame.ID + "}"
	preset := "/presets/{id" + frame.ID + "}"

	// Lists of a space, and what is made in them.
	for _, space := range frame.Spaces {
		for _, k := range library.Kinds {
			shelf := space + "/library/" + k.Path
			on.Get(shelf, l.Elements(k))
			on.Upload(shelf, l.CreateElement(k))
			on.Get(shelf+"/new", l.NewElement(k))
			if k.NodeType != "" {
				on.Post(shelf+"/generate", l.GenerateElement(k))
			}
		}
		on.Get(space+"/consents", l.Consents)
		on.Get(space+"/voices", l.Voices)
		on.Post(space+"/voices", l.CreateVoice)
		on.Get(space+"/voices/new", l.NewVoice)
		on.Upload(space+"/voices/clone", l.CloneVoice)
		on.Get(space+"/presets", l.Presets)
		on.Post(space+"/presets", l.CreatePreset)
		on.Get(space+"/presets/new", l.NewPreset)
		on.Post(space+"/presets/new", l.NewPreset)
		on.Get(space+"/presets/import", l.ImportPresetsPage)
		on.Post(space+"/presets/import", l.ImportPresets)
		on.Get(space+"/prompt-helper", l.PromptHelper)
		on.Post(space+"/prompt-helper", l.HelpWithPrompt)
		on.Post(space+"/prompt-helper/make", l.MakeNow)
	}

	// One element.
	for _, k := range library.Kinds {
		element := "/library/" + k.Path + "/{id" + frame.ID + "}"
		on.Get(element, l.ElementPage(k))
		on.Get(element+"/live", l.ElementLive)
		on.Get(element+"/edit", l.EditElement(k))
		on.Post(element+"/edit", l.UpdateElement(k))
		on.Upload(element+"/images", l.AddPicture(k))
		on.Post(element+"/images/{image"+frame.ID+"}", l.ChangePicture(k))
		on.Post(element+"/share", l.ShareElement(k))
		on.Post(element+"/export", l.ExportElement(k))
		on.Post(element+"/consent", l.GiveConsent(k))
		on.Get(element+"/consent/withdraw", l.AskWithdraw(k))
		on.Get(element+"/delete", l.AskDelete(k))
		on.Post(element+"/delete", l.DeleteElement(k))
		if k.NodeType != "" {
			on.Post(element+"/generate", l.MoreViews(k))
			on.Post(element+"/picture", l.MakePicture(k))
			on.Post(element+"/duplicate", l.DuplicateElement(k))
			on.Post(element+"/speak", l.Speak(k))
		}
		if k.Trains {
			on.Post(element+"/train", l.TrainElement(k))
		}
	}

	// One voice, one preset.
	on.Get(voice, l.VoicePage)
	on.Post(voice, l.UpdateVoice)
	on.Post(voice+"/preview", l.PreviewVoice)
	on.Post(voice+"/export", l.ExportVoice)
	on.Post(voice+"/consent", l.GiveVoiceConsent)
	on.Get(voice+"/consent/withdraw", l.AskWithdrawVoice)
	on.Get(voice+"/delete", l.AskDeleteVoice)
	on.Post(voice+"/delete", l.DeleteVoice)
	on.Get(preset, l.PresetPage)
	on.Post(preset, l.UpdatePreset)
	on.Post(preset+"/duplicate", l.DuplicatePreset)
	on.Post(preset+"/use", l.UsePreset)
	on.Get(preset+"/delete", l.AskDeletePreset)
	on.Post(preset+"/delete", l.DeletePreset)
}

// communityRoutes are the pages of what people post for others.
func (c *Console) communityRoutes(on frame.Routes) {
	p := community.Pages{Console: c.Console}
	post := "/community/{id" + frame.ID + "}"

	// Lists of a space.
	for _, space := range frame.Spaces {
		on.Get(space+"/community", p.Community)
		on.Get(space+"/community/mine", p.OwnPosts)
		on.Get(space+"/community/review", p.ReviewPosts)
		on.Post(space+"/community/review", p.DecidePosts)
	}

	// One post.
	on.Get("/community/post", p.NewPost)
	on.Post("/community/post", p.CreatePost)
	on.Get(post, p.PostPage)
	on.Get(post+"/edit", p.EditPost)
	on.Post(post+"/edit", p.UpdatePost)
	on.Post(post+"/use", p.UsePost)
	on.Post(post+"/like", p.LikePost)
	on.Get(post+"/report", p.ReportPage)
	on.Post(post+"/report", p.ReportPost)
	on.Post(post+"/moderate", p.ModeratePost)
	on.Get(post+"/delete", p.AskDeletePost)
	on.Post(post+"/delete", p.DeletePost)
}

// studioRoutes are the pages of productions, their shots and the pipelines that make them.
func (c *Console) studioRoutes(on frame.Routes) {
	s := studio.Pages{Console: c.Console}
	production := "/studio/{id" + frame.ID + "}"
	shot := production + "/shots/{shot" + frame.ID + "}"
	pipeline := "/studio/pipelines/{id" + frame.ID + "}"

	// Lists of a space, and what is made in them.
	for _, space := range frame.Spaces {
		on.Get(space+"/studio", s.Productions)
		on.Post(space+"/studio", s.CreateProduction)
		on.Get(space+"/studio/new", s.NewProduction)
		on.Get(space+"/studio/pipelines", s.Pipelines)
		on.Post(space+"/studio/pipelines", s.CreatePipeline)
		on.Get(space+"/studio/pipelines/new", s.NewPipeline)
	}

	// One production.
	on.Get(production, s.ProductionPage)
	on.Get(production+"/live", s.ProductionLive)
	on.Get(production+"/settings", s.Settings)
	on.Upload(production+"/settings", s.UpdateProduction)
	on.Post(production+"/visibility", s.ShareProduction)
	on.Get(production+"/breakdown", s.BreakDownPage)
	on.Post(production+"/breakdown", s.BreakDown)
	on.Get(production+"/render", s.RenderPage)
	on.Post(production+"/render", s.RenderProduction)
	on.Post(production+"/cancel", s.CancelRender)
	on.Get(production+"/print", s.Print)
	on.Post(production+"/export", s.Export)
	on.Post(production+"/duplicate", s.DuplicateProduction)
	on.Get(production+"/delete", s.AskDelete)
	on.Post(production+"/delete", s.DeleteProduction)

	// Its shots, and what everybody sees of one.
	on.Upload(production+"/shots", s.CreateShot)
	on.Get(production+"/shots/new", s.NewShot)
	on.Post(production+"/order", s.OrderShots)
	on.Get(shot, s.ShotPage)
	on.Upload(shot, s.UpdateShot)
	on.Get(shot+"/share", s.SharePage)
	on.Post(shot+"/share", s.ShareShot)
	on.Get(shot+"/delete", s.AskDeleteShot)
	on.Post(shot+"/delete", s.DeleteShot)
	on.Get("/shots/{id"+frame.ID+"}", s.PublicShot)

	// One pipeline.
	on.Get(pipeline, s.PipelinePage)
	on.Get(pipeline+"/edit", s.EditPipeline)
	on.Post(pipeline+"/edit", s.UpdatePipeline)
	on.Post(pipeline+"/duplicate", s.DuplicatePipeline)
	on.Get(pipeline+"/delete", s.AskDeletePipeline)
	on.Post(pipeline+"/delete", s.DeletePipeline)
}

// eventRoutes are the pages of webhooks.
func (c *Console) eventRoutes(on frame.Routes) {
	e := event.Pages{Console: c.Console}
	endpoint := "/webhooks/{id" + frame.ID + "}"

	// Webhook endpoints and their deliveries.
	on.Get("/webhooks", e.Webhooks)
	on.Post("/webhooks", e.CreateWebhook)
	on.Get("/webhooks/new", e.NewWebhook)
	on.Get(endpoint, e.WebhookPage)
	on.Post(endpoint, e.UpdateWebhook)
	on.Post(endpoint+"/active", e.SetWebhookActive)
	on.Post(endpoint+"/test", e.TestWebhook)
	on.Get(endpoint+"/check", e.CheckPage)
	on.Post(endpoint+"/check", e.Check)
	on.Get(endpoint+"/again", e.AgainPage)
	on.Post(endpoint+"/again", e.Again)
	on.Get(endpoint+"/rotate", e.RotateWebhookPage)
	on.Post(endpoint+"/rotate", e.RotateWebhook)
	on.Get(endpoint+"/delete", e.DeleteWebhookPage)
	on.Post(endpoint+"/delete", e.DeleteWebhook)
	on.Get(endpoint+"/deliveries/{delivery"+frame.ID+"}", e.DeliveryPage)
	on.Post(endpoint+"/deliveries/{delivery"+frame.ID+"}/redeliver", e.Redeliver)
}
