//go:build !race

package tests

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"atelier/graph"
)

// guardedInputs are what the fields with @recentlyConfirmed are sent, right in form, by a session of
// long ago: $org, $token and the like name what the test made.
var guardedInputs = map[string]string{
	"createApiToken":        `createApiToken(input: {name: "x"}) { token }`,
	"updateApiToken":        `updateApiToken(id: "$token", input: {workflowIds: []}) { id }`,
	"setAppMarkup":          `setAppMarkup(appId: "$app", percent: 1) { id }`,
	"createCredential":      `createCredential(input: {name: "x", headerName: "X-Key", key: "k", kind: plain}) { id }`,
	"updateCredential":      `updateCredential(id: "$credential", input: {headerName: "X-Other"}) { id }`,
	"grantCredits":          `grantCredits(input: {organizationId: "$org", amount: 1, reason: "x"}) { amount }`,
	"createOAuthApp":        `createOAuthApp(input: {name: "x", redirectUris: ["https://x.example/back"]}) { clientSecret }`,
	"updateOAuthApp":        `updateOAuthApp(id: "$client", input: {redirectUris: ["https://x.example/back"]}) { id }`,
	"rotateOAuthAppSecret":  `rotateOAuthAppSecret(id: "$client") { clientSecret }`,
	"approveAuthorization":  `approveAuthorization(input: {clientId: "$client", redirectUri: "https://x.example/", responseType: "code", scope: "jobs:read", codeChallenge: "$challenge", codeChallengeMethod: "S256"})`,
	"approveOrganization":   `approveOrganization(id: "$pending") { id }`,
	"rejectOrganization":    `rejectOrganization(id: "$pending", reason: "x") { id }`,
	"suspendOrganization":   `suspendOrganization(id: "$org", reason: "x") { id }`,
	"reinstateOrganization": `reinstateOrganization(id: "$stopped") { id }`,
	"banUser":               `banUser(id: "$user") { id }`,
	"unbanUser":             `unbanUser(id: "$user") { id }`,
	"deleteUser":            `deleteUser(id: "$user") { id }`,
	"endSessionsOf":         `endSessionsOf(id: "$user") { id }`,
	"createResetLink":       `createResetLink(id: "$user") { url }`,
	"resetSecondFactor":     `resetSecondFactor(id: "$user") { id }`,
	"transferOwnership":     `transferOwnership(organizationId: "$org", userId: "$user") { id }`,
	"deleteOrganization":    `deleteOrganization(id: "$org")`,
	"confirmPurchase":       `confirmPurchase(id: "$purchase") { id }`,
	"refundPurchase":        `refundPurchase(id: "$paid", credits: 1) { id }`,
	"beginTotp":             `beginTotp { secret }`,
	"confirmTotp":           `confirmTotp(code: "000000")`,
	"removeTotp":            `removeTotp`,
	"createRecoveryCodes":   `createRecoveryCodes`,
	"addPasskey":            `addPasskey(name: "x", answer: {challengeId: "$org", response: {}}) { id }`,
	"deletePasskey":         `deletePasskey(id: "$org")`,
	"createWebhookEndpoint": `createWebhookEndpoint(input: {url: "https://example.com/new"}) { secret }`,
	"updateWebhookEndpoint": `updateWebhookEndpoint(id: "$endpoint", input: {url: "https://example.com/other"}) { id }`,
	"requestEmailChange":    `requestEmailChange(email: "other@x.example")`,
	"updateInstallSettings": `updateInstallSettings(input: {contact: "help@x.example"}) { version }`,
	"rotateWebhookSecret":   `rotateWebhookSecret(id: "$endpoint") { secret }`,
}

