package tests

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"atelier/models"
	"atelier/models/dbtest"
)

// agent is a session of an agent with a token.
type agent struct {
	t       testing.TB
	session *sdk.ClientSession
	told    atomic.Int64 // how often progress was told
	schemas map[string]*jsonschema.Resolved
}

// bearing sends a token with each request.
type bearing struct{ token, address string }

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	if b.address != "" {
		r.Header.Set("X-Forwarded-For", b.address)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// agentOf connects the SDK's own client with the token of c, by a version of the protocol.
func agentOf(t testing.TB, c client, version string) *agent {
	t.Helper()
	return agentBy(t, &sdk.StreamableClientTransport{
		Endpoint: c.URL + "/mcp", HTTPClient: &http.Client{Transport: bearing{c.token, c.header["X-Forwarded-For"]}}, DisableStandaloneSSE: true,
	}, version)
}

// agentBy connects the SDK's own client, by any transport.
func agentBy(t testing.TB, way sdk.Transport, version string) *agent {
	t.Helper()
	a := &agent{t: t, schemas: map[string]*jsonschema.Resolved{}}
	implementation := &sdk.Implementation{Name: "tests", Version: "1"}
	options := &sdk.ClientOptions{ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) { a.told.Add(1) }}
	var err error
	a.session, err = sdk.NewClient(implementation, options).Connect(t.Context(), way, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.session.Close() })
	return a
}

// sessions have ids in this version of the protocol, and none in the newest.
const versionWithSessions = "2025-11-25"

// tools are what the agent is offered, by name.
func (a *agent) tools() map[string]*sdk.Tool {
	a.t.Helper()
	listed, err := a.session.ListTools(a.t.Context(), nil)
	if err != nil {
		a.t.Fatal(err)
	}
	tools := map[string]*sdk.Tool{}
	for _, tool := range listed.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

// try calls a tool.
func (a *agent) try(name string, arguments object) *sdk.CallToolResult {
	a.t.Helper()
	params := &sdk.CallToolParams{Name: name, Arguments: arguments}
	params.SetProgressToken("p " + name)
	result, err := a.session.CallTool(a.t.Context(), params)
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	return result
}

// call calls a tool that must not refuse; what it answers fits its schema.
func (a *agent) call(name string, arguments object) *reply {
	a.t.Helper()
	result := a.try(name, arguments)
	if result.IsError {
		a.t.Fatalf("%s %v: %s", name, arguments, saidIn(result))
	}
	if a.schemas[name] == nil {
		raw, _ := json.Marshal(a.tools()[name].OutputSchema)
		schema := &jsonschema.Schema{}
		if err := json.Unmarshal(raw, schema); err != nil {
			a.t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			a.t.Fatal(err)
		}
		a.schemas[name] = resolved
	}
	if err := a.schemas[name].Validate(result.StructuredContent); err != nil {
		a.t.Errorf("%s: the answer does not fit the tool's schema: %v", name, err)
	}
	r := &reply{t: a.t, what: name, JSON: result.StructuredContent}
	r.Body, _ = json.Marshal(result.StructuredContent)
	return r
}

// refuses calls a tool that must refuse with a code.
func (a *agent) refuses(name string, arguments object, code string) {
	a.t.Helper()
	result := a.try(name, arguments)
	if said := saidIn(result); !result.IsError || !strings.HasSuffix(said, "("+code+")") || !strings.Contains(said, ". ") {
		a.t.Errorf("%s %v: %s, want %s and what to do next", name, arguments, said, code)
	}
}

// saidIn is the text of an answer.
func saidIn(result *sdk.CallToolResult) string {
	var said []string
	for _, content := range result.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			said = append(said, text.Text)
		}
	}
	return strings.Join(said, "\n")
}

// TestAgents drives the tools with the SDK's own client, against one install.
func TestAgents(t *testing.T) {
	t.Parallel()
	h := newTestServer(t)
	stop := h.work()
	defer stop()
	c := newCast(t, h.server.URL, "team", 1000)
	h.exec(`UPDATE wallets SET balance = balance + 1000000`)
	for name, part := range map[string]func(*testing.T, *testServer, *cast){
		"Making": agentsMake, "Workspaces": agentsInWorkspaces, "Scopes": agentsHaveScopes, "Hostile": agentsAreHostile,
		"Cancelling": agentsCancel, "Roles": agentsHaveRoles,
	} {
		t.Run(name, func(t *testing.T) { part(t, h, c) })
	}
}

