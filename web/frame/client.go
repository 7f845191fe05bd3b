package frame

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"atelier/web/ui"

	"github.com/Khan/genqlient/graphql"
)

// Executor runs GraphQL operations in this process, as the caller that the context carries.
type Executor interface {
	// Execute returns the whole response: {data, errors}. Errors carry extensions.code, .status, .field and
	// .retryAfter (seconds).
	Execute(ctx context.Context, query, operationName string, variables json.RawMessage) (json.RawMessage, error)
	// ExecuteOnce is Execute for a form that may be sent twice: the same key gets the first answer again.
	ExecuteOnce(ctx context.Context, key, query, operationName string, variables json.RawMessage) (json.RawMessage, error)
	// Subscribe runs a subscription and ticks at every event. The channel closes when the caller may no longer
	// see what it is about, and when ctx ends.
	Subscribe(ctx context.Context, query, operationName string, variables json.RawMessage) (<-chan struct{}, error)
}

// client is the transport of the generated calls in package query.
type client struct{ executor Executor }

type response struct {
	// Data is where data goes; null makes it nil.
	Data   any             `json:"data"`
	Errors []responseError `json:"errors"`
}

type responseError struct {
	Message    string `json:"message"`
	Extensions struct {
		Code       string  `json:"code"`
		Status     int     `json:"status"`
		Field      string  `json:"field"`
		RetryAfter float64 `json:"retryAfter"`
		// Nodes are those that a credential_unbound names.
		Nodes []NamedNode `json:"nodes"`
		// SecondFactorToken and Methods are those of second_factor_required.
		SecondFactorToken string   `json:"secondFactorToken"`
		Methods           []string `json:"methods"`
	} `json:"extensions"`
}

// MakeRequest runs one operation. The first GraphQL error comes back as *Error; data that arrived beside it is
// decoded all the same.
func (c client) MakeRequest(ctx context.Context, req *graphql.Request, resp *graphql.Response) error {
	variables, err := json.Marshal(req.Variables)
	if err != nil {
		return fmt.Errorf("variables of %s: %w", req.OpName, err)
	}
	raw, err := c.run(ctx, req, variables)
	if err != nil {
		return fmt.Errorf("%s: %w", req.OpName, err)
	}
	answer := response{Data: resp.Data}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return fmt.Errorf("answer to %s: %w", req.OpName, err)
	}
	if answer.Data != nil {
		sayCatalogue(ctx, resp.Data)
	}
	if len(answer.Errors) > 0 {
		return c.refusal(ctx, answer.Errors[0])
	}
	return nil
}

// run executes an operation; a mutation of a form that carries a key is executed once.
func (c client) run(ctx context.Context, req *graphql.Request, variables json.RawMessage) (json.RawMessage, error) {
	key := onceKeyOf(ctx)
	if key != "" && strings.HasPrefix(strings.TrimSpace(req.Query), "mutation") {
		return c.executor.ExecuteOnce(ctx, key, req.Query, req.OpName, variables)
	}
	return c.executor.Execute(ctx, req.Query, req.OpName, variables)
}

// refusal is the error for people, with a message in the words of their place.
func (c client) refusal(ctx context.Context, e responseError) *Error {
	out := &Error{
		Code: e.Extensions.Code, Said: e.Message, Field: e.Extensions.Field, Status: e.Extensions.Status,
		RetryAfter: time.Duration(e.Extensions.RetryAfter * float64(time.Second)), Nodes: e.Extensions.Nodes,
		StepToken: e.Extensions.SecondFactorToken, StepMethods: e.Extensions.Methods,
	}
	if out.Status < 400 || out.Status > 599 {
		out.Status = 500
	}
	if out.Message = c.forPeople(ctx, out.Field, e.Message); out.tooOften() {
		out.Message = t(ctx, "That was too often. Try it again %s.", ui.Wait(ctx, retrySeconds(out)))
	}
	return out
}
