package graph

import (
	"context"
	"slices"
	"strings"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// What a connected app may ask for, by the scope that it needs (contract 1,
// "Authentication" 6): fields of Query, Mutation and Subscription, and types with
// all their fields. "Type.field" counts before its type. What stands nowhere is
// forbidden to every app, whatever it was granted. Use cases ask for the same
// scopes; this keeps fields apart that are read along with what was asked for.
var (
	scopedRoots = map[models.Scope]string{
		models.Unscoped: `
			me install app nodeTypes nodeType models invitationByToken publicShot modelCosts
			credentials credential credentialChoices createCredential updateCredential deleteCredential`, // in_app_only
		models.ScopeExecute: `
			projects project createProject updateProject deleteProject
			workflows workflow workflowVersion checkWorkflow createWorkflow updateWorkflow deleteWorkflow
			workflowAccess sharedWithMe addCollaborator updateCollaborator removeCollaborator
			trigger createTrigger updateTrigger deleteTrigger syncTriggers tryTrigger
			apps runnableApps managedApp publishWorkflow updateApp deleteApp
			runWorkflow runNode runApp createDraftRun cancelExecution retryExecution cancelJob approveJob rejectJob
			saveToStorage shareResult unshareResult search
			nodeEstimate elements element elementUses trainingCheck consents
			createElement updateElement deleteElement addElementImage updateElementImage deleteElementImage duplicateElement
			giveConsent generateElement trainElement
			nodePresets factoryNodePresets nodePreset createNodePreset importNodePresets updateNodePreset deleteNodePreset
			duplicateNodePreset promptHelp
			communityPosts ownPosts postsToReview communityPost postChoices postToCommunity updatePost deletePost usePost likePost unlikePost
			reportPost moderatePost
			voices voice voiceVariants voiceCloning createVoice cloneVoice updateVoice deleteVoice previewVoice giveVoiceConsent
			pipelines pipeline createPipeline updatePipeline deletePipeline duplicatePipeline runPipeline
			productions production productionEstimate productionRenders
			createProduction updateProduction deleteProduction duplicateProduction breakDownScript
			createShot updateShot deleteShot orderShots renderProduction shareShot`,
		models.ScopeJobsRead: `
			execution executions executionChanged job jobs jobsByIds recentJobs results result
			appRun archiveRun restoreRun
			webhookEndpoints webhookEndpoint webhookDelivery checkSignature
			createWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint rotateWebhookSecret testWebhookEndpoint
			redeliver redeliverRange`,
		models.ScopeWorkspacesRead: `
			organizations organization slugFree workspaces workspace workspaceChanged
			invitationBatch invitationBatchChanged verifyAudit recordExport recordUsageExport
			creditPacks purchase search retryInvitations`,
		models.ScopeWorkspacesWrite: `
			createOrganization updateOrganization transferOwnership deleteOrganization leaveOrganization
			updateOrganizationMember removeOrganizationMember
			createWorkspace updateWorkspace archiveWorkspace unarchiveWorkspace
			addWorkspaceMember updateWorkspaceMember setWorkspaceMemberCaps removeWorkspaceMember
			changeJoinCode enableJoinCodeUntil joinWorkspace
			invitationPreview createInvitations retryInvitations resendInvitation revokeInvitation acceptInvitation
			allocateCredits returnCredits setWorkspaceDefaultCap applyWorkspaceDefaultCap
			requestCredits grantCreditRequest closeCreditRequest checkoutCredits cancelPurchase`,
	}
	scopedTypes = map[models.Scope]string{
		models.Unscoped: `
			User PageInfo Position Install SignInOffer SignInProvider NodeType NodeModel ModelCost InvitationLookup Vocabulary PublicShot
			Profile.id Profile.email Profile.displayName Profile.avatarUrl Profile.emailVerified Profile.createdAt
			Profile.timeZone Profile.lastWorkspaceId
			App.id App.slug App.name App.description App.iconUrl App.version App.estimatedCredits App.markupPercent
			App.maxRunsPerUserPerDay App.thumbnailNodeId App.snapshotNodes App.snapshotEdges App.inputItems App.versions
			AppVersion WorkflowNode WorkflowEdge StoragePart Credential CredentialUse
			Organization.id Workspace.id
			Execution.id Execution.status AppRun.id AppRun.status AppRun.executionId Job.id Job.status Job.outputData`,
		models.ScopeExecute: `
			Profile.wallet Profile.storage Wallet.balance Wallet.reserved Wallet.available
			Project ProjectConnection ProjectEdge
			Workflow WorkflowConnection WorkflowListEdge WorkflowPermissions WorkflowVersion GraphCheck GraphProblem
			SavedVersion SavedVersionConnection SavedVersionEdge
			Collaborator CollaboratorConnection CollaboratorEdge CollaboratorStanding SharedWorkflow
			Trigger TriggerConnection TriggerEdge TriggerParameter SyncedTriggers
			ScheduleMinute ScheduleFire ScheduleFireConnection ScheduleFireEdge
			App.allowedEmbedDomains App.admin App.runsLeftToday App.workspaceId App.payment
			AppConnection AppEdge AppAdmin AppPayment NodeRun NodeEstimate File
			Element ElementConnection ElementEdge ElementPermissions ElementImage ElementTraining TrainingReport SkippedImage SkipReason
			TrainingCheck ElementUse ElementUseConnection ElementUseEdge ElementJob ErasedResults
			Consent ConsentItem ConsentItemConnection ConsentItemEdge
			NodePreset NodePresetConnection NodePresetEdge ThingPermissions PromptHelp PromptPart PromptQuestion
			CommunityPost CommunityPostConnection CommunityPostEdge PostAuthor PostChoices AudienceChoice PostPermissions PostRequirement PostReport UsedPost
			Voice VoiceConnection VoiceEdge VoiceJob VoiceCloning
			Pipeline PipelineConnection PipelineEdge PipelineStages PipelineStage
			Production ProductionConnection ProductionEdge ProductionPermissions Music Shot ShotCamera
			ProductionRender ProductionRenderConnection ProductionRenderEdge
			RenderEstimate ShotEstimate RenderRefusal RenderBegun ScriptBreakdown UnmatchedName`,
		models.ScopeJobsRead: `
			Execution ExecutionConnection ExecutionEdge NodeState Job JobConnection JobEdge
			App.runs AppRun AppRunConnection AppRunEdge Result ResultConnection ResultEdge
			WebhookEndpoint WebhookEndpointSecret WebhookDay Redeliverable RedeliveredRange SignatureCheck
			Delivery DeliveryConnection DeliveryEdge DeliveryWaiting DeliveryAttempt`,
		models.ScopeWorkspacesRead: `
			Profile.memberships Memberships
			Organization OrganizationConnection OrganizationEdge OrganizationPermissions Setting SettingOverride
			OrganizationMember OrganizationMemberCounts OrganizationMemberConnection OrganizationMemberEdge
			Workspace WorkspaceConnection WorkspaceEdge WorkspacePermissions
			WorkspaceMember WorkspaceMemberConnection WorkspaceMemberEdge JoinCode OpenJoinCode Joined
			Invitation InvitationConnection InvitationEdge InvitationBatch InvitationSend InvitationPreviewRow InvitationCounts
			AuditEntry AuditEntryConnection AuditEntryEdge AuditActor AuditVerification
			OrganizationCredits Allocation AllocationTotals AllocationResult Movement MovementConnection MovementEdge
			LedgerEntry LedgerEntryConnection LedgerEntryEdge
			WorkspaceBudget OwnBudget MemberBudget CreditRequest Spending SpendingTrend SpendingDay
			CreditPack Purchase PurchaseConnection PurchaseEdge PurchasePermissions PurchaseReversal
			UsageReport UsageRow UsageRowConnection UsageRowEdge UsageTotals UsageSeries UsageDay UsageHour
			SearchResults SearchHit`,
	}
	// forbiddenFields are forbidden to connected apps although their types are not.
	forbiddenFields = []string{"Organization.operatorPool"}
)

// scopeTable has the scopes that a name of scopedRoots or scopedTypes needs, all of them.
type scopeTable map[string][]models.Scope

func tableOf(lists map[models.Scope]string) scopeTable {
	table := scopeTable{}
	for scope, names := range lists {
		for name := range strings.FieldsSeq(names) {
			table[name] = append(table[name], scope)
		}
	}
	for _, scopes := range table {
		slices.SortFunc(scopes, func(a, b models.Scope) int { return slices.Index(models.Scopes, a) - slices.Index(models.Scopes, b) })
	}
	return table
}

var rootScopes, typeScopes = tableOf(scopedRoots), tableOf(scopedTypes)

// scopesOf are the scopes that a field needs; none of a field that is forbidden.
func scopesOf(parent, field string, root bool) []models.Scope {
	if root {
		return rootScopes[field]
	}
	name := parent + "." + field
	if slices.Contains(forbiddenFields, name) {
		return nil
	}
	if scopes := typeScopes[name]; scopes != nil {
		return scopes
	}
	return typeScopes[parent]
}

// scopedByApp refuses a document in which a connected app asks for more than it
// was granted: insufficient_scope, or forbidden for what no app may have. Nothing
// of it is done.
type scopedByApp struct{}

func (scopedByApp) ExtensionName() string { return "ScopedByApp" }

func (scopedByApp) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext looks at all that the operation asks for.
func (scopedByApp) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	actor := models.ActorFrom(ctx)
	if actor.OfApp() == nil {
		return nil
	}
	look := scoping{actor: actor, seen: map[*ast.FragmentDefinition]bool{}}
	return look.beyond(op.Operation.SelectionSet, nil)
}

