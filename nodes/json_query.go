package nodes

import (
	"context"
	"encoding/json"
	"errors"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/userprogram"
)

var jsonQueryNode = &kit.Node{
	Type: "json-query", Label: "JSON query", Category: "data", OutputType: "data",
	Description:  "Picks and reshapes data with a jq expression.",
	Capabilities: []string{"data", "jq"},
	InputSchema: kit.Object(
		kit.Anything("data", "Data", "An object, a list, or a text that holds JSON.").Required(),
		kit.Line("query", "Query", "A jq expression, such as .items[].name, or a dot for everything.").Or("."),
	),
	MainInput: "data", MainOutput: "data", Inline: true, Pool: kit.Program,
	Check: func(prefix string, input map[string]any) error {
		query, _ := input["query"].(string)
		if err := userprogram.CheckQuery(query); err != nil {
			return models.Invalid(prefix+"query", "is no jq expression: %s", err)
		}
		return nil
	},
	Run: jsonQuery,
}

func jsonQuery(ctx context.Context, in *kit.Call) (kit.Output, error) {
	data, err := asJSON(in.Input["data"])
	if err != nil {
		return nil, err
	}
	results, err := userprogram.Query{Query: in.Text("query"), Data: data}.Run(ctx)
	if err != nil {
		return nil, wrongProgram(err, "Change the query, or what is connected to the node.")
	}
	return queryOutput(results), nil
}

// wrongProgram shows what is wrong with a user's program as the end of a job.
func wrongProgram(err error, hint string) error {
	var wrong *userprogram.Error
	if errors.As(err, &wrong) {
		return kit.Failf("%s", wrong.Message).WithHint("%s", hint)
	}
	return err
}

// queryOutput shows one result as it is and several as a list; a text comes
// under text too.
func queryOutput(results []any) kit.Output {
	out := kit.Output{"count": len(results), "data": any(results)}
	if len(results) == 1 {
		out["data"] = results[0]
	}
	if s, ok := out["data"].(string); ok {
		out["text"] = s
	}
	return out
}

// asJSON is a value in the plain types of encoding/json; a text is read as JSON.
func asJSON(value any) (any, error) {
	raw, isText := value.(string)
	if !isText {
		b, err := json.Marshal(value)
		if err != nil {
			return nil, notJSON(err)
		}
		raw = string(b)
	}
	if len(raw) > 8*kit.MaxText {
		return nil, kit.Failf("The data is larger than 8 MiB").WithHint("Use less of it at once.")
	}
	var plain any
	if err := models.ReadJSON([]byte(raw), &plain); err != nil {
		return nil, notJSON(err)
	}
	return plain, nil
}

// notJSON says where a text stops to be JSON.
func notJSON(err error) error {
	var wrong *json.SyntaxError
	if refusal, ok := models.AsError(err); ok {
		return kit.Failf("%s", refusal.Message).WithHint("Connect data that is flatter.")
	}
	failure := kit.Failf("The data is no JSON")
	if errors.As(err, &wrong) {
		failure = kit.Failf("The data is no JSON: it goes wrong at character %d", wrong.Offset)
	}
	return failure.WithHint("Connect an object, a list, or a text that holds JSON.")
}