// unguarded are mutations whose name or result speaks of a secret, a scope or a binding, and why
// they ask for no recent confirmation.
var unguarded = map[string]string{
	"signUp": "begins a session", "signIn": "begins a session", "completeSignIn": "begins a session", "signInWithPasskey": "begins a session",
	"exchangeSsoToken": "begins a session", "verifyEmail": "begins a session with a mailed token", "resetPassword": "takes a mailed token",
	"forgotPassword": "mails to the account's own address", "changePassword": "takes the password itself", "deleteAccount": "takes the password itself",
	"proveOperator": "takes the operator's code itself", "confirmSession": "confirms", "beginPasskey": "asks by its purpose; nothing is kept",
	"endSession": "ends what may be done", "endOtherSessions": "ends what may be done", "renamePasskey": "changes a name alone",
	"deleteApiToken": "ends what may be done", "deleteOAuthApp": "ends what may be done", "revokeConnectedApp": "ends what may be done",
	"denyAuthorization": "gives nothing", "deleteCredential": "ends what may be done", "deleteWebhookEndpoint": "ends what may be done",
	"testWebhookEndpoint": "sends what it sends anyway", "resendInvitation": "leads to the address that was invited", "retryInvitations": "leads to the addresses that were invited",
	"acceptInvitation": "takes the invitation's token", "joinWorkspace": "takes the join code", "changeJoinCode": "a teacher opens one in front of the class, and it admits plain members only",
	"enableJoinCodeUntil": "as changeJoinCode", "createTrigger": "saving a workflow mints an address too; it runs that one workflow", "updateTrigger": "changes no token",
	"syncTriggers": "as createTrigger", "revokeInvitation": "ends what may be done", "createInvitations": "leads to the addresses that were invited",
}

// speaksOfSecrets are words of the schema for what a credential is or may do.
var speaksOfSecrets = regexp.MustCompile(`(?i)token|secret|password|passkey|totp|recovery|credential|oauth|authorization|webhook(endpoint|secret)|session|joincode|resetlink|secondfactor|invitation`)

