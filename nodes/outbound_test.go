//go:build !race

package nodes

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"atelier/nodes/kit"
)

// receiver is an https server, with a client that trusts it.
func receiver(t *testing.T, status int, answer string, saw func(*http.Request, []byte)) (*httptest.Server, *http.Client) {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if saw != nil {
			saw(r, body)
		}
		w.Header().Set("Location", "/elsewhere")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return server, server.Client()
}

func TestWebhookOutput(t *testing.T) {
	var body map[string]any
	server, client := receiver(t, 201, strings.Repeat("é", 2000), func(_ *http.Request, b []byte) { json.Unmarshal(b, &body) })
	out, err := webhookOutputNode.Do(context.Background(), &kit.Call{
		HTTP: client, Attempt: 1, ExecutionID: "e1", WorkflowID: "w1",
		Input: map[string]any{
			"url": server.URL + "/in", "result": "R", "caption": "top",
			"parameters": []any{map[string]any{"name": "picture", "type": "imageUrl"}, map[string]any{"name": "caption", "type": "text"},
				map[string]any{"name": "url", "type": "text"}},
			"values": map[string]any{"picture": "https://files.example/a.png"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"caption":"top","executionId":"e1","picture":"https://files.example/a.png","result":"R","url":null,"workflowId":"w1"}`
	if got, _ := json.Marshal(body); string(got) != want {
		t.Fatalf("sent %s", got)
	}
	if out["status"] != 201 || len(out["body"].(string)) != 2048 {
		t.Fatalf("kept %v", out)
	}
}

func TestWebhookOutputFails(t *testing.T) {
	var calls atomic.Int32
	server, client := receiver(t, 302, "", func(*http.Request, []byte) { calls.Add(1) })
	call := kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{"url": server.URL}}
	_, err := webhookOutputNode.Do(context.Background(), &call)
	wantFailure(t, err, "status 302")
	if calls.Load() != 1 {
		t.Fatalf("%d calls", calls.Load())
	}
	call.Attempt = 2
	_, err = webhookOutputNode.Do(context.Background(), &call)
	wantFailure(t, err, "not sent twice")
	call.Attempt, call.Input = 1, map[string]any{"url": strings.Replace(server.URL, "https", "http", 1)}
	_, err = webhookOutputNode.Do(context.Background(), &call)
	wantFailure(t, err, "https://")
	server.Close()
	call.Input = map[string]any{"url": server.URL}
	_, err = webhookOutputNode.Do(context.Background(), &call)
	wantFailure(t, err, "could not be reached")
	if calls.Load() != 1 {
		t.Fatalf("%d calls", calls.Load())
	}
}

func TestCredentialIsSentOrRefused(t *testing.T) {
	var header string
	server, client := receiver(t, 200, "secret answer", func(r *http.Request, _ []byte) { header = r.Header.Get("X-Key") })
	locked := server.URL + "/hooks"
	call := kit.Call{
		HTTP: client, Attempt: 1, Input: map[string]any{"url": locked + "?x=1", "credentialId": "c1"},
		Credential: func(context.Context, string) (*kit.Credential, error) {
			return &kit.Credential{HeaderName: "X-Key", Key: "k", LockedURL: locked}, nil
		},
	}
	out, err := webhookOutputNode.Do(context.Background(), &call)
	if err != nil || header != "k" || len(out) != 1 || out["status"] != 200 {
		t.Fatalf("%v, %v, header %q", out, err, header)
	}
	header = ""
	call.Input = map[string]any{"url": server.URL + "/other", "credentialId": "c1"}
	_, err = webhookOutputNode.Do(context.Background(), &call)
	wantFailure(t, err, "locked to another")
	call.Credential = nil
	_, err = webhookOutputNode.Do(context.Background(), &call)
	wantFailure(t, err, "does not exist")
	if header != "" {
		t.Fatal("sent although it was refused")
	}
}

func TestMatchesLocked(t *testing.T) {
	for _, c := range []struct {
		locked, address string
		sub, want       bool
	}{
		{"https://a.example/x", "https://A.Example:443/x?y=1", false, true},
		{"https://a.example/x", "https://a.example/x/y", false, false},
		{"https://a.example/x", "https://a.example/x/y", true, true},
		{"https://a.example/x/", "https://a.example/x/y", true, true},
		{"https://a.example/x", "https://a.example/xy", true, false},
		{"https://a.example/x", "https://a.example/x/../z", true, false},
		{"https://a.example/x", "https://a.example/x/%2e%2e/z", true, false},
		{"https://a.example/x", "https://a.example/x/..%2fz", true, false},
		{"https://a.example/x", "http://a.example/x", true, false},
		{"https://a.example", "https://a.example/", false, true},
		{"https://a.example", "https://a.example.evil.example/", true, false},
		{"https://a.example", "https://a.example@evil.example/", true, false},
		{"https://a.example:8443/", "https://a.example/", true, false},
		{"https://a.example/X", "https://a.example/x", true, false},
	} {
		if got := kit.MatchesLocked(c.locked, c.address, c.sub); got != c.want {
			t.Errorf("%s for %s (subpaths %v): %v", c.locked, c.address, c.sub, got)
		}
	}
}

func TestHTTPRequest(t *testing.T) {
	var sent string
	server, client := receiver(t, 200, `{"a":[1]}`, func(_ *http.Request, b []byte) { sent = string(b) })
	out, err := httpRequestNode.Do(context.Background(), &kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{
		"url": server.URL, "method": "POST", "body": map[string]any{"q": 1.0}, "headers": map[string]any{"X-A": "b"}}})
	if got, _ := json.Marshal(out["data"]); err != nil || string(got) != `{"a":[1]}` || out["status"] != 200 || sent != `{"q":1}` {
		t.Fatalf("%v, %v, sent %s", out, err, sent)
	}
	for says, name := range map[string]string{"headers.hOST cannot be set": "hOST", "which is none of a header": "two words", `the name ""`: ""} {
		_, err = httpRequestNode.Do(context.Background(), &kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{
			"url": server.URL, "headers": map[string]any{name: "x"}}})
		wantFailure(t, err, says)
	}
	_, err = httpRequestNode.Do(context.Background(), &kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{
		"url": server.URL, "headers": map[string]any{"X-A": "two\r\nlines"}}})
	wantFailure(t, err, "headers.X-A must be one line")
	big, client := receiver(t, 200, strings.Repeat("x", 2<<20), nil)
	_, err = httpRequestNode.Do(context.Background(), &kit.Call{HTTP: client, Attempt: 1, Input: map[string]any{"url": big.URL}})
	wantFailure(t, err, "larger than")
}
