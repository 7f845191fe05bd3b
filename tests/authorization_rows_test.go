package tests

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// rootRows are the documents of the matrix of GraphQL, one for every field of
// Query, Mutation and Subscription. $org, $room, $workflow and the like name
// things of the stage, $no one an id that nothing has, $new_app something made
// for this one request. A document changes nothing that another one needs.
var rootRows = map[string]string{
	"Query.me":                       `{ me { id } }`,
	"Query.install":                  `{ install { signUp } }`,
	"Query.apiTokens":                `{ apiTokens { id } }`,
	"Query.oauthApps":                `{ oauthApps { id } }`,
	"Query.oauthApp":                 `{ oauthApp(id: $client) { id } }`,
	"Query.connectedApps":            `{ connectedApps { id } }`,
	"Query.authorization":            `{ authorization(input: { clientId: $client }) { answer } }`,
	"Query.sessions":                 `{ sessions { current } }`,
	"Query.app":                      `{ app(slug: "matrix") { id } }`,
	"Query.apps":                     `{ apps { nodes { id } } }`,
	"Query.apps in the room":         `{ apps { nodes { id } } }`,
	"Query.runnableApps":             `{ runnableApps { nodes { id admin { isActive } } } }`,
	"Query.runnableApps in the room": `{ runnableApps { nodes { id admin { isActive } } } }`,
	"Query.managedApp":               `{ managedApp(id: $app) { id } }`,
	"Query.appRun":                   `{ appRun(slug: "matrix", id: $run) { id } }`,
	"Query.verifyAudit":              `{ verifyAudit(organizationId: $org) { intact } }`,
	"Query.notifications":            `{ notifications { nodes { id } } }`,
	"Query.notificationChoices":      `{ notificationChoices { kind mail } }`,
	"Query.search":                   `{ search(query: "room") { workspaces { name } } }`,
	"Query.execution":                `{ execution(id: $execution) { id } }`,
	"Query.executions":               `{ executions { nodes { id } } }`,
	"Query.executions in the room":   `{ executions { nodes { id } } }`,
	"Query.result":                   `{ result(id: $execution) { id } }`,
	"Query.results":                  `{ results { nodes { id } } }`,
	"Query.results in the room":      `{ results(scope: all) { nodes { id } } }`,
	"Query.job":                      `{ job(id: $job) { id } }`,
	"Query.jobs":                     `{ jobs { nodes { id } } }`,
	"Query.jobsByIds":                `{ jobsByIds(ids: [$job]) { id } }`,
	"Query.recentJobs":               `{ recentJobs(type: "text") { id } }`,
	"Query.nodeEstimate":             `{ nodeEstimate(type: "text", input: {}) { credits } }`,
	"Query.invitationByToken":        `{ invitationByToken(token: "nonsense") { state } }`,
	"Query.invitationBatch":          `{ invitationBatch(id: $batch) { id } }`,
	"Query.invitationPreview":        `{ invitationPreview(organizationId: $org, input: { emails: ["a@example.com"] }) { verdict } }`,
	"Query.nodeTypes":                `{ nodeTypes { type } }`,
	"Query.modelCosts":               `{ modelCosts(models: ["text"]) { credits } }`,
	"Query.nodeType":                 `{ nodeType(type: "text") { type } }`,
	"Query.operatorPeople":           `{ operatorPeople { nodes { id } } }`,
	"Query.operatorPerson":           `{ operatorPerson(id: $nobody) { id } }`,
	"Query.operatorCounts":           `{ operatorCounts { people } }`,
	"Query.operatorHealth":           `{ operatorHealth { version } }`,
	"Query.operatorFindings":         `{ operatorFindings { name } }`,
	"Query.operatorOrganizations":    `{ operatorOrganizations { nodes { id } } }`,
	"Query.slugFree":                 `{ slugFree(slug: "free") }`,
	"Query.organization":             `{ organization(id: $org) { id } }`,
	"Query.organizations":            `{ organizations { nodes { id } } }`,
	"Query.trigger":                  `{ trigger(id: $trigger) { id } }`,
	"Query.webhookEndpoints":         `{ webhookEndpoints { id } }`,
	"Query.webhookEndpoint":          `{ webhookEndpoint(id: $endpoint) { id } }`,
	"Query.webhookDelivery":          `{ webhookDelivery(endpointId: $endpoint, id: $nobody) { id } }`,
	"Query.checkSignature":           `{ checkSignature(endpointId: $endpoint, input: { header: "t=1,v1=00", body: "{}" }) { finding } }`,
	"Query.nodePresets":              `{ nodePresets { nodes { id } } }`,
	"Query.nodePresets in the room":  `{ nodePresets { nodes { id } } }`,
	"Query.factoryNodePresets":       `{ factoryNodePresets(first: 1) { nodes { id } } }`,
	"Query.nodePreset":               `{ nodePreset(id: $nobody) { id } }`,
	"Query.projects":                 `{ projects { nodes { id } } }`,
	"Query.projects in the room":     `{ projects { nodes { id } } }`,
	"Query.project":                  `{ project(id: $project) { id } }`,
	"Query.models":                   `{ models { id } }`,
	"Query.checkWorkflow":            `{ checkWorkflow(id: $workflow, nodes: [], edges: []) { __typename } }`,
	"Query.workflowVersion":          `{ workflowVersion(id: $workflow, version: 1) { version } }`,
	"Query.workflowAccess":           `{ workflowAccess(id: $workflow) { access } }`,
	"Query.sharedWithMe":             `{ sharedWithMe { id } }`,
	"Query.workflows":                `{ workflows { nodes { id } } }`,
	"Query.workflows in the room":    `{ workflows { nodes { id } } }`,
	"Query.workflow":                 `{ workflow(id: $workflow) { id } }`,
	"Query.workspace":                `{ workspace(id: $room) { id } }`,
	"Query.organizationCredits":      `{ organizationCredits(id: $org) { pool } }`,
	"Query.organizationMembers":      `{ organizationMembers(id: $org) { nodes { email } } }`,
	"Query.organizationAudit":        `{ organizationAudit(id: $org) { nodes { id } } }`,
	"Query.organizationInvitations":  `{ organizationInvitations(id: $org) { nodes { id } } }`,
	"Query.organizationUsage":        `{ organizationUsage(id: $org) { totals { credits } } }`,
	"Query.workspaceBudget":          `{ workspaceBudget(id: $room) { headroom } }`,
	"Query.workspaceMembers":         `{ workspaceMembers(id: $room) { nodes { role } } }`,
	"Query.workspaceJoinCode":        `{ workspaceJoinCode(id: $room) { code } }`,
	"Query.workspaceUsage":           `{ workspaceUsage(id: $room) { totals { credits } } }`,
	"Query.walletTransactions":       `{ walletTransactions { nodes { id } } }`,
	"Query.workflowTriggers":         `{ workflowTriggers(id: $workflow) { nodes { id } } }`,
	"Query.workflowCollaborators":    `{ workflowCollaborators(id: $workflow) { nodes { role } } }`,
	"Query.workspaces":               `{ workspaces { nodes { id } } }`,

	"Subscription.executionChanged":       `subscription { executionChanged(id: $execution) { id } }`,
	"Subscription.invitationBatchChanged": `subscription { invitationBatchChanged(id: $batch) { id } }`,
	"Subscription.workspaceChanged":       `subscription { workspaceChanged(id: $room) { id } }`,

	"Mutation.signUp":                   `mutation { signUp(input: { email: "nobody", password: "short", displayName: "X" }) { signedIn { token } } }`,
	"Mutation.signIn":                   `mutation { signIn(input: { email: "nobody@example.com", password: "wrong wrong wrong" }) { token } }`,
	"Mutation.exchangeSsoToken":         `mutation { exchangeSsoToken(token: "spent") { token } }`,
	"Mutation.signOut":                  `mutation { signOut }`,
	"Mutation.verifyEmail":              `mutation { verifyEmail(token: "x") { token } }`,
	"Mutation.forgotPassword":           `mutation { forgotPassword(email: "nobody@example.com") }`,
	"Mutation.resetPassword":            `mutation { resetPassword(token: "x", password: "correct horse battery") { token } }`,
	"Mutation.changePassword":           `mutation { changePassword(input: { currentPassword: "x", newPassword: "short", revokeTokens: false }) }`,
	"Mutation.endSession":               `mutation { endSession(id: $nobody) }`,
	"Mutation.signOutEverywhere":        `mutation { signOutEverywhere }`,
	"Mutation.proveOperator":            `mutation { proveOperator(operatorCode: "x") { isOperator } }`,
	"Mutation.updateProfile":            `mutation { updateProfile(input: {}) { id } }`,
	"Mutation.followNotification":       `mutation { followNotification(id: $nobody) { id } }`,
	"Mutation.markNotificationsRead":    `mutation { markNotificationsRead(ids: []) }`,
	"Mutation.markAllNotificationsRead": `mutation { markAllNotificationsRead }`,
	"Mutation.chooseNotifications":      `mutation { chooseNotifications(mailed: []) { kind } }`,
	"Mutation.createApiToken":           `mutation { createApiToken(input: { name: "" }) { token } }`,
	"Mutation.updateApiToken":           `mutation { updateApiToken(id: $token, input: {}) { id } }`,
	"Mutation.deleteApiToken":           `mutation { deleteApiToken(id: $token) }`,
	"Mutation.createOAuthApp":           `mutation { createOAuthApp(input: { name: "", redirectUris: [] }) { clientSecret } }`,
	"Mutation.updateOAuthApp":           `mutation { updateOAuthApp(id: $client, input: {}) { id } }`,
	"Mutation.rotateOAuthAppSecret":     `mutation { rotateOAuthAppSecret(id: $client) { clientSecret } }`,
	"Mutation.approveAuthorization":     `mutation { approveAuthorization(input: { clientId: $client }) }`,
	"Mutation.denyAuthorization":        `mutation { denyAuthorization(input: { clientId: $client }) }`,
	"Mutation.revokeConnectedApp":       `mutation { revokeConnectedApp(id: $client) }`,
	"Mutation.deleteOAuthApp":           `mutation { deleteOAuthApp(id: $client) }`,
	"Mutation.endOtherSessions":         `mutation { endOtherSessions }`,
	"Mutation.deleteAccount":            `mutation { deleteAccount(confirmation: "not the password") }`,

	"Mutation.publishWorkflow":    `mutation { publishWorkflow(workflowId: $workflow, input: { name: "Matrix" }) { id } }`,
	"Mutation.updateApp":          `mutation { updateApp(id: $app, input: {}) { id } }`,
	"Mutation.setAppMarkup":       `mutation { setAppMarkup(appId: $app, percent: 0) { id } }`,
	"Mutation.deleteApp":          `mutation { deleteApp(id: $new_app) }`,
	"Mutation.createDraftRun":     `mutation { createDraftRun(slug: "matrix") { id } }`,
	"Mutation.runApp":             `mutation { runApp(slug: "matrix", input: {}) { id } }`,
	"Mutation.runApp in the room": `mutation { runApp(slug: "matrix", input: {}) { id } }`,
	"Mutation.archiveRun":         `mutation { archiveRun(slug: "matrix", id: $run) { id } }`,
	"Mutation.restoreRun":         `mutation { restoreRun(slug: "matrix", id: $run) { id } }`,
	"Mutation.deleteRun":          `mutation { deleteRun(slug: "matrix", id: $run) }`,

	"Mutation.recordExport":       `mutation { recordExport(organizationId: $org, input: { kind: members, format: "csv" }) }`,
	"Mutation.recordUsageExport":  `mutation { recordUsageExport(organizationId: $org) }`,
	"Mutation.allocateCredits":    `mutation { allocateCredits(organizationId: $org, workspaceId: $room, delta: 999999) { pool } }`,
	"Query.creditPacks":           `{ creditPacks { id } }`,
	"Query.purchase":              `{ purchase(id: $nobody) { id } }`,
	"Query.operatorPurchases":     `{ operatorPurchases { nodes { id } } }`,
	"Mutation.checkoutCredits":    `mutation { checkoutCredits(organizationId: $org, packId: "none") { id } }`,
	"Mutation.cancelPurchase":     `mutation { cancelPurchase(id: $nobody) { id } }`,
	"Mutation.confirmPurchase":    `mutation { confirmPurchase(id: $nobody) { id } }`,
	"Mutation.refundPurchase":     `mutation { refundPurchase(id: $nobody, credits: 1) { id } }`,
	"Mutation.returnCredits":      `mutation { returnCredits(organizationId: $org) { pool } }`,
	"Mutation.grantCreditRequest": `mutation { grantCreditRequest(id: $nobody, amount: 1) }`,
	"Mutation.closeCreditRequest": `mutation { closeCreditRequest(id: $nobody) }`,
	"Mutation.grantCredits":       `mutation { grantCredits(input: { organizationId: $nobody, amount: 1, reason: "none" }) { amount } }`,

	"Mutation.runWorkflow":         `mutation { runWorkflow(id: $workflow, input: {}) { id } }`,
	"Mutation.runNode":             `mutation { runNode(type: "text", settings: { text: "x" }) { inline } }`,
	"Mutation.runNode in the room": `mutation { runNode(type: "text", settings: { text: "x" }) { inline } }`,
	"Mutation.saveToStorage":       `mutation { saveToStorage(url: "http://example.com/a.png") { id } }`,
	"Mutation.cancelExecution":     `mutation { cancelExecution(id: $execution) }`,
	"Mutation.retryExecution":      `mutation { retryExecution(id: $execution) { id } }`,
	"Mutation.shareResult":         `mutation { shareResult(id: $execution) { id } }`,
	"Mutation.unshareResult":       `mutation { unshareResult(id: $execution) { id } }`,
	"Mutation.cancelJob":           `mutation { cancelJob(id: $job) }`,
	"Mutation.approveJob":          `mutation { approveJob(id: $job) { id } }`,
	"Mutation.rejectJob":           `mutation { rejectJob(id: $job) { id } }`,

	"Mutation.createInvitations": `mutation { createInvitations(organizationId: $org, input: { emails: ["nobody"] }) { id } }`,
	"Mutation.retryInvitations":  `mutation { retryInvitations(batchId: $batch) { id } }`,
	"Mutation.resendInvitation":  `mutation { resendInvitation(id: $invitation) { status } }`,
	"Mutation.revokeInvitation":  `mutation { revokeInvitation(id: $invitation) }`,
	"Mutation.acceptInvitation":  `mutation { acceptInvitation(token: "nonsense") { organizationId } }`,

	"Mutation.approveOrganization":      `mutation { approveOrganization(id: $nobody) { id } }`,
	"Mutation.rejectOrganization":       `mutation { rejectOrganization(id: $nobody, reason: "None") { id } }`,
	"Mutation.banUser":                  `mutation { banUser(id: $nobody) { id } }`,
	"Mutation.unbanUser":                `mutation { unbanUser(id: $nobody) { id } }`,
	"Mutation.deleteUser":               `mutation { deleteUser(id: $nobody) { id } }`,
	"Mutation.endSessionsOf":            `mutation { endSessionsOf(id: $nobody) { id } }`,
	"Mutation.resetSecondFactor":        `mutation { resetSecondFactor(id: $nobody) { id } }`,
	"Query.linkedSignIns":               `{ linkedSignIns { provider } }`,
	"Query.operatorSignIns":             `{ operatorSignIns { methods } }`,
	"Query.secondFactor":                `{ secondFactor { recoveryCodesLeft } }`,
	"Mutation.completeSignIn":           `mutation { completeSignIn(input: { secondFactorToken: "none", code: "000000" }) { token } }`,
	"Mutation.confirmSession":           `mutation { confirmSession(input: {}) }`,
	"Mutation.confirmTotp":              `mutation { confirmTotp(code: "000000") }`,
	"Mutation.removeTotp":               `mutation { removeTotp }`,
	"Mutation.createRecoveryCodes":      `mutation { createRecoveryCodes }`,
	"Mutation.beginTotp":                `mutation { beginTotp { uri } }`,
	"Mutation.beginPasskey":             `mutation { beginPasskey(purpose: register) { id } }`,
	"Mutation.addPasskey":               `mutation { addPasskey(name: "New", answer: { challengeId: $nobody, response: {} }) { id } }`,
	"Mutation.renamePasskey":            `mutation { renamePasskey(id: $nobody, name: "New") { id } }`,
	"Mutation.deletePasskey":            `mutation { deletePasskey(id: $nobody) }`,
	"Mutation.signInWithPasskey":        `mutation { signInWithPasskey(answer: { challengeId: $nobody, response: {} }) { token } }`,
	"Mutation.createResetLink":          `mutation { createResetLink(id: $nobody) { expiresAt } }`,
	"Mutation.suspendOrganization":      `mutation { suspendOrganization(id: $nobody, reason: "None") { id } }`,
	"Mutation.reinstateOrganization":    `mutation { reinstateOrganization(id: $nobody) { id } }`,
	"Mutation.createOrganization":       `mutation { createOrganization(input: { name: "New", kind: team }) { id } }`,
	"Mutation.updateOrganization":       `mutation { updateOrganization(id: $org, input: {}) { id } }`,
	"Mutation.transferOwnership":        `mutation { transferOwnership(organizationId: $org, userId: $nobody) { id } }`,
	"Mutation.deleteOrganization":       `mutation { deleteOrganization(id: $org) }`,
	"Mutation.leaveOrganization":        `mutation { leaveOrganization(id: $org) }`,
	"Mutation.updateOrganizationMember": `mutation { updateOrganizationMember(organizationId: $org, userId: $pupil, input: {}) { role } }`,
	"Mutation.removeOrganizationMember": `mutation { removeOrganizationMember(organizationId: $org, userId: $nobody) }`,

	"Query.credentials":              `{ credentials { id } }`,
	"Query.credential":               `{ credential(id: $credential) { id } }`,
	"Query.credentialChoices":        `{ credentialChoices(workflowId: $workflow) { id } }`,
	"Mutation.createCredential":      `mutation { createCredential(input: { name: "", headerName: "X-Key", key: "k", kind: plain }) { id } }`,
	"Mutation.updateCredential":      `mutation { updateCredential(id: $credential, input: {}) { id } }`,
	"Mutation.deleteCredential":      `mutation { deleteCredential(id: $credential) }`,
	"Mutation.createWebhookEndpoint": `mutation { createWebhookEndpoint(input: { url: "http://example.com" }) { secret } }`,
	"Mutation.updateWebhookEndpoint": `mutation { updateWebhookEndpoint(id: $endpoint, input: {}) { id } }`,
	"Mutation.deleteWebhookEndpoint": `mutation { deleteWebhookEndpoint(id: $endpoint) }`,
	"Mutation.rotateWebhookSecret":   `mutation { rotateWebhookSecret(id: $endpoint) { secret } }`,
	"Mutation.testWebhookEndpoint":   `mutation { testWebhookEndpoint(id: $endpoint) { id } }`,
	"Mutation.redeliverRange":        `mutation { redeliverRange(endpointId: $endpoint, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { queued } }`,
	"Mutation.redeliver":             `mutation { redeliver(endpointId: $endpoint, id: $nobody) { id } }`,

	"Mutation.createNodePreset":           `mutation { createNodePreset(input: { nodeType: "text-card", name: "", settings: { align: "left" } }) { id } }`,
	"Mutation.importNodePresets":          `mutation { importNodePresets(presets: []) { id } }`,
	"Mutation.updateNodePreset":           `mutation { updateNodePreset(id: $nobody, input: {}) { id } }`,
	"Mutation.deleteNodePreset":           `mutation { deleteNodePreset(id: $nobody) }`,
	"Mutation.duplicateNodePreset":        `mutation { duplicateNodePreset(id: $nobody) { id } }`,
	"Mutation.promptHelp":                 `mutation { promptHelp(input: { idea: "" }) { prompt } }`,
	"Mutation.createProject":              `mutation { createProject(input: { name: "P" }) { id } }`,
	"Mutation.createProject in the room":  `mutation { createProject(input: { name: "P" }) { id } }`,
	"Mutation.updateProject":              `mutation { updateProject(id: $project, input: {}) { id } }`,
	"Mutation.deleteProject":              `mutation { deleteProject(id: $new_project) }`,
	"Mutation.createWorkflow":             `mutation { createWorkflow(input: { name: "W" }) { id } }`,
	"Mutation.createWorkflow in the room": `mutation { createWorkflow(input: { name: "W" }) { id } }`,
	"Mutation.updateWorkflow":             `mutation { updateWorkflow(id: $workflow, input: {}) { id } }`,
	"Mutation.deleteWorkflow":             `mutation { deleteWorkflow(id: $new_workflow) }`,

	"Mutation.createTrigger": `mutation { createTrigger(input: { workflowId: $workflow, type: webhook, config: { parameters: "" } }) { id } }`,
	"Mutation.updateTrigger": `mutation { updateTrigger(id: $trigger, input: {}) { id } }`,
	"Mutation.deleteTrigger": `mutation { deleteTrigger(id: $new_trigger) }`,
	"Mutation.syncTriggers":  `mutation { syncTriggers(workflowId: $workflow) { synced } }`,
	"Mutation.tryTrigger":    `mutation { tryTrigger(id: $trigger, payload: {}) { id } }`,

	"Mutation.addCollaborator":    `mutation { addCollaborator(workflowId: $workflow, input: { userId: $nobody, role: viewer }) { role } }`,
	"Mutation.updateCollaborator": `mutation { updateCollaborator(workflowId: $workflow, userId: $pupil, input: { role: viewer }) { role } }`,
	"Mutation.removeCollaborator": `mutation { removeCollaborator(workflowId: $workflow, userId: $nobody) }`,

	"Mutation.createWorkspace":          `mutation { createWorkspace(organizationId: $org, input: { name: "Room", slug: "room" }) { id } }`,
	"Mutation.updateWorkspace":          `mutation { updateWorkspace(id: $room, input: {}) { id } }`,
	"Mutation.archiveWorkspace":         `mutation { archiveWorkspace(id: $room) { id } }`,
	"Mutation.unarchiveWorkspace":       `mutation { unarchiveWorkspace(id: $room) { id } }`,
	"Mutation.addWorkspaceMember":       `mutation { addWorkspaceMember(workspaceId: $room, input: { userId: $nobody, role: member }) { role } }`,
	"Mutation.updateWorkspaceMember":    `mutation { updateWorkspaceMember(workspaceId: $room, userId: $pupil, input: {}) { role } }`,
	"Mutation.setWorkspaceMemberCaps":   `mutation { setWorkspaceMemberCaps(workspaceId: $room, userIds: [$nobody], creditCap: 1) { role } }`,
	"Mutation.setWorkspaceDefaultCap":   `mutation { setWorkspaceDefaultCap(workspaceId: $room) { headroom } }`,
	"Mutation.applyWorkspaceDefaultCap": `mutation { applyWorkspaceDefaultCap(workspaceId: $room) { headroom } }`,
	"Mutation.requestCredits":           `mutation { requestCredits(workspaceId: $room, reason: "") }`,
	"Mutation.removeWorkspaceMember":    `mutation { removeWorkspaceMember(workspaceId: $room, userId: $nobody) }`,
	"Mutation.changeJoinCode":           `mutation { changeJoinCode(workspaceId: $room, action: enable) { code } }`,
	"Mutation.enableJoinCodeUntil":      `mutation { enableJoinCodeUntil(workspaceId: $room, closesAt: $soon) { code } }`,
	"Mutation.joinWorkspace":            `mutation { joinWorkspace(code: "AAAAAAAA") { workspaceId } }`,
}

