package web

import (
	"net/http"

	"atelier/web/assets"

	"github.com/gorilla/mux"
)

// Routes registers every page of the console. Those of each area are below.
func (c *Console) Routes(router *mux.Router) {
	on := routes{c, router}
	router.PathPrefix(assets.Prefix).Handler(assets.Handler())
	router.Handle("/favicon.ico", http.RedirectHandler(assets.URL("icon.svg"), http.StatusTemporaryRedirect))
	c.accountRoutes(on)
	c.orgRoutes(on)
	c.flowRoutes(on)
	c.eventRoutes(on)
}

// NotFound is the page for addresses that nobody serves.
func (c *Console) NotFound() http.Handler {
	return c.serve(func(http.ResponseWriter, *http.Request) error { return errNotFound })
}

// accountRoutes are the pages of people and their accounts.
func (c *Console) accountRoutes(on routes) {
	token := "/tokens/{id" + id + "}"

	// The start page, and what everybody may read.
	on.get("/", c.home)
	on.get("/more", c.more)
	on.get("/storybook", c.storybook)
	on.get("/accessibility", c.accessibility)
	on.get("/licences", c.licences)
	on.post("/theme", c.setTheme)

	// Signing in and out.
	on.get("/login", c.login)
	on.post("/auth/sign-in", c.signIn)
	on.get("/sign-up", c.signUpPage)
	on.post("/auth/sign-up", c.signUp)
	on.post("/auth/sign-out", c.signOut)

	// The own account.
	on.get("/account", c.account)
	on.post("/account", c.updateAccount)
	on.post("/account/password", c.changePassword)
	on.post("/account/sessions/{id"+id+"}/end", c.endOneSession)
	on.post("/account/sign-out-everywhere", c.signOutEverywhere)
	on.post("/account/operator", c.proveOperator)

	// Links of mails.
	on.get("/verify-email", c.verifyEmailPage)
	on.post("/auth/verify-email", c.verifyEmail)
	on.get("/forgot-password", c.forgotPasswordPage)
	on.post("/auth/forgot-password", c.forgotPassword)
	on.get("/reset-password", c.resetPasswordPage)
	on.post("/auth/reset-password", c.resetPassword)

	// API tokens.
	on.get("/tokens", c.tokens)
	on.post("/tokens", c.createToken)
	on.get("/tokens/new", c.newToken)
	on.get(token, c.tokenPage)
	on.post(token, c.updateToken)
	on.get(token+"/revoke", c.revokeTokenPage)
	on.post(token+"/revoke", c.revokeToken)
}