// agentsMake makes workflows, apps and productions, and runs them.
func agentsMake(t *testing.T, h *testServer, c *cast) {
	p := newPerson(t, h.server.URL, "Maker")
	h.exec(`UPDATE wallets SET balance = balance + 1000000`)
	a := agentOf(t, p.with(p.post("/v1/api-tokens", object{"name": "agent", "rateLimit": 120}).want(201).text("token")), "")

	tools := a.tools()
	if len(tools) != 25 {
		t.Errorf("%d tools", len(tools))
	}
	for name, tool := range tools {
		output, _ := tool.OutputSchema.(map[string]any)
		for field, schema := range output["properties"].(map[string]any) {
			if _, described := schema.(map[string]any); !described {
				t.Errorf("%s answers %s, of which other clients take no schema that is just true", name, field)
			}
		}
		if output["type"] != "object" || tool.Annotations == nil || len(tool.Description) > 240 || strings.Contains(name, "webhook") {
			t.Errorf("%s: %+v", name, tool)
		}
	}
	if n := len(a.call("list_nodes", object{"search": "picture", "outputType": "image"}).list("nodes")); n == 0 {
		t.Error("no nodes that make pictures")
	}
	has(object{"type": "template-text", "outputType": "text"})(t, a.call("describe_node", object{"type": "template-text"}))
	a.refuses("describe_node", object{"type": "no-such-node"}, "not_found")

	new := object{
		"name": "Woodcut", "idempotencyKey": "one",
		"nodes": []object{
			{"id": "topic", "type": "text", "settings": object{"text": "a lighthouse"}},
			{"id": "prompt", "type": "template-text", "settings": object{"template": "{{topic}} in the style of {{style}}", "values": object{"style": "a woodcut"}}},
		},
		"connections": []object{{"from": "topic", "to": "prompt", "input": "values.topic"}},
	}
	workflow := a.call("create_workflow", new).text("workflow")
	if again := a.call("create_workflow", new).text("workflow"); again != workflow {
		t.Errorf("the same key made %s and %s", workflow, again)
	}
	new["name"] = "Another"
	a.refuses("create_workflow", new, "idempotency_key_reused")

	edits := []object{
		{"op": "add_node", "node": "picture", "type": "generate-image", "settings": object{"width": 64, "height": 64}},
		{"op": "connect", "from": "prompt", "to": "picture"},
		{"op": "set", "node": "topic", "settings": object{"text": "a fox"}},
	}
	has(object{"problems": "[]"})(t, a.call("check_workflow", object{"workflow": workflow, "edits": edits}))
	if len(a.call("check_workflow", object{"workflow": workflow, "edits": []object{{"op": "add_node", "node": "x", "type": "nothing"}}}).list("problems")) == 0 {
		t.Error("an unknown type is no problem")
	}
	has(object{"version": 2})(t, a.call("edit_workflow", object{"workflow": workflow, "version": 1, "edits": edits, "name": "Fox"}))
	a.refuses("edit_workflow", object{"workflow": workflow, "version": 1, "edits": edits}, "stale_version")
	a.refuses("edit_workflow", object{"workflow": workflow, "version": 2, "edits": []object{{"op": "connect", "from": "gone", "to": "picture"}}}, "validation_error")
	read := a.call("read_workflow", object{"workflow": workflow})
	has(object{"name": "Fox", "version": 2, "workspace": "personal", "nodes.0.settings.text": "a fox", "connections.1.from": "prompt"})(t, read)
	if found := a.call("list_workflows", object{"search": "fox", "limit": 5}); found.text("workflows.0.workflow") != workflow {
		t.Errorf("%s", found.Body)
	}

	price := a.call("get_credits", object{"workflow": workflow})
	if price.number("estimatedCredits") <= 0 || price.number("left") < 1000 {
		t.Errorf("%s", price.Body)
	}
	told := a.told.Load()
	params := object{"workflow": workflow, "inputs": object{"topic.text": "an owl"}, "idempotencyKey": "run", "waitSeconds": 120}
	result := a.try("run_workflow", params)
	run := &reply{t: t, what: "run_workflow", JSON: result.StructuredContent}
	has(object{"status": "completed", "nodes": 3, "completed": 3, "result.kind": "image"})(t, run)
	if !slices.ContainsFunc(result.Content, func(content sdk.Content) bool {
		picture, ok := content.(*sdk.ImageContent)
		return ok && strings.HasPrefix(picture.MIMEType, "image/") && len(picture.Data) > 100
	}) {
		t.Errorf("no picture beside %s", saidIn(result))
	}
	eventually(t, func() error { // the client tells of progress beside the answer
		if a.told.Load() == told {
			return errors.New("no progress was told")
		}
		return nil
	})
	charged := h.count(`SELECT count(*) FROM executions WHERE account_id = $1`, p.id)
	if again := a.call("run_workflow", params); again.text("run") != run.text("run") {
		t.Errorf("the same key ran twice: %s", again.Body)
	}
	if now := h.count(`SELECT count(*) FROM executions WHERE account_id = $1`, p.id); now != charged {
		t.Errorf("%d runs, not %d", now, charged)
	}
	has(object{"status": "completed", "outputs.0.output.text": "an owl"})(t, a.call("get_run", object{"run": run.text("run")}))
	has(object{"runs.0.run": run.text("run")})(t, a.call("list_runs", object{"workflow": workflow, "status": "completed"}))
	a.refuses("cancel_run", object{"run": run.text("run")}, "already_finished")
	has(object{"status": "completed"})(t, a.call("run_node", object{"type": "split-text", "settings": object{"text": "a fox", "separator": " "}, "waitSeconds": 60}))
	if n := h.count(`SELECT count(*) FROM jobs WHERE account_id = $1 AND source = 'mcp'`, p.id); n == 0 {
		t.Error("no job says that an agent began it")
	}

	slug := p.post("/v1/workflows/"+workflow+"/publish", object{
		"name": "Posters", "slug": "posters-of-agents", "thumbnailNodeId": "picture",
		"presentationSettings": object{"inputItems": []object{{"type": "field", "id": "topic", "nodeId": "topic", "field": "text", "label": "Topic", "required": true}}},
	}).want(201).text("data.slug")
	has(object{"apps.0.app": slug})(t, a.call("list_apps", nil))
	has(object{"inputs.0.input": "topic", "inputs.0.label": "Topic", "inputs.0.standard": "a fox", "inputs.0.schema.type": "string"})(t, a.call("describe_app", object{"app": slug}))
	if price := a.call("get_credits", object{"app": slug}); price.number("estimatedCredits") <= 0 {
		t.Errorf("%s", price.Body)
	}
	has(object{"status": "completed", "result.kind": "image"})(t, a.call("run_app", object{"app": slug, "inputs": object{"topic": "a crane"}, "waitSeconds": 120}))
	a.refuses("run_app", object{"app": slug, "inputs": object{"nothing": 1}}, "validation_error")

	file := a.call("upload_file", object{"data": base64.StdEncoding.EncodeToString(smallPicture(t))})
	has(object{"contentType": "image/png", "width": 32})(t, file)
	a.refuses("upload_file", object{"data": "not base64!"}, "validation_error")
	a.refuses("upload_file", object{}, "validation_error")
	has(object{"size": file.number("size")})(t, a.call("upload_file", object{"url": file.text("url")}))

	fox := p.post("/v1/characters", object{"name": "Fox", "handle": "fox", "imageUrls": []string{file.text("url")}}).want(201).text("data.id")
	has(object{"items.0.handle": "fox", "items.0.kind": "character"})(t, a.call("search_library", object{"kind": "character", "query": "fo"}))
	if item := a.try("search_library", object{"kind": "character", "id": fox}); len(item.Content) < 2 {
		t.Errorf("no picture of the fox: %s", saidIn(item))
	}
	a.refuses("search_library", object{"kind": "object", "id": fox}, "not_found")
	a.call("search_library", object{"kind": "voice", "limit": 3})
	a.call("search_library", object{"kind": "preset"})
	a.refuses("search_library", object{"kind": "dragon"}, "validation_error")

	production := p.post("/v1/studio/productions", object{"name": "Film", "script": "A fox in the snow."}).want(201).text("data.id")
	p.post("/v1/studio/productions/"+production+"/shots", object{"action": "A fox in the snow"}).want(201)
	has(object{"productions.0.id": production})(t, a.call("read_productions", nil))
	has(object{"productions.0.shots.0.action": "A fox in the snow"})(t, a.call("read_productions", object{"production": production}))
	price = a.call("get_credits", object{"production": production, "stage": "image"})
	if price.number("estimatedCredits") <= 0 {
		t.Errorf("%s", price.Body)
	}
	a.refuses("render_production", object{"production": production, "stage": "image", "maxCredits": 0}, "validation_error")
	has(object{"status": "completed"})(t, a.call("render_production", object{
		"production": production, "stage": "image", "maxCredits": price.number("estimatedCredits"), "waitSeconds": 120,
	}))
}