// scoping looks at the fields of a document, at each fragment once.
type scoping struct {
	actor models.Actor
	seen  map[*ast.FragmentDefinition]bool
}

// beyond is the refusal of the first field that the app may not ask for; nil when
// there is none. at leads to the selection, nil at the root.
func (s scoping) beyond(set ast.SelectionSet, at ast.Path) (refusal *gqlerror.Error) {
	for _, selection := range set {
		switch f := selection.(type) {
		case *ast.Field:
			refusal = s.field(f, at)
		case *ast.InlineFragment:
			refusal = s.beyond(f.SelectionSet, at)
		case *ast.FragmentSpread:
			if f.Definition != nil && !s.seen[f.Definition] {
				s.seen[f.Definition] = true
				refusal = s.beyond(f.Definition.SelectionSet, at)
			}
		}
		if refusal != nil {
			return refusal
		}
	}
	return nil
}

func (s scoping) field(f *ast.Field, at ast.Path) *gqlerror.Error {
	if strings.HasPrefix(f.Name, "__") {
		return nil
	}
	parent := ""
	if f.ObjectDefinition != nil {
		parent = f.ObjectDefinition.Name
	}
	path := append(slices.Clone(at), ast.PathName(f.Alias))
	if err := s.actor.RequireUser(scopesOf(parent, f.Name, len(at) == 0)...); err != nil {
		return &gqlerror.Error{Err: err, Path: path}
	}
	return s.beyond(f.SelectionSet, path)
}