// orgRoutes are the pages of organizations, their workspaces and their credits.
func (c *Console) orgRoutes(on routes) {
	org := "/orgs/{id" + id + "}"
	workspace := "/workspaces/{id" + id + "}"
	people := org + "/members"
	pending := "/operator/orgs/{id" + id + "}"
	members := workspace + "/members"
	code := workspace + "/join-code"

	// Where to work.
	on.get("/spaces", c.spaces)
	on.post("/switch", c.switchSpace)

	// Organizations, their workspaces and credits.
	on.get("/orgs", c.organizations)
	on.get("/orgs/new", c.newOrganization)
	on.get("/orgs/new/slug", c.slugPreview)
	on.post("/orgs", c.createOrganization)
	on.get(org, c.overview)
	on.get(org+"/workspaces", c.workspaces)
	on.get(org+"/workspaces/new", c.newWorkspace)
	on.post(org+"/workspaces", c.createWorkspace)
	on.get(org+"/credits", c.credits)
	on.get(org+"/credits/allocate", c.allocatePage)
	on.get(org+"/credits/preview", c.allocatePreview)
	on.post(org+"/credits/allocate", c.allocate)

	// People of an organization.
	on.get(people, c.members)
	on.post(people+"/export", c.exportMembers)
	on.post(people+"/bulk", c.changeMembers)
	on.get(people+"/{user"+id+"}", c.member)
	on.post(people+"/{user"+id+"}", c.updateMember)
	on.get(people+"/{user"+id+"}/remove", c.askRemoveMember)
	on.post(people+"/{user"+id+"}/remove", c.removeMember)

	// Handing over, leaving, deleting.
	on.get(org+"/danger", c.danger)
	on.post(org+"/danger/transfer", c.transferOwnership)
	on.post(org+"/danger/return", c.returnCredits)
	on.post(org+"/danger/leave", c.leaveOrganization)
	on.post(org+"/danger/delete", c.deleteOrganization)

	// The audit log.
	on.get(org+"/audit", c.audit)
	on.get(org+"/audit/verify", c.verifyAudit)
	on.post(org+"/audit/export", c.exportAudit)

	// A workspace and its budget.
	on.get(workspace, c.workspace)
	on.get(workspace+"/request", c.askCredits)
	on.post(workspace+"/request", c.requestCredits)
	on.get(workspace+"/archive", c.askArchive)
	on.post(workspace+"/archive", c.archiveWorkspace)
	on.post(workspace+"/unarchive", c.unarchiveWorkspace)

	// People of a workspace.
	on.get(members, c.workspaceMembers)
	on.post(members, c.addWorkspaceMember)
	on.post(members+"/caps", c.setCaps)
	on.get(members+"/{user"+id+"}", c.workspaceMember)
	on.post(members+"/{user"+id+"}", c.updateWorkspaceMember)
	on.get(members+"/{user"+id+"}/remove", c.askRemoveWorkspaceMember)
	on.post(members+"/{user"+id+"}/remove", c.removeWorkspaceMember)

	// Settings of both.
	on.get(org+"/settings", c.organizationSettings)
	on.post(org+"/settings", c.updateOrganization)
	on.get(workspace+"/edit", c.workspaceSettings)
	on.post(workspace+"/edit", c.updateWorkspace)

	// The join code of a workspace.
	on.get(code, c.joinCode)
	on.get(code+"/rotate", c.askRotate)
	on.post(code+"/{action:enable|disable|rotate}", c.changeJoinCode)
	on.post(code+"/until", c.enableCodeUntil)
	on.get(code+"/show", c.projector)
	on.get(code+"/show/joined", c.joinedLive)
	on.get(code+"/print", c.printCode)

	// Joining with a code.
	on.get("/join", c.joinPage)
	on.get("/join/echo", c.joinEcho)
	on.get("/join/{code}", c.joinPage)
	on.post("/join", c.join)

	// Invitations.
	on.get(org+"/invite", c.invitePage)
	on.post(org+"/invite/count", c.inviteCount)
	on.post(org+"/invite/preview", c.invitePreview)
	on.post(org+"/invite/change", c.invitePage)
	on.post(org+"/invite", c.invite)
	on.post(org+"/invite/table", c.inviteTable)
	on.get(org+"/invite/{batch"+id+"}", c.inviteProgress)
	on.get(org+"/invite/{batch"+id+"}/live", c.inviteLive)
	on.post(org+"/invite/{batch"+id+"}/retry", c.inviteRetry)
	on.get(org+"/invitations", c.invitations)
	on.post(org+"/invitations", c.changeInvitations)
	on.post(org+"/invitations/{invitation"+id+"}/{action:resend|link|revoke}", c.changeInvitation)
	on.get("/invitations/{token}", c.invitation)
	on.post("/invitations/{token}/accept", c.acceptInvitation)
	on.post("/invitations/{token}/leave", c.otherAccount)

	// Operators of the install.
	on.get("/operator", c.operator)
	on.post(pending+"/approve", c.approve)
	on.get(pending+"/suspend", c.askSuspend)
	on.post(pending+"/suspend", c.suspend)
	on.post(pending+"/reinstate", c.reinstate)
	on.get("/operator/grant", c.grantPage)
	on.post("/operator/grant", c.grant)
}

