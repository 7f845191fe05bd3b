//go:build !race

package tests

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"atelier/graph"
	"atelier/models/dbtest"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// change is a mutation that an organization's audit log must tell of.
type change struct {
	field string
	who   func(*stage) client
	// document changes something when it is allowed to; what is it that prepares
	// $code and $link.
	document string
	prepare  func(*stage)
}

// TestAuditFailure makes the audit log refuse entries: then no change of an
// organization happens, wholly or in part. Afterwards each of them does happen
// and is told. A mutation that is in neither of changes and quietFields fails.
func TestAuditFailure(t *testing.T) {
	t.Parallel()
	databaseURL := dbtest.NewURL(t)
	url := startOn(t, databaseURL, t.TempDir(), []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error").URL
	s := newStage(t, newCast(t, url, "team", 10))
	db := openDatabase(t, databaseURL)
	db.exec(`CREATE TABLE audit_fault (armed boolean)`)
	db.exec(`INSERT INTO audit_fault VALUES (false)`)
	db.exec(`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF (SELECT armed FROM audit_fault) THEN RAISE 'the audit log is full'; END IF; RETURN NEW; END $$`)
	db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit()`)

	told := map[string]bool{}
	for i, c := range changes {
		told[c.field] = true
		t.Run(fmt.Sprint(i, " ", c.field), func(t *testing.T) {
			db.t = t
			if c.prepare != nil {
				c.prepare(s)
			}
			document := object{"query": s.fill(c.document)}
			who := c.who(s)
			who.t = t
			db.exec(`UPDATE audit_fault SET armed = true`)
			before := db.state()
			refused := who.post("/graphql", document)
			after := db.state()
			db.exec(`UPDATE audit_fault SET armed = false`)
			if status, _ := refused.path("errors.0.extensions.status").(float64); status < 500 {
				t.Errorf("without an entry it answers %s", refused.Body)
			}
			for table, rows := range after {
				if before[table] != rows {
					t.Errorf("%s changed although nothing could be written down", table)
				}
			}
			entries := db.strings(`SELECT count(*)::text FROM audit_entries`)[0]
			if done := who.post("/graphql", document); done.path("errors") != nil {
				t.Fatalf("with the log in order: %s", done.Body)
			}
			if now := db.strings(`SELECT count(*)::text FROM audit_entries`)[0]; now == entries {
				t.Errorf("the change is not in the log")
			}
		})
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})
	for _, field := range schema.Mutation.Fields {
		if !told[field.Name] && !slices.Contains(quietFields, field.Name) {
			t.Errorf("%s is in neither of changes and quietFields: say there how it changes an organization, or that it changes none", field.Name)
		}
	}
}

// state is a digest of each table, without what every request may touch and what workers note of themselves.
func (db *database) state() map[string]string {
	db.t.Helper()
	digests := map[string]string{}
	for _, table := range db.tables() {
		if table == "audit_fault" || table == "ledger_comparisons" || strings.HasPrefix(table, "usage_") || strings.HasPrefix(table, "spending_") { // what the service compares and adds up by itself
			continue
		}
		digests[table] = db.strings(`SELECT coalesce(md5(string_agg((to_jsonb(t) - 'last_workspace_id' - 'last_used_at' - 'seen_at' - 'seen_ip' - 'late_ms' - 'late_at')::text, ',' ORDER BY to_jsonb(t)::text)), '') FROM ` + table + ` t`)[0]
	}
	return digests
}

// quietFields are the mutations that are no change of an organization, or that
// come down to another one.
var quietFields = []string{
	"signUp", "signIn", "signOut", "verifyEmail", "forgotPassword", "resetPassword", "changePassword", "endSession", "signOutEverywhere", "endOtherSessions",
	"deleteAccount", "banUser", "unbanUser", "deleteUser", "endSessionsOf", "createResetLink", // of people; deleting writes member.left where there is an organization
	"proveOperator", "updateProfile", "requestEmailChange", "confirmEmailChange",
	"updateInstallSettings", // of the install
	"createOAuthApp", "updateOAuthApp", "rotateOAuthAppSecret", "deleteOAuthApp", "revokeConnectedApp", "approveAuthorization", "denyAuthorization",
	"exchangeSsoToken", "completeSignIn", "confirmSession", "beginTotp", "confirmTotp", "removeTotp", "createRecoveryCodes", "resetSecondFactor",
	"beginPasskey", "addPasskey", "renamePasskey", "deletePasskey", "signInWithPasskey",
	"createApiToken", "updateApiToken", "deleteApiToken", "createDraftRun", "runApp", "archiveRun", "restoreRun", "deleteRun",
	"retryExecution", "saveToStorage",
	"runWorkflow", "runNode", "cancelExecution", "cancelJob", "approveJob", "rejectJob", "retryInvitations",
	"createWebhookEndpoint", "updateWebhookEndpoint", "deleteWebhookEndpoint", "rotateWebhookSecret",
	"testWebhookEndpoint", "redeliver", "redeliverRange", "createCredential", "updateCredential", "deleteCredential",
	"tryTrigger", "syncTriggers",
	"trainElement", "previewVoice", "generateElement", // what their jobs end with is written down then
	"cloneVoice", "giveVoiceConsent", // need a provider of voices
	"likePost", "unlikePost", "reportPost",
	"runPipeline", "renderProduction",
	"promptHelp", "requestCredits", "followNotification", "markNotificationsRead", "markAllNotificationsRead", "chooseNotifications",
}

// openRequest asks for credits; $code is the request.
func openRequest(s *stage) {
	asked := s.pupil.post("/graphql", object{"query": s.fill(`mutation { requestCredits(workspaceId: $room, amount: 2, reason: "A film") }`)})
	if asked.path("errors") != nil {
		s.t.Fatalf("asking for credits: %s", asked.Body)
	}
	s.code = s.head.post("/graphql", object{"query": s.fill(`{ workspace(id: $room) { creditRequests { id } } }`)}).text("data.workspace.creditRequests.0.id")
}

// beginPurchase begins to buy a pack; $code is the purchase.
func beginPurchase(s *stage) {
	s.code = s.owner.post("/v1/orgs/"+s.org+"/credits/checkout", object{"packId": "small"}).want(200).text("data.purchaseId")
}

// keepElement makes a character; $code is its id.
func keepElement(s *stage) { s.code = s.newElement() }

// keepPicture adds a picture to $element; $code is its id.
func keepPicture(s *stage) {
	s.code = s.head.in(s.room).post("/v1/characters/"+s.element+"/images", object{"url": s.head.in(s.room).uploadPicture()}).want(201).text("data.id")
}

// keepVoice makes a voice; $code is its id.
func keepVoice(s *stage) { s.code = s.newVoice() }

// keepFace makes a face of the pupil, who is to agree; $code is its id.
func keepFace(s *stage) {
	face := object{"name": "Pupil", "consent": object{"subject": "member", "userId": s.pupil.id, "confirmed": true}}
	s.code = s.head.in(s.room).post("/v1/faces", face).want(201).text("data.id")
}

// keepPost posts $element; $code is the post's id.
func keepPost(s *stage) {
	s.code = s.head.in(s.room).post("/v1/community/posts", object{"kind": "character", "sourceId": s.element}).want(201).text("data.id")
}

func keepPreset(s *stage) {
	card := object{"nodeType": "text-card", "name": "P", "visibility": "workspace", "settings": object{"align": "left"}}
	s.code = s.head.in(s.room).post("/v1/node-presets", card).want(201).text("data.id")
}

func byOwner(s *stage) client    { return s.owner.client }
func byHead(s *stage) client     { return s.head.in(s.room) }
func byPupil(s *stage) client    { return s.pupil.in(s.room) }
func byOperator(s *stage) client { return s.operator }

// changes are made one after another, each on what the ones before left.
var changes = []change{
	{"updateOrganization", byOwner, `mutation { updateOrganization(id: $org, input: { name: "Renamed" }) { id } }`, nil},
	{"createWorkspace", byOwner, `mutation { createWorkspace(organizationId: $org, input: { name: "Fresh" }) { id } }`, nil},
	{"updateWorkspace", byHead, `mutation { updateWorkspace(id: $room, input: { description: "New", settings: { member_caps_enabled: true } }) { id } }`, nil},
	{"addWorkspaceMember", byHead, `mutation { addWorkspaceMember(workspaceId: $room, input: { userId: $outside, role: member }) { role } }`, nil},
	{"updateWorkspaceMember", byHead, `mutation { updateWorkspaceMember(workspaceId: $room, userId: $outside, input: { role: admin }) { role } }`, nil},
	{"updateWorkspaceMember", byHead, `mutation { updateWorkspaceMember(workspaceId: $room, userId: $pupil, input: { creditCap: 2 }) { role } }`, nil},
	{"setWorkspaceMemberCaps", byHead, `mutation { setWorkspaceMemberCaps(workspaceId: $room, userIds: [$pupil, $outside], creditCap: 3) { role } }`, nil},
	{"setWorkspaceDefaultCap", byHead, `mutation { setWorkspaceDefaultCap(workspaceId: $room, creditCap: 3) { headroom } }`, nil},
	{"applyWorkspaceDefaultCap", byHead, `mutation { applyWorkspaceDefaultCap(workspaceId: $room) { headroom } }`,
		func(s *stage) {
			s.head.do("PATCH", "/v1/workspaces/"+s.room+"/members/"+s.pupil.id, object{"creditCap": nil}).want(200)
		}},
	{"grantCreditRequest", byHead, `mutation { grantCreditRequest(id: $code, amount: 2) }`, openRequest},
	{"closeCreditRequest", byHead, `mutation { closeCreditRequest(id: $code) }`, openRequest},
	{"removeWorkspaceMember", byHead, `mutation { removeWorkspaceMember(workspaceId: $room, userId: $outside) }`, nil},
	{"changeJoinCode", byHead, `mutation { changeJoinCode(workspaceId: $room, action: enable) { code } }`, nil},
	{"changeJoinCode", byHead, `mutation { changeJoinCode(workspaceId: $room, action: rotate) { code } }`, nil},
	{"enableJoinCodeUntil", byHead, `mutation { enableJoinCodeUntil(workspaceId: $room, closesAt: $soon) { code } }`, nil},
	{"joinWorkspace", func(s *stage) client { return s.outsider.client }, `mutation { joinWorkspace(code: $code) { workspaceId } }`,
		func(s *stage) {
			s.code = s.head.get("/v1/workspaces/" + s.room + "/join-code").want(200).text("data.code")
		}},
	{"createInvitations", byOwner, `mutation { createInvitations(organizationId: $org, input: { emails: ["x@example.com", "y@example.com"] }) { id } }`, nil},
	{"resendInvitation", byOwner, `mutation { resendInvitation(id: $invitation) { status } }`, nil},
	{"revokeInvitation", byOwner, `mutation { revokeInvitation(id: $invitation) }`, nil},
	{"acceptInvitation", func(s *stage) client { return s.rival.client }, `mutation { acceptInvitation(token: $code) { organizationId } }`,
		func(s *stage) {
			link := s.owner.post("/v1/orgs/"+s.org+"/invitations", object{"emails": []string{s.rival.email}, "workspaceId": s.room}).want(201).text("data.0.link")
			s.code = link[strings.LastIndexByte(link, '/')+1:]
		}},
	{"grantCredits", byOperator, `mutation { grantCredits(input: { organizationId: $org, amount: 5, reason: "Test" }) { amount } }`, nil},
	{"checkoutCredits", byOwner, `mutation { checkoutCredits(organizationId: $org, packId: "small") { id } }`, nil},
	{"cancelPurchase", byOwner, `mutation { cancelPurchase(id: $code) { id } }`, beginPurchase},
	{"confirmPurchase", byOperator, `mutation { confirmPurchase(id: $code) { id } }`, beginPurchase},
	{"refundPurchase", byOperator, `mutation { refundPurchase(id: $code, credits: 100) { id } }`, nil},
	{"allocateCredits", byOwner, `mutation { allocateCredits(organizationId: $org, workspaceId: $room, delta: 1.5) { pool } }`, nil},
	{"recordUsageExport", byOwner, `mutation { recordUsageExport(organizationId: $org) }`, nil},
	{"recordExport", byOwner, `mutation { recordExport(organizationId: $org, input: { kind: audit, format: "csv" }) }`, nil},
	{"createNodePreset", byHead, `mutation { createNodePreset(input: { nodeType: "text-card", name: "P", settings: { align: "left" } }) { id } }`, nil},
	{"importNodePresets", byHead, `mutation { importNodePresets(presets: [{ nodeType: "text-card", name: "P", settings: { align: "left" } }]) { id } }`, nil},
	{"updateNodePreset", byHead, `mutation { updateNodePreset(id: $code, input: { name: "Q", visibility: private }) { id } }`, keepPreset},
	{"duplicateNodePreset", byHead, `mutation { duplicateNodePreset(id: $code) { id } }`, nil},
	{"deleteNodePreset", byHead, `mutation { deleteNodePreset(id: $code) }`, nil},
	{"createElement", byHead, `mutation { createElement(input: { kind: object, name: "Cup" }) { id } }`, nil},
	{"updateElement", byHead, `mutation { updateElement(id: $code, input: { name: "Bowl", visibility: private }) { id } }`, keepElement},
	{"duplicateElement", byHead, `mutation { duplicateElement(id: $code) { id } }`, nil},
	{"deleteElement", byHead, `mutation { deleteElement(id: $code) { erased } }`, nil},
	{"addElementImage", byHead, `mutation { addElementImage(id: $element, input: { url: $code }) { id } }`,
		func(s *stage) { s.code = s.head.in(s.room).uploadPicture() }},
	{"updateElementImage", byHead, `mutation { updateElementImage(id: $element, imageId: $code, input: { isPrimary: true }) { id } }`, keepPicture},
	{"deleteElementImage", byHead, `mutation { deleteElementImage(id: $element, imageId: $code) }`, nil},
	{"giveConsent", byPupil, `mutation { giveConsent(id: $code, input: { confirmed: true }) { id } }`, keepFace},
	{"createVoice", byHead, `mutation { createVoice(input: { name: "Copy", baseVoiceId: $voice }) { id } }`, nil},
	{"updateVoice", byHead, `mutation { updateVoice(id: $code, input: { name: "Reader", visibility: private }) { id } }`, keepVoice},
	{"deleteVoice", byHead, `mutation { deleteVoice(id: $code) }`, nil},
	{"createPipeline", byHead, `mutation { createPipeline(input: { name: "P", stages: { image: { nodeType: "text-card" } } }) { id } }`, nil},
	{"updatePipeline", byHead, `mutation { updatePipeline(id: $code, input: { name: "Q", visibility: private }) { id } }`,
		func(s *stage) { s.code = s.newPipeline() }},
	{"duplicatePipeline", byHead, `mutation { duplicatePipeline(id: $code) { id } }`, nil},
	{"deletePipeline", byHead, `mutation { deletePipeline(id: $code) }`, nil},
	{"createProduction", byHead, `mutation { createProduction(input: { name: "Film" }) { id } }`, nil},
	{"updateProduction", byHead, `mutation { updateProduction(id: $code, input: { name: "Our film", visibility: private }) { id } }`,
		func(s *stage) { s.code, _ = s.newProduction() }},
	{"breakDownScript", byHead, `mutation { breakDownScript(id: $code, input: { script: "The sea.", replace: true }) { production { id } } }`, nil},
	{"duplicateProduction", byHead, `mutation { duplicateProduction(id: $code) { id } }`, nil},
	{"deleteProduction", byHead, `mutation { deleteProduction(id: $code) }`, nil},
	{"createShot", byHead, `mutation { createShot(productionId: $production, input: { title: "Two" }) { id } }`, nil},
	{"updateShot", byHead, `mutation { updateShot(productionId: $production, id: $shot, input: { action: "The sea at night." }) { id } }`, nil},
	{"orderShots", byHead, `mutation { orderShots(productionId: $production, shotIds: [$code, $shot]) { id } }`,
		func(s *stage) {
			s.code = s.head.in(s.room).get("/v1/studio/productions/" + s.production).want(200).text("data.shots.1.id")
		}},
	{"deleteShot", byHead, `mutation { deleteShot(productionId: $production, id: $code) }`, nil},
	{"shareShot", byHead, `mutation { shareShot(productionId: $production, id: $shot, input: { shared: true }) { id } }`,
		func(s *stage) { s.shootCard(s.production) }},
	{"shareShot", byHead, `mutation { shareShot(productionId: $production, id: $shot, input: { shared: false }) { id } }`, nil},
	{"postToCommunity", byHead, `mutation { postToCommunity(input: { kind: character, sourceId: $element }) { id } }`, nil},
	{"updatePost", byHead, `mutation { updatePost(id: $code, input: { title: "Ours" }) { id } }`, keepPost},
	{"usePost", byHead, `mutation { usePost(id: $code, input: { name: "Copy" }) { id } }`, nil},
	{"moderatePost", byHead, `mutation { moderatePost(id: $code, input: { action: hide }) { id } }`, nil},
	{"deletePost", byHead, `mutation { deletePost(id: $code) }`, nil},
	{"createProject", byHead, `mutation { createProject(input: { name: "P" }) { id } }`, nil},
	{"updateProject", byHead, `mutation { updateProject(id: $project, input: { name: "Q" }) { id } }`, nil},
	{"createWorkflow", byHead, `mutation { createWorkflow(input: { name: "W" }) { id } }`, nil},
	{"updateWorkflow", byHead, `mutation { updateWorkflow(id: $workflow, input: { visibility: private }) { id } }`, nil},
	{"updateWorkflow", byHead, `mutation { updateWorkflow(id: $workflow, input: { visibility: workspace }) { id } }`, nil},
	{"createTrigger", byHead, `mutation { createTrigger(input: { workflowId: $workflow, type: webhook }) { id } }`, nil},
	{"updateTrigger", byHead, `mutation { updateTrigger(id: $trigger, input: { isActive: false }) { id } }`, nil},
	{"deleteTrigger", byHead, `mutation { deleteTrigger(id: $trigger) }`, nil},
	{"addCollaborator", byHead, `mutation { addCollaborator(workflowId: $workflow, input: { userId: $pupil, role: editor }) { role } }`, nil},
	{"updateCollaborator", byHead, `mutation { updateCollaborator(workflowId: $workflow, userId: $pupil, input: { role: viewer }) { role } }`, nil},
	{"removeCollaborator", byHead, `mutation { removeCollaborator(workflowId: $workflow, userId: $pupil) }`, nil},
	{"shareResult", byPupil, `mutation { shareResult(id: $execution) { id } }`, nil},
	{"unshareResult", byHead, `mutation { unshareResult(id: $execution) { id } }`, nil},
	{"updateApp", byHead, `mutation { updateApp(id: $app, input: { isActive: false }) { id } }`, nil},
	{"setAppMarkup", byOperator, `mutation { setAppMarkup(appId: $app, percent: 12.5) { id } }`, nil},
	{"deleteApp", byHead, `mutation { deleteApp(id: $app) }`, nil},
	{"publishWorkflow", byHead, `mutation { publishWorkflow(workflowId: $workflow, input: { name: "Again" }) { id } }`, nil},
	{"deleteWorkflow", byHead, `mutation { deleteWorkflow(id: $workflow) }`, nil},
	{"deleteProject", byHead, `mutation { deleteProject(id: $code) }`,
		func(s *stage) { s.code = s.shortLived("project") }},
	{"archiveWorkspace", byOwner, `mutation { archiveWorkspace(id: $room) { id } }`, nil},
	{"unarchiveWorkspace", byOwner, `mutation { unarchiveWorkspace(id: $room) { id } }`, nil},
	{"updateOrganizationMember", byOwner, `mutation { updateOrganizationMember(organizationId: $org, userId: $pupil, input: { role: admin, status: suspended }) { role } }`, nil},
	{"removeOrganizationMember", byOwner, `mutation { removeOrganizationMember(organizationId: $org, userId: $pupil) }`, nil},
	{"leaveOrganization", func(s *stage) client { return s.outside.client }, `mutation { leaveOrganization(id: $org) }`, nil},
	{"returnCredits", byOwner, `mutation { returnCredits(organizationId: $org) { pool } }`, nil},
	{"transferOwnership", byOwner, `mutation { transferOwnership(organizationId: $org, userId: $admin) { id } }`, nil},
	{"createOrganization", byOwner, `mutation { createOrganization(input: { name: "Second", kind: team }) { id } }`, nil},
	{"approveOrganization", byOperator, `mutation { approveOrganization(id: $code) { id } }`,
		func(s *stage) { s.code = s.pending.org }},
	{"suspendOrganization", byOperator, `mutation { suspendOrganization(id: $code, reason: "Unpaid") { id } }`, nil},
	{"reinstateOrganization", byOperator, `mutation { reinstateOrganization(id: $code) { id } }`, nil},
	{"rejectOrganization", byOperator, `mutation { rejectOrganization(id: $org, reason: "No") { id } }`,
		func(s *stage) {
			s.org = s.owner.post("/v1/orgs", object{"name": "Third", "kind": "team"}).want(201).text("data.id")
		}},
	{"deleteOrganization", func(s *stage) client { return s.pending.owner.client }, `mutation { deleteOrganization(id: $code) }`, nil},
}
