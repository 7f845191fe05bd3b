//go:build !race

package tests

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestConventions is open points, "Conventions", on the routes of contract 3.
func TestConventions(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 10)
	t.Run("lists", func(t *testing.T) { listForms(t, c) })
	t.Run("bodies", func(t *testing.T) { bodyForms(t, c) })
	t.Run("paths", func(t *testing.T) { unknownPaths(t, c) })
	t.Run("idempotency", func(t *testing.T) { idempotency(t, c, url) })
	t.Run("graphql", func(t *testing.T) { graphqlForms(t, c) })
}

func listForms(t *testing.T, c *cast) {
	at, in := "/v1/orgs/"+c.org, "/v1/workspaces/"+c.room
	lists := []string{"/v1/orgs", "/v1/workspaces", at + "/members", at + "/workspaces", at + "/invitations", at + "/audit", in + "/members"}
	cursors := map[string]string{}
	for _, path := range []string{at + "/members", at + "/audit", in + "/members", "/v1/workspaces", at + "/workspaces"} {
		cursors[path] = c.owner.on(t).get(path + "?limit=1").want(200).text("nextCursor")
		if cursors[path] == "" {
			t.Fatalf("%s has one page alone", path)
		}
	}
	foreign := cursors[at+"/members"]
	for _, path := range lists {
		t.Run(path, func(t *testing.T) {
			owner := c.owner.on(t)
			for _, who := range []client{owner, c.outsider.on(t), c.outside.on(t), c.suspended.on(t)} {
				for _, query := range []string{"limit=0", "limit=-1", "limit=201", "limit=abc", "limit=1.5", "limit=99999999999999999999"} {
					r := who.get(path+"?"+query).wantError(400, "validation_error")
					if !strings.Contains(r.text("error.message"), "limit") {
						t.Errorf("%s: %s", query, r.Body)
					}
				}
				for _, cursor := range []string{"x", "!!", strings.Repeat("A", 60), foreign[1:], foreign + "A", strings.ToLower(foreign), "null"} {
					r := who.get(path+"?cursor="+cursor).wantError(400, "validation_error")
					if !strings.Contains(r.text("error.message"), "cursor") {
						t.Errorf("%s: %s", cursor, r.Body)
					}
				}
			}
			owner.get(path + "?limit=1").want(200)
			owner.get(path + "?limit=200").want(200)
			if path != at+"/members" {
				owner.get(path+"?cursor="+foreign).wantError(400, "validation_error")
			}
			if cursor := cursors[path]; cursor != "" {
				owner.get(path + "?cursor=" + cursor).want(200)
				for i := range len(cursor) {
					altered := []byte(cursor)
					altered[i] = map[bool]byte{true: 'B', false: 'A'}[altered[i] == 'A']
					owner.get(path+"?cursor="+string(altered)).wantError(400, "validation_error")
				}
			}
		})
	}
	t.Run("bound to what it lists", func(t *testing.T) {
		owner := c.owner.on(t)
		owner.get("/v1/workspaces?includeArchived=true&cursor="+cursors["/v1/workspaces"]).wantError(400, "validation_error")
		c.admin.on(t).get("/v1/workspaces?cursor="+cursors["/v1/workspaces"]).wantError(400, "validation_error")
		c.rival.on(t).get("/v1/orgs/"+c.rivalOrg+"/members?cursor="+foreign).wantError(400, "validation_error")
		c.outsider.on(t).get(at+"/members?cursor="+foreign).wantError(404, "not_found")
	})
}

