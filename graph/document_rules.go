package graph

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// rulesForOutside are the rules of the specification for one document, but that
// nothing of the schema is suggested, that equal fields are compared in one
// pass, and that they stop collecting faults no one will read.
func rulesForOutside() *rules.Rules {
	own := rules.NewRules(
		rules.FieldsOnCorrectTypeRuleWithoutSuggestions, rules.ScalarLeafsRuleWithoutSuggestions,
		core.Rule{Name: rules.KnownArgumentNamesRule.Name, RuleFunc: rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc},
		core.Rule{Name: rules.KnownTypeNamesRule.Name, RuleFunc: rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc},
		core.Rule{Name: rules.ValuesOfCorrectTypeRule.Name, RuleFunc: rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc},
		core.Rule{Name: rules.OverlappingFieldsCanBeMergedRule.Name, RuleFunc: fieldsMerge},
	)
	for name, rule := range rules.NewDefaultRules().GetInner() {
		if name != rules.FieldsOnCorrectTypeRule.Name && name != rules.ScalarLeafsRule.Name {
			own.AddRule(name, rule) // except for those that are there already
		}
	}
	faults := 0
	for name, rule := range own.GetInner() {
		own.ReplaceRule(name, func(observers *core.Events, addError core.AddErrFunc) {
			rule(observers, func(options ...core.ErrorOption) {
				if faults++; faults <= maxFaults {
					addError(options...)
				}
			})
		})
	}
	return own
}

// fieldsMerge refuses fields of one response name that are not the same field
// with the same arguments. The schema has no interfaces and unions, so all
// fields of a place are those of one type, and comparing each with the first of
// its name says as much as comparing all pairs.
func fieldsMerge(observers *core.Events, addError core.AddErrFunc) {
	observers.OnOperation(func(_ *core.Walker, op *ast.OperationDefinition) {
		m := &merger{calls: map[*ast.Field]string{}}
		if field := m.conflict([]ast.SelectionSet{op.SelectionSet}); field != nil {
			addError(core.Message("Fields %q conflict: they ask for different things under one name. Give one of them an alias.", field.Alias),
				core.At(field.Position))
		}
	})
}

// merger merges the selections that answer one object.
type merger struct {
	calls map[*ast.Field]string // the fields as they are called
}

// conflict is a field that differs from an earlier one of its name, nil without one.
func (m *merger) conflict(sets []ast.SelectionSet) *ast.Field {
	named, order := map[string][]*ast.Field{}, []string{}
	met := map[string]bool{}
	var collect func(ast.SelectionSet)
	collect = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				if named[s.Alias] == nil {
					order = append(order, s.Alias)
				}
				named[s.Alias] = append(named[s.Alias], s)
			case *ast.InlineFragment:
				collect(s.SelectionSet)
			case *ast.FragmentSpread:
				if s.Definition != nil && !met[s.Name] {
					met[s.Name] = true
					collect(s.Definition.SelectionSet)
				}
			}
		}
	}
	for _, set := range sets {
		collect(set)
	}
	for _, alias := range order {
		if field := m.conflictWithin(named[alias]); field != nil {
			return field
		}
	}
	return nil
}

func (m *merger) conflictWithin(same []*ast.Field) *ast.Field {
	var within []ast.SelectionSet
	for _, field := range same {
		if m.call(field) != m.call(same[0]) {
			return field
		}
		if len(field.SelectionSet) > 0 {
			within = append(within, field.SelectionSet)
		}
	}
	if within == nil {
		return nil
	}
	return m.conflict(within)
}

// call is a field's name with its arguments, written once.
func (m *merger) call(field *ast.Field) string {
	if known, ok := m.calls[field]; ok {
		return known
	}
	m.calls[field] = callOf(field)
	return m.calls[field]
}

// callOf is a field's name with its arguments, in one order.
func callOf(field *ast.Field) string {
	arguments := make([]string, len(field.Arguments))
	for i, argument := range field.Arguments {
		arguments[i] = argument.Name + ":" + argument.Value.String()
	}
	slices.Sort(arguments)
	return field.Name + "(" + strings.Join(arguments, ",") + ")"
}
