package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// stdio is an agent of the bridge.
type stdio struct {
	t       *testing.T
	to      *io.PipeWriter
	answers *bufio.Scanner
	told    *bytes.Buffer
	ended   chan error
}

func bridged(t *testing.T, find func(context.Context) (*install, error)) *stdio {
	in, to := io.Pipe()
	from, out := io.Pipe()
	s := &stdio{t: t, to: to, answers: bufio.NewScanner(from), told: &bytes.Buffer{}, ended: make(chan error, 1)}
	b := &bridge{find: find, complain: (&program{err: s.told}).complain, calls: map[jsonrpc.ID]context.CancelFunc{}}
	go func() {
		s.ended <- b.serve(t.Context(), in, out)
		_ = out.Close()
	}()
	return s
}

// says sends a line, and reads the lines that are wanted, in their order.
func (s *stdio) says(line string, want ...string) {
	s.t.Helper()
	if _, err := s.to.Write([]byte(line + "\n")); err != nil {
		s.t.Fatal(err)
	}
	for _, want := range want {
		if !s.answers.Scan() || s.answers.Text() != want {
			s.t.Errorf("%s is answered\n%s, want\n%s", line, s.answers.Text(), want)
		}
	}
}

// A made-up server of MCP over HTTP: it answers in JSON and in streams, and notes the headers.
func TestAgentsAreServedOverStdio(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m struct {
			ID     any
			Method string
		}
		_ = json.Unmarshal(body, &m)
		mu.Lock()
		seen = append(seen, fmt.Sprintf("%s %s %s/%s/%s/%s", r.Method, m.Method, r.Header.Get("Authorization"), r.Header.Get("X-Service-Workspace"), r.Header.Get(sessionHeader), r.Header.Get(versionHeader)))
		mu.Unlock()
		stream := func(events string) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, events)
			w.(http.Flusher).Flush()
		}
		switch m.Method {
		case "initialize":
			w.Header().Set(sessionHeader, "s1")
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{\n\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\"}}")
		case "tools/call":
			stream(": still here\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"two\",\ndata: \"result\":{\"a\":12345678901234567890}}\n\n")
		case "broken":
			stream(": still here\n\n")
		case "slow":
			stream("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
			<-r.Context().Done()
			close(gone)
		case "tools/list":
			w.WriteHeader(403)
			_, _ = io.WriteString(w, `{"error":{"code":"insufficient_scope","message":"Ask again.","missingScope":"jobs:read"}}`)
		case "unknown":
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"no such method","data":{"a":1}}}`)
		case "away":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		default:
			w.WriteHeader(202)
		}
	}))
	defer server.Close()
	a := bridged(t, func(context.Context) (*install, error) { return &install{server.URL, "svc_x", "w1"}, nil })
	a.says(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`)
	a.says(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	a.says(`{"jsonrpc":"2.0","id":"two","method":"tools/call"}`, `{"jsonrpc":"2.0","method":"notifications/progress"}`, `{"jsonrpc":"2.0","id":"two","result":{"a":12345678901234567890}}`)
	a.says(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"Ask again. (insufficient_scope) The sign-in lacks jobs:read: atelierctl login --scope jobs:read"}}`)
	a.says(`{"jsonrpc":"2.0","id":4,"method":"broken"}`, `{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"The service cannot be reached: request terminated without response"}}`)
	a.says(`{"jsonrpc":"2.0","id":5,"method":"unknown"}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"no such method","data":{"a":1}}}`)
	a.says(`{"jsonrpc":"2.0","id":6,"method":"away"}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32000,"message":"status 307: The service answers with 307 Temporary Redirect"}}`)
	a.says(`{"jsonrpc":"2.0","id":7,"method":"slow"}`, `{"jsonrpc":"2.0","method":"notifications/progress"}`)
	a.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	<-gone
	if err := a.to.Close(); err != nil || a.answers.Scan() {
		t.Errorf("a call that was cancelled is answered %s: %v", a.answers.Text(), err)
	}
	if err := <-a.ended; err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if seen[0] != "POST initialize Bearer svc_x/w1//" || seen[1] != "POST notifications/initialized Bearer svc_x/w1/s1/2025-06-18" || strings.Contains(strings.Join(seen, "\n"), "DELETE") {
		t.Errorf("%s", strings.Join(seen, "\n"))
	}
	if said := a.told.String(); !strings.Contains(said, "atelierctl: Ask again. (insufficient_scope)\nThe sign-in lacks jobs:read") {
		t.Errorf("the other stream says\n%s", said)
	}
}

// What is wrong at the beginning is told on the other stream at once, and to each call until it is right.
func TestAgentsLearnWhatIsWrong(t *testing.T) {
	problem := errSignIn
	a := bridged(t, func(context.Context) (*install, error) {
		if problem != nil {
			return nil, problem
		}
		return &install{"http://127.0.0.1:1/mcp", "svc_x", ""}, nil
	})
	for id := range 2 {
		a.says(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize"}`, id), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"not signed in: atelierctl login"}}`, id))
	}
	problem = nil
	a.says(`{"jsonrpc":"2.0","id":3,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"The service cannot be reached: dial tcp 127.0.0.1:1: connect: connection refused"}}`)
	a.says(`no JSON`, `{"error":{"code":-32700,"message":"a message is one line of JSON-RPC: invalid character 'o' in literal null (expecting 'u')"},"id":null,"jsonrpc":"2.0"}`)
	if err := <-a.ended; err == nil || errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if said := a.told.String(); strings.Count(said, "not signed in") != 1 || strings.Count(said, "cannot be reached") != 1 {
		t.Errorf("the other stream says\n%s", said)
	}
}
