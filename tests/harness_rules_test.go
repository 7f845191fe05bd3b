package tests

import (
	"fmt"
	"testing"
)

// rule is one line of the contract: a request, and how it is answered.
type rule struct {
	name         string
	who          client
	method, path string
	body         any
	status       int
	code         string
}

// hold checks each rule by itself.
func hold(t *testing.T, rules ...rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			r.who.t = t
			answer := r.who.do(r.method, r.path, r.body)
			if r.code != "" {
				answer.wantError(r.status, r.code)
				return
			}
			answer.want(r.status)
		})
	}
}

// unknownID is a well-formed id that nothing has.
const unknownID = "01910000-0000-7000-8000-000000000000"

// newcomer signs up and makes a token; session and token come back.
func newcomer(t *testing.T, p *program, name string) (session, token client) {
	t.Helper()
	s := &story{t: t, visitor: client{t: t, URL: p.URL}}
	session = s.signUp(name)
	made := session.post("/v1/api-tokens", object{"name": "script", "rateLimit": 120}).want(201)
	return session, session.with(made.text("token"))
}

// saved is the id of a new workflow.
func saved(who client, nodes, edges []object) string {
	who.t.Helper()
	return who.post("/v1/workflows", object{"name": "Draft", "nodes": nodes, "edges": edges}).want(201).text("data.id")
}

// holds fails unless the object at path has exactly, or at least, the fields.
func (r *reply) holds(path string, exactly bool, fields ...string) {
	r.t.Helper()
	value := r.JSON
	if path != "" {
		value = r.path(path)
	}
	shown, _ := value.(map[string]any)
	for _, field := range fields {
		if _, ok := shown[field]; !ok {
			r.t.Errorf("%s: %q lacks %s: %s", r.what, path, field, r.Body)
		}
	}
	if exactly && len(shown) != len(fields) {
		r.t.Errorf("%s: %q has other fields than %v: %s", r.what, path, fields, r.Body)
	}
}

// is fails unless the values at the paths are these; nil is null or absent.
func (r *reply) is(values map[string]any) {
	r.t.Helper()
	for path, want := range values {
		if got := r.path(path); fmt.Sprint(got) != fmt.Sprint(want) {
			r.t.Errorf("%s: %s is %v, want %v: %s", r.what, path, got, want, r.Body)
		}
	}
}

// ended polls until the status at path is a final one, or held for review.
func ended(who client, address, path string) *reply {
	who.t.Helper()
	var last *reply
	eventually(who.t, func() error {
		last = who.get(address).want(200)
		switch last.text(path) {
		case "completed", "failed", "cancelled", "pending_review":
			return nil
		}
		return fmt.Errorf("%s: %s", address, last.Body)
	})
	return last
}
