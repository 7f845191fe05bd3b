package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gorilla/mux"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

const (
	hostile = "<script>alert(1)</script>\u202e\"'=1+1 && 𝓝😀"
	someID  = "0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e04"
	aTime   = "2026-11-20T10:00:00.000Z"
)

// fake answers every operation from the schema: each field by its type, or by set ("Type.field"; of a list
// its length). An operation
// that the schema refuses fails, so that no page asks for what does not exist.
type fake struct {
	schema *ast.Schema
	mu     sync.Mutex
	set    map[string]any
	errs   map[string]map[string]any // by operation name: extensions with "message"
	calls  []call
	vars   map[string]any // of the operation that is being answered
	ticks  chan struct{}
	log    bytes.Buffer // failures that a page logged
	once   sync.Once
	router *mux.Router // of a console over it, whose hundreds of patterns take a while to read
}

type call struct {
	Operation string
	Variables map[string]any
	Key       string // of the form, where it has one
}

func newFake(t testing.TB) *fake {
	t.Helper()
	files, err := filepath.Glob("../graph/schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatal("no schema: ", err)
	}
	var sources []*ast.Source
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return &fake{schema: schema, set: map[string]any{
		"Memberships.unavailable": false, "SignedIn.token": "jwt", "Authorization.redirectUri": "https://app.example/back", "Authorization.answer": nil, "Authorization.refusal": nil,
		"SignInOffer.methods": []string{"email"},
	}, errs: map[string]map[string]any{}, ticks: make(chan struct{})}
}

// refuse makes an operation fail as the service does.
func (f *fake) refuse(operation, code string, status int, more map[string]any) {
	e := map[string]any{"code": code, "status": status, "message": "Refused: " + code + "."}
	for k, v := range more {
		e[k] = v
	}
	f.errs[operation] = e
}

func (f *fake) Execute(_ context.Context, query, operation string, variables json.RawMessage) (json.RawMessage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var vars map[string]any
	if err := json.Unmarshal(variables, &vars); err != nil && string(variables) != "null" {
		return nil, err
	}
	f.vars = vars
	f.calls = append(f.calls, call{Operation: operation, Variables: vars})
	if e := f.errs[operation]; e != nil {
		return json.Marshal(map[string]any{"data": nil, "errors": []any{map[string]any{"message": e["message"], "extensions": e}}})
	}
	doc, errs := gqlparser.LoadQueryWithRules(f.schema, query, nil)
	if errs != nil {
		return nil, fmt.Errorf("%s: %w", operation, errs)
	}
	data := f.object(doc.Operations.ForName(operation).SelectionSet)
	return json.Marshal(map[string]any{"data": data})
}

// ExecuteOnce remembers nothing; the key is noted among the variables.
func (f *fake) ExecuteOnce(ctx context.Context, key, query, operation string, variables json.RawMessage) (json.RawMessage, error) {
	answer, err := f.Execute(ctx, query, operation, variables)
	f.calls[len(f.calls)-1].Key = key
	return answer, err
}

func (f *fake) Subscribe(context.Context, string, string, json.RawMessage) (<-chan struct{}, error) {
	return f.ticks, nil
}

// included is false for a field that an operation leaves out by @include.
func (f *fake) included(s *ast.Field) bool {
	on := s.Directives.ForName("include")
	if on == nil {
		return true
	}
	value, err := on.Arguments.ForName("if").Value.Value(f.vars)
	return err != nil || value == true
}

func (f *fake) object(set ast.SelectionSet) map[string]any {
	out := map[string]any{}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if f.included(s) {
				merge(out, s.Alias, f.field(s))
			}
		case *ast.FragmentSpread:
			for k, v := range f.object(s.Definition.SelectionSet) {
				merge(out, k, v)
			}
		case *ast.InlineFragment:
			for k, v := range f.object(s.SelectionSet) {
				merge(out, k, v)
			}
		}
	}
	return out
}

// merge joins the selections of one field that came by different ways.
func merge(out map[string]any, key string, v any) {
	old, ok := out[key].(map[string]any)
	fresh, both := v.(map[string]any)
	if !ok || !both {
		out[key] = v
		return
	}
	for k, x := range fresh {
		merge(old, k, x)
	}
}

func (f *fake) field(s *ast.Field) any {
	if v, ok := f.set[s.ObjectDefinition.Name+"."+s.Name]; ok {
		if _, length := v.(int); v == nil || s.SelectionSet == nil && !(length && s.Definition.Type.Elem != nil) {
			return v
		}
	}
	return f.value(s.Definition.Type, s)
}

func (f *fake) value(t *ast.Type, s *ast.Field) any {
	if t.Elem != nil {
		n := 2
		if v, ok := f.set[s.ObjectDefinition.Name+"."+s.Name].(int); ok {
			n = v
		}
		list := make([]any, n)
		for i := range list {
			list[i] = f.value(t.Elem, s)
		}
		return list
	}
	switch t.NamedType {
	case "ID":
		return someID
	case "String":
		return hostile
	case "Int":
		return 7
	case "Float", "Fraction":
		return 12.5
	case "Boolean":
		return true
	case "Time":
		return aTime
	case "Map", "JSON":
		return map[string]any{"name": map[string]any{"from": hostile, "to": nil}}
	}
	def := f.schema.Types[t.NamedType]
	if def.Kind == ast.Enum {
		return def.EnumValues[0].Name
	}
	return f.object(s.SelectionSet)
}

// last is the most recent call of an operation.
func (f *fake) last(t testing.TB, operation string) call {
	t.Helper()
	for i := len(f.calls) - 1; i >= 0; i-- {
		if f.calls[i].Operation == operation {
			return f.calls[i]
		}
	}
	t.Fatalf("%s was not called; calls: %v", operation, f.calls)
	return call{}
}

// school sets the words of a school, and names that can be looked for.
func (f *fake) school() *fake {
	for k, v := range map[string]any{
		"Vocabulary.workspace": "Class", "Vocabulary.workspaces": "Classes", "Vocabulary.member": "Student", "Vocabulary.members": "Students",
		"Vocabulary.admin": "Teacher", "Vocabulary.admins": "Teachers", "Organization.name": "Northgate", "Workspace.name": "Art 9b",
		"Organization.status": "active", "Organization.memberStatus": "active", "Workspace.memberStatus": "active", "Workspace.archived": false,
		"Memberships.unavailable": false, "JoinCode.code": "K7QM2XPA", "User.displayName": "Mina Lang",
	} {
		f.set[k] = v
	}
	return f
}

func (f *fake) with(key string, v any) *fake {
	f.set[key] = v
	return f
}
