//go:build !race

package tests

import (
	"atelier/graph"
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// TestScopesGolden asks every route and every root field with apps of each
// scope and compares what they need with testdata/scopes.golden; what has no line
// there fails. What is sent to routes is malformed: scopes are judged before.
func TestScopesGolden(t *testing.T) {
	h := newTestServer(t)
	owner := newPerson(t, h.server.URL, "Owner")
	apps := h.appsOf(owner)
	var table strings.Builder
	for _, route := range routesOf(t, h.visitor()) {
		method, path, _ := strings.Cut(route, " ")
		if strings.HasPrefix(path, "/v1/oauth/token") || strings.HasPrefix(path, "/v1/oauth/revoke") || strings.HasPrefix(path, "/v1/oauth/register") {
			continue // speak for themselves, of apps
		}
		address := pathParameter.ReplaceAllString(strings.Replace(path, "{node-type}", "text", 1), "-")
		body := any(nil)
		if method != "GET" && method != "DELETE" {
			body = `[`
		}
		public := outcome(h.visitor().do(method, address, body)) != "401 unauthorized"
		needed := neededBy(t, route, func(scopes string) (string, string) {
			r := apps[scopes].do(method, address, body)
			return r.text("error.code"), r.text("error.missingScope")
		})
		if public {
			needed = "public"
		}
		fmt.Fprintf(&table, "%-6s %-55s %s\n", method, path, needed)
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})
	for _, root := range rootsOf(schema) {
		document := documentOf(schema, root)
		needed := neededBy(t, root.name(), func(scopes string) (string, string) {
			r := apps[scopes].post("/graphql", object{"query": document})
			missing, _ := r.path("errors.0.extensions.missingScope").(string)
			return r.text("errors.0.extensions.code"), missing
		})
		fmt.Fprintf(&table, "%-62s %s\n", root.name(), needed)
	}
	compareGolden(t, "testdata/scopes.golden", []byte(table.String()))
}
