package nodes

import (
	"context"
	"time"

	"github.com/google/cel-go/cel"

	"atelier/models"
)

var conditionNode = &Node{
	Type: "condition", Label: "Condition", Category: "data", OutputType: "data",
	Description:  "Chooses between two values by an expression (CEL), for example size(input) > 20 or values.price < 10.0.",
	Capabilities: []string{"data", "cel"},
	InputSchema: object(
		anything("input", "Input", "Called input in the expression."),
		named("values", "Values", "Called values.name in the expression.", Schema{}),
		area("expression", "Expression", "Must yield true or false.").required(),
		anything("then", "If true", "Passed on when true; without it the input is."),
		anything("otherwise", "If false", "Passed on when false."),
	),
	MainInput: "input", MainOutput: "data", Inline: true, Pool: Cheap,
	Check: func(prefix string, input map[string]any) error {
		expression, _ := input["expression"].(string)
		if _, err := compileCondition(expression); err != nil {
			return models.Invalid(prefix+"expression", "is no condition: %s", err)
		}
		return nil
	},
	Run: condition,
}

const (
	conditionCost = 1_000_000 // in CEL's units of work
	conditionTime = 2 * time.Second
)

func compileCondition(expression string) (cel.Program, error) {
	env, err := cel.NewEnv(
		cel.Variable("input", cel.DynType), cel.Variable("values", cel.MapType(cel.StringType, cel.DynType)),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(20_000), cel.ParserRecursionLimit(100),
	)
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	return env.Program(ast, cel.CostLimit(conditionCost), cel.InterruptCheckFrequency(100))
}

func condition(ctx context.Context, in *Call) (Output, error) {
	program, err := compileCondition(in.text("expression"))
	if err != nil {
		return nil, failf("The expression is no condition: %s", err)
	}
	values := in.object("values")
	if values == nil {
		values = map[string]any{}
	}
	bound, cancel := context.WithTimeout(ctx, conditionTime)
	defer cancel()
	result, _, err := program.ContextEval(bound, map[string]any{"input": in.Input["input"], "values": values})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, failf("The expression could not be worked out: %s", err)
	}
	holds, ok := result.Value().(bool)
	if !ok {
		return nil, failf("The expression yields %s, not true or false", result.Type().TypeName())
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
