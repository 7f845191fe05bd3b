package graph

import (
	"encoding/json"
	"strconv"
	"strings"

	"atelier/models"

	"github.com/vektah/gqlparser/v2/ast"
)

// What a field costs. A page counts its length times half its fields, so that
// a page of everything is far below the bound and a tower of lists far above;
// any other list counts as a short one, or as @listSize says. @cost says in the
// schema what weighs more.
const (
	costOfField     = 1
	costOfSchema    = 500
	lengthOfList    = 10
	lengthOfSchemas = 3
)

// weigh is what a field costs with what is selected within it.
func (d *document) weigh(parent string, field *ast.Field, definition *ast.FieldDefinition, within int) int {
	name, list := definition.Type.Name(), definition.Type.Elem != nil
	kind := d.schema.Types[name]
	switch {
	case ownWeight(definition) > 0:
		return plus(ownWeight(definition), within)
	case listWeight(d.schema, definition.Type) > 0:
		return plus(listWeight(d.schema, definition.Type), times(lengthOfList, within))
	case strings.HasSuffix(name, "Connection"):
		return times(d.length(field), plus(within, costOfField)) / 2
	case kind.Kind == ast.Scalar && weightOf(kind.Directives) > 0:
		return plus(weightOf(kind.Directives), within)
	case strings.HasSuffix(parent, "Connection"), !list, within == 0: // a page was counted above it
		return plus(within, costOfField)
	case strings.HasPrefix(name, "__"):
		return times(lengthOfSchemas, plus(within, costOfField))
	case assumedSizeOf(definition.Directives) > 0:
		return times(assumedSizeOf(definition.Directives), plus(within, costOfField))
	case definition.Arguments.ForName("first") != nil:
		return times(d.length(field), plus(within, costOfField)) / 2
	}
	return times(lengthOfList, plus(within, costOfField))
}

// ownWeight returns the weight of a field that costs more than others, 0 for others.
func ownWeight(field *ast.FieldDefinition) int {
	if introspects(field.Name) {
		return costOfSchema
	}
	return weightOf(field.Directives)
}

// listWeight returns the weight of a list whose objects are large, 0 for other types.
func listWeight(schema *ast.Schema, of *ast.Type) int {
	if kind := schema.Types[of.Name()]; of.Elem != nil && kind.Kind == ast.Object {
		return weightOf(kind.Directives)
	}
	return 0
}

// length is the size of a page, the largest one when it cannot be told: what
// is wrong with it is said later.
func (d *document) length(field *ast.Field) int {
	argument := field.Arguments.ForName("first")
	if argument == nil {
		return models.DefaultPageSize
	}
	value := argument.Value
	if value.Kind == ast.Variable {
		given, sent := d.variables[value.Raw]
		if sent {
			return lengthOf(given)
		}
		value = d.defaults[value.Raw]
	}
	if value == nil || value.Kind == ast.NullValue {
		return models.DefaultPageSize
	}
	return lengthOf(json.Number(value.Raw))
}

func lengthOf(first any) int {
	if first == nil {
		return models.DefaultPageSize
	}
	number, _ := first.(json.Number)
	n, err := strconv.Atoi(string(number))
	if err != nil {
		return models.MaxPageSize
	}
	return min(max(n, 1), models.MaxPageSize)
}
