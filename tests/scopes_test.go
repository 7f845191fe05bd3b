//go:build !race

package tests

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"atelier/graph"
	"atelier/graph/generated"
	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// neededBy finds out what a connected app needs for something, by asking with each
// set of scopes: "every app", a scope or several, or the code of the refusal that
// all get. Refusals that are no matter of scopes let through.
func neededBy(t *testing.T, what string, ask func(scopes string) (code, missing string)) string {
	t.Helper()
	code, missing := ask("none")
	if code != "insufficient_scope" {
		for name := range grants {
			if other, _ := ask(name); refusesApps(code) != refusesApps(other) || refusesApps(code) && code != other {
				t.Errorf("%s answers an app without scopes %q, and with %s %q", what, code, name, other)
			}
		}
		if refusesApps(code) {
			return code
		}
		return "every app"
	}
	needed := []string{missing}
	if code, second := ask(missing); code == "insufficient_scope" {
		needed = append(needed, second)
	}
	if code, _ := ask("all"); refusesApps(code) {
		t.Errorf("%s answers an app with every scope %s", what, code)
	}
	for _, scope := range models.Scopes {
		code, missing := ask(string(scope))
		let := len(needed) == 1 && needed[0] == string(scope)
		if let == (code == "insufficient_scope") || code == "forbidden" || !let && !slices.Contains(needed, missing) {
			t.Errorf("%s needs %v, and answers an app with %s: %q %s", what, needed, scope, code, missing)
		}
	}
	return strings.Join(needed, " and ")
}

func refusesApps(code string) bool {
	return code == "forbidden" || code == "insufficient_scope" || code == "in_app_only"
}

// pathParameter is a part of a path that a request fills in.
var pathParameter = regexp.MustCompile(`\{[^}]+\}`)

// TestScopesInUseCases asks the use cases behind the root fields, without the
// schema's own table before them: an app without scopes is refused as by the table.
func TestScopesInUseCases(t *testing.T) {
	h := newTestServer(t)
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})
	person := newPerson(t, h.server.URL, "Owner")
	app := h.connect(person, nil)
	actor := models.Actor{Kind: models.ByOAuth, UserID: uuid.MustParse(person.id), ClientAppID: app.app, TokenID: app.token, DisplayName: "Owner"}
	bare := executor.New(generated.NewExecutableSchema(generated.Config{Resolvers: h.Resolver, Directives: generated.DirectiveRoot{
		RecentlyConfirmed: func(ctx context.Context, _ any, next graphql.Resolver, _ []string) (any, error) { return next(ctx) },
	}}))
	for _, root := range rootsOf(schema) {
		if slices.Contains(ofVisitors, root.name()) {
			continue
		}
		document := documentOf(schema, root)
		r := app.post("/graphql", object{"query": document})
		missing, _ := r.path("errors.0.extensions.missingScope").(string)
		want := strings.TrimSpace(r.text("errors.0.extensions.code") + " " + missing)
		if !refusesApps(r.text("errors.0.extensions.code")) {
			continue
		}
		ctx := models.WithActor(graph.WithLoaders(graphql.StartOperationTrace(t.Context()), h.Resolver), actor)
		got := refusalWithin(ctx, bare, document)
		if refusal, _ := models.AsError(got); got == nil || strings.TrimSpace(fmt.Sprint(refusal.Code, " ", text(refusal.Extra["missingScope"]))) != want {
			t.Errorf("%s: the use case answers %v, want %s", root.name(), got, want)
		}
	}
}

// TestOneScopeIsEnough asks every route with an app that was granted the one scope
// that it needs. Nothing behind the route asks for another one.
func TestOneScopeIsEnough(t *testing.T) {
	h := newTestServer(t)
	t.Cleanup(h.work())
	s := newStage(t, newCast(t, h.server.URL, "school", 10))
	apps := map[string]map[string]connectedApp{"owner": h.appsOf(s.owner), "head": h.appsOf(s.head), "pupil": h.appsOf(s.pupil)}
	for _, route := range routesOf(t, s.visitor) {
		for name, of := range apps {
			r := s.ask(of["none"].client, route)
			if r.text("error.code") != "insufficient_scope" {
				continue
			}
			again := s.ask(of[r.text("error.missingScope")].client, route)
			if code := again.text("error.code"); refusesApps(code) || again.Status >= 500 {
				t.Errorf("%s of the %s with %s: %d %s", route, name, r.text("error.missingScope"), again.Status, again.Body)
			}
		}
	}
}

// ofVisitors are the mutations by which a person signs in: no account is theirs yet.
var ofVisitors = []string{
	"Mutation.signUp", "Mutation.signIn", "Mutation.verifyEmail", "Mutation.forgotPassword", "Mutation.resetPassword",
	"Mutation.exchangeSsoToken", "Mutation.completeSignIn", "Mutation.beginPasskey", "Mutation.signInWithPasskey",
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// refusalWithin is the first error of an operation.
func refusalWithin(ctx context.Context, e *executor.Executor, document string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	op, errs := e.CreateOperationContext(ctx, &graphql.RawParams{Query: document})
	if errs != nil {
		return errs
	}
	next, ctx := e.DispatchOperation(ctx, op)
	response := next(ctx)
	if response == nil || len(response.Errors) == 0 {
		return nil
	}
	return response.Errors[0].Err
}

// rootField is a field of Query, Mutation or Subscription.
type rootField struct {
	of    *ast.Definition
	field *ast.FieldDefinition
}

func (r rootField) name() string { return r.of.Name + "." + r.field.Name }

func rootsOf(schema *ast.Schema) (roots []rootField) {
	for _, of := range []*ast.Definition{schema.Query, schema.Subscription, schema.Mutation} {
		for _, field := range of.Fields {
			if !strings.HasPrefix(field.Name, "__") {
				roots = append(roots, rootField{of, field})
			}
		}
	}
	return roots
}

// documentOf asks for a root field, with arguments that have the right form and name nothing.
func documentOf(schema *ast.Schema, r rootField) string {
	var arguments []string
	for _, a := range r.field.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			arguments = append(arguments, a.Name+": "+anyValue(schema, a.Type))
		}
	}
	text := r.field.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if schema.Types[r.field.Type.Name()].IsCompositeType() {
		text += " { __typename }"
	}
	return strings.ToLower(r.of.Name) + " { " + text + " }"
}

// anyValue is a value of a type that names nothing.
func anyValue(schema *ast.Schema, of *ast.Type) string {
	if of.Elem != nil {
		return "[" + anyValue(schema, of.Elem) + "]"
	}
	definition := schema.Types[of.Name()]
	switch {
	case definition.Kind == ast.Enum:
		return definition.EnumValues[0].Name
	case definition.Kind == ast.InputObject:
		var fields []string
		for _, f := range definition.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields = append(fields, f.Name+": "+anyValue(schema, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch of.Name() {
	case "ID":
		return `"` + nowhere + `"`
	case "Int", "Float":
		return "1"
	case "Boolean":
		return "true"
	case "Time":
		return `"2026-01-01T00:00:00Z"`
	case "JSON", "Map":
		return "{}"
	}
	return `"x"`
}