// graphqlEndings are the mutations that end what others need.
var graphqlEndings = []string{
	"Mutation.returnCredits", "Mutation.revokeInvitation", "Mutation.deleteWebhookEndpoint", "Mutation.deleteCredential", "Mutation.deleteApiToken",
	"Mutation.revokeConnectedApp", "Mutation.deleteOAuthApp",
	"Mutation.leaveOrganization", "Mutation.signOut", "Mutation.signOutEverywhere",
}

// rowsOf are the rows of the root fields: what changes nothing first, what ends things last.
func rowsOf(t *testing.T, schema *ast.Schema) (rows []string) {
	t.Helper()
	for _, root := range []*ast.Definition{schema.Query, schema.Subscription, schema.Mutation} {
		for _, field := range root.Fields {
			name := root.Name + "." + field.Name
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			if _, ok := rootRows[name]; !ok {
				t.Errorf("%s has no row in rootRows: write there how the matrix asks for it", name)
				continue
			}
			rows = append(rows, name)
			if _, ok := rootRows[name+inRoom]; ok {
				rows = append(rows, name+inRoom)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b string) int { return slices.Index(graphqlEndings, a) - slices.Index(graphqlEndings, b) })
	return rows
}

// inRoom marks a row that is asked with the room selected.
const inRoom = " in the room"