// TestCredentialsAskForConfirmation walks the schema: whatever makes or widens a credential, or acts
// for the install, is declared once, refuses a session of long ago, and does its work behind a
// confirmation. What only sounds like it says why it does not ask.
func TestCredentialsAskForConfirmation(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})
	declared := map[string]bool{}
	for _, f := range schema.Mutation.Fields {
		says := f.Name + " " + f.Type.Name()
		if result := schema.Types[f.Type.Name()]; result != nil {
			for _, of := range result.Fields {
				if of.Name == "secret" || of.Name == "token" || of.Name == "clientSecret" {
					says += " " + of.Name
				}
			}
		}
		_, excused := unguarded[f.Name]
		if declared[f.Name] = f.Directives.ForName("recentlyConfirmed") != nil; !declared[f.Name] && !excused && speaksOfSecrets.MatchString(says) {
			t.Errorf("%s speaks of a credential (%s): give it @recentlyConfirmed, or say why not", f.Name, says)
		}
		if declared[f.Name] != (guardedInputs[f.Name] != "") {
			t.Errorf("%s: declared %v, tried %q", f.Name, declared[f.Name], guardedInputs[f.Name])
		}
	}

	f := newSecondFactor(t)
	op := operatorOf(t, f.h.server.URL)
	org, stopped := newOrganization(t, f.client, op, "team"), newOrganization(t, f.client, op, "team")
	op.graphql(`mutation($id: ID!) { suspendOrganization(id: $id, reason: "x") { id } }`, object{"id": stopped})
	pending := f.post("/v1/orgs", object{"name": "New", "kind": "team"}).want(201).text("data.id")
	user := newPerson(t, f.h.server.URL, "Noa")
	const bought = `mutation($id: ID!) { checkoutCredits(organizationId: $id, packId: "small") { id } }`
	purchase, paid := f.graphql(bought, object{"id": org}).text("data.checkoutCredits.id"), f.graphql(bought, object{"id": org}).text("data.checkoutCredits.id")
	op.graphql(`mutation($id: ID!) { confirmPurchase(id: $id) { id } }`, object{"id": paid})
	client := f.post("/v1/oauth/apps", object{"name": "App", "redirectUris": []string{"https://x.example/"}}).want(201).text("data.id")
	flow := saved(f.client, posedNodes, posedEdges)
	fills := strings.NewReplacer(
		"$token", f.post("/v1/api-tokens", object{"name": "x"}).want(201).text("data.id"), "$challenge", strings.Repeat("A", 43),
		"$credential", f.post("/v1/credentials", object{"name": "x", "headerName": "X-Key", "key": "k", "kind": "plain"}).want(201).text("data.id"),
		"$endpoint", f.post("/v1/webhook-endpoints", object{"url": "https://example.com/in"}).want(201).text("data.id"),
		"$app", f.post("/v1/workflows/"+flow+"/publish", object{"name": "App"}).want(201).text("data.id"),
		"$client", client, "$org", org, "$stopped", stopped, "$pending", pending, "$user", user.id, "$purchase", purchase, "$paid", paid,
	)
	f.clock.Advance(time.Hour + time.Second)
	const asked = "reauthentication_required"
	byOperator := []string{"setAppMarkup", "grantCredits", "approveOrganization", "rejectOrganization", "suspendOrganization", "reinstateOrganization",
		"banUser", "unbanUser", "deleteUser", "endSessionsOf", "createResetLink", "resetSecondFactor", "confirmPurchase", "refundPurchase", "updateInstallSettings"}
	for name, field := range guardedInputs {
		who := f.client
		if slices.Contains(byOperator, name) {
			who = op
		}
		who.t = t
		if r := who.asking("mutation { "+fills.Replace(field)+" }", nil); r.text("errors.0.extensions.code") != asked {
			t.Errorf("%s: %s", name, r.Body)
		}
	}
	// The same by REST, where the use case itself asks.
	for _, call := range []struct {
		method, path string
		body         object
	}{
		{"POST", "/v1/api-tokens", object{"name": "y"}}, {"PATCH", "/v1/api-tokens/$token", object{"workspaceId": nil}}, {"PATCH", "/v1/api-tokens/$token", object{"workflowIds": []string{}}},
		{"POST", "/v1/credentials", object{"name": "y", "headerName": "X-Key", "key": "k", "kind": "plain"}}, {"PATCH", "/v1/credentials/$credential", object{"key": "other"}},
		{"POST", "/v1/oauth/apps", object{"name": "y", "redirectUris": []string{"https://y.example/"}}}, {"PATCH", "/v1/oauth/apps/$client", object{"redirectUris": []string{"https://y.example/"}}},
		{"POST", "/v1/oauth/apps/$client/rotate-secret", nil},
		{"POST", "/v1/webhook-endpoints", object{"url": "https://example.com/y"}}, {"PATCH", "/v1/webhook-endpoints/$endpoint", object{"url": "https://example.com/y"}},
		{"POST", "/v1/webhook-endpoints/$endpoint/rotate-secret", object{}}, {"DELETE", "/v1/orgs/$org", nil}, {"POST", "/v1/orgs/$org/transfer-ownership", object{"userId": user.id}},
	} {
		f.do(call.method, fills.Replace(call.path), call.body).wantError(http.StatusForbidden, asked)
	}
	// What widens nothing needs none.
	f.do("PATCH", fills.Replace("/v1/api-tokens/$token"), object{"name": "renamed", "rateLimit": 5}).want(200)
	f.do("PATCH", fills.Replace("/v1/credentials/$credential"), object{"name": "renamed"}).want(200)
	f.do("PATCH", fills.Replace("/v1/webhook-endpoints/$endpoint"), object{"description": "renamed"}).want(200)
	f.do("PATCH", fills.Replace("/v1/oauth/apps/$client"), object{"name": "renamed"}).want(200)
	keyed := f.sending("Idempotency-Key", "confirmed")
	keyed.post("/v1/api-tokens", object{"name": "y"}).wantError(http.StatusForbidden, asked)
	f.graphql(`mutation($c: String!) { confirmSession(input: {password: $c}) }`, object{"c": password})
	f.do("PATCH", fills.Replace("/v1/api-tokens/$token"), object{"workflowIds": []string{}}).want(200)
	keyed.post("/v1/api-tokens", object{"name": "y"}).want(201) // the refusal is not remembered
}

