package tests

import (
	"strings"
	"testing"
)

func runAPIConventions(t *testing.T, p *program) {
	session, who := newcomer(t, p, "Conventions")
	visitor := who.with("")
	const invalid = "validation_error"
	typed := func(contentType string) client { return who.sending("Content-Type", contentType) }
	long := strings.Repeat("a", 1<<20)
	sized := func(bytes int) string {
		return `{"name":"x","pad":"` + strings.Repeat("a", bytes-len(`{"name":"x","pad":""}`)) + `"}`
	}
	keyed := who.sending("Idempotency-Key", "as large as may be")
	hold(t,
		rule{"NoToken", visitor, "GET", "/v1/me", nil, 401, "unauthorized"}, rule{"UnknownToken", who.with("svc_unknown"), "GET", "/v1/me", nil, 401, "unauthorized"},
		rule{"UnknownAppToken", who.with("svc_app_unknown"), "GET", "/v1/me", nil, 401, "unauthorized"}, rule{"MalformedJWT", who.with("a.b.c"), "GET", "/v1/me", nil, 401, "unauthorized"},
		rule{"Basic", visitor.sending("Authorization", "Basic abc"), "GET", "/v1/me", nil, 401, "unauthorized"},
		rule{"SchemeInSmallLetters", visitor.sending("Authorization", "bearer "+who.token), "GET", "/v1/me", nil, 200, ""},
		rule{"Malformed", who, "POST", "/v1/workflows", "{bad", 400, invalid}, rule{"Empty", who, "POST", "/v1/workflows", "", 400, invalid}, rule{"List", who, "POST", "/v1/workflows", "[]", 400, invalid},
		rule{"Trailing", who, "POST", "/v1/workflows", `{"name":"x"} y`, 400, invalid}, rule{"WrongType", who, "POST", "/v1/workflows", object{"name": 5}, 400, invalid}, rule{"Missing", who, "POST", "/v1/workflows", object{}, 400, invalid},
		rule{"UnknownField", who, "POST", "/v1/workflows", object{"name": "x", "unheard": 1}, 201, ""}, rule{"Charset", typed("application/json; charset=utf-8"), "POST", "/v1/workflows", object{"name": "x"}, 201, ""},
		rule{"Form", typed("application/x-www-form-urlencoded"), "POST", "/v1/workflows", "name=x", 415, "unsupported_media_type"}, rule{"Text", typed("text/plain"), "POST", "/v1/workflows", `{"name":"x"}`, 415, "unsupported_media_type"},
		rule{"OneMiB", who, "POST", "/v1/projects", object{"name": "x", "pad": long}, 413, "payload_too_large"}, rule{"TwoMiBOfWorkflow", who, "POST", "/v1/workflows", object{"name": "x", "pad": long + long}, 201, ""},
		rule{"SixMiBOfWorkflow", who, "POST", "/v1/workflows", object{"name": "x", "pad": strings.Repeat(long, 6)}, 413, "payload_too_large"},
		rule{"JustOneMiB", who, "POST", "/v1/projects", sized(1 << 20), 201, ""}, rule{"JustOneMiBWithKey", keyed, "POST", "/v1/projects", sized(1 << 20), 201, ""},
		rule{"AByteMore", who, "POST", "/v1/projects", sized(1<<20 + 1), 413, "payload_too_large"}, rule{"AByteMoreWithKey", keyed, "POST", "/v1/projects", sized(1<<20 + 1), 413, "payload_too_large"},
		rule{"JustFiveMiBOfWorkflow", who, "POST", "/v1/workflows", sized(5 << 20), 201, ""}, rule{"AByteMoreOfWorkflow", who, "POST", "/v1/workflows", sized(5<<20 + 1), 413, "payload_too_large"},
		rule{"TokenBeforeForm", visitor, "POST", "/v1/workflows", "{bad", 401, "unauthorized"},
		rule{"UnknownPath", who, "GET", "/v1/no/such/path", nil, 404, "not_found"}, rule{"UnknownMethod", who, "PUT", "/v1/workflows", object{}, 405, "method_not_allowed"}, rule{"DeleteOfList", who, "DELETE", "/v1/jobs", nil, 405, "method_not_allowed"},
		rule{"EmptyKey", who.sending("Idempotency-Key", ""), "POST", "/v1/projects", object{"name": "x"}, 400, invalid}, rule{"LongKey", who.sending("Idempotency-Key", long[:256]), "POST", "/v1/projects", object{"name": "x"}, 400, invalid},
		rule{"MaxKey", who.sending("Idempotency-Key", long[:255]), "POST", "/v1/projects", object{"name": "x"}, 201, ""},
	)
	for _, list := range []string{"/v1/jobs", "/v1/workflows", "/v1/projects", "/v1/apps", "/v1/api/workflows"} {
		hold(t,
			rule{list + "/Limit0", who, "GET", list + "?limit=0", nil, 400, invalid}, rule{list + "/Limit201", who, "GET", list + "?limit=201", nil, 400, invalid},
			rule{list + "/LimitText", who, "GET", list + "?limit=x", nil, 400, invalid}, rule{list + "/Cursor", who, "GET", list + "?cursor=abc", nil, 400, invalid},
		)
	}
	t.Run("RequestID", func(t *testing.T) {
		who.t = t
		if got := who.sending("X-Request-Id", "abc-1").get("/v1/me").Header.Get("X-Request-Id"); got != "abc-1" {
			t.Errorf("echoed %q", got)
		}
		if got := who.sending("X-Request-Id", "<odd>").get("/v1/none").Header.Get("X-Request-Id"); got == "" || got == "<odd>" {
			t.Errorf("an odd id became %q", got)
		}
	})
	t.Run("AlteredCursor", func(t *testing.T) {
		who.t = t
		for range 2 {
			saved(who, nil, nil)
		}
		cursor := who.get("/v1/workflows?limit=1").want(200).text("nextCursor")
		who.get("/v1/workflows?limit=1&cursor=" + cursor).want(200)
		who.get("/v1/projects?cursor="+cursor).wantError(400, invalid)
		swapped := map[bool]string{true: "B", false: "A"}[cursor[0] == 'A'] + cursor[1:]
		who.get("/v1/workflows?cursor="+swapped).wantError(400, invalid)
	})
	workflow := saved(who, posedNodes, posedEdges)
	posed(who, "again", nil)
	for path, body := range map[string]object{
		"/v1/projects": {"name": "x"}, "/v1/workflows": {"name": "x"}, "/v1/text": {"text": "x"}, "/v1/app/again/run": {}, "/v1/app/again/draft": {},
		"/v1/workflows/" + workflow + "/run": {}, "/v1/api/run": {"workflowId": workflow}, "/v1/api/run?wait=true": {"workflowId": workflow},
		"/v1/workflows/" + workflow + "/publish": {"name": "x"}, "/v1/webhook-endpoints": {"url": "https://hooks.example/a"},
	} {
		t.Run("IdempotencyKey"+path, func(t *testing.T) {
			who.t = t
			keyed := who.sending("Idempotency-Key", "key "+path)
			first, again := keyed.post(path, body), keyed.post(path, body)
			if first.Status >= 300 || again.Status != first.Status || string(again.Body) != string(first.Body) {
				t.Errorf("first %d %s, again %d %s", first.Status, first.Body, again.Status, again.Body)
			}
			if first.Header.Get("Idempotency-Replayed") != "" || again.Header.Get("Idempotency-Replayed") != "true" {
				t.Error("Idempotency-Replayed is wrong")
			}
			keyed.post(path, object{"other": 1}).wantError(409, "idempotency_key_reused")
		})
	}
	t.Run("RestrictedTokensHearNoOther", func(t *testing.T) {
		who.t = t
		body := object{"workflowId": workflow}
		who.sending("Idempotency-Key", "whose").post("/v1/api/run", body).want(202)
		other := who.post("/v1/workflows", object{"name": "Other", "nodes": []object{}, "edges": []object{}}).want(201).text("data.id")
		session.t = t
		restricted := who.with(session.post("/v1/api-tokens", object{"name": "restricted", "workflowIds": []string{other}}).want(201).text("token"))
		restricted.post("/v1/api/run", body).wantError(403, "forbidden")
		restricted.sending("Idempotency-Key", "whose").post("/v1/api/run", body).wantError(409, "idempotency_key_reused")
	})
	t.Run("RefusalsAreReplayed", func(t *testing.T) {
		who.t = t
		keyed := who.sending("Idempotency-Key", "refused")
		keyed.post("/v1/workflows", object{"name": ""}).wantError(400, invalid)
		if keyed.post("/v1/workflows", object{"name": ""}).wantError(400, invalid).Header.Get("Idempotency-Replayed") != "true" {
			t.Error("not replayed")
		}
	})
}