func bodyForms(t *testing.T, c *cast) {
	at := "/v1/orgs/" + c.org
	for _, route := range [][2]string{
		{"POST", "/v1/orgs"}, {"PATCH", at}, {"POST", at + "/workspaces"}, {"POST", at + "/transfer-ownership"}, {"PATCH", at + "/members/" + c.pupil.id},
		{"PATCH", "/v1/workspaces/" + c.room}, {"POST", "/v1/workspaces/" + c.room + "/members"}, {"PATCH", "/v1/workspaces/" + c.room + "/members/" + c.pupil.id},
		{"POST", "/v1/workspaces/" + c.room + "/join-code"}, {"POST", "/v1/workspaces/join"}, {"POST", at + "/workspaces/" + c.room + "/allocate"}, {"POST", at + "/credits/checkout"},
		{"POST", at + "/invitations"}, {"PATCH", "/v1/me"}, {"POST", "/v1/api-tokens"},
	} {
		t.Run(route[0]+" "+route[1], func(t *testing.T) {
			for _, who := range []client{c.owner.on(t), c.outsider.on(t)} {
				for _, body := range []string{"", "{", "[]", "null", `"x"`, "{} x", "\xff", `{"name":"a",}`} {
					who.do(route[0], route[1], body).wantError(400, "validation_error")
				}
				for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "nonsense"} {
					who.sending("Content-Type", kind).do(route[0], route[1], "{}").wantError(415, "unsupported_media_type")
				}
				who.do(route[0], route[1], `{"x":"`+strings.Repeat("x", 1<<20)+`"}`).wantError(413, "payload_too_large")
			}
			c.visitor.do(route[0], route[1], "{").wantError(401, "unauthorized")
		})
	}
	for _, kind := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON"} {
		c.owner.on(t).sending("Content-Type", kind).do("PATCH", at, `{"unknown":[1,{"a":null}]}`).want(200)
	}
	t.Run("routes without a body", func(t *testing.T) {
		owner, path := c.owner.on(t), "/v1/workspaces/"+c.room+"/unarchive"
		owner.post(path, nil).want(200)
		owner.post(path, object{"unknown": 1}).want(200)
		owner.sending("Content-Type", "text/plain").post(path, "x").wantError(415, "unsupported_media_type")
		owner.post(path, strings.Repeat("x", 1<<20+1)).wantError(413, "payload_too_large")
	})
	t.Run("ids", func(t *testing.T) {
		for _, id := range []string{"x", "%00", "1", nowhere + "x", "%7B" + nowhere + "%7D", "urn:uuid:" + nowhere, strings.ReplaceAll(nowhere, "-", "")} {
			for method, path := range map[string]string{
				"GET": "/v1/orgs/" + id, "PATCH": "/v1/workspaces/" + id, "DELETE": at + "/members/" + id, "POST": "/v1/workspaces/" + id + "/archive",
			} {
				var body any
				if method == "PATCH" {
					body = object{}
				}
				c.owner.on(t).do(method, path, body).wantError(400, "validation_error")
				c.visitor.do(method, path, body).wantError(401, "unauthorized")
			}
		}
		c.owner.on(t).get("/v1/orgs/" + strings.ToUpper(c.org)).want(200)
		for _, id := range []any{"urn:uuid:" + c.pupil.id, "{" + c.pupil.id + "}", strings.ReplaceAll(c.pupil.id, "-", ""), "", 1, []int{}} {
			r := c.owner.on(t).post(at+"/transfer-ownership", object{"userId": id}).wantError(400, "validation_error")
			if !strings.HasPrefix(r.text("error.message"), "userId must be a ") {
				t.Errorf("%v: %s", id, r.Body)
			}
		}
	})
}

