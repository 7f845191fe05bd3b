package graph

import (
	"strconv"

	"atelier/models"

	"github.com/vektah/gqlparser/v2/ast"
)

// The directives of the schema that bounds and permissions read from it. They run no code
// of their own (skip_runtime in gqlgen.yml).
const (
	scopeDirective           = "scope"
	forbiddenDirective       = "forbiddenToApps"
	restrictedTokenDirective = "restrictedToken"
	costDirective            = "cost"
	listSizeDirective        = "listSize"
)

var serverDirectives = []string{scopeDirective, forbiddenDirective, restrictedTokenDirective, costDirective, listSizeDirective}

// scopesOf returns the scopes that a connected app needs for a field: what the
// field says, or else its type. It returns none for a field that is forbidden,
// and for one that says nothing.
func scopesOf(parent *ast.Definition, field *ast.FieldDefinition) []models.Scope {
	for _, said := range []ast.DirectiveList{field.Directives, parent.Directives} {
		if said.ForName(forbiddenDirective) != nil {
			return nil
		}
		if scope := said.ForName(scopeDirective); scope != nil {
			return scopesIn(scope)
		}
	}
	return nil
}

// scopesIn reads needs of a @scope. Unscoped comes first, because what has a
// @scope is open to connected apps at all.
func scopesIn(scope *ast.Directive) []models.Scope {
	scopes := []models.Scope{models.Unscoped}
	for _, needed := range scope.Arguments.ForName("needs").Value.Children {
		scopes = append(scopes, models.Scope(needed.Value.Raw))
	}
	return scopes
}

// coverage is what a token that is restricted to some workflows may ask for.
type coverage int

const (
	uncovered  coverage = iota
	covered             // the field, and of what is within it what is covered itself
	allCovered          // the field with everything within it
)

// coverageOf reads @restrictedToken of a field, or else of its type.
func coverageOf(parent *ast.Definition, field *ast.FieldDefinition) coverage {
	for _, said := range []ast.DirectiveList{field.Directives, parent.Directives} {
		if open := said.ForName(restrictedTokenDirective); open != nil {
			if everything := open.Arguments.ForName("everything"); everything != nil && everything.Value.Raw == "true" {
				return allCovered
			}
			return covered
		}
	}
	return uncovered
}

// weightOf returns the weight of a @cost, 0 without one.
func weightOf(said ast.DirectiveList) int { return numberOf(said, costDirective, "weight") }

// assumedSizeOf returns the length of a @listSize, 0 without one.
func assumedSizeOf(said ast.DirectiveList) int {
	return numberOf(said, listSizeDirective, "assumedSize")
}

func numberOf(said ast.DirectiveList, name, argument string) int {
	directive := said.ForName(name)
	if directive == nil {
		return 0
	}
	number, _ := strconv.Atoi(directive.Arguments.ForName(argument).Value.Raw)
	return number
}
