package graph

import (
	"context"
	"slices"
	"strings"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// permitted refuses a document that asks for more than its caller may, as the
// directives of the schema say: a token that is restricted to some workflows
// (forbidden), or a connected app (insufficient_scope, or forbidden for what no
// app may have). Nothing of the document is done. Use cases ask for the same
// scopes; this keeps fields apart that are read along with what was asked for.
type permitted struct{}

func (permitted) ExtensionName() string { return "Permitted" }

func (permitted) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext looks at all that the operation asks for.
func (permitted) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	actor := models.ActorFrom(ctx)
	if actor.Restricted() {
		if refusal := walk(op.Operation, restrictedTo(actor)); refusal != nil {
			return refusal
		}
	}
	if actor.OfApp() != nil {
		return walk(op.Operation, scopedTo(actor))
	}
	return nil
}

// check judges one field of a document: whether the fields within it are to be
// judged too, and why it is refused. path leads to the field.
type check func(f *ast.Field, path ast.Path) (within bool, refusal *gqlerror.Error)

// restrictedTo refuses what a restricted token may not ask for. Use cases then
// ask which workflow it is about.
func restrictedTo(actor models.Actor) check {
	return func(f *ast.Field, path ast.Path) (bool, *gqlerror.Error) {
		switch coverageOf(f.ObjectDefinition, f.Definition) {
		case allCovered:
			return false, nil
		case covered:
			return true, nil
		}
		if len(path) > 1 { // the whole object is refused
			path = path[:len(path)-1]
		}
		return false, &gqlerror.Error{Err: actor.RequireUser(), Path: path}
	}
}

// scopedTo refuses what a connected app was not granted.
func scopedTo(actor models.Actor) check {
	return func(f *ast.Field, path ast.Path) (bool, *gqlerror.Error) {
		if err := actor.RequireUser(scopesOf(f.ObjectDefinition, f.Definition)...); err != nil {
			return false, &gqlerror.Error{Err: err, Path: path}
		}
		return true, nil
	}
}

// walk returns the first refusal of an operation's fields, nil without one.
func walk(op *ast.OperationDefinition, judge check) *gqlerror.Error {
	w := walker{judge, map[*ast.FragmentDefinition]bool{}}
	return w.selection(op.SelectionSet, nil)
}

// walker visits the fields of a document, each fragment once.
type walker struct {
	judge check
	seen  map[*ast.FragmentDefinition]bool
}

// selection visits the fields of a selection; at leads to it, nil at the root.
func (w walker) selection(set ast.SelectionSet, at ast.Path) (refusal *gqlerror.Error) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			refusal = w.field(s, at)
		case *ast.InlineFragment:
			refusal = w.selection(s.SelectionSet, at)
		case *ast.FragmentSpread:
			if s.Definition != nil && !w.seen[s.Definition] {
				w.seen[s.Definition] = true
				refusal = w.selection(s.Definition.SelectionSet, at)
			}
		}
		if refusal != nil {
			return refusal
		}
	}
	return nil
}

func (w walker) field(f *ast.Field, at ast.Path) *gqlerror.Error {
	if strings.HasPrefix(f.Name, "__") {
		return nil
	}
	path := append(slices.Clone(at), ast.PathName(f.Alias))
	within, refusal := w.judge(f, path)
	if refusal != nil || !within {
		return refusal
	}
	return w.selection(f.SelectionSet, path)
}