// smallPicture is a PNG of 32 by 24 points.
func smallPicture(t testing.TB) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 32, 24))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// agentsInWorkspaces select, read and change workspaces.
func agentsInWorkspaces(t *testing.T, h *testServer, c *cast) {
	a := agentOf(t, c.head.on(t), versionWithSessions)
	has(object{"selected": "personal", "workspaces.0.role": "admin"})(t, a.call("list_workspaces", object{"search": "Room"}))
	has(object{"selected": c.room, "name": "Room", "kept": true})(t, a.call("select_workspace", object{"workspace": c.room}))
	has(object{"selected": c.room})(t, a.call("list_workspaces", nil))
	workflow := a.call("create_workflow", object{"name": "In the room", "nodes": []object{{"id": "t", "type": "text", "settings": object{"text": "x"}}}}).text("workflow")
	has(object{"workspace": c.room})(t, a.call("read_workflow", object{"workflow": workflow}))
	run := a.call("run_workflow", object{"workflow": workflow, "waitSeconds": 60})
	has(object{"status": "completed", "workspace": c.room, "workflow": workflow})(t, run)
	if n := h.count(`SELECT count(*) FROM jobs WHERE execution_id = $1 AND source = 'mcp'`, run.text("run")); n == 0 {
		t.Error("no job in a workspace says that an agent began it")
	}
	has(object{"workspace": c.room})(t, a.call("get_credits", nil))
	has(object{"workspace": "personal"})(t, a.call("get_credits", object{"workspace": "personal"}))

	detail := a.call("read_workspace", object{"show": []string{"members", "invitations", "joinCode"}})
	has(object{"workspace": c.room, "may.invite": true})(t, detail)
	if len(detail.list("memberList")) < 3 || detail.number("budget.headroom") <= 0 {
		t.Errorf("%s", detail.Body)
	}
	has(object{"enabled": true})(t, a.call("change_join_code", object{"action": "enable"}))
	has(object{"joinCode.enabled": true})(t, a.call("read_workspace", object{"show": []string{"joinCode"}}))
	invitations := object{"emails": []string{"new@example.com"}, "idempotencyKey": "invite"}
	sent := a.call("invite_members", invitations)
	has(object{"sends.0.status": "link_only", "sends.0.email": "new@example.com"})(t, sent)
	if again := a.call("invite_members", invitations); again.text("sends.0.link") != sent.text("sends.0.link") {
		t.Errorf("the same key invited twice: %s", again.Body)
	}
	has(object{"invitations.0.email": "new@example.com"})(t, a.call("read_workspace", object{"show": []string{"invitations"}}))
	a.call("invite_members", object{"emails": []string{"second@example.com", "third@example.com"}})
	var found []string
	for _, what := range []struct{ show, list, name, next string }{
		{"members", "memberList", "user", "nextCursor"}, {"invitations", "invitations", "id", "nextInvitations"},
	} {
		page := object{"show": []string{what.show}, "limit": 2}
		first := a.call("read_workspace", page)
		page["cursor"] = first.text(what.next)
		second := a.call("read_workspace", page)
		for _, each := range append(first.list(what.list), second.list(what.list)...) {
			found = append(found, each.(object)[what.name].(string))
		}
		if len(first.list(what.list)) != 2 || len(second.list(what.list)) == 0 {
			t.Errorf("pages of %s: %s %s", what.show, first.Body, second.Body)
		}
	}
	slices.Sort(found)
	if len(slices.Compact(found)) != len(found) {
		t.Errorf("pages repeat rows: %v", found)
	}
	a.refuses("read_workspace", object{"show": []string{"members", "members"}}, "validation_error")
	a.refuses("read_workspace", object{"show": []string{"members", "invitations"}, "cursor": "x"}, "validation_error")

	another := agentOf(t, c.head.on(t), versionWithSessions)
	has(object{"selected": "personal"})(t, another.call("list_workspaces", nil))
	a.call("select_workspace", object{"workspace": "personal"})
	has(object{"selected": "personal"})(t, a.call("list_workspaces", nil))
	modern := agentOf(t, c.head.on(t), "")
	has(object{"selected": c.room, "kept": false})(t, modern.call("select_workspace", object{"workspace": c.room}))

	leaver := newPerson(t, h.server.URL, "Leaver")
	leaver.post("/v1/workspaces/join", object{"code": codeOf(c.owner.on(t), c.lobby)}).want(200)
	leaving := agentOf(t, leaver.client, versionWithSessions)
	leaving.call("select_workspace", object{"workspace": c.lobby})
	c.owner.on(t).do("DELETE", "/v1/workspaces/"+c.lobby+"/members/"+leaver.id, nil).want(200)
	leaving.refuses("list_workflows", nil, "not_a_member")
	has(object{"selected": "personal"})(t, leaving.call("list_workspaces", nil))
	leaving.call("select_workspace", object{"workspace": "personal"})
	leaving.call("list_workflows", nil)

	bound := agentOf(t, c.roomToken.sending("X-Forwarded-For", "203.0.113.9"), "")
	bound.t = t
	has(object{"selected": c.room})(t, bound.call("list_workspaces", nil))
	bound.refuses("get_credits", object{"workspace": c.lobby}, "token_workspace_mismatch")
	has(object{"workspace": c.room})(t, bound.call("get_credits", nil))
}

