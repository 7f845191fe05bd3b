//go:build !race

package tests

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/graph"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// TestAuthorizationInGraphQL asks for every field of Query, Mutation and
// Subscription, and for every field of the objects that hold more than what
// their parent decides about, as everyone of the cast. It compares the
// answers with testdata/authorization_graphql.golden. A root field without a
// row in rootRows and an object type in neither of objectRows and plainTypes fail.
func TestAuthorizationInGraphQL(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	s := newStage(t, newCast(t, url, "school", 10))
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})
	everybody := s.everybody()
	everybody["operator"] = s.operator
	order := append(slices.Clone(castOrder), "operator")
	var table strings.Builder
	for _, object := range objectsOf(t, schema) {
		fmt.Fprintf(&table, "%s\n", object)
		answers := map[string]map[string][]string{} // by field, answer: who
		for _, role := range order {
			for field, answer := range s.of(role).askObject(everybody[role], schema.Types[object]) {
				if answers[field] == nil {
					answers[field] = map[string][]string{}
				}
				answers[field][answer] = append(answers[field][answer], role)
			}
		}
		for _, field := range fieldsOf(schema.Types[object], answers) {
			writeAnswers(&table, field, answers[field])
		}
	}
	for _, row := range rowsOf(t, schema) {
		fmt.Fprintf(&table, "%s\n", row)
		answers := map[string][]string{}
		for _, role := range order {
			answer := s.of(role).askRoot(everybody[role], row)
			if role == "restricted token" && !slices.Contains(coveredRows, strings.TrimSuffix(row, inRoom)) && answer != "403 forbidden" {
				t.Errorf("%s as a token that is restricted to some workflows: %s", row, answer)
			}
			answers[answer] = append(answers[answer], role)
		}
		writeAnswers(&table, "", answers)
	}
	compareGolden(t, "testdata/authorization_graphql.golden", []byte(table.String()))
}

// coveredRows are what a token may ask for that is restricted to some
// workflows. The last three lines are public.
var coveredRows = []string{
	"Query.workflows", "Query.workflow", "Query.workflowVersion", "Query.workflowAccess", "Query.sharedWithMe",
	"Query.executions", "Query.execution", "Query.job", "Query.jobs", "Query.jobsByIds", "Query.appRun", "Subscription.executionChanged",
	"Mutation.runWorkflow", "Mutation.runApp", "Mutation.createDraftRun", "Mutation.retryExecution", "Mutation.saveToStorage",
	"Query.install", "Query.app", "Query.nodeTypes", "Query.nodeType", "Query.models", "Query.invitationByToken", "Query.publicShot",
	"Mutation.signUp", "Mutation.signIn", "Mutation.verifyEmail", "Mutation.forgotPassword", "Mutation.resetPassword",
	"Mutation.completeSignIn", "Mutation.beginPasskey", "Mutation.signInWithPasskey",
}

