package userprogram

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	celast "github.com/google/cel-go/common/ast"
)

const (
	conditionCost  = 1_000_000 // in CEL's units of work
	conditionTime  = 2 * time.Second
	conditionDepth = 30
	// dataAtOnce is how much data, in bytes, a condition may look at in the
	// process itself: comparing two values costs one unit, however large they are.
	dataAtOnce = 4 << 10
)

// Condition is an expression (CEL) on an input and named values.
type Condition struct {
	Expression string
	Input      any
	Values     map[string]any
}

// CheckCondition tells whether an expression compiles, within bounds.
func CheckCondition(expression string) error {
	_, _, err := compileCondition(expression)
	return err
}

// compileCondition also tells whether the expression matches patterns, whose
// cost CEL takes for far less than it is.
func compileCondition(expression string) (program cel.Program, matches bool, err error) {
	if len(expression) > 4*maxProgram {
		return nil, false, wrong("it is longer than %d characters", maxProgram)
	}
	env, err := cel.NewEnv(
		cel.Variable("input", cel.DynType), cel.Variable("values", cel.MapType(cel.StringType, cel.DynType)),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(maxProgram), cel.ParserRecursionLimit(conditionDepth),
	)
	if err != nil {
		return nil, false, err
	}
	ast, issues := env.Compile(expression)
	if all := issues.Errors(); len(all) > 0 {
		at := all[0].Location
		return nil, false, wrong("%s (line %d, character %d)", conditionWords(all[0].Message), at.Line(), at.Column()+1)
	}
	celast.PreOrderVisit(ast.NativeRep().Expr(), celast.NewExprVisitor(func(e celast.Expr) {
		matches = matches || e.Kind() == celast.CallKind && e.AsCall().FunctionName() == "matches"
	}))
	program, err = env.Program(ast, cel.CostLimit(conditionCost), cel.InterruptCheckFrequency(100))
	return program, matches, err
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

// Run tells whether the condition holds. What the author can mend is an *Error.
func (c Condition) Run(ctx context.Context) (holds bool, err error) {
	_, matches, err := compileCondition(c.Expression)
	if err != nil {
		return false, wrong("The expression is no condition: %s", err)
	}
	data, err := json.Marshal([]any{c.Input, c.Values})
	if err != nil {
		return false, err
	}
	if matches || len(data) > dataAtOnce {
		return holds, inChild(ctx, "cel", "expression", c, &holds)
	}
	return c.eval(ctx)
}

func (c Condition) run() (bool, error) { return c.eval(context.Background()) }

func (c Condition) eval(ctx context.Context) (bool, error) {
	program, _, err := compileCondition(c.Expression)
	if err != nil {
		return false, wrong("The expression is no condition: %s", err)
	}
	bound, cancel := context.WithTimeout(ctx, conditionTime)
	defer cancel()
	values := c.Values
	if values == nil {
		values = map[string]any{}
	}
	result, _, err := program.ContextEval(bound, map[string]any{"input": c.Input, "values": values})
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, wrong("The expression could not be worked out: %s", conditionWords(err.Error()))
	}
	holds, ok := result.Value().(bool)
	if !ok {
		return false, wrong("The expression yields a value of type %s, not true or false", result.Type().TypeName())
	}
	return holds, nil
}
