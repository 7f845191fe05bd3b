package graph

import (
	"math"

	"atelier/models"

	"github.com/vektah/gqlparser/v2/ast"
)

// measure is what a selection comes to with its fragments spread out. Sums
// stop at the largest number instead of turning over.
type measure struct {
	// cost is the sum of its fields' costs, roots how many fields it has itself, and
	// work how many of those are not free.
	cost, roots, work int
	// depth is how many fields lie within each other, nesting how many
	// selections of any kind.
	depth, nesting int
	// conditional is whether one of its own fields may be left out.
	conditional bool
}

func (m *measure) add(other measure) {
	m.cost, m.roots, m.work = plus(m.cost, other.cost), plus(m.roots, other.roots), plus(m.work, other.work)
	m.depth, m.nesting = max(m.depth, other.depth), max(m.nesting, other.nesting)
	m.conditional = m.conditional || other.conditional
}

// measureSet measures a selection on a type; an unknown type is nil.
func (d *document) measureSet(parent *ast.Definition, set ast.SelectionSet) (total measure, err error) {
	for _, selection := range set {
		var one measure
		switch s := selection.(type) {
		case *ast.Field:
			one, err = d.measureField(parent, s)
		case *ast.InlineFragment:
			one, err = d.measureInline(parent, s)
		case *ast.FragmentSpread:
			one, err = d.measureSpread(s)
		}
		if err != nil {
			return total, err
		}
		total.add(one)
	}
	switch {
	case total.depth > maxIntrospectionDepth:
		return total, tooMuch("fields nested deeper than %d levels", maxIntrospectionDepth)
	case total.nesting > maxNesting:
		return total, tooMuch("selections nested deeper than %d levels", maxNesting)
	}
	return total, nil
}

func (d *document) measureField(parent *ast.Definition, field *ast.Field) (measure, error) {
	if introspects(field.Name) && !d.actor.SignedIn() {
		return measure{}, models.Err(models.CodeUnauthorized, "Sign in to read the schema")
	}
	if field.Alias != field.Name {
		if d.aliases++; d.aliases > maxAliases {
			return measure{}, tooMuch("more than %d aliases", maxAliases)
		}
	}
	if err := d.checkDirectives(field.Directives); err != nil {
		return measure{}, err
	}
	if err := checkArguments(field.Arguments); err != nil {
		return measure{}, err
	}
	var definition *ast.FieldDefinition
	var kind *ast.Definition
	if parent != nil {
		definition = parent.Fields.ForName(field.Name)
	}
	if definition != nil {
		kind = d.schema.Types[definition.Type.Name()]
	}
	within, err := d.measureSet(kind, field.SelectionSet)
	if err != nil {
		return measure{}, err
	}
	whole := measure{
		cost: plus(within.cost, costOfField), roots: 1, depth: within.depth + 1, nesting: within.nesting + 1,
		conditional: len(field.Directives) > 0,
	}
	if definition != nil {
		whole.cost = d.weigh(parent.Name, field, definition, within.cost)
	}
	if introspects(field.Name) {
		whole.depth = 1
	}
	if !isFree(field) {
		whole.work = 1
	}
	return whole, nil
}

// introspects tells of the fields that read the schema.
func introspects(field string) bool { return field == "__schema" || field == "__type" }

// isFree tells of fields that need no work of their own, however often they are asked for.
func isFree(field *ast.Field) bool { return field.Name == "__typename" || field.Name == "install" }

func (d *document) measureInline(parent *ast.Definition, inline *ast.InlineFragment) (measure, error) {
	if err := d.checkDirectives(inline.Directives); err != nil {
		return measure{}, err
	}
	if inline.TypeCondition != "" {
		parent = d.schema.Types[inline.TypeCondition]
	}
	within, err := d.measureSet(parent, inline.SelectionSet)
	within.nesting++
	within.conditional = within.conditional || len(inline.Directives) > 0
	return within, err
}

func (d *document) measureSpread(spread *ast.FragmentSpread) (measure, error) {
	if err := d.checkDirectives(spread.Directives); err != nil {
		return measure{}, err
	}
	within, err := d.measureFragment(spread.Name)
	within.conditional = within.conditional || len(spread.Directives) > 0
	return within, err
}

// measureFragment measures a fragment the first time that it is met. One that
// does not exist is left to validation.
func (d *document) measureFragment(name string) (measure, error) {
	fragment := d.fragments[name]
	if fragment == nil {
		return measure{}, nil
	}
	if known, met := d.spread[name]; met && known == nil {
		return measure{}, models.Err(models.CodeValidation, "the fragment %.100s spreads itself", name)
	} else if met {
		return *known, nil
	}
	d.spread[name] = nil
	if err := d.checkDirectives(fragment.Directives); err != nil {
		return measure{}, err
	}
	within, err := d.measureSet(d.schema.Types[fragment.TypeCondition], fragment.SelectionSet)
	if err != nil {
		return measure{}, err
	}
	within.nesting++
	d.spread[name] = &within
	return within, nil
}

func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func times(a, b int) int {
	if b > 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