// agentsHaveRoles asks as each person of the cast, who is refused what they may not do.
func agentsHaveRoles(t *testing.T, h *testServer, c *cast) {
	workflow := c.head.on(t).in(c.room).post("/v1/workflows", object{"name": "Shared", "visibility": "workspace", "nodes": []object{{"id": "t", "type": "text", "data": object{"text": "x"}}}}).want(201).text("data.id")
	run := c.head.on(t).post("/v1/workflows/"+workflow+"/run", nil).want(202).text("executionId")
	agents := map[string]*agent{}
	for who, is := range c.roles() {
		if who != "anonymous" && !strings.HasSuffix(who, "token") {
			is.t = t
			agents[who] = agentOf(t, is, "2025-06-18")
		}
	}
	const inside, admins = "owner admin head demoted pupil", "owner admin head"
	for _, row := range []struct {
		tool      string
		arguments object
		may       string
		code      map[string]string // of refusals, by who; else not_a_member
	}{
		{"read_workspace", object{"workspace": c.room}, inside, nil},
		{"read_workspace", object{"workspace": c.room, "show": []string{"joinCode"}}, admins, map[string]string{"demoted": "insufficient_role", "pupil": "insufficient_role"}},
		{"change_join_code", object{"workspace": c.room, "action": "enable"}, admins, map[string]string{"demoted": "insufficient_role", "pupil": "insufficient_role"}},
		{"invite_members", object{"workspace": c.room, "emails": []string{"x@example.com"}}, admins + " demoted", map[string]string{"pupil": "insufficient_role"}},
		{"list_workflows", object{"workspace": c.room}, inside, nil},
		{"read_workflow", object{"workflow": workflow}, inside, map[string]string{"*": "not_found", "suspended": "member_suspended", "benched": "member_suspended"}},
		{"get_run", object{"run": run, "waitSeconds": 0}, admins, map[string]string{"*": "not_found"}},
		{"cancel_run", object{"run": run}, "", map[string]string{"owner": "already_finished", "admin": "already_finished", "head": "already_finished", "*": "not_found"}},
		{"get_credits", object{"workspace": c.room}, inside, nil},
	} {
		for who, a := range agents {
			result := a.try(row.tool, row.arguments)
			code := ""
			if result.IsError {
				said := saidIn(result)
				code = strings.TrimSuffix(said[strings.LastIndex(said, "(")+1:], ")")
			}
			want := ""
			if !slices.Contains(strings.Fields(row.may), who) {
				want = "not_a_member"
				if who == "suspended" || who == "benched" {
					want = "member_suspended"
				}
				if row.code["*"] != "" {
					want = row.code["*"]
				}
				if row.code[who] != "" {
					want = row.code[who]
				}
			}
			if code != want {
				t.Errorf("%s %v as %s: %q, want %q", row.tool, row.arguments, who, code, want)
			}
		}
	}
}

