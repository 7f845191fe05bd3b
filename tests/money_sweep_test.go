//go:build !race

package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"atelier/graph"
	"atelier/models/dbtest"
	"atelier/server"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// limitValues are what people try who want more, as JSON.
var limitValues = []string{`1000000`, `-1`, `-1000000`, `0`, `null`, `"NaN"`, `"Infinity"`, `1e308`, `-1e308`, `1e400`, `"999999"`, `[999999]`, `{"value":999999}`}

// sneaked are names of what limits, sent where no one asked for them.
var sneaked = []string{"allocated", "headroom", "reserved", "spent", "pool", "balance", "credits", "creditCap", "credit_cap", "cap", "delta", "amount",
	"lifetimePurchased", "maxRunsPerUserPerDay", "hold", "charged", "cost", "price", "markup", "organizationId", "creditsUsed"}

// sweepRoles are those who may move no credits, and whether they may set what
// limits members: caps, and how often an app may be run.
var sweepRoles = map[string]bool{
	"pupil": false, "room's token": false, "outside": false, "suspended": false, "benched": false, "outsider": false, "rival": false,
	"restricted token": false, "frozen owner": false, "pending owner": false, "admin": true, "head": true,
}

// valuesOf are what a person tries: everything by those who are nearest to it.
func valuesOf(role string) []string {
	if role == "pupil" || role == "head" {
		return limitValues
	}
	return []string{limitValues[0], limitValues[1], `null`, `1e308`}
}

// endsSweep are the fields that would take the caller, or the stage, away.
var endsSweep = regexp.MustCompile(`(?i)^(delete|leave|remove|transfer|signOut|end|archive|revoke|ban|erase|close|disconnect|suspend|changePassword|requestPassword)`)

// sweep is a stage whose limits are looked at after each request.
type sweep struct {
	*stage
	t      *testing.T
	db     *sweepDatabase
	schema *ast.Schema
	sent   int
}

type sweepDatabase struct {
	database
	before [2]string
}

// TestNoFieldRaisesALimit sends every number of every mutation and of every body
// of /v1 as everyone who may not change limits, with values that would: nothing
// that limits anyone changes, and nothing fails.
func TestNoFieldRaisesALimit(t *testing.T) {
	t.Parallel()
	databaseURL := dbtest.NewURL(t)
	url := startOn(t, databaseURL, t.TempDir(), []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error").URL
	s := &sweep{t: t, stage: newStage(t, newCast(t, url, "school", 10)), schema: gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})}
	s.grant(20)
	s.db = &sweepDatabase{database: openDatabase(t, databaseURL)}
	s.db.exec(`CREATE TABLE sweep_wallets AS SELECT * FROM wallets`)
	s.look("", false)
	fields := 0
	for _, field := range s.schema.Mutation.Fields {
		if endsSweep.MatchString(field.Name) {
			continue
		}
		fields++
		for role := range sweepRoles {
			s.mutation(field, role)
		}
	}
	routes := s.routes()
	t.Logf("%d requests to %d mutations and %d routes", s.sent, fields, routes)
	if s.sent < 2000 || fields < 40 || routes < 20 {
		t.Errorf("only %d requests to %d mutations and %d routes", s.sent, fields, routes)
	}
}

// look compares all that limits with how it was; caps says that what limits
// members may have changed.
func (s *sweep) look(after string, caps bool) {
	s.t.Helper()
	now := [2]string{s.db.strings(`SELECT coalesce(string_agg(workspace_id || ' ' || user_id || ' ' || coalesce(cap::text, 'none'), ', ' ORDER BY workspace_id, user_id), '') FROM member_budgets
			WHERE cap IS NOT NULL`)[0] + " app " + s.db.strings(`SELECT coalesce(max_runs_per_user_per_day::text, 'none') FROM apps WHERE id = '` + s.app + `'`)[0],
		s.db.strings(`SELECT concat(
			(SELECT string_agg(balance || ' ' || lifetime_purchased, ', ' ORDER BY organization_id) FROM organization_pools WHERE balance <> 0 OR lifetime_purchased <> 0),
			' workspaces ', (SELECT string_agg(workspace_id || ' ' || allocated, ', ' ORDER BY workspace_id) FROM workspace_budgets WHERE allocated <> 0),
			' richer ', (SELECT count(*) FROM wallets w JOIN sweep_wallets b USING (user_id) WHERE w.balance > b.balance),
			' made ', (SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE kind IN ('grant', 'purchase', 'reinstatement', 'refund', 'dispute')))`)[0]}
	if before := s.db.before; after != "" && (now[1] != before[1] || now[0] != before[0] && !caps) {
		s.t.Errorf("%s changed limits:\n%s\n%s\nwere\n%s\n%s", after, now[1], now[0], before[1], before[0])
	}
	s.db.before = now
}

