package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/userprogram"
)

var conditionNode = &kit.Node{
	Type: "condition", Label: "Condition", Category: "data", OutputType: "data",
	Description:  "Chooses between two values by an expression (CEL), for example size(input) > 20 or values.price < 10.0.",
	Capabilities: []string{"data", "cel"},
	InputSchema: kit.Object(
		kit.Anything("input", "Input", "Called input in the expression."),
		kit.NamedField("values", "Values", "Called values.name in the expression.", kit.Schema{}),
		kit.Area("expression", "Expression", "Must yield true or false.").Required(),
		kit.Anything("then", "If true", "Passed on when true; without it the input is."),
		kit.Anything("otherwise", "If false", "Passed on when false."),
	),
	MainInput: "input", MainOutput: "data", Inline: true, Pool: kit.Program,
	Check: func(prefix string, input map[string]any) error {
		expression, _ := input["expression"].(string)
		if err := userprogram.CheckCondition(expression); err != nil {
			return models.Invalid(prefix+"expression", "is no condition: %s", err)
		}
		return nil
	},
	Run: condition,
}

func condition(ctx context.Context, in *kit.Call) (kit.Output, error) {
	holds, err := userprogram.Condition{
		Expression: in.Text("expression"), Input: in.Input["input"], Values: in.Object("values"),
	}.Run(ctx)
	if err != nil {
		return nil, wrongProgram(err, "Change the expression, or what is connected to the node; has(values.name) asks whether a value is there.")
	}
	chosen := in.Input["otherwise"]
	if holds {
		chosen = in.Input["then"]
		if chosen == nil {
			chosen = in.Input["input"]
		}
	}
	out := passOn(chosen)
	out["result"] = holds
	return out, nil
}