// flowRoutes are the pages of workflows, apps and runs.
func (c *Console) flowRoutes(on routes) {
	managed := "/apps/{id" + id + "}"
	run := "/runs/{id" + id + "}"
	job := "/jobs/{id" + id + "}"
	workflow := "/workflows/{id" + id + "}"
	app := "/app/{slug" + slugForm + "}"
	embed := "/embed/{slug" + slugForm + "}"
	nodes := workflow + "/nodes"
	editor := workflow + "/editor"
	appRun := app + "/runs/{id" + id + "}"
	embedRun := embed + "/runs/{id" + id + "}"

	// Workflows, their editor and their versions.
	on.get("/projects", func(w http.ResponseWriter, _ *http.Request) error { return seeOther(w, "/workflows") })
	on.get("/workflows", c.workflows)
	on.large("/workflows", c.createWorkflow)
	on.get("/workflows/new", c.newWorkflow)
	on.get(workflow, c.workflowPage)
	on.large(workflow, c.updateWorkflow)
	on.post(workflow+"/run", c.runWorkflow)
	on.get(editor, c.editorPage)
	on.large(editor+"/check", c.answering(c.checkGraph))
	on.large(editor+"/save", c.saveGraph)
	on.get(editor+"/run", c.editorRunForm)
	on.post(editor+"/run", c.answering(c.runFromEditor))
	on.post(editor+"/try", c.answering(c.tryNode))
	on.upload(editor+"/upload", c.answering(c.uploadFromEditor))
	on.get(editor+"/runs/{run"+id+"}/live", c.editorRunLive)
	on.get(editor+"/runs/{run"+id+"}/state", c.editorRunState)
	on.get(nodes, c.nodesPage)
	on.post(nodes, c.changingGraph(addNode, c.nodesPage))
	on.get(nodes+"/edit", c.nodePage)
	on.large(nodes+"/edit", c.changingGraph(setFields, c.nodePage))
	on.post(nodes+"/connect", c.changingGraph(connectNode, c.nodePage))
	on.post(nodes+"/disconnect", c.changingGraph(disconnectNode, c.nodePage))
	on.post(nodes+"/move", c.changingGraph(moveNode, c.nodesPage))
	on.post(nodes+"/remove", c.changingGraph(removeNode, c.nodesPage))
	on.get(workflow+"/versions", c.versions)
	on.get(workflow+"/versions/{version:[0-9]{1,9}}", c.versionPage)
	on.post(workflow+"/versions/{version:[0-9]{1,9}}/restore", c.restoreVersion)
	on.get(workflow+"/template", c.exportTemplate)
	on.get(workflow+"/delete", c.deleteWorkflowPage)
	on.post(workflow+"/delete", c.deleteWorkflow)
	on.get(workflow+"/publish", c.publishPage)
	on.post(workflow+"/publish", c.publishWorkflow)
	on.post(workflow+"/publish/preview", c.previewPublishing)

	// Sharing.
	on.get("/shared", c.shared)
	on.get(workflow+"/sharing", c.sharing)
	on.post(workflow+"/sharing", c.addCollaborator)
	on.post(workflow+"/sharing/{user"+id+"}", c.updateCollaborator)
	on.get(workflow+"/sharing/{user"+id+"}/remove", c.askRemoveCollaborator)
	on.post(workflow+"/sharing/{user"+id+"}/remove", c.removeCollaborator)

	// Published apps, on their own address and in frames of other sites.
	on.get("/apps", c.apps)
	on.get(managed, c.appSettings)
	on.post(managed, c.updateApp)
	on.post(managed+"/active", c.setAppActive)
	on.post(managed+"/embedding", c.setAppEmbedding)
	on.get(managed+"/delete", c.deleteAppPage)
	on.post(managed+"/delete", c.deleteApp)
	on.get(app, c.appPage)
	on.upload(app+"/run", c.runApp)
	on.get(app+"/runs", c.appRuns)
	on.get(appRun, c.appRunPage)
	on.get(appRun+"/live", c.appRunLive)
	on.post(appRun+"/cancel", c.cancelAppRun)
	on.post(appRun+"/archive", c.archiveAppRun)
	on.post(appRun+"/restore", c.restoreAppRun)
	on.get(appRun+"/delete", c.askDeleteRun)
	on.post(appRun+"/delete", c.deleteAppRun)
	on.get(embed, c.embedPage)
	on.upload(embed+"/run", c.embedRun)
	on.get(embedRun, c.embedRunPage)
	on.get(embedRun+"/live", c.embedRunLive)
	on.post(embedRun+"/cancel", c.cancelEmbedRun)

	// Runs and jobs.
	on.get("/runs", c.runs)
	on.get(run, c.runPage)
	on.get(run+"/live", c.runLive)
	on.post(run+"/cancel", c.cancelRun)
	on.get("/jobs", c.jobs)
	on.post(run+"/retry", c.retryRun)
	on.get(job, c.jobPage)
	on.get(job+"/live", c.jobLive)
	on.post(job+"/cancel", c.cancelJob)
	on.post(job+"/approve", c.approveJob)
	on.post(job+"/reject", c.rejectJob)
}

// eventRoutes are the pages of webhooks.
func (c *Console) eventRoutes(on routes) {
	endpoint := "/webhooks/{id" + id + "}"

	// Webhook endpoints and their deliveries.
	on.get("/webhooks", c.webhooks)
	on.post("/webhooks", c.createWebhook)
	on.get("/webhooks/new", c.newWebhook)
	on.get(endpoint, c.webhookPage)
	on.post(endpoint, c.updateWebhook)
	on.post(endpoint+"/active", c.setWebhookActive)
	on.post(endpoint+"/test", c.testWebhook)
	on.get(endpoint+"/rotate", c.rotateWebhookPage)
	on.post(endpoint+"/rotate", c.rotateWebhook)
	on.get(endpoint+"/delete", c.deleteWebhookPage)
	on.post(endpoint+"/delete", c.deleteWebhook)
	on.get(endpoint+"/deliveries/{delivery"+id+"}", c.deliveryPage)
	on.post(endpoint+"/deliveries/{delivery"+id+"}/redeliver", c.redeliver)
}
