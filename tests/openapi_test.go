//go:build !race

package tests

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"atelier/server"
)

// document is the part of the OpenAPI document that the tests look at.
type document struct {
	OpenAPI string `json:"openapi"`
	Tags    []struct{ Name, Description string }
	Paths   map[string]map[string]struct {
		OperationID string `json:"operationId"`
		Summary     string
		Tags        []string
		Security    *[]map[string][]string
		Parameters  []struct{ Name, In string }
		RequestBody described
		Responses   map[string]described
	}
}

type described struct {
	Description string
	Content     map[string]struct{ Example any }
}

func (d described) illustrated() bool {
	return d.Content["application/json"].Example != nil || d.Content["text/event-stream"].Example != nil
}

func openAPI(t *testing.T) (document, []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := server.WriteOpenAPI(&out); err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return d, out.Bytes()
}

// TestOpenAPIDocument: every operation says what it does, whom it admits, what
// may go wrong, names each parameter of its path, and shows an example.
func TestOpenAPIDocument(t *testing.T) {
	t.Parallel()
	d, _ := openAPI(t)
	if d.OpenAPI != "3.1.0" {
		t.Errorf("version %s", d.OpenAPI)
	}
	var tags []string
	for _, tag := range d.Tags {
		tags = append(tags, tag.Name)
		if tag.Description == "" {
			t.Errorf("the tag %s has no description", tag.Name)
		}
	}
	used, ids := map[string]bool{}, map[string]bool{}
	parameter := regexp.MustCompile(`\{([^}]+)\}`)
	for path, item := range d.Paths {
		for method, op := range item {
			if op.Summary == "" || op.Security == nil || len(op.Tags) != 1 || ids[op.OperationID] || op.OperationID == "" {
				t.Errorf("%s %s: summary %q, security %v, tags %v, id %q", method, path, op.Summary, op.Security, op.Tags, op.OperationID)
			}
			ids[op.OperationID] = true
			if _, ok := op.RequestBody.Content["application/json"]; ok && !op.RequestBody.illustrated() {
				t.Errorf("%s %s has no example of its body", method, path)
			}
			if op.Tags[0] != "Single nodes" && !slices.ContainsFunc(slices.Collect(maps.Values(op.Responses)), described.illustrated) {
				t.Errorf("%s %s has no example of an answer", method, path)
			}
			for _, tag := range op.Tags {
				used[tag] = true
				if !slices.Contains(tags, tag) {
					t.Errorf("%s %s: the tag %s is not described", method, path, tag)
				}
			}
			wanted := []string{"400", "404", "429", "500"}
			if len(*op.Security) > 0 {
				wanted = append(wanted, "401", "403")
			}
			for _, status := range wanted {
				if op.Responses[status].Description == "" {
					t.Errorf("%s %s does not describe %s", method, path, status)
				}
			}
			for _, found := range parameter.FindAllStringSubmatch(path, -1) {
				if !slices.ContainsFunc(op.Parameters, func(p struct{ Name, In string }) bool { return p.In == "path" && p.Name == found[1] }) {
					t.Errorf("%s %s does not describe %s", method, path, found[1])
				}
			}
		}
	}
	for _, tag := range tags {
		if !used[tag] {
			t.Errorf("the tag %s is not used", tag)
		}
	}
}

// TestOpenAPILint is Redocly's recommended rules, without warnings; npm ci
// installs the linter. Two pairs of the contract's own paths could be read as
// each other, which the forms of their parameters tell apart
// (TestOpenAPIDescribes), at which the linter does not look.
func TestOpenAPILint(t *testing.T) {
	t.Parallel()
	_, body := openAPI(t)
	path := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
	lint := exec.Command("../node_modules/.bin/redocly", "lint", "--extends=recommended", "--skip-rule=no-ambiguous-paths", "--max-problems=50", path)
	lint.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	out, err := lint.CombinedOutput()
	if err != nil || regexp.MustCompile(`You have \d+ warning`).Match(out) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOpenAPIDescribes: every operation and every parameter has a description, and no
// path is taken for another by the forms of its parameters.
func TestOpenAPIDescribes(t *testing.T) {
	t.Parallel()
	_, body := openAPI(t)
	var d struct {
		Paths map[string]map[string]struct {
			Summary, Description string
			Parameters           []struct {
				Name, In, Description string
				Schema                struct{ Pattern, Format string }
			}
		}
	}
	if err := json.Unmarshal(body, &d); err != nil {
		t.Fatal(err)
	}
	for path, item := range d.Paths {
		for method, op := range item {
			if len(op.Description) <= len(op.Summary)+1 {
				t.Errorf("%s %s has no description beside its summary", method, path)
			}
			for _, p := range op.Parameters {
				if p.Description == "" {
					t.Errorf("%s %s does not describe its parameter %s", method, path, p.Name)
				}
				if !strings.HasPrefix(path, "/v1/invitations/") || p.In != "path" {
					continue
				}
				if fixed := p.Schema.Format == "uuid" || p.Schema.Pattern != "" && !regexp.MustCompile(p.Schema.Pattern).MatchString("by-token"); !fixed {
					t.Errorf("%s %s: by-token could be the parameter %s", method, path, p.Name)
				}
			}
		}
	}
}

// TestOpenAPINullable: what is null when there is nothing may be null, and so
// may what a body need not hold; nothing else, except fields of a change in
// which null means something.
func TestOpenAPINullable(t *testing.T) {
	t.Parallel()
	_, body := openAPI(t)
	var d struct {
		Components struct {
			Schemas map[string]struct {
				Type       any
				Properties map[string]struct {
					Type  any
					OneOf []object
				}
			}
		}
	}
	if err := json.Unmarshal(body, &d); err != nil {
		t.Fatal(err)
	}
	null := func(kind any) bool {
		kinds, _ := kind.([]any)
		return slices.Contains(kinds, any("null"))
	}
	for schema, members := range map[string]map[string]bool{
		"TokenView":            {"workspaceId": true, "lastUsedAt": true, "workflowIds": false, "id": false, "rateLimit": false},
		"PublicJob":            {"completed_at": true, "credits_charged": true, "output_data": true, "error_hint": true, "input_data": false, "created_at": false},
		"NodeStateView":        {"output": true, "status": false},
		"AuditView":            {"actor": true, "targetId": true, "action": false},
		"BudgetView":           {"allocated": false, "members": false},
		"OwnBudgetView":        {"cap": true, "headroom": true, "spent": false},
		"RunAppInputBody":      {"inputs": true, "version": true, "runId": true},
		"PublishInputBody":     {"name": false, "slug": true, "allowedEmbedDomains": true},
		"UpdateTokenInputBody": {"name": false, "rateLimit": false, "workspaceId": true},
		"UpdateAppInputBody":   {"isActive": false, "maxRunsPerUserPerDay": true},
	} {
		for member, want := range members {
			described, known := d.Components.Schemas[schema].Properties[member]
			may := null(described.Type) || slices.ContainsFunc(described.OneOf, func(one object) bool { return one["type"] == "null" })
			if !known || may != want {
				t.Errorf("%s.%s: known %v, may be null %v", schema, member, known, may)
			}
		}
	}
	if !null(d.Components.Schemas["PresentationSettingsStruct"].Type) || null(d.Components.Schemas["RunExecutionView"].Type) {
		t.Error("objects: the settings of a publication may be null, the execution of a run may not")
	}
}
