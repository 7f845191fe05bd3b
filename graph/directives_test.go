package graph

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"atelier/graph/generated"
	"atelier/models"
)

// TestSchemaSaysWhatAppsNeed: every field of Query, Mutation and Subscription and every other
// object type says what a connected app needs, or that it is forbidden to apps.
func TestSchemaSaysWhatAppsNeed(t *testing.T) {
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	for _, definition := range schema.Types {
		if definition.Kind != ast.Object || strings.HasPrefix(definition.Name, "__") {
			continue
		}
		root := definition == schema.Query || definition == schema.Mutation || definition == schema.Subscription
		if n := saidToApps(t, definition.Name, definition.Directives); root != (n == 0) || n > 1 {
			t.Errorf("type %s has %d of @scope and @forbiddenToApps; each type has one of them, except for Query, Mutation and Subscription", definition.Name, n)
		}
		for _, field := range definition.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			name := definition.Name + "." + field.Name
			if n := saidToApps(t, name, field.Directives); root && n == 0 || n > 1 {
				t.Errorf("%s has %d of @scope and @forbiddenToApps; a field of Query, Mutation and Subscription has one of them, and another field at most one", name, n)
			}
		}
	}
}

// saidToApps counts the directives that say what connected apps need, and holds
// that the scopes that they name exist.
func saidToApps(t *testing.T, name string, said ast.DirectiveList) int {
	t.Helper()
	scopes := said.ForNames(scopeDirective)
	for _, scope := range scopes {
		needs := scope.Arguments.ForName("needs").Value
		if needs.Kind != ast.ListValue {
			t.Errorf("%s: needs of @scope is a list", name)
		}
		for _, needed := range needs.Children {
			if !slices.Contains(models.Scopes, models.Scope(needed.Value.Raw)) {
				t.Errorf("%s needs %q, which is no scope", name, needed.Value.Raw)
			}
		}
	}
	return len(scopes) + len(said.ForNames(forbiddenDirective))
}

// TestCostsAreNumbers: every @cost and every @listSize says a number above 0.
func TestCostsAreNumbers(t *testing.T) {
	counted := 0
	hold := func(name string, said ast.DirectiveList) {
		for directive, number := range map[string]int{costDirective: weightOf(said), listSizeDirective: assumedSizeOf(said)} {
			if said.ForName(directive) == nil {
				continue
			}
			if counted++; number <= 0 {
				t.Errorf("@%s of %s says no number above 0", directive, name)
			}
		}
	}
	for _, definition := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		hold(definition.Name, definition.Directives)
		for _, field := range definition.Fields {
			hold(definition.Name+"."+field.Name, field.Directives)
		}
	}
	if counted < 15 {
		t.Errorf("only %d of them were found", counted)
	}
}

// TestDirectivesOfTheServerAreNotPublished: introspection shows the directives for clients only.
func TestDirectivesOfTheServerAreNotPublished(t *testing.T) {
	shown := newSchema(&Resolver{}).Schema().Directives
	for _, name := range serverDirectives {
		if shown[name] != nil {
			t.Errorf("introspection shows @%s", name)
		}
		if !strings.Contains(SDL(), "directive @"+name) {
			t.Errorf("the SDL does not define @%s", name)
		}
	}
	if shown["recentlyConfirmed"] == nil {
		t.Error("introspection does not show @recentlyConfirmed")
	}
}
