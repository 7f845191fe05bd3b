//go:build !race

package tests

import (
	"cmp"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// notForAgents are the scenarios of the suite that /mcp does not pass, by the reason.
var notForAgents = map[string][]string{
	"calls a tool that exists on the suite's own server alone": {
		"tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-error",
		"tools-call-with-progress", "json-schema-2020-12",
	},
	"calls such a tool, and wants what tools here do not do: log, ask the agent's model, ask the person": {
		"tools-call-with-logging", "tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
	},
	"reads a resource, of which there are none": {
		"resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe", "resources-unsubscribe",
	},
	"gets or completes a prompt, of which there are none": {
		"prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image", "completion-complete",
	},
	"recommends ids of events, by which a stream that broke off is read on; a run is read on by get_run": {"server-sse-polling"},
}

// TestAgentConformance has the conformance suite of the protocol's makers call /mcp. It knows no tokens, so that what it
// sends passes a proxy that adds one; its scenarios about authorization are about clients alone.
func TestAgentConformance(t *testing.T) {
	t.Parallel()
	h := newTestServer(t)
	stop := h.work()
	defer stop()
	p := newPerson(t, h.server.URL, "Agent")
	token := p.post("/v1/api-tokens", object{"name": "agent", "rateLimit": 120}).want(201).text("token")
	to, err := url.Parse(h.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(nil)
	defer proxy.Close()
	proxy.Config.Handler = &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
		if r.In.Header.Get("Origin") == proxy.URL {
			r.Out.Header.Set("Origin", h.server.URL) // a page of the install
		}
		r.Out.Header.Set("Authorization", "Bearer "+token)
	}}

	known := filepath.Join(t.TempDir(), "known.yaml")
	content := "server:\n"
	for _, scenarios := range notForAgents {
		content += "  - " + strings.Join(scenarios, "\n  - ") + "\n"
	}
	writeFile(t, known, content)
	// It ends with 0 when these fail and all others pass.
	out, err := exec.CommandContext(t.Context(), "node", "--import", "./testdata/conformance/fs.mjs", "../node_modules/@modelcontextprotocol/conformance/dist/index.js",
		"server", "--url", proxy.URL+"/mcp", "--suite", "all", "--expected-failures", known).CombinedOutput()
	if err != nil {
		_, summary, _ := strings.Cut(string(out), "=== SUMMARY ===")
		t.Fatalf("%v\n%s", err, cmp.Or(summary, string(out)))
	}
}