// rpc posts one message as an agent does.
func (c client) rpc(body any) *reply {
	c.t.Helper()
	return c.sending("Accept", "application/json, text/event-stream").post("/mcp", body)
}

func toolCall(name string, arguments object) object {
	return object{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": name, "arguments": arguments}}
}

// agentsHaveScopes asks with connected apps of each set of scopes, and with restricted tokens.
func agentsHaveScopes(t *testing.T, h *testServer, c *cast) {
	const execute, jobs, read, write = "workflows:execute", "jobs:read", "workspaces:read", "workspaces:write"
	needed := map[string]string{
		"list_workflows": execute, "read_workflow": execute, "check_workflow": execute, "create_workflow": execute, "edit_workflow": execute,
		"run_workflow": execute + " " + jobs, "run_node": execute + " " + jobs, "run_app": execute + " " + jobs, "render_production": execute + " " + jobs,
		"list_nodes": "", "describe_node": "", "describe_app": "", "list_apps": execute, "list_runs": jobs, "get_run": jobs, "cancel_run": execute,
		"upload_file": execute, "search_library": execute, "read_productions": execute, "get_credits": execute,
		"list_workspaces": read, "select_workspace": read, "read_workspace": read, "invite_members": read + " " + write, "change_join_code": read + " " + write,
	}
	owner := person{client: c.owner.on(t), id: c.owner.id}
	apps := h.appsOf(owner)
	offered := agentOf(t, apps["none"].client, "").tools()
	for name := range offered {
		want, known := needed[name]
		if !known {
			t.Errorf("nothing says which scopes %s needs", name)
		}
		for grant, app := range apps {
			lacks := slices.ContainsFunc(strings.Fields(want), func(scope string) bool { return !slices.Contains(grants[grant], models.Scope(scope)) })
			app.t = t
			r := app.rpc(toolCall(name, object{"no such argument": 1})) // what may be asked is refused by its form
			challenge := r.Header.Get("WWW-Authenticate")
			if lacks != (r.Status == http.StatusForbidden) || lacks && (r.text("error.code") != "insufficient_scope" || !strings.Contains(challenge, `resource_metadata="`+h.server.URL+`/.well-known/oauth-protected-resource/mcp"`)) {
				t.Errorf("%s with %s: %d %s %s", name, grant, r.Status, challenge, r.Body)
			}
			for _, scope := range append(strings.Fields(want), strings.Fields(strings.Trim(fmt.Sprint(grants[grant]), "[]"))...) {
				if lacks && !strings.Contains(challenge, scope) {
					t.Errorf("%s with %s does not ask for %s: %s", name, grant, scope, challenge)
				}
			}
		}
	}

	pupil := c.pupil.on(t)
	workflow := pupil.post("/v1/workflows", object{"name": "Mine", "nodes": []object{{"id": "t", "type": "text", "data": object{"text": "x"}}}}).want(201).text("data.id")
	other := pupil.post("/v1/workflows", object{"name": "Other"}).want(201).text("data.id")
	restricted := agentOf(t, pupil.with(pupil.post("/v1/api-tokens", object{"name": "one", "workflowIds": []string{workflow}}).want(201).text("token")), "")
	has(object{"status": "completed"})(t, restricted.call("run_workflow", object{"workflow": workflow, "waitSeconds": 60}))
	restricted.call("read_workflow", object{"workflow": workflow})
	restricted.refuses("read_workflow", object{"workflow": other}, "forbidden")
	for name, arguments := range map[string]object{
		"edit_workflow": {"workflow": workflow, "version": 1, "name": "y"}, "create_workflow": {"name": "z"}, "run_node": {"type": "text", "settings": object{"text": "x"}},
		"list_workspaces": nil, "read_productions": nil, "search_library": {"kind": "voice"}, "select_workspace": {"workspace": "personal"},
	} {
		if name == "select_workspace" { // nothing of a workspace is read
			continue
		}
		restricted.refuses(name, arguments, "forbidden")
	}
}

// agentsAreHostile sends what no agent should.
func agentsAreHostile(t *testing.T, h *testServer, c *cast) {
	visitor, pupil := client{t: t, URL: h.server.URL}, c.pupil.on(t)
	anonymous := visitor.rpc(toolCall("list_nodes", nil)).wantError(401, "unauthorized")
	if got, want := anonymous.Header.Get("WWW-Authenticate"), `Bearer resource_metadata="`+h.server.URL+`/.well-known/oauth-protected-resource/mcp", scope="workflows:execute jobs:read"`; got != want {
		t.Errorf("the challenge is %s, want %s", got, want)
	}
	wrong := visitor.with("svc_wrong").rpc(toolCall("list_nodes", nil)).wantError(401, "unauthorized")
	if !strings.HasPrefix(wrong.Header.Get("WWW-Authenticate"), `Bearer error="invalid_token", `) {
		t.Error(wrong.Header)
	}
	visitor.sending("Origin", "https://evil.example").rpc(toolCall("list_nodes", nil)).wantError(403, "forbidden")
	pupil.sending("Origin", "https://evil.example").rpc(toolCall("list_nodes", nil)).wantError(403, "forbidden")
	pupil.sending("Origin", "null").rpc(toolCall("list_nodes", nil)).wantError(403, "forbidden")
	pupil.sending("Origin", h.server.URL).rpc(toolCall("list_nodes", nil)).want(200)
	site := h.connect(person{client: pupil, id: c.pupil.id}, models.Scopes, "https://site.example")
	site.sending("Origin", "https://site.example").rpc(toolCall("list_nodes", nil)).want(200)
	site.sending("Origin", "https://other.example").rpc(toolCall("list_nodes", nil)).wantError(403, "forbidden")
	pupil.get("/mcp").wantError(405, "method_not_allowed")
	pupil.sending("Mcp-Session-Id", "../../etc").rpc(toolCall("list_nodes", nil)).wantError(404, "not_found")
	pupil.sending("Content-Type", "text/plain").rpc(`{}`).wantError(415, "unsupported_media_type")
	for _, body := range []string{"", "[]", "{", `"x"`, "null", `[` + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 50) + `{}]`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, strings.Repeat(`{"a":`, 20_000), `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"} {
		if r := pupil.rpc(body); r.Status < 400 || r.Status >= 500 {
			t.Errorf("%.60q: %d %.200s", body, r.Status, r.Body)
		}
	}
	if r := pupil.rpc(`{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + strings.Repeat("x", 13<<20) + `"}`); r.Status != 413 {
		t.Errorf("a body of 13 MiB: %d", r.Status)
	}
	a := agentOf(t, pupil, "")
	if _, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "create_token"}); err == nil {
		t.Error("there is a tool that is none")
	}
	for name, arguments := range map[string]object{
		"get_run": {"run": "' OR 1=1 --"}, "list_workflows": {"limit": 1000}, "read_workflow": {"workflow": nil}, "list_runs": {"cursor": "x"},
		"run_workflow": {"workflow": nowhere, "waitSeconds": 1e9}, "create_workflow": {"name": strings.Repeat("x", 100_000)},
		"edit_workflow": {"workflow": nowhere, "version": 1, "edits": make([]object, 300)}, "list_nodes": {"surplus": true}, "run_node": {"type": "text", "settings": []int{1}},
		"get_credits": {"workflow": nowhere, "app": "x"}, "describe_app": {"app": 7}, "select_workspace": {"workspace": "everything"},
		"invite_members": {"workspace": "personal", "emails": []string{"a@example.com"}}, "search_library": {"kind": "everything"}, "render_production": {"production": nowhere, "maxCredits": 1e300},
	} {
		a.refuses(name, arguments, "validation_error")
	}
	for name, arguments := range map[string]object{
		"read_workflow": {"workflow": nowhere}, "get_run": {"run": nowhere}, "run_app": {"app": "no-such-app"}, "read_productions": {"production": nowhere},
		"run_workflow": {"workflow": nowhere},
	} {
		a.refuses(name, arguments, "not_found")
	}
	a.refuses("get_credits", object{"workspace": c.rivalRoom}, "not_a_member")
}

