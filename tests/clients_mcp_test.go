//go:build !race

package tests

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// served starts atelierctl mcp as agents start programs; what it says on the other stream is in told.
func (c *commandLine) served(told *logBuffer, env ...string) *sdk.CommandTransport {
	cmd := exec.CommandContext(c.t.Context(), c.path, "mcp")
	cmd.Dir, cmd.Env, cmd.Stderr = c.dir, append(slices.Clone(c.env), env...), told
	return &sdk.CommandTransport{Command: cmd}
}

// servesAgents has agents work by atelierctl mcp, in the versions of the protocol with and without sessions: what they get
// is what /mcp answers.
func (c *commandLine) servesAgents(t *testing.T, s *story) {
	for _, version := range []string{versionWithSessions, ""} {
		var told logBuffer
		a := agentBy(t, c.served(&told), version)
		direct := agentOf(t, client{t: t, URL: s.ada.URL, token: s.ada.post("/v1/api-tokens", object{"name": "agent " + version}).want(201).text("token")}, version)
		if tools, want := a.tools(), direct.tools(); len(tools) != len(want) || len(tools) == 0 {
			t.Errorf("%q: %d tools, not %d", version, len(tools), len(want))
		}
		if got, want := a.session.InitializeResult(), direct.session.InitializeResult(); got.ServerInfo.Name != want.ServerInfo.Name || got.Instructions != want.Instructions || got.ProtocolVersion != want.ProtocolVersion {
			t.Errorf("%q: %+v, not %+v", version, got, want)
		}
		has(object{"workspace": s.class})(t, a.call("get_credits", nil)) // that of the profile
		told0 := a.told.Load()
		made := a.try("run_app", object{"app": "poster", "inputs": object{"topic": "an owl"}, "waitSeconds": 120})
		has(object{"status": "completed", "workspace": s.class, "result.kind": "image"})(t, &reply{t: t, what: "run_app", JSON: made.StructuredContent})
		if !slices.ContainsFunc(made.Content, func(content sdk.Content) bool {
			picture, ok := content.(*sdk.ImageContent)
			return ok && bytes.HasPrefix(picture.Data, []byte("\x89PNG"))
		}) || a.told.Load() == told0 {
			t.Errorf("%q: no picture, or no progress: %s", version, saidIn(made))
		}
		a.refuses("run_app", object{"app": "no-such-app"}, "not_found")
		if _, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "no_such_tool"}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
			t.Errorf("%q: a tool that is none: %v", version, err)
		}

		workflow := a.call("create_workflow", object{"name": "Slow", "nodes": []object{{"id": "wait", "type": "delay", "settings": object{"seconds": 600}}}}).text("workflow")
		runs := func(status string) func() error {
			return func() error {
				if r := a.call("list_runs", object{"workflow": workflow, "status": status}); len(r.list("runs")) != 1 {
					return fmt.Errorf("no run is %s: %s", status, r.Body)
				}
				return nil
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := a.session.CallTool(ctx, &sdk.CallToolParams{Name: "run_workflow", Arguments: object{"workflow": workflow, "waitSeconds": 300}})
			ended <- err
		}()
		eventually(t, runs("running"))
		cancel()
		if err := <-ended; err == nil {
			t.Errorf("%q: the call was not cancelled", version)
		}
		eventually(t, runs("failed"))
		if err := a.session.Close(); err != nil || told.String() != "" {
			t.Errorf("%q: it ended with %v, and said %s", version, err, told.String())
		}
	}
	for says, env := range map[string][]string{
		"Sign in again: atelierctl login": {"ATELIER_TOKEN=svc_wrong"},
		"not signed in: atelierctl login": {"ATELIER_URL=https://other.example"},
		"The service cannot be reached: ": {"ATELIER_URL=http://127.0.0.1:1", "ATELIER_TOKEN=svc_any"},
	} {
		var told logBuffer
		_, err := sdk.NewClient(&sdk.Implementation{Name: "tests", Version: "1"}, nil).Connect(t.Context(), c.served(&told, append(env, "ATELIER_WORKSPACE=none")...), nil)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("with %v the agent reads %v, want %q", env, err, says)
		}
		if !strings.Contains(told.String(), says) {
			t.Errorf("with %v the other stream says %q, want %q", env, told.String(), says)
		}
	}
}
