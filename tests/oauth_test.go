//go:build !race

package tests

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestOAuthAppsByHand manages apps as contract 1 has it: with a session alone, five of them.
func TestOAuthAppsByHand(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	ada, eve := newPerson(t, url, "Ada"), newPerson(t, url, "Eve")
	made := ada.sending("Idempotency-Key", "one").post("/v1/oauth/apps", object{"name": " Posters ", "redirectUris": []string{oauthBack}, "allowedOrigins": []string{"https://Posters.example:443"}}).want(201)
	holds(t, made.path("data"), "id", "clientId", "name", "redirectUris", "allowedOrigins", "createdAt", "updatedAt", "lastUsedAt")
	has(object{"data.name": "Posters", "data.allowedOrigins.0": "https://posters.example", "data.clientId": made.text("data.id"), "data.lastUsedAt": nil})(t, made)
	secret := made.text("clientSecret")
	again := ada.sending("Idempotency-Key", "one").post("/v1/oauth/apps", object{"name": " Posters ", "redirectUris": []string{oauthBack}, "allowedOrigins": []string{"https://Posters.example:443"}}).want(201)
	if again.text("clientSecret") != secret || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("a repeat answers %s", again.Body)
	}
	each := "/v1/oauth/apps/" + made.text("data.id")
	for _, read := range []*reply{ada.get("/v1/oauth/apps").want(200), ada.get(each).want(200)} {
		if strings.Contains(string(read.Body), secret) || strings.Contains(strings.ToLower(string(read.Body)), "secret") {
			t.Errorf("the secret is shown again: %s", read.Body)
		}
	}
	app := oauthProgram{visitor: ada.client.with(""), id: made.text("data.id"), secret: secret}
	byApp := ada.client.with(app.tokenOf(ada.client, "jobs:read"))
	byToken := ada.client.with(ada.post("/v1/api-tokens", object{"name": "x"}).want(201).text("token"))
	for _, who := range []client{byApp, byToken} {
		who.post("/v1/oauth/apps", object{"name": "x", "redirectUris": []string{oauthBack}}).wantError(403, "forbidden")
		who.get("/v1/oauth/apps").wantError(403, "forbidden")
		who.get(each).wantError(403, "forbidden")
		who.do("PATCH", each, object{"name": "x"}).wantError(403, "forbidden")
		who.do("DELETE", each, nil).wantError(403, "forbidden")
		who.post(each+"/rotate-secret", nil).wantError(403, "forbidden")
		who.get("/v1/api-tokens").wantError(403, "forbidden")
	}
	eve.get(each).wantError(404, "not_found")
	eve.do("PATCH", each, object{"name": "Mine"}).wantError(404, "not_found")
	eve.do("DELETE", each, nil).wantError(404, "not_found")
	for field, body := range map[string]object{
		"name":             {"name": "a\u202eb", "redirectUris": []string{oauthBack}},
		"redirectUris":     {"name": "x", "redirectUris": []string{}},
		"redirectUris.0":   {"name": "x", "redirectUris": []string{"javascript:alert(1)"}},
		"redirectUris.1":   {"name": "x", "redirectUris": []string{oauthBack, "http://posters.example"}},
		"allowedOrigins.0": {"name": "x", "redirectUris": []string{oauthBack}, "allowedOrigins": []string{"*"}},
	} {
		if r := ada.post("/v1/oauth/apps", body).wantError(400, "validation_error"); r.text("error.field") != field {
			t.Errorf("%s names %s", field, r.Body)
		}
	}
	ada.do("PATCH", each, `{"redirectUris":null}`).wantError(400, "validation_error")
	ada.do("PATCH", each, object{"redirectUris": []string{}}).wantError(400, "validation_error")
	has(object{"data.allowedOrigins": "[]", "data.name": "Wall"})(t, ada.do("PATCH", each, object{"name": "Wall", "allowedOrigins": []string{}}).want(200))
	public := ada.post("/v1/oauth/apps", object{"name": "Line", "redirectUris": []string{"http://127.0.0.1/"}, "public": true}).want(201)
	if public.path("clientSecret") != nil {
		t.Errorf("a public app has a secret: %s", public.Body)
	}
	for range 3 {
		ada.post("/v1/oauth/apps", object{"name": "x", "redirectUris": []string{oauthBack}}).want(201)
	}
	ada.post("/v1/oauth/apps", object{"name": "x", "redirectUris": []string{oauthBack}}).wantError(400, "limit_reached")
	rotated := ada.post(each+"/rotate-secret", nil).want(200).text("clientSecret")
	code := app.approvedBy(eve.client, "jobs:read")
	if r := app.exchanged(code).want(401); r.text("error") != "invalid_client" {
		t.Errorf("the old secret: %s", r.Body)
	}
	app.secret = rotated
	token := app.exchanged(code).want(200).text("access_token")
	eve.with(token).get("/v1/me").want(200)
	ada.do("DELETE", each, nil).want(200)
	for _, spent := range []string{token, byApp.token} {
		eve.with(spent).get("/v1/me").wantError(401, "unauthorized")
	}
	ada.get(each).wantError(404, "not_found")
}