// agentsCancel end a run by cancelling the call that waits for it, by each version of
// the protocol.
func agentsCancel(t *testing.T, h *testServer, c *cast) {
	p := person{client: c.head.on(t), id: c.head.id}
	for _, version := range []string{versionWithSessions, ""} {
		a := agentOf(t, p.client, version)
		workflow := a.call("create_workflow", object{"name": "Slow", "nodes": []object{{"id": "wait", "type": "delay", "settings": object{"seconds": 600}}}}).text("workflow")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := a.session.CallTool(ctx, &sdk.CallToolParams{Name: "run_workflow", Arguments: object{"workflow": workflow, "waitSeconds": 300}})
			ended <- err
		}()
		h.until(1, `SELECT count(*) FROM executions WHERE workflow_id = $1 AND status IN ('pending', 'running')`, workflow)
		cancel()
		if err := <-ended; err == nil {
			t.Errorf("%q: the call was not cancelled", version)
		}
		h.until(1, `SELECT count(*) FROM executions WHERE workflow_id = $1 AND status = 'failed'`, workflow)

		began := a.call("run_workflow", object{"workflow": workflow, "waitSeconds": 0})
		has(object{"cancelled": true})(t, a.call("cancel_run", object{"run": began.text("run")}))
		has(object{"status": "failed"})(t, a.call("get_run", object{"run": began.text("run"), "waitSeconds": 60}))
	}
}

