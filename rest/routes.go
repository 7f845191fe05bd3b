package rest

// routes registers every route of the face, resource by resource.
func (a *API) routes() {
	a.signInRoutes()
	if a.Mail {
		a.emailRoutes()
	}
	a.ssoRoutes()
	a.profileRoutes()
	a.tokenRoutes()
	a.oauthAppRoutes()
	a.protocolRoutes()
	a.webhookEndpointRoutes()
	a.credentialRoutes()
	a.projectRoutes()
	if a.Organizations {
		a.sharingRoutes() // before the workflows, of which shared-with-me is none
	}
	a.workflowRoutes()
	a.triggerRoutes()
	a.appRoutes()
	a.appRunRoutes()
	a.nodeRoutes()
	a.legacyRoutes()
	a.executionRoutes()
	a.jobRoutes()
	a.mediaRoutes()
	a.nodeRunRoutes()
	a.elementRoutes()
	a.generateRoutes()
	a.presetRoutes()
	a.voiceRoutes()
	a.consentRoutes()
	a.promptHelperRoutes()
	a.communityRoutes()
	a.pipelineRoutes()
	a.productionRoutes()
	a.shotRoutes()
	a.renderRoutes()
	if a.Hosted {
		a.creditRoutes()
	}
	if a.Organizations {
		a.organizationRoutes()
		a.workspaceRoutes()
		a.joinCodeRoutes()
		a.invitationRoutes()
		a.auditRoutes()
		a.budgetRoutes()
		a.usageRoutes()
	}
}
