package graph

import (
	"slices"

	"atelier/models"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Needs returns the scopes that a connected app needs for one operation of a
// document, each once. A document that does not fit the schema, and one that asks
// for what no app may have, is an error.
func (e *Executor) Needs(document, operation string) ([]models.Scope, error) {
	parsed, errs := gqlparser.LoadQueryWithRules(e.schema, document, nil)
	if errs != nil {
		return nil, errs
	}
	op := parsed.Operations.ForName(operation)
	if op == nil {
		return nil, gqlerror.Errorf("the document has no operation %s", operation)
	}
	needed := []models.Scope{}
	refusal := walk(op, func(f *ast.Field, path ast.Path) (bool, *gqlerror.Error) {
		scopes := scopesOf(f.ObjectDefinition, f.Definition)
		if len(scopes) == 0 {
			return false, gqlerror.ErrorPathf(path, "is forbidden to connected apps")
		}
		for _, scope := range scopes {
			if scope != models.Unscoped && !slices.Contains(needed, scope) {
				needed = append(needed, scope)
			}
		}
		return true, nil
	})
	if refusal != nil {
		return nil, refusal
	}
	return needed, nil
}
