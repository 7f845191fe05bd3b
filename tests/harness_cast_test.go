package tests

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// cast is an organization with a person in every role (contract 3, "Roles"),
// in a room that holds credits, beside a lobby where everyone was admitted.
type cast struct {
	t                     testing.TB
	visitor               client
	operator              client
	org, room, lobby      string
	owner, admin          person // inherited admins of every workspace
	demoted               person // an organization admin listed as member of the room
	head, pupil           person // explicit admin and member of the room
	outside               person // a member of the organization, not of the room
	suspended             person // suspended in the organization, listed in the room
	benched               person // suspended in the room alone
	outsider, rival       person // no member; owner of another organization
	rivalOrg, rivalRoom   string
	ownerToken, roomToken client // personal tokens of owner and pupil; the second bound to the room
}

// person is an account that acts.
type person struct {
	client
	id, email string
}

func (p person) on(t testing.TB) client { p.t = t; return p.client }

var people atomic.Int64

// newPerson makes an account of its own name, which calls from an address of
// its own: the services of these tests believe X-Forwarded-For.
func newPerson(t testing.TB, url, name string) person {
	t.Helper()
	n := people.Add(1)
	email := fmt.Sprintf("%s-%d@example.com", strings.ToLower(name), n)
	visitor := client{t: t, URL: url}.sending("X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", n/250, n%250+1))
	made := visitor.post("/auth/sign-up", object{"email": email, "password": password, "displayName": name}).want(201)
	return person{visitor.with(made.text("data.token")), made.text("data.user.id"), email}
}

// operatorOf signs the platform operator up, or in.
func operatorOf(t testing.TB, url string) client {
	t.Helper()
	visitor := client{t: t, URL: url}
	account := object{"email": "op@example.com", "password": password, "displayName": "Op", "operatorCode": operatorCode}
	r := visitor.post("/auth/sign-up", account)
	if r.Status == 409 {
		r = visitor.post("/auth/sign-in", account)
	}
	return visitor.with(r.text("data.token"))
}

// startBehindProxy starts a service that believes X-Forwarded-For, so that limits
// by address do not mix up the people of a test.
func startBehindProxy(t testing.TB, env ...string) string {
	t.Helper()
	return startService(t, append([]string{"TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error"}, env...)...).URL
}

// newOrganization makes an approved organization and returns its id.
func newOrganization(t testing.TB, owner client, operator client, kind string) string {
	t.Helper()
	id := owner.post("/v1/orgs", object{"name": "North " + kind, "kind": kind, "acceptTerms": true}).want(201).text("data.id")
	operator.graphql(`mutation($id: ID!) { approveOrganization(id: $id) { status } }`, object{"id": id})
	return id
}

func newWorkspace(owner client, org, name string) string {
	owner.t.Helper()
	return owner.post("/v1/orgs/"+org+"/workspaces", object{"name": name}).want(201).text("data.id")
}

// codeOf is a workspace's enabled join code.
func codeOf(admin client, workspace string) string {
	admin.t.Helper()
	return admin.post("/v1/workspaces/"+workspace+"/join-code", object{"action": "enable"}).want(200).text("data.code")
}

// newCast assembles the cast; credits says how many the room holds.
func newCast(t testing.TB, url, kind string, credits float64) *cast {
	t.Helper()
	c := &cast{t: t, visitor: client{t: t, URL: url}, operator: operatorOf(t, url)}
	c.owner, c.rival, c.outsider = newPerson(t, url, "Owner"), newPerson(t, url, "Rival"), newPerson(t, url, "Outsider")
	c.org = newOrganization(t, c.owner.client, c.operator, kind)
	c.rivalOrg = newOrganization(t, c.rival.client, c.operator, "team")
	c.rivalRoom = newWorkspace(c.rival.client, c.rivalOrg, "Elsewhere")
	c.lobby, c.room = newWorkspace(c.owner.client, c.org, "Lobby"), newWorkspace(c.owner.client, c.org, "Room")
	code := codeOf(c.owner.client, c.lobby)
	for _, member := range []struct {
		name string
		is   *person
	}{
		{"Admin", &c.admin}, {"Demoted", &c.demoted}, {"Head", &c.head}, {"Pupil", &c.pupil},
		{"Outside", &c.outside}, {"Suspended", &c.suspended}, {"Benched", &c.benched},
	} {
		*member.is = newPerson(t, url, member.name)
		member.is.post("/v1/workspaces/join", object{"code": code}).want(200)
	}
	c.setRole(c.admin, "admin")
	c.setRole(c.demoted, "admin")
	for _, listed := range []struct {
		who  person
		role string
	}{{c.demoted, "member"}, {c.head, "admin"}, {c.pupil, "member"}, {c.suspended, "member"}, {c.benched, "member"}} {
		c.owner.post("/v1/workspaces/"+c.room+"/members", object{"userId": listed.who.id, "role": listed.role}).want(201)
	}
	c.owner.do("PATCH", "/v1/orgs/"+c.org+"/members/"+c.suspended.id, object{"status": "suspended"}).want(200)
	c.owner.do("PATCH", "/v1/workspaces/"+c.room+"/members/"+c.benched.id, object{"status": "suspended"}).want(200)
	if credits > 0 {
		c.grant(credits)
		c.owner.post("/v1/orgs/"+c.org+"/workspaces/"+c.room+"/allocate", object{"delta": credits}).want(200)
	}
	c.ownerToken = c.owner.with(c.owner.post("/v1/api-tokens", object{"name": "script"}).want(201).text("token"))
	c.roomToken = c.pupil.with(c.pupil.post("/v1/api-tokens", object{"name": "room", "workspaceId": c.room}).want(201).text("token"))
	return c
}

