package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// client is a person at the API: an address, credentials, a selected workspace.
type client struct {
	t         testing.TB
	URL       string
	token     string
	workspace string
	header    map[string]string
}

// reply is an answer of the API.
type reply struct {
	t      testing.TB
	what   string
	Status int
	Header http.Header
	Body   []byte
	JSON   any
}

func (c client) with(token string) client   { c.token = token; return c }
func (c client) in(workspace string) client { c.workspace = workspace; return c }
func (c client) at(url string) client       { c.URL = url; return c }
func (c client) sending(key, value string) client {
	header := map[string]string{key: value}
	for k, v := range c.header {
		header[k] = v
	}
	c.header = header
	return c
}

// do sends a request; body is JSON unless it is a string or nil.
func (c client) do(method, path string, body any) *reply {
	c.t.Helper()
	var payload []byte
	switch b := body.(type) {
	case nil:
	case string:
		payload = []byte(b)
	default:
		payload, _ = json.Marshal(b)
	}
	address := path
	if strings.HasPrefix(path, "/") {
		address = c.URL + path
	}
	request, err := http.NewRequest(method, address, bytes.NewReader(payload))
	if err != nil {
		c.t.Fatal(err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.workspace != "" {
		request.Header.Set("X-Service-Workspace", c.workspace)
	}
	for key, value := range c.header {
		request.Header.Set(key, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	r := &reply{t: c.t, what: method + " " + path, Status: response.StatusCode, Header: response.Header, Body: readAll(response.Body)}
	_ = json.Unmarshal(r.Body, &r.JSON)
	if strings.HasPrefix(path, "/") {
		conforms(c.t, method, path, r.Status, r.Body)
	}
	return r
}

func (c client) get(path string) *reply            { c.t.Helper(); return c.do("GET", path, nil) }
func (c client) post(path string, body any) *reply { c.t.Helper(); return c.do("POST", path, body) }

// object is a JSON body to send.
type object = map[string]any

// graphql runs a document and fails on any error.
func (c client) graphql(query string, variables object) *reply {
	c.t.Helper()
	r := c.post("/graphql", object{"query": query, "variables": variables}).want(200)
	if errors := r.path("errors"); errors != nil {
		c.t.Fatalf("%s\n%s", query, r.Body)
	}
	return r
}

// want fails unless the answer has the status.
func (r *reply) want(status int) *reply {
	r.t.Helper()
	if r.Status != status {
		r.t.Fatalf("%s: status %d, want %d\n%s", r.what, r.Status, status, r.Body)
	}
	return r
}

// wantError fails unless the answer is the contract's error with status and code.
func (r *reply) wantError(status int, code string) *reply {
	r.t.Helper()
	if r.Status != status || r.path("error.code") != code || r.text("error.message") == "" {
		r.t.Fatalf("%s: %d %s, want %d %s", r.what, r.Status, r.Body, status, code)
	}
	return r
}

// path follows a dotted path into the body; numbers index arrays. What is not there is nil.
func (r *reply) path(path string) any {
	value := r.JSON
	for part := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[part]
		case []any:
			var i int
			if _, err := fmt.Sscan(part, &i); err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

func (r *reply) text(path string) string {
	s, _ := r.path(path).(string)
	return s
}

func (r *reply) number(path string) float64 {
	r.t.Helper()
	n, ok := r.path(path).(float64)
	if !ok {
		r.t.Fatalf("%s: %s is no number in %s", r.what, path, r.Body)
	}
	return n
}

func (r *reply) list(path string) []any {
	l, _ := r.path(path).([]any)
	return l
}

// asking sends a document that may be refused.
func (c client) asking(query string, variables object) *reply {
	return c.post("/graphql", object{"query": query, "variables": variables})
}