// as is a person of the cast.
func (s *sweep) as(role string) client {
	who := s.everybody()[role]
	who.t = s.t
	return who
}

// send makes a request that may be refused, but not fail.
func (s *sweep) send(who client, method, path, body string) {
	s.t.Helper()
	s.sent++
	if r := who.do(method, path, body); r.Status >= 500 || path == "/graphql" && strings.Contains(string(r.Body), `"status":5`) {
		s.t.Errorf("%s %s with %s: %d %s", method, path, body, r.Status, r.Body)
	}
}

// mutation sends each leaf of a mutation that could be a number.
func (s *sweep) mutation(field *ast.FieldDefinition, role string) {
	who := s.as(role)
	var declared, used []string
	defaults, leaves := map[string]any{}, []string{}
	for _, a := range field.Arguments {
		declared, used = append(declared, "$"+a.Name+": "+a.Type.String()), append(used, a.Name+": $"+a.Name)
		defaults[a.Name] = s.value(field.Name, a.Name, a.Type, a.Name, &leaves, 0)
	}
	document := "mutation"
	if len(declared) > 0 {
		document += "(" + strings.Join(declared, ", ") + ")"
	}
	document += " { " + field.Name
	if len(used) > 0 {
		document += "(" + strings.Join(used, ", ") + ")"
	}
	if kind := s.schema.Types[field.Type.Name()]; kind.Kind == ast.Object || kind.Kind == ast.Interface || kind.Kind == ast.Union {
		document += " { __typename }"
	}
	document += " }"
	try := func(variables any) {
		body, _ := json.Marshal(map[string]any{"query": document, "variables": variables})
		s.send(who, "POST", "/graphql", string(body))
	}
	try(defaults)
	for _, leaf := range leaves {
		for _, value := range valuesOf(role) {
			try(replaced(defaults, strings.Split(leaf, "."), json.RawMessage(value)))
		}
	}
	s.look(role+" by "+field.Name, sweepRoles[role])
}

// replaced is a copy of values in which one leaf is another value.
func replaced(values map[string]any, path []string, value any) map[string]any {
	values = maps.Clone(values)
	if inner, ok := values[path[0]].(map[string]any); ok && len(path) > 1 {
		values[path[0]] = replaced(inner, path[1:], value)
	} else {
		values[path[0]] = value
	}
	return values
}

// value is what an argument or a field of an input is when another one is tried;
// leaves gathers those that could be numbers.
func (s *sweep) value(mutation, name string, kind *ast.Type, path string, leaves *[]string, depth int) any {
	if kind.Elem != nil {
		return []any{s.value(mutation, strings.TrimSuffix(name, "s"), kind.Elem, "", &[]string{}, depth+1)}
	}
	switch definition := s.schema.Types[kind.NamedType]; {
	case kind.NamedType == "Int" || kind.NamedType == "Float":
		if path != "" {
			*leaves = append(*leaves, path)
		}
		return 1
	case kind.NamedType == "Map" || kind.NamedType == "JSON":
		all := map[string]any{}
		for _, name := range sneaked {
			all[name] = 999_999
		}
		return all
	case kind.NamedType == "ID":
		return s.idFor(mutation, name)
	case kind.NamedType == "Boolean":
		return true
	case kind.NamedType == "Time":
		return "2026-01-01T00:00:00Z"
	case definition.Kind == ast.Enum:
		return definition.EnumValues[0].Name
	case definition.Kind == ast.InputObject:
		all := map[string]any{}
		for _, f := range definition.Fields {
			number := f.Type.NamedType == "Int" || f.Type.NamedType == "Float"
			if inner := path + "." + f.Name; f.Type.NonNull || number || depth == 0 && s.schema.Types[f.Type.Name()].Kind == ast.InputObject {
				all[f.Name] = s.value(mutation, f.Name, f.Type, inner, leaves, depth+1)
			}
		}
		return all
	}
	return "Sweep"
}

