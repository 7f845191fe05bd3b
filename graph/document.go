package graph

import (
	"strconv"

	"atelier/models"

	"github.com/vektah/gqlparser/v2/ast"
)

// The bounds on a document from outside. They are judged on what was parsed,
// before anything looks at the schema, follows a fragment or remembers it.
const (
	maxQuery      = 64 << 10 // bytes
	maxTokens     = 2_000
	maxOperations = 10
	maxFragments  = 50
	// maxRootFields are the fields at the root of a document, maxWorkOfVisitors how
	// many of them may have work done for an anonymous request: not __typename, and
	// not install, which is read once.
	maxRootFields     = 50
	maxWorkOfVisitors = 10
	maxVariables      = 50
	maxDirectives     = 50
	maxAliases        = 200
	// maxDepth is how many fields lie within each other, and
	// maxIntrospectionDepth how many below __schema and __type.
	maxDepth              = 12
	maxIntrospectionDepth = 20
	// maxNesting counts inline fragments and spreads as well as fields.
	maxNesting = 100
	// The cost of a document: see weigh.
	maxCost           = 20_000
	maxCostOfVisitors = 5_000
)

// document is what is measured of a document before it is validated.
type document struct {
	schema    *ast.Schema
	actor     models.Actor
	variables map[string]any
	defaults  map[string]*ast.Value
	fragments map[string]*ast.FragmentDefinition
	// spread is what each fragment comes to: it is measured once, however
	// often it is spread. A fragment at work has nil.
	spread              map[string]*measure
	directives, aliases int
}

// checkDocument refuses a document beyond the bounds. Whether it fits the
// schema is left to validation, which costs little within them.
func checkDocument(schema *ast.Schema, actor models.Actor, parsed *ast.QueryDocument, variables map[string]any) error {
	if n := len(parsed.Operations); n > maxOperations {
		return tooMuch("%d operations, and may have %d", n, maxOperations)
	}
	if n := len(parsed.Fragments); n > maxFragments {
		return tooMuch("%d fragments, and may have %d", n, maxFragments)
	}
	d := &document{
		schema: schema, actor: actor, variables: variables, defaults: map[string]*ast.Value{},
		fragments: map[string]*ast.FragmentDefinition{}, spread: map[string]*measure{},
	}
	for _, fragment := range parsed.Fragments {
		d.fragments[fragment.Name] = fragment
	}
	if err := d.checkVariables(parsed.Operations); err != nil {
		return err
	}
	for _, fragment := range parsed.Fragments {
		if _, err := d.measureFragment(fragment.Name); err != nil {
			return err
		}
	}
	for _, op := range parsed.Operations {
		if err := d.checkOperation(op); err != nil {
			return err
		}
	}
	return nil
}

// checkVariables counts definitions and notes their defaults, which cost asks for.
func (d *document) checkVariables(operations ast.OperationList) error {
	count := 0
	for _, op := range operations {
		for _, variable := range op.VariableDefinitions {
			if count++; count > maxVariables {
				return tooMuch("more than %d variables", maxVariables)
			}
			if err := d.checkDirectives(variable.Directives); err != nil {
				return err
			}
			if variable.DefaultValue == nil {
				continue
			}
			d.defaults[variable.Variable] = variable.DefaultValue
			if err := checkLiteral(variable.DefaultValue, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) checkOperation(op *ast.OperationDefinition) error {
	if err := d.checkDirectives(op.Directives); err != nil {
		return err
	}
	root := map[ast.Operation]*ast.Definition{
		ast.Query: d.schema.Query, ast.Mutation: d.schema.Mutation, ast.Subscription: d.schema.Subscription,
	}[op.Operation]
	m, err := d.measureSet(root, op.SelectionSet)
	if err != nil {
		return err
	}
	most := maxCost
	if !d.actor.SignedIn() {
		most = maxCostOfVisitors
	}
	switch {
	case op.Operation == ast.Mutation && m.roots > 1:
		return models.Err(models.CodeValidation, "a document makes one change at a time: send one mutation")
	case op.Operation == ast.Subscription && (m.roots > 1 || m.conditional):
		return models.Err(models.CodeValidation, "a document subscribes to one thing, unconditionally")
	case m.roots > maxRootFields:
		return tooMuch("more than %d fields at its root", maxRootFields)
	case m.work > maxWorkOfVisitors && !d.actor.SignedIn():
		return tooMuch("more than %d fields at its root that need work, as many as a document may have without signing in", maxWorkOfVisitors)
	case m.depth > maxDepth:
		return tooMuch("fields nested deeper than %d levels", maxDepth)
	case m.cost > most:
		return tooMuch("a cost of %d, and may have %d: ask for shorter lists or fewer fields", m.cost, most)
	}
	return nil
}

// checkDirectives counts directives, reads their arguments, and refuses @defer,
// whose parts have no way to travel.
func (d *document) checkDirectives(directives ast.DirectiveList) error {
	for _, directive := range directives {
		if d.directives++; d.directives > maxDirectives {
			return tooMuch("more than %d directives", maxDirectives)
		}
		if directive.Name == "defer" {
			return models.Err(models.CodeValidation, "@defer is not offered")
		}
		if err := checkArguments(directive.Arguments); err != nil {
			return err
		}
		if err := d.checkCondition(directive.Arguments.ForName("if")); err != nil {
			return err
		}
	}
	return nil
}

// checkCondition refuses what cannot be true or false, a null variable too,
// which the executor takes for granted.
func (d *document) checkCondition(condition *ast.Argument) error {
	if condition == nil || condition.Value.Kind == ast.BooleanValue {
		return nil
	}
	given, sent := d.variables[condition.Value.Raw]
	if condition.Value.Kind == ast.Variable && (!sent || given != nil) {
		return nil
	}
	return models.Err(models.CodeValidation, "if must be true or false")
}

func checkArguments(arguments ast.ArgumentList) error {
	for _, argument := range arguments {
		if err := checkLiteral(argument.Value, 0); err != nil {
			return err
		}
	}
	return nil
}

// checkLiteral refuses values that nest deeper than JSON may, and numbers that
// nothing can hold.
func checkLiteral(value *ast.Value, depth int) (err error) {
	if value == nil {
		return nil
	}
	switch value.Kind {
	case ast.IntValue:
		_, err = strconv.ParseInt(value.Raw, 10, 64)
	case ast.FloatValue:
		_, err = strconv.ParseFloat(value.Raw, 64)
	case ast.ListValue, ast.ObjectValue:
		if depth == models.MaxJSONDepth {
			return models.Err(models.CodeValidation, "a value is nested deeper than %d levels", models.MaxJSONDepth)
		}
		for _, child := range value.Children {
			if err := checkLiteral(child.Value, depth+1); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return models.Err(models.CodeValidation, "%.40s is beyond the range of numbers", value.Raw)
	}
	return nil
}

func tooMuch(format string, args ...any) error {
	return models.Err(models.CodeValidation, "the document has "+format, args...)
}