// TestOAuthTokenEndpoint sends what programs send, right and wrong.
func TestOAuthTokenEndpoint(t *testing.T) {
	t.Parallel()
	base := startBehindProxy(t)
	ada := newPerson(t, base, "Ada")
	app := byHand(ada, "Posters")
	form := func(change func(url.Values)) string {
		f := url.Values{"grant_type": {"authorization_code"}, "code": {"x"}, "redirect_uri": {oauthBack}, "code_verifier": {oauthVerifier}, "client_id": {app.id}, "client_secret": {app.secret}}
		change(f)
		return f.Encode()
	}
	as := func(f url.Values) { f.Set("code", app.approvedBy(ada.client, "jobs:read workspaces:read")) }
	basic := func(id, secret string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))
	}
	alone := func(f url.Values) { as(f); f.Del("client_id"); f.Del("client_secret") }
	for name, c := range map[string]struct {
		header, value, path, body string
		status                    int
		want                      string
	}{
		"in the body":          {body: form(as), status: 200},
		"by Basic":             {header: "Authorization", value: basic(app.id, app.secret), body: form(alone), status: 200},
		"by basic":             {header: "Authorization", value: strings.Replace(basic(app.id, app.secret), "Basic", "basic", 1), body: form(alone), status: 200},
		"an unknown parameter": {body: form(func(f url.Values) { as(f); f.Set("audience", "x") }), status: 200},
		"this service":         {body: form(func(f url.Values) { as(f); f["resource"] = []string{base, base + "/v1"} }), status: 200},
		"by both":              {header: "Authorization", value: basic(app.id, app.secret), body: form(as), status: 400, want: "invalid_request"},
		"of two":               {header: "Authorization", value: basic(app.id, app.secret), body: form(func(f url.Values) { alone(f); f.Set("client_id", nowhere) }), status: 400, want: "invalid_request"},
		"a wrong Basic":        {header: "Authorization", value: basic(app.id, "wrong"), body: form(alone), status: 401, want: "invalid_client"},
		"a Bearer":             {header: "Authorization", value: "Bearer " + ada.token, body: form(as), status: 401, want: "invalid_client"},
		"an odd Basic":         {header: "Authorization", value: "Basic !", body: form(alone), status: 401, want: "invalid_client"},
		"an odd escape":        {header: "Authorization", value: "Basic " + base64.StdEncoding.EncodeToString([]byte("%zz:x")), body: form(alone), status: 401, want: "invalid_client"},
		"a wrong secret":       {body: form(func(f url.Values) { as(f); f.Set("client_secret", "wrong") }), status: 401, want: "invalid_client"},
		"nobody":               {body: form(func(f url.Values) { alone(f) }), status: 401, want: "invalid_client"},
		"an unknown code":      {body: form(func(url.Values) {}), status: 400, want: "invalid_grant"},
		"a repeated parameter": {body: form(as) + "&code=y", status: 400, want: "invalid_request"},
		"in the address":       {path: "?client_id=" + app.id, body: form(as), status: 400, want: "invalid_request"},
		"nothing":              {body: "", status: 400, want: "invalid_request"},
		"an empty parameter":   {body: form(func(f url.Values) { as(f); f.Set("grant_type", "") }), status: 400, want: "invalid_request"},
		"an odd form":          {body: "grant_type=%zz", status: 400, want: "invalid_request"},
		"semicolons":           {body: "grant_type=authorization_code;code=x", status: 400, want: "invalid_request"},
		"another grant":        {body: form(func(f url.Values) { f.Set("grant_type", "client_credentials") }), status: 400, want: "unsupported_grant_type"},
		"a password":           {body: form(func(f url.Values) { f.Set("grant_type", "password") }), status: 400, want: "unsupported_grant_type"},
		"JSON as a form":       {header: "Content-Type", value: "application/json", body: form(as), status: 400, want: "invalid_request"},
		"text":                 {header: "Content-Type", value: "text/plain", body: form(as), status: 400, want: "invalid_request"},
		"too much":             {body: form(as) + "&x=" + strings.Repeat("x", 17<<10), status: 413, want: "invalid_request"},
		"a list in JSON":       {header: "Content-Type", value: "application/json", body: `{"code":["x"]}`, status: 400, want: "invalid_request"},
		"a NUL in JSON":        {header: "Content-Type", value: "application/json", body: `{"grant_type":"authorization_code","code":"\u0000","code_verifier":"x","client_id":"` + app.id + `","client_secret":"\u0000"}`, status: 400, want: "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			who := app.visitor
			who.t = t
			if c.header != "" {
				who = who.sending(c.header, c.value)
			}
			r := who.form("/v1/oauth/token"+c.path, c.body).want(c.status)
			if r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("Pragma") != "no-cache" || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("headers %v", r.Header)
			}
			if c.want != r.text("error") || c.want != "" && r.text("error_description") == "" {
				t.Errorf("answered %s", r.Body)
			}
			if challenge := r.Header.Get("WWW-Authenticate"); strings.HasPrefix(challenge, "Basic") != (c.status == 401 && c.header == "Authorization") || strings.Contains(challenge, "Bearer") {
				t.Errorf("challenged by %q", challenge)
			}
			if c.status == 200 {
				has(object{"token_type": "Bearer", "expires_in": 7776000, "scope": "jobs:read workspaces:read"})(t, r)
			}
		})
	}
	byJSON := app.visitor.post("/v1/oauth/token", object{
		"grant_type": "authorization_code", "code": app.approvedBy(ada.client, "jobs:read"), "redirect_uri": oauthBack, "code_verifier": oauthVerifier, "client_id": app.id, "client_secret": app.secret,
	}).want(200)
	holds(t, byJSON.JSON, "access_token", "token_type", "expires_in", "scope")
}

