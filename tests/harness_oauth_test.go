package tests

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// What the programs of these tests use: where answers go, and what their
// challenges are made of.
const (
	oauthBack     = "https://posters.example/back"
	oauthVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636, appendix B
)

// oauthProgram is an app that acts for people.
type oauthProgram struct {
	visitor    client
	id, secret string
	resource   string // RFC 8707; empty asks for no certain one
}

// byItself is a program that registered itself.
func byItself(visitor client, metadata object) oauthProgram {
	visitor.t.Helper()
	made := visitor.post("/v1/oauth/register", metadata).want(201)
	return oauthProgram{visitor: visitor, id: made.text("client_id"), secret: made.text("client_secret")}
}

// byHand is a program that a person registered.
func byHand(p person, name string) oauthProgram {
	p.t.Helper()
	made := p.post("/v1/oauth/apps", object{"name": name, "redirectUris": []string{oauthBack}}).want(201)
	return oauthProgram{visitor: p.client.with(""), id: made.text("data.clientId"), secret: made.text("clientSecret")}
}

// connected is a program that a person registered and allowed everything; a
// token was made, and a code is left.
func connected(p person, name string) oauthProgram {
	p.t.Helper()
	app := byHand(p, name)
	app.tokenOf(p.client, "jobs:read workflows:execute workspaces:read workspaces:write")
	app.approvedBy(p.client, "jobs:read")
	return app
}

// asks is a request to act for a person.
func (p oauthProgram) asks(scope string) object {
	sum := sha256.Sum256([]byte(oauthVerifier))
	asked := object{
		"clientId": p.id, "redirectUri": oauthBack, "responseType": "code", "scope": scope, "state": "a state",
		"codeChallenge": base64.RawURLEncoding.EncodeToString(sum[:]), "codeChallengeMethod": "S256",
	}
	if p.resource != "" {
		asked["resource"] = []string{p.resource}
	}
	return asked
}

// approvedBy is the code that the program gets when a person allows it what it asks for.
func (p oauthProgram) approvedBy(who client, scope string) string {
	who.t.Helper()
	r := who.graphql(`mutation($input: AuthorizationInput!) { approveAuthorization(input: $input) }`, object{"input": p.asks(scope)})
	to, err := url.Parse(r.text("data.approveAuthorization"))
	if err != nil || to.Query().Get("code") == "" {
		who.t.Fatalf("no code: %s", r.Body)
	}
	return to.Query().Get("code")
}

// exchanged is the answer to the exchange of a code, as a form.
func (p oauthProgram) exchanged(code string) *reply {
	p.visitor.t.Helper()
	sent := url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {oauthBack}, "code_verifier": {oauthVerifier},
		"client_id": {p.id}, "client_secret": {p.secret},
	}
	if p.resource != "" {
		sent.Set("resource", p.resource)
	}
	return p.visitor.form("/v1/oauth/token", sent.Encode())
}

// tokenOf is a token by which the program acts for a person.
func (p oauthProgram) tokenOf(who client, scope string) string {
	who.t.Helper()
	return p.exchanged(p.approvedBy(who, scope)).want(200).text("access_token")
}

// form sends a form as programs do; headers are those of the client.
func (c client) form(path, body string) *reply {
	c.t.Helper()
	request, err := http.NewRequest(http.MethodPost, c.URL+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for key, value := range c.header {
		request.Header.Set(key, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	r := &reply{t: c.t, what: "POST " + path, Status: response.StatusCode, Header: response.Header, Body: readAll(response.Body)}
	_ = json.Unmarshal(r.Body, &r.JSON)
	return r
}