// TestAgentsOutliveADeploy stops the program while agents wait for runs: their calls are answered, and the runs go on.
func TestAgentsOutliveADeploy(t *testing.T) {
	t.Parallel()
	p := startOn(t, dbtest.NewURL(t), t.TempDir(), []string{"serve", "--workers=false"}, "LOG_LEVEL=error") // no run ends
	_, me := newcomer(t, p, "Maker")
	type answer struct {
		version string
		result  *sdk.CallToolResult
		err     error
	}
	answers := make(chan answer)
	versions := []string{versionWithSessions, ""}
	workflow := saved(me, []object{{"id": "t", "type": "text", "data": object{"text": "x"}}}, nil)
	for _, version := range versions {
		a := agentOf(t, me, version)
		go func() {
			result, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_workflow", Arguments: object{"workflow": workflow, "waitSeconds": 300}})
			answers <- answer{version, result, err}
		}()
	}
	running := func() int {
		n := 0
		for _, run := range me.graphql(`{ executions(first: 50) { nodes { status } } }`, nil).list("data.executions.nodes") {
			if status := run.(object)["status"]; status == "pending" || status == "running" {
				n++
			}
		}
		return n
	}
	eventually(t, func() error {
		if n := running(); n != len(versions) {
			return fmt.Errorf("%d runs", n)
		}
		return nil
	})
	p.stop()
	for range versions {
		a := <-answers
		if a.err != nil || a.result.IsError {
			t.Errorf("%q: %+v %v", a.version, a.result, a.err)
		}
	}
	p.start()
	if n := running(); n != len(versions) {
		t.Errorf("%d runs go on, of %d", n, len(versions))
	}
}