// TestOAuthRevocationEndpoint revokes tokens, of the app that asks alone.
func TestOAuthRevocationEndpoint(t *testing.T) {
	t.Parallel()
	base := startBehindProxy(t)
	ada := newPerson(t, base, "Ada")
	app, other := byHand(ada, "Posters"), byHand(ada, "Other")
	token := app.tokenOf(ada.client, "jobs:read")
	revoke := func(p oauthProgram, token string) *reply {
		return p.visitor.form("/v1/oauth/revoke", url.Values{"token": {token}, "token_type_hint": {"refresh_token"}, "client_id": {p.id}, "client_secret": {p.secret}}.Encode())
	}
	revoke(other, token).want(200)
	ada.with(token).get("/v1/me").want(200)
	revoke(app, "svc_app_nonsense").want(200)
	if r := revoke(oauthProgram{visitor: app.visitor, id: app.id, secret: "wrong"}, token).want(401); r.text("error") != "invalid_client" {
		t.Errorf("answered %s", r.Body)
	}
	if r := revoke(app, "").want(400); r.text("error") != "invalid_request" {
		t.Errorf("answered %s", r.Body)
	}
	ada.with(token).get("/v1/me").want(200)
	revoke(app, token).want(200)
	revoke(app, token).want(200)
	refused := ada.with(token).get("/v1/me").wantError(401, "unauthorized")
	want := fmt.Sprintf(`Bearer error="invalid_token", resource_metadata="%s/.well-known/oauth-protected-resource"`, base)
	if got := refused.Header.Get("WWW-Authenticate"); got != want {
		t.Errorf("challenged by %q, want %q", got, want)
	}
	if n := len(ada.graphql(`{ connectedApps { id } }`, nil).list("data.connectedApps")); n != 1 {
		t.Errorf("%d apps are connected", n)
	}
}