func (c *cast) setRole(p person, role string) {
	c.t.Helper()
	c.owner.do("PATCH", "/v1/orgs/"+c.org+"/members/"+p.id, object{"role": role}).want(200)
}

// grant gives the pool credits.
func (c *cast) grant(amount float64) {
	c.t.Helper()
	c.operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`,
		object{"in": object{"organizationId": c.org, "amount": amount, "reason": "For the tests"}})
}

// operate changes the organization's status as the operator.
func (c *cast) operate(mutation, id string) {
	c.t.Helper()
	if mutation == "suspendOrganization" {
		c.operator.graphql(`mutation($id: ID!) { suspendOrganization(id: $id, reason: "Unpaid") { status } }`, object{"id": id})
		return
	}
	c.operator.graphql(`mutation($id: ID!) { `+mutation+`(id: $id) { status } }`, object{"id": id})
}

// roles are the people of the cast by what they are.
func (c *cast) roles() map[string]client {
	return map[string]client{
		"anonymous": c.visitor, "owner": c.owner.client, "admin": c.admin.client, "demoted": c.demoted.client,
		"head": c.head.client, "pupil": c.pupil.client, "outside": c.outside.client, "suspended": c.suspended.client,
		"benched": c.benched.client, "outsider": c.outsider.client, "rival": c.rival.client,
		"owner's token": c.ownerToken, "room's token": c.roomToken,
	}
}

// clause is one sentence of the contract as a request and what it must answer.
type clause struct {
	name         string
	who          client
	method, path string
	body         any
	status       int
	code         string // of a refusal
	names        string // what the refusal's message must name
	check        func(*testing.T, *reply)
}

// tryAll tries clauses one after another, each in a subtest.
func tryAll(t *testing.T, clauses []clause) {
	t.Helper()
	for _, r := range clauses {
		t.Run(r.name, func(t *testing.T) {
			r.who.t = t
			answer := r.who.do(r.method, r.path, r.body)
			if r.code != "" {
				answer.wantError(r.status, r.code)
			} else {
				answer.want(r.status)
			}
			if !strings.Contains(answer.text("error.message"), r.names) {
				t.Errorf("the message does not name %s: %s", r.names, answer.Body)
			}
			if r.check != nil {
				r.check(t, answer)
			}
		})
	}
}

// holds checks that an object of an answer has exactly the given keys.
func holds(t testing.TB, value any, keys ...string) {
	t.Helper()
	object, _ := value.(map[string]any)
	if object == nil {
		t.Fatalf("%v is no object", value)
	}
	for _, key := range keys {
		if _, ok := object[key]; !ok {
			t.Errorf("%s is missing in %v", key, object)
		}
	}
	if len(object) != len(keys) {
		t.Errorf("the object has %d fields, want %d (%v): %v", len(object), len(keys), keys, object)
	}
}

// has makes a check of values by path.
func has(want object) func(*testing.T, *reply) {
	return func(t *testing.T, r *reply) {
		t.Helper()
		for path, value := range want {
			if n, ok := value.(int); ok {
				value = float64(n)
			}
			if got := r.path(path); fmt.Sprint(got) != fmt.Sprint(value) {
				t.Errorf("%s is %v, want %v: %s", path, got, value, r.Body)
			}
		}
	}
}

const nowhere = "01890000-0000-7000-8000-000000000000" // an id that nothing has
