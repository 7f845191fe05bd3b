package kit

import (
	"context"
	"fmt"
	"runtime/debug"

	"atelier/models"
)

// Do runs the node: it fills in defaults, converts what edges brought, moves
// numbers into range (the output names them under adjustments), checks the form
// and calls Run. It ends with an output, a
// *Pause, a *Failure, the context's error, or an error that is a fault of ours.
func (n *Node) Do(ctx context.Context, in *Call) (out Output, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("node %s panicked: %v\n%s", n.Type, r, debug.Stack())
		}
	}()
	if n.Run == nil {
		return nil, fmt.Errorf("node %s is run by the engine itself", n.Type)
	}
	call := *in
	call.Providers = n.providers
	if call.room == nil {
		call.room = &room{}
		defer call.room.leave()
	}
	if n.Lay != nil {
		if err := n.Lay(&call); err != nil {
			return nil, FailureOf(err)
		}
	}
	var moved []Adjustment
	call.Input, moved, _ = n.Clamp(n.complete(call.Input))
	if err := n.Validate("", call.Input); err != nil {
		return nil, FailureOf(err)
	}
	if model, ok := n.modelOf(call.Input); ok {
		out, err = n.Remote[model.Provider](ctx, &call, model)
	} else {
		out, err = n.Run(ctx, &call)
	}
	if err == nil && len(moved) > 0 {
		out["adjustments"] = moved
	}
	return out, err
}

// FailureOf shows a refusal of settings as the end of a job.
func FailureOf(err error) error {
	if refusal, ok := err.(*models.Error); ok {
		return &Failure{Message: refusal.Message, Hint: "Change the node's settings, or what is connected to it, and run it again."}
	}
	return err
}

// Failf makes a Failure without a hint.
func Failf(format string, args ...any) *Failure {
	return &Failure{Message: fmt.Sprintf(format, args...)}
}

// WithHint adds what the user can do about it.
func (f *Failure) WithHint(format string, args ...any) *Failure {
	f.Hint = fmt.Sprintf(format, args...)
	return f
}

// Report reports percent when a person listens.
func (in *Call) Report(percent int) {
	if in.Progress != nil {
		in.Progress(max(0, min(100, percent)))
	}
}

// The getters read fields that Do has checked; a field without a value yields
// the zero value.

func (in *Call) Text(name string) string {
	s, _ := in.Input[name].(string)
	return s
}

func (in *Call) Number(name string) float64 {
	v, _ := ToNumber(in.Input[name])
	return v
}

func (in *Call) Integer(name string) int { return int(in.Number(name)) }

func (in *Call) Flag(name string) bool {
	v, _ := in.Input[name].(bool)
	return v
}

func (in *Call) Has(name string) bool { return in.Input[name] != nil }

func (in *Call) List(name string) []any {
	v, _ := in.Input[name].([]any)
	return v
}

func (in *Call) Object(name string) map[string]any {
	v, _ := in.Input[name].(map[string]any)
	return v
}