// TestOAuthRegistrationEndpoint registers programs by themselves: ten a minute of an address.
func TestOAuthRegistrationEndpoint(t *testing.T) {
	t.Parallel()
	base := startBehindProxy(t)
	visitor := client{t: t, URL: base}
	freshMinute()
	for code, body := range map[string]string{
		"invalid_redirect_uri":    `{"redirect_uris":["http://posters.example/"]}`,
		"invalid_client_metadata": `{"redirect_uris":["https://posters.example/"],"client_name":7}`,
	} {
		if r := visitor.post("/v1/oauth/register", body).want(400); r.text("error") != code || r.text("error_description") == "" {
			t.Errorf("answered %s", r.Body)
		}
	}
	for _, body := range []string{`[]`, `{`, `"x"`, strings.Repeat("[", 100)} {
		if r := visitor.post("/v1/oauth/register", body).want(400); !strings.HasPrefix(r.text("error"), "invalid_") {
			t.Errorf("%s: answered %s", body, r.Body)
		}
	}
	r := visitor.post("/v1/oauth/register", object{"redirect_uris": []string{oauthBack}, "client_name": "Posters", "logo_uri": "https://evil.example/x.png", "jwks": object{"keys": []any{}}}).want(201)
	has(object{"client_name": "Posters", "client_secret_expires_at": 0, "token_endpoint_auth_method": "client_secret_basic", "grant_types": "[authorization_code]", "response_types": "[code]"})(t, r)
	if r.number("client_id_issued_at") == 0 || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("answered %s", r.Body)
	}
	for range 3 {
		visitor.post("/v1/oauth/register", `{}`).want(400)
	}
	limited := visitor.post("/v1/oauth/register", object{"redirect_uris": []string{oauthBack}}).wantError(429, "rate_limit_exceeded")
	if limited.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	visitor.sending("X-Forwarded-For", "203.0.113.200").post("/v1/oauth/register", object{"redirect_uris": []string{oauthBack}}).want(201)
}

// TestOAuthMetadata reads what programs begin with.
func TestOAuthMetadata(t *testing.T) {
	t.Parallel()
	base := startBehindProxy(t)
	visitor := client{t: t, URL: base}
	server := visitor.get("/.well-known/oauth-authorization-server").want(200)
	has(object{
		"issuer": base, "authorization_endpoint": base + "/oauth/authorize", "token_endpoint": base + "/v1/oauth/token", "revocation_endpoint": base + "/v1/oauth/revoke",
		"registration_endpoint": base + "/v1/oauth/register", "code_challenge_methods_supported": "[S256]", "response_types_supported": "[code]", "grant_types_supported": "[authorization_code]",
		"authorization_response_iss_parameter_supported": true, "scopes_supported": "[workflows:execute jobs:read workspaces:read workspaces:write]",
	})(t, server)
	has(object{"resource": base, "authorization_servers": "[" + base + "]", "bearer_methods_supported": "[header]"})(t, visitor.get("/.well-known/oauth-protected-resource").want(200))
	has(object{"resource": base + "/v1"})(t, visitor.get("/.well-known/oauth-protected-resource/v1").want(200))
	visitor.get("/.well-known/oauth-authorization-server/elsewhere").wantError(404, "not_found")
	visitor.get("/.well-known/openid-configuration").want(404)
	if got, want := visitor.get("/v1/me").wantError(401, "unauthorized").Header.Get("WWW-Authenticate"), `Bearer resource_metadata="`+base+`/.well-known/oauth-protected-resource"`; got != want {
		t.Errorf("challenged by %q, want %q", got, want)
	}
	if got := visitor.get("/healthz").Header.Get("WWW-Authenticate"); got != "" {
		t.Errorf("challenged by %q", got)
	}
	ada := newPerson(t, base, "Ada")
	token := byHand(ada, "Posters").tokenOf(ada.client, "workspaces:read")
	missing := ada.with(token).get("/v1/jobs").wantError(403, "insufficient_scope")
	if missing.text("error.missingScope") != "jobs:read" || !strings.HasPrefix(missing.Header.Get("WWW-Authenticate"), `Bearer error="insufficient_scope", scope="jobs:read", resource_metadata="`) {
		t.Errorf("%s with %q", missing.Body, missing.Header.Get("WWW-Authenticate"))
	}
}