// TestAgentStory goes from an address alone to the result of a run, as an agent does: it
// finds out how to connect, registers itself, has its person asked, runs an app, and asks
// for one scope more when a tool needs it.
func TestAgentStory(t *testing.T) {
	t.Parallel()
	h := newTestServer(t)
	stop := h.work()
	defer stop()
	c := newCast(t, h.server.URL, "school", 500)
	teacher := c.head.in(c.room)
	workflow := teacher.post("/v1/workflows", object{
		"name": "Poster", "visibility": "workspace", "nodes": []object{{"id": "topic", "type": "text", "data": object{"text": "a fox"}}, {"id": "picture", "type": "generate-image", "data": object{"width": 64, "height": 64}}},
		"edges": []object{{"id": "e", "source": "topic", "target": "picture"}},
	}).want(201).text("data.id")
	teacher.post("/v1/workflows/"+workflow+"/publish", object{
		"name": "Poster", "slug": "poster", "presentationSettings": object{"inputItems": []object{{"type": "field", "id": "topic", "nodeId": "topic", "field": "text"}}},
	}).want(201)

	visitor := client{t: t, URL: h.server.URL}.sending("X-Forwarded-For", "203.0.113.77")
	challenge := visitor.rpc(object{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": object{}}).wantError(401, "unauthorized").Header.Get("WWW-Authenticate")
	metadata := between(challenge, `resource_metadata="`, `"`)
	resource := visitor.do("GET", strings.TrimPrefix(metadata, h.server.URL), nil).want(200)
	if resource.text("resource") != h.server.URL+"/mcp" {
		t.Fatalf("%s", resource.Body)
	}
	issuer := resource.text("authorization_servers.0")
	server := visitor.do("GET", strings.TrimPrefix(issuer, h.server.URL)+"/.well-known/oauth-authorization-server", nil).want(200)
	has(object{"code_challenge_methods_supported": "[S256]", "registration_endpoint": h.server.URL + "/v1/oauth/register"})(t, server)

	program := byItself(visitor, object{
		"client_name": "Agent", "redirect_uris": []string{oauthBack}, "grant_types": []string{"authorization_code", "refresh_token"},
		"token_endpoint_auth_method": "client_secret_post", "scope": "workflows:execute jobs:read offline_access", "software_id": "agent", "logo_uri": "https://agent.example/logo.png",
	})
	program.resource = h.server.URL + "/mcp"
	token := program.tokenOf(c.pupil.client, between(challenge, `scope="`, `"`))
	a := agentOf(t, visitor.with(token), versionWithSessions)
	has(object{"apps.0.app": "poster"})(t, a.call("list_apps", object{"workspace": c.room}))

	stepUp := visitor.with(token).rpc(toolCall("list_workspaces", nil)).wantError(403, "insufficient_scope").Header.Get("WWW-Authenticate")
	a = agentOf(t, visitor.with(program.tokenOf(c.pupil.client, between(stepUp, `scope="`, `"`))), versionWithSessions)
	has(object{"workspaces.0.name": "Room"})(t, a.call("list_workspaces", object{"search": "Room"}))
	a.call("select_workspace", object{"workspace": c.room})
	price := a.call("get_credits", object{"app": "poster"})
	before := price.number("left")
	run := a.call("run_app", object{"app": "poster", "inputs": object{"topic": "an owl"}, "idempotencyKey": "once", "waitSeconds": 120})
	has(object{"status": "completed", "workspace": c.room, "result.kind": "image"})(t, run)
	if left := a.call("get_credits", nil).number("left"); left >= before {
		t.Errorf("the workspace has %v left, and had %v", left, before)
	}
	has(object{"runs.0.run": run.text("run")})(t, a.call("list_runs", nil))
}

// between is what stands between two texts.
func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}