// idFor is what of the stage an argument names.
func (s *sweep) idFor(mutation, name string) string {
	named := strings.ToLower(name)
	if named == "id" {
		named = strings.ToLower(mutation)
	}
	for _, of := range []struct{ what, id string }{
		{"organization", s.org}, {"workspace", s.room}, {"user", s.pupil.id}, {"member", s.pupil.id}, {"token", s.token}, {"app", s.app}, {"execution", s.execution},
		{"workflow", s.workflow}, {"project", s.project}, {"trigger", s.trigger}, {"endpoint", s.endpoint}, {"credential", s.credential}, {"job", s.job}, {"run", s.run},
	} {
		if strings.Contains(named, of.what) {
			return of.id
		}
	}
	return nowhere
}

// routes sends to every body of /v1 what limits, and says how many there are.
func (s *sweep) routes() (n int) {
	document, err := documented()
	if err != nil {
		s.t.Fatal(err)
	}
	var whole bytes.Buffer
	var parsed any
	names := map[string]bool{}
	if err := server.WriteOpenAPI(&whole); err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(whole.Bytes(), &parsed); err != nil {
		s.t.Fatal(err)
	}
	numbersIn(parsed, names)
	numbers := slices.Sorted(maps.Keys(names))
	for _, name := range sneaked {
		if !names[name] {
			numbers = append(numbers, name)
		}
	}
	for _, template := range slices.Sorted(maps.Keys(document.paths)) {
		for method, operation := range document.paths[template].(map[string]any) {
			body, _ := operation.(map[string]any)["requestBody"].(map[string]any)
			last := template[strings.LastIndex(template, "/")+1:]
			if (method != "post" && method != "patch" && method != "put") || body == nil || endsSweep.MatchString(last) || last == "upload" {
				continue
			}
			n++
			for role := range sweepRoles {
				who := s.as(role)
				for _, value := range valuesOf(role) {
					all := map[string]json.RawMessage{"name": json.RawMessage(`"Sweep"`)}
					for _, name := range numbers {
						all[name] = json.RawMessage(value)
					}
					s.send(who, strings.ToUpper(method), s.path(template), encoded(all))
				}
				s.look(role+" by "+method+" "+template, sweepRoles[role])
			}
		}
	}
	return n
}

// encoded is an object with values that no encoder would write.
func encoded(values map[string]json.RawMessage) string {
	var parts []string
	for name, value := range values {
		parts = append(parts, fmt.Sprintf("%q: %s", name, value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// numbersIn adds the names of all properties of a document that are numbers.
func numbersIn(value any, names map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			numbersIn(inner, names)
		}
	case map[string]any:
		properties, _ := v["properties"].(map[string]any)
		for name, property := range properties {
			described, _ := property.(map[string]any)
			if kind := fmt.Sprint(described["type"]); strings.Contains(kind, "number") || strings.Contains(kind, "integer") {
				names[name] = true
			}
		}
		for _, inner := range v {
			numbersIn(inner, names)
		}
	}
}

// path fills the ids of a route.
func (s *sweep) path(template string) string {
	parts := strings.Split(template, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, "{") {
			parts[i] = s.idFor(strings.TrimSuffix(parts[i-1], "s"), strings.TrimSuffix(parts[i-1], "s"))
			if parts[i-1] == "orgs" {
				parts[i] = s.org
			}
		}
	}
	return strings.Join(parts, "/")
}
