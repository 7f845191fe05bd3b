package tests

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
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
// their parent decides about, as everybody of the cast. It compares the
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
// workflows. The last two lines are public.
var coveredRows = []string{
	"Query.workflows", "Query.workflow", "Query.workflowVersion", "Query.workflowAccess", "Query.sharedWithMe",
	"Query.executions", "Query.execution", "Query.job", "Query.jobs", "Query.jobsByIds", "Query.appRun", "Subscription.executionChanged",
	"Mutation.runWorkflow", "Mutation.runApp", "Mutation.createDraftRun", "Mutation.retryExecution", "Mutation.saveToStorage",
	"Query.install", "Query.app", "Query.nodeTypes", "Query.nodeType", "Query.models", "Query.invitationByToken",
	"Mutation.signUp", "Mutation.signIn", "Mutation.verifyEmail", "Mutation.forgotPassword", "Mutation.resetPassword",
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
	"WebhookEndpoint":     `{ webhookEndpoint(id: $endpoint) { %s } }`,
	"InvitationBatch":     `{ invitationBatch(id: $batch) { %s } }`,
	"JoinCode":            `{ workspace(id: $room) { joinCode { %s } } }`,
}

// plainTypes are shown or not by the field that leads to them: each of their
// fields is as visible as the object itself.
var plainTypes = []string{
	"Allocation", "AllocationResult", "AllocationTotals", "ApiToken", "AppAdmin", "AppPayment", "AppVersion", "AuditActor",
	"AuditEntry", "AuditVerification", "Closing", "CollaboratorStanding", "CreatedApiToken", "Credential",
	"CredentialUse", "CreditGrant", "CreditRequest", "Delivery", "DeliveryAttempt", "DeliveryWaiting", "File",
	"GraphCheck", "GraphProblem", "Health", "Install", "Invitation", "InvitationCounts", "InvitationLookup",
	"InvitationPreviewRow", "InvitationSend", "Joined", "LedgerEntry", "MemberBudget", "ModelCost", "Movement",
	"NodeModel", "NodeRun", "NodeState", "NodeType", "Notification", "NotificationChoice", "OpenJoinCode",
	"OperatorAct", "OperatorCounts", "OrganizationMemberCounts", "OrganizationPermissions", "OwnBudget",
	"OwnedOrganization", "PageInfo", "Person", "PersonMembership", "Position", "Redeliverable", "RedeliveredRange",
	"ResetLink", "SavedVersion", "SearchHit", "SearchResults", "Session", "Setting", "SettingOverride",
	"SharedWorkflow", "SignUpResult", "SignatureCheck", "SignedIn", "Spending", "SpendingDay", "StoragePart", "User",
	"Vocabulary", "WebhookDay", "WebhookEndpointSecret", "WorkflowEdge", "WorkflowNode", "WorkflowPermissions",
	"WorkflowVersion", "WorkspacePermissions",
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
			value := map[string]string{"userId": "$pupil", "search": `"pupil"`, "id": "$invitation", "from": `"2026-01-01T00:00:00Z"`, "to": `"2026-01-02T00:00:00Z"`}[argument.Name]
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
	"InvitationState", "InvitationVerdict",
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

// graphqlEndings are the mutations that end what others need.
var graphqlEndings = []string{
	"Mutation.returnCredits", "Mutation.revokeInvitation", "Mutation.deleteWebhookEndpoint", "Mutation.deleteCredential", "Mutation.deleteApiToken",
	"Mutation.leaveOrganization", "Mutation.signOut", "Mutation.signOutEverywhere",
}

// inRoom marks a row that is asked with the room selected.
const inRoom = " in the room"

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

// stream is an open GraphQL subscription.
type stream struct {
	status int
	events chan reply
	done   chan struct{} // closed when the service ends the stream
	body   interface{ Close() error }
}

// openStream begins a subscription over server-sent events.
func openStream(who client, query string) *stream {
	who.t.Helper()
	body, _ := json.Marshal(object{"query": query})
	request, err := http.NewRequest("POST", who.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		who.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	if who.token != "" {
		request.Header.Set("Authorization", "Bearer "+who.token)
	}
	for key, value := range who.header {
		request.Header.Set(key, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		who.t.Fatal(err)
	}
	s := &stream{status: response.StatusCode, events: make(chan reply, 1000), done: make(chan struct{}), body: response.Body}
	go func() {
		defer close(s.done)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 8<<20)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				event := reply{t: who.t, what: "event", Body: []byte(data)}
				_ = json.Unmarshal(event.Body, &event.JSON)
				s.events <- event
			}
		}
	}()
	return s
}

func (s *stream) close() { s.body.Close() }