func unknownPaths(t *testing.T, c *cast) {
	at := "/v1/orgs/" + c.org
	for _, who := range []client{c.visitor, c.owner.client} {
		who.t = t
		for _, path := range []string{"/v1", "/v1/", "/v1/nothing", "/v1/orgs/", at + "/nothing", at + "/members/" + nowhere + "/x", "/v1/workspaces/" + c.room + "/", "/v1/a/b/c/d"} {
			for _, method := range []string{"GET", "POST", "DELETE", "PATCH"} {
				who.do(method, path, nil).wantError(404, "not_found")
			}
		}
		for path, method := range map[string]string{
			"/v1/orgs": "DELETE", at: "PUT", at + "/members": "POST", at + "/audit": "POST", at + "/credits": "DELETE", at + "/leave": "GET",
			"/v1/workspaces": "POST", "/v1/workspaces/" + c.room + "/archive": "GET", "/v1/me": "DELETE", at + "/members/" + c.pupil.id: "GET",
		} {
			if r := who.do(method, path, nil).wantError(405, "method_not_allowed"); r.Header.Get("Allow") == "" || strings.Contains(r.Header.Get("Allow"), method) {
				t.Errorf("%s %s allows %q", method, path, r.Header.Get("Allow"))
			}
		}
	}
	if allow := c.visitor.do("PUT", "/v1/orgs", nil).Header.Get("Allow"); allow != "GET, HEAD, POST" {
		t.Errorf("allowed is %q", allow)
	}
	t.Run("request ids", func(t *testing.T) {
		uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`)
		for _, path := range []string{"/v1/me", "/v1/nothing", "/v1/nodes", at} {
			if got := c.visitor.get(path).Header.Get("X-Request-Id"); !uuid.MatchString(got) {
				t.Errorf("%s has the request id %q", path, got)
			}
			if got := c.owner.on(t).sending("X-Request-Id", "mine-1.2:3_4").get(path).Header.Get("X-Request-Id"); got != "mine-1.2:3_4" {
				t.Errorf("%s has the request id %q", path, got)
			}
			for _, odd := range []string{"a b", strings.Repeat("x", 200), "<script>", "ä"} {
				if got := c.owner.on(t).sending("X-Request-Id", odd).get(path).Header.Get("X-Request-Id"); !uuid.MatchString(got) {
					t.Errorf("%s answers %q with the request id %q", path, odd, got)
				}
			}
		}
	})
}

func idempotency(t *testing.T, c *cast, url string) {
	owner, all := c.owner.on(t), "/v1/orgs/"+c.org+"/workspaces"
	key := func(k string) client { return c.owner.on(t).sending("Idempotency-Key", k) }
	first := key("one").post(all, object{"name": "Once"}).want(201)
	again := key("one").post(all, object{"name": "Once"}).want(201)
	if !bytes.Equal(bytes.TrimSpace(first.Body), bytes.TrimSpace(again.Body)) || again.Header.Get("Idempotency-Replayed") != "true" || first.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("%s\n%s %v", first.Body, again.Body, again.Header)
	}
	key("one").post(all, object{"name": "Twice"}).wantError(409, "idempotency_key_reused")
	key("one").post("/v1/orgs/"+c.org+"/leave", nil).wantError(409, "idempotency_key_reused")
	c.admin.on(t).sending("Idempotency-Key", "one").post(all, object{"name": "Once"}).want(201)
	key("").post(all, object{"name": "X"}).wantError(400, "validation_error")
	if r := key("\xe9").post(all, object{"name": "X"}).wantError(400, "validation_error"); !strings.Contains(r.text("error.message"), "Idempotency-Key") {
		t.Errorf("%s", r.Body)
	}
	key(strings.Repeat("k", 256)).post(all, object{"name": "X"}).wantError(400, "validation_error")
	key(strings.Repeat("k", 255)).post(all, object{"name": "X"}).want(201)
	refused := key("no").post(all, object{"name": ""}).wantError(400, "validation_error")
	if r := key("no").post(all, object{"name": ""}); r.Header.Get("Idempotency-Replayed") != "true" || r.Status != refused.Status {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	allocate := all + "/" + c.room + "/allocate"
	c.grant(10)
	pool := owner.get("/v1/orgs/" + c.org + "/credits").number("data.pool")
	for range 3 {
		key("pay").post(allocate, object{"delta": 1}).want(200)
	}
	if now := owner.get("/v1/orgs/" + c.org + "/credits").number("data.pool"); now != pool-1 {
		t.Errorf("three times with one key took %v", pool-now)
	}
	t.Run("at once", func(t *testing.T) {
		answers := make(chan *reply)
		for range 8 {
			go func() { answers <- key("race").post(allocate, object{"delta": 1}) }()
		}
		for range 8 {
			if r := <-answers; r.Status != 200 && r.path("error.code") != "idempotency_in_progress" {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		}
		if now := owner.get("/v1/orgs/" + c.org + "/credits").number("data.pool"); now != pool-2 {
			t.Errorf("the race took %v", pool-1-now)
		}
	})
	t.Run("not kept", func(t *testing.T) {
		c.visitor.sending("Idempotency-Key", "a").post(all, object{"name": "X"}).wantError(401, "unauthorized")
		eager := newPerson(t, url, "Eager").client
		for range 5 {
			eager.post("/v1/orgs", object{"name": "E", "kind": "team"}).want(201)
		}
		for range 2 {
			r := eager.sending("Idempotency-Key", "k").post("/v1/orgs", object{"name": "E", "kind": "team"}).wantError(429, "rate_limit_exceeded")
			if r.Header.Get("Idempotency-Replayed") != "" || r.Header.Get("Retry-After") == "" {
				t.Errorf("%v", r.Header)
			}
		}
	})
	t.Run("a token shown once is shown again", func(t *testing.T) {
		one := key("token").post("/v1/api-tokens", object{"name": "t"}).want(201)
		two := key("token").post("/v1/api-tokens", object{"name": "t"}).want(201)
		if one.text("token") == "" || one.text("token") != two.text("token") {
			t.Errorf("%s\n%s", one.Body, two.Body)
		}
	})
}

// graphqlForms: a malformed argument is a validation_error, whatever its name.
func graphqlForms(t *testing.T, c *cast) {
	for query, field := range map[string]string{
		`{ workspace(id: "x") { id } }`:    "id",
		`{ organization(id: "x") { id } }`: "id",
		`mutation { addWorkspaceMember(workspaceId: "x", input: { userId: "` + nowhere + `", role: member }) { role } }`:        "workspaceId",
		`mutation { addWorkspaceMember(workspaceId: "` + c.room + `", input: { userId: "x", role: member }) { role } }`:         "userId",
		`mutation { transferOwnership(organizationId: "` + c.org + `", userId: "x") { id } }`:                                   "userId",
		`mutation { allocateCredits(organizationId: "x", workspaceId: "` + c.room + `", delta: 1) { pool } }`:                   "organizationId",
		`mutation { allocateCredits(organizationId: "` + c.org + `", workspaceId: "` + c.room + `", delta: 1.23456) { pool } }`: "delta",
		`{ renamed: workspace(id: "x") { id } }`:                                                   "id",
		`{ organization(id: "` + c.org + `") { workspaces(first: 0) { nodes { id } } } }`:          "limit",
		`{ organization(id: "` + c.org + `") { workspaces(after: "nonsense") { nodes { id } } } }`: "cursor",
		`mutation { updateWorkspace(id: "` + c.room + `", input: { name: "" }) { id } }`:           "name",
	} {
		r := c.owner.on(t).post("/graphql", object{"query": query})
		if r.text("errors.0.extensions.code") != "validation_error" || r.path("errors.0.extensions.status") != 400.0 || !strings.Contains(r.text("errors.0.message"), field) {
			t.Errorf("%s: %s", query, r.Body)
		}
	}
	r := c.owner.on(t).post("/graphql", object{"query": `query($id: ID!) { workspace(id: $id) { id } }`, "variables": object{"id": "x"}})
	if r.text("errors.0.extensions.code") != "validation_error" {
		t.Errorf("%s", r.Body)
	}
}