// writeAnswers writes who got which answer, the common one last.
func writeAnswers(table *strings.Builder, field string, answers map[string][]string) {
	var all []string
	for answer := range answers {
		all = append(all, answer)
	}
	slices.SortFunc(all, func(a, b string) int {
		if n := len(answers[a]) - len(answers[b]); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	for _, answer := range all {
		fmt.Fprintf(table, "  %s: %s\n", strings.TrimSpace(field+" "+answer), strings.Join(answers[answer], ", "))
	}
}

// objectRows say how to reach an object whose fields decide by themselves; %s
// is where its fields go.
var objectRows = map[string]string{
	"Profile":             `{ me { %s } }`,
	"Memberships":         `{ me { memberships { %s } } }`,
	"Wallet":              `{ me { wallet { %s } } }`,
	"Organization":        `{ organization(id: $org) { %s } }`,
	"OrganizationMember":  `{ organization(id: $org) { member(userId: $pupil) { %s } } }`,
	"OrganizationCredits": `{ organization(id: $org) { credits { %s } } }`,
	"Workspace":           `{ workspace(id: $room) { %s } }`,
	"WorkspaceMember":     `{ workspace(id: $room) { member(userId: $pupil) { %s } } }`,
	"WorkspaceBudget":     `{ workspace(id: $room) { budget { %s } } }`,
	"Workflow":            `{ workflow(id: $workflow) { %s } }`,
	"Collaborator":        `{ workflowAccess(id: $workflow) { collaborators { nodes { %s } } } }`,
	"Project":             `{ project(id: $project) { %s } }`,
	"App":                 `{ app(slug: "matrix") { %s } }`,
	"AppRun":              `{ appRun(slug: "matrix", id: $run) { %s } }`,
	"Execution":           `{ execution(id: $execution) { %s } }`,
	"Result":              `{ result(id: $execution) { %s } }`,
	"Job":                 `{ job(id: $job) { %s } }`,
	"Trigger":             `{ trigger(id: $trigger) { %s } }`,
	"WebhookEndpoint":     `{ webhookEndpoint(id: $endpoint) { %s } }`,
	"InvitationBatch":     `{ invitationBatch(id: $batch) { %s } }`,
	"JoinCode":            `{ workspace(id: $room) { joinCode { %s } } }`,
	"Element":             `{ element(id: $element) { %s } }`,
	"Voice":               `{ voice(id: $voice) { %s } }`,
	"Pipeline":            `{ pipeline(id: $pipeline) { %s } }`,
	"Production":          `{ production(id: $production) { %s } }`,
	"Shot":                `{ production(id: $production) { shots { %s } } }`,
}

// plainTypes are shown or not by the field that leads to them: each of their
// fields is as visible as the object itself.
var plainTypes = []string{
	"CommunityPost", "PostAuthor", "PostChoices", "AudienceChoice", "PostPermissions", "PostReport", "PostRequirement", "UsedPost",
	"Music", "PipelineStage", "PipelineStages", "ProductionPermissions", "ProductionRender", "PublicShot", "RenderBegun", "RenderEstimate",
	"RenderRefusal", "ScriptBreakdown", "ShotCamera", "ShotEstimate", "UnmatchedName",
	"NodePreset", "ThingPermissions", "PromptHelp", "PromptPart", "PromptQuestion",
	"Consent", "ConsentItem", "ElementImage", "ElementJob", "ElementPermissions", "ElementTraining", "ElementUse", "ErasedResults",
	"SkipReason", "SkippedImage", "TrainingCheck", "TrainingReport", "VoiceCloning", "VoiceJob",
	"Allocation", "AllocationResult", "AllocationTotals", "ApiCall", "ApiToken", "AppAdmin", "AppPayment", "AppPerson", "AppVersion", "AuditActor",
	"AuditEntry", "AuditVerification", "Authorization", "Closing", "CollaboratorStanding", "ConnectedApp", "CreatedApiToken", "CreatedOAuthApp", "Credential",
	"CredentialUse", "CreditGrant", "CreditPack", "CreditRequest", "Delivery", "DeliveryAttempt", "DeliveryWaiting", "File", "Finding",
	"GraphCheck", "GraphProblem", "Health", "Install", "InstallChange", "InstallSettings", "Invitation", "JobMade", "InvitationCounts", "InvitationLookup",
	"InvitationPreviewRow", "InvitationSend", "Joined", "LedgerEntry", "LinkedSignIn", "MemberBudget", "ModelCost", "Movement", "NodeEstimate",
	"NodeModel", "NodeRun", "NodeState", "NodeType", "Notification", "NotificationChoice", "OAuthApp", "OpenJoinCode",
	"OperatorAct", "OperatorCounts", "OrganizationMemberCounts", "OrganizationPermissions", "OwnBudget",
	"OwnedOrganization", "PageInfo", "Passkey", "PasskeyChallenge", "Person", "PersonMembership", "Position", "Purchase", "PurchasePermissions", "PurchaseReversal", "Redeliverable", "RedeliveredRange", "RequestingApp",
	"ResetLink", "SavedVersion", "ScheduleFire", "ScheduleMinute", "SearchHit", "SearchResults", "Session", "Setting",
	"SignInCount", "SignInOffer", "SignInOverview", "SignInProvider", "SignInReport",
	"SettingOverride", "SharedWorkflow", "SignUpResult", "SignatureCheck", "SignedIn", "Spending", "SpendingDay", "SpendingTrend",
	"SecondFactor", "StoragePart", "SyncedTriggers", "TotpSetup", "TriggerParameter", "TriggerRun", "UsageDay", "UsageHour", "UsageReport", "UsageRow",
	"UsageSeries", "UsageTotals", "User", "Vocabulary", "WebhookDay",
	"WebhookEndpointSecret", "WorkflowEdge", "WorkflowNode", "WorkflowPermissions", "WorkflowVersion",
	"WorkspaceGlance", "WorkspacePermissions",
}

// objectsOf are the types with rows, in their order.
func objectsOf(t *testing.T, schema *ast.Schema) (objects []string) {
	t.Helper()
	for name, definition := range schema.Types {
		list := strings.HasSuffix(name, "Connection") || strings.HasSuffix(name, "Edge") && definition.Fields.ForName("cursor") != nil
		switch {
		case definition.Kind != ast.Object || strings.HasPrefix(name, "__") || list:
		case name == "Query" || name == "Mutation" || name == "Subscription":
		case objectRows[name] != "":
			objects = append(objects, name)
		case !slices.Contains(plainTypes, name):
			t.Errorf("%s is in neither of objectRows and plainTypes: say there how it is reached, or that its fields decide nothing by themselves", name)
		}
	}
	slices.Sort(objects)
	return objects
}

// fieldsOf are the answered fields in the order of the schema, the object itself first.
func fieldsOf(definition *ast.Definition, answers map[string]map[string][]string) (fields []string) {
	if answers[""] != nil {
		fields = append(fields, "")
	}
	for _, field := range definition.Fields {
		if answers[field.Name] != nil {
			fields = append(fields, field.Name)
		}
	}
	return fields
}

// askObject asks for all fields of an object, and says of each whether it came
// ("shown", "null") or why not; "" is the object when it was refused as a whole.
// A refused field hides the object, so it is asked for once more without the refused ones.
func (s *stage) askObject(who client, definition *ast.Definition) map[string]string {
	s.t.Helper()
	answers := map[string]string{}
	for range len(definition.Fields) {
		var fields []string
		for _, field := range definition.Fields {
			if answers[field.Name] == "" && !strings.HasPrefix(field.Name, "__") {
				fields = append(fields, s.selection(field))
			}
		}
		if len(fields) == 0 {
			return answers
		}
		r := who.post("/graphql", object{"query": s.fill(fmt.Sprintf(objectRows[definition.Name], strings.Join(fields, " ")))})
		if refused := refusedFields(r, definition); len(refused) > 0 {
			for field, answer := range refused {
				answers[field] = answer
			}
			if refused[""] != "" {
				return refused
			}
			continue
		}
		shown := innermost(r.path("data"), definition)
		for _, field := range definition.Fields {
			switch value, asked := shown[field.Name]; {
			case asked && value == nil:
				answers[field.Name] = "null"
			case asked:
				answers[field.Name] = "shown"
			}
		}
		if shown == nil {
			answers[""] = "null"
		}
		return answers
	}
	return answers
}

// selection asks for one field, its required arguments filled in.
func (s *stage) selection(field *ast.FieldDefinition) string {
	var arguments []string
	for _, argument := range field.Arguments {
		if argument.Type.NonNull && argument.DefaultValue == nil {
			value := map[string]string{"userId": "$pupil", "search": `"pupil"`, "id": "$invitation", "from": `"2026-01-01T00:00:00Z"`, "to": `"2026-01-02T00:00:00Z"`, "months": "2"}[argument.Name]
			if value == "" {
				s.t.Errorf("the matrix does not know what stands for %s of %s", argument.Name, field.Name)
			}
			arguments = append(arguments, argument.Name+": "+value)
		}
	}
	text := field.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if name := field.Type.Name(); !slices.Contains(leaves, name) && !strings.HasSuffix(name, "Status") && !strings.HasSuffix(name, "Role") {
		text += " { __typename }"
	}
	return text
}

// leaves are the types without fields that do not end in Status or Role.
var leaves = []string{
	"ID", "String", "Int", "Float", "Boolean", "Time", "Map", "JSON", "OrganizationKind", "WorkflowVisibility", "WorkflowAccess",
	"InvitationState", "InvitationVerdict", "ScheduleOutcome", "TriggerType", "ElementKind", "VoiceSource", "PostKind", "PostAudience", "StudioStage",
}

// refusedFields are the refusals of an answer by field; "" is the object itself.
func refusedFields(r *reply, definition *ast.Definition) map[string]string {
	refused := map[string]string{}
	for _, e := range r.list("errors") {
		fault := e.(map[string]any)
		extensions, _ := fault["extensions"].(map[string]any)
		path, _ := fault["path"].([]any)
		field := ""
		for _, part := range path {
			if name, ok := part.(string); ok && definition.Fields.ForName(name) != nil && len(path) > 1 {
				field = name
			}
		}
		refused[field] = fmt.Sprint(extensions["status"], " ", extensions["code"])
	}
	if len(refused) == 0 && r.Status != 200 {
		refused[""] = outcome(r)
	}
	return refused
}

// innermost is the object at the end of the row's path: the first one that has
// a field of the type. A list stands for its first object.
func innermost(value any, definition *ast.Definition) map[string]any {
	level, _ := value.(map[string]any)
	for level != nil {
		var next map[string]any
		for key, inner := range level {
			if definition.Fields.ForName(key) != nil && len(level) > 1 {
				return level
			}
			if list, ok := inner.([]any); ok && len(list) > 0 {
				inner = list[0]
			}
			next, _ = inner.(map[string]any)
		}
		if next == nil {
			return nil
		}
		level = next
	}
	return nil
}

// askRoot sends a row's document and says how it was answered.
func (s *stage) askRoot(who client, row string) string {
	s.t.Helper()
	if strings.HasSuffix(row, inRoom) && who.token != s.everybodysRoomToken() {
		who = who.in(s.room)
	}
	if strings.HasPrefix(row, "Subscription.") {
		return s.subscribe(who, s.fill(rootRows[row]))
	}
	r := who.post("/graphql", object{"query": s.fill(rootRows[row])})
	if row == "Mutation.archiveWorkspace" && r.path("errors") == nil {
		s.owner.post("/v1/workspaces/"+s.room+"/unarchive", nil).want(200)
	}
	switch code := graphqlOutcome(r); {
	case code != "":
		return code
	case r.Status != 200:
		return outcome(r)
	}
	return "answered"
}

// everybodysRoomToken is the bound token, which selects by itself.
func (s *stage) everybodysRoomToken() string { return s.roomToken.token }

// subscribe opens a stream and says what its first event is.
func (s *stage) subscribe(who client, query string) string {
	s.t.Helper()
	stream := openStream(who, query)
	defer stream.close()
	select {
	case event := <-stream.events:
		return cmp.Or(graphqlOutcome(&event), "answered")
	case <-stream.done:
		if stream.status != http.StatusOK {
			return fmt.Sprint(stream.status)
		}
		return "closed"
	case <-time.After(30 * time.Second):
		s.t.Errorf("no event of %s", query)
		return "silent"
	}
}

// TestAuthorization asks every route as everyone of the cast and compares the
// answers with testdata/authorization.golden; a route without rows there fails.
// The requests change nothing that another one needs. Where the schema has the
// same operation, GraphQL must answer alike.
func TestAuthorization(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	stage := newStage(t, newCast(t, url, "school", 10))
	roles := stage.everybody()
	var table strings.Builder
	for _, route := range routesOf(t, stage.visitor) {
		fmt.Fprintf(&table, "%s\n", route)
		for _, role := range castOrder {
			who, stage := roles[role], stage.of(role)
			answer := outcome(stage.ask(who, route))
			fmt.Fprintf(&table, "  %-14s %s\n", role, answer)
			if role == "restricted token" && !slices.Contains(coveredRoutes, route) && answer != "403 forbidden" && answer != "403 in_app_only" {
				t.Errorf("%s as a token that is restricted to some workflows: %s", route, answer)
			}
			if document, ok := sameInGraphQL[route]; ok {
				r := who.post("/graphql", object{"query": stage.fill(document)})
				if got := graphqlOutcome(r); got != strings.TrimPrefix(strings.TrimPrefix(answer, "200"), "201") {
					t.Errorf("%s as %s: REST answers %q, GraphQL %q: %s", route, role, answer, got, r.Body)
				}
			}
		}
	}
	compareGolden(t, "testdata/authorization.golden", []byte(table.String()))
}
