package nodes

import (
	"context"
	"fmt"
	"strings"
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
	if wrong := issues.Errors(); len(wrong) > 0 {
		return nil, fmt.Errorf("%s (line %d, character %d)", conditionWords(wrong[0].Message), wrong[0].Location.Line(), wrong[0].Location.Column()+1)
	}
	return env.Program(ast, cel.CostLimit(conditionCost), cel.InterruptCheckFrequency(100))
}

// conditionWords puts what CEL complains of into words for the author.
func conditionWords(complaint string) string {
	for _, w := range [][2]string{
		{" (in container '')", ""}, {"undeclared reference to", "there is no"}, {"google.protobuf.Timestamp", "timestamp"}, {"google.protobuf.Duration", "duration"},
		{"operation cancelled: actual cost limit exceeded", "it takes too much work"}, {"operation interrupted", "it takes too much time"},
		{"no such overload: ", "values of this type do not go with "}, {"found no matching overload for", "values of these types do not go with"},
		{"Syntax error: ", ""}, {"<EOF>", "the end"},
	} {
		complaint = strings.ReplaceAll(complaint, w[0], w[1])
	}
	return complaint
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
		return nil, failf("The expression could not be worked out: %s", conditionWords(err.Error())).
			hint("Change the expression, or what is connected to the node; has(values.name) asks whether a value is there.")
	}
	holds, ok := result.Value().(bool)
	if !ok {
		return nil, failf("The expression yields a value of type %s, not true or false", result.Type().TypeName()).
			hint("Compare it with something, such as input == \"yes\".")
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