// TestCookiesActForNoOtherSite sends what a page of another site could send to every address that
// takes the console's cookie: none of it acts for the person.
func TestCookiesActForNoOtherSite(t *testing.T) {
	t.Parallel()
	h := newTestServer(t)
	mara := newPerson(t, h.server.URL, "Mara")
	cookie := client{t: t, URL: h.server.URL}.sending("Cookie", "atelier_session="+mara.token)
	if cookie.post("/graphql", object{"query": "{ me { id } }"}).want(200).text("data.me.id") != mara.id {
		t.Fatal("the cookie is not the console's")
	}
	for _, from := range []client{
		cookie.sending("Origin", "https://evil.example").sending("Sec-Fetch-Site", "cross-site"), cookie.sending("Sec-Fetch-Site", "same-site"),
		cookie.sending("Origin", "https://evil.example"), cookie.sending("Origin", "null"),
	} {
		from.post("/auth/sign-out", nil).wantError(403, "forbidden")
		from.post("/graphql", object{"query": "mutation { signOut }"}).want(403)
		for _, path := range h.postPaths(t) {
			if r := from.post(path, object{}); r.Status < 400 {
				t.Errorf("POST %s of another site: %d %s", path, r.Status, r.Body)
			}
		}
		mara.get("/v1/me").want(200)
	}
	cookie.sending("Sec-Fetch-Site", "same-origin").post("/auth/sign-out", nil).want(200)
	mara.get("/v1/me").wantError(401, "unauthorized")
}

// postPaths are the addresses outside of /v1 that the router takes a POST at, parts of them filled.
func (h *testServer) postPaths(t *testing.T) (paths []string) {
	t.Helper()
	doc := client{t: t, URL: h.server.URL}.get("/v1/openapi.json").want(200)
	for path, methods := range doc.path("paths").(map[string]any) {
		if _, takes := methods.(map[string]any)["post"]; takes && strings.HasPrefix(path, "/auth/") && path != "/auth/sign-out" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, template := range consoleForms(t) {
		paths = append(paths, addressOf(template))
	}
	return paths
}

// TestRepliesAreForThoseWhoStillStand repeats requests of members who lost their standing since: the
// remembered answer is not theirs any more, and what they gave up themselves is.
func TestRepliesAreForThoseWhoStillStand(t *testing.T) {
	t.Parallel()
	h := newTestServer(t)
	op := operatorOf(t, h.server.URL)
	owner := newPerson(t, h.server.URL, "Owner")
	org := newOrganization(t, owner.client, op, "school")
	room := newWorkspace(owner.client, org, "Room")
	code := codeOf(owner.client, room)
	member := func(name string) person {
		p := newPerson(t, h.server.URL, name)
		p.post("/v1/workspaces/join", object{"code": code}).want(200)
		return p
	}
	for name, c := range map[string]struct {
		change func(person)
		status int
		code   string
	}{
		"suspended": {func(p person) {
			owner.do("PATCH", "/v1/orgs/"+org+"/members/"+p.id, object{"status": "suspended"}).want(200)
		}, 403, "member_suspended"},
		"suspended in the room": {func(p person) {
			owner.do("PATCH", "/v1/workspaces/"+room+"/members/"+p.id, object{"status": "suspended"}).want(200)
		}, 403, "member_suspended"},
		"removed": {func(p person) { owner.do("DELETE", "/v1/orgs/"+org+"/members/"+p.id, nil).want(200) }, 404, "not_found"},
	} {
		p := member("Member")
		key := p.in(room).sending("Idempotency-Key", "once")
		key.post("/v1/workflows", object{"name": "Mine"}).want(201)
		key.post("/v1/workflows", object{"name": "Mine"}).want(201)
		c.change(p)
		r := key.post("/v1/workflows", object{"name": "Mine"})
		if r.Status != c.status || r.text("error.code") != c.code {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	admin := member("Admin")
	owner.do("PATCH", "/v1/orgs/"+org+"/members/"+admin.id, object{"role": "admin"}).want(200)
	invites := admin.sending("Idempotency-Key", "invites")
	invites.post("/v1/orgs/"+org+"/invitations", object{"emails": []string{"new@example.com"}}).want(201)
	owner.do("PATCH", "/v1/orgs/"+org+"/members/"+admin.id, object{"role": "member"}).want(200)
	invites.post("/v1/orgs/"+org+"/invitations", object{"emails": []string{"new@example.com"}}).wantError(403, "insufficient_role")
	leaves := admin.sending("Idempotency-Key", "leaves")
	leaves.post("/v1/orgs/"+org+"/leave", nil).want(200)
	leaves.post("/v1/orgs/"+org+"/leave", nil).want(200)
}
