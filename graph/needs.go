package graph

import (
	"fmt"
	"slices"

	"atelier/models"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Needs returns the scopes that a connected app needs for each operation of a
// document, each once, by the operation's name. A document that does not fit the
// schema, and one that asks for what no app may have, is an error.
func (e *Executor) Needs(document string) (map[string][]models.Scope, error) {
	parsed, errs := gqlparser.LoadQueryWithRules(e.schema, document, nil)
	if errs != nil {
		return nil, errs
	}
	needs := map[string][]models.Scope{}
	for _, op := range parsed.Operations {
		needed, err := needsOf(op)
		if err != nil {
			return nil, fmt.Errorf("operation %s: %w", op.Name, err)
		}
		needs[op.Name] = needed
	}
	return needs, nil
}

func needsOf(op *ast.OperationDefinition) ([]models.Scope, error) {
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
