package graph

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"atelier/models"

	"github.com/vektah/gqlparser/v2/ast"
)

// What a field costs. A page counts its length times half its fields, so that
// a page of everything is far below the bound and a tower of lists far above;
// any other list counts as a short one. What may be megabytes is large, by its
// type or, where the type does not tell, by its name.
const (
	costOfField     = 1
	costOfJSON      = 20
	costOfLarge     = 500
	lengthOfList    = 10
	lengthOfSchemas = 3
)

// largeTypes are the types whose lists are graphs, results or the catalogue.
var largeTypes = []string{"WorkflowNode", "WorkflowEdge", "NodeState", "NodeType", "NodeModel"}

// largeFields are further fields that hold or read as much.
var largeFields = map[string]int{
	"App.inputItems":            costOfLarge,
	"Workflow.estimatedCredits": costOfLarge, // reads the graph
	"Query.nodeEstimate":        costOfLarge, // reads presets, voices and books
	"Query.__schema":            costOfLarge,
	"Query.__type":              costOfLarge,
	"Job.inputData":             100,
	"Job.outputData":            100,
	"NodeState.output":          100,
	"Result.text":               100,
}

// lengths are lists that are longer than others.
var lengths = map[string]int{"Query.jobsByIds": 100, "Query.recentJobs": 50, "Query.sharedWithMe": models.MaxPageSize / 2}

// weigh is what a field costs with what is selected within it.
func (d *document) weigh(parent string, field *ast.Field, definition *ast.FieldDefinition, within int) int {
	name, kind := parent+"."+field.Name, definition.Type.Name()
	list := definition.Type.Elem != nil
	switch {
	case largeFields[name] > 0:
		return plus(largeFields[name], within)
	case isLargeList(definition.Type):
		return plus(costOfLarge, times(lengthOfList, within))
	case strings.HasSuffix(kind, "Connection"):
		return times(d.length(field), plus(within, costOfField)) / 2
	case kind == "JSON" || kind == "Map":
		return plus(costOfJSON, within)
	case strings.HasSuffix(parent, "Connection"), !list, within == 0: // a page was counted above it
		return plus(within, costOfField)
	case strings.HasPrefix(kind, "__"):
		return times(lengthOfSchemas, plus(within, costOfField))
	case lengths[name] > 0:
		return times(lengths[name], plus(within, costOfField))
	case definition.Arguments.ForName("first") != nil:
		return times(d.length(field), plus(within, costOfField)) / 2
	}
	return times(lengthOfList, plus(within, costOfField))
}

func isLargeList(kind *ast.Type) bool {
	return kind.Elem != nil && slices.Contains(largeTypes, kind.Name())
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
