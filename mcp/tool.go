package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"atelier/models"
)

// maxAnswer bounds the structured content of an answer, in bytes.
const maxAnswer = 512 << 10

// tool is what an agent is told of a tool, and what its callers need.
type tool struct {
	Name, Title, Description string
	// Operations are what the tool asks; its scopes are theirs.
	Operations []string
	// Reads: it changes nothing. Destroys: it may end or replace something. Repeats:
	// another call with the same arguments changes nothing more. Outside: it reaches
	// beyond this install. Anywhere: it works in no space, so that one which cannot be
	// selected any more does not stand in its way.
	Reads, Destroys, Repeats, Outside, Anywhere bool

	needs []models.Scope
}

// call is one call of a tool.
type call struct {
	*face
	tool    *tool
	request *sdk.CallToolRequest
	in      *incoming
	// contents are pictures, sounds and links beside the answer.
	contents []sdk.Content
	// cancel says that the client does not want the call any more; unwanted is closed then.
	cancel   func()
	unwanted chan struct{}
}

// cancelPatience is how long after its client left a call may still be cancelled: a
// client that cancels closes the stream of the answer first.
const cancelPatience = 5 * time.Second

// wasCancelled tells whether the client cancelled a call whose context ended, and did
// not just lose its connection, as all clients do when the server stops.
func (c *call) wasCancelled() bool {
	select {
	case <-c.unwanted: // counts although the server stops
		return true
	default:
	}
	select {
	case <-c.Closing:
		return false
	default:
	}
	if c.in.modern && c.in.context.Err() != nil {
		return true
	}
	if c.in.session == "" {
		return false
	}
	timer := time.NewTimer(cancelPatience)
	defer timer.Stop()
	select {
	case <-c.unwanted:
		return true
	case <-c.Closing:
		return false
	case <-timer.C:
		return false
	}
}

// Space is the argument of tools that work in a space.
type Space struct {
	Workspace string `json:"workspace,omitempty" jsonschema:"Id of the workspace to work in, or 'personal'. Absent: what select_workspace chose, else the personal space."`
}

// Paged are the arguments of lists.
type Paged struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"Rows, 1 to 50; 20 when absent."`
	Cursor string `json:"cursor,omitempty" jsonschema:"nextCursor of the page before."`
}

// Once is the argument of tools that create or spend.
type Once struct {
	IdempotencyKey string `json:"idempotencyKey,omitempty" jsonschema:"Any text of your own, the same in a retry: for 24 hours the call is then done and charged once."`
}

// variables of a list.
func (p Paged) variables() (map[string]any, error) {
	if p.Limit < 0 || p.Limit > 50 {
		return nil, models.Invalid("limit", "must be 1 to 50")
	}
	variables := map[string]any{"first": p.Limit}
	if p.Limit == 0 {
		variables["first"] = 20
	}
	if p.Cursor != "" {
		variables["after"] = p.Cursor
	}
	return variables, nil
}

// pageInfo tells whether a list goes on.
type pageInfo struct {
	HasNextPage bool    `json:"hasNextPage"`
	EndCursor   *string `json:"endCursor"`
}

func (p pageInfo) next() string {
	if !p.HasNextPage || p.EndCursor == nil {
		return ""
	}
	return *p.EndCursor
}

// schemas are those of types whose JSON is not that of their fields.
var schemas = &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[models.Credits]():  {Type: "number", Description: "Credits."},
	reflect.TypeFor[*models.Credits](): {Types: []string{"number", "null"}, Description: "Credits; null: without a limit."},
	reflect.TypeFor[json.RawMessage](): {},
}}

// schemaOf describes a type; of a pointer what it points to.
func schemaOf[T any]() *jsonschema.Schema {
	of := reflect.TypeFor[T]()
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	schema, err := jsonschema.ForType(of, schemas)
	if err != nil {
		panic(err) // a type of the program
	}
	return schema
}

// add offers a tool.
func add[In, Out any](f *face, t tool, do func(context.Context, *call, In) (Out, error)) {
	t.needs = f.needs(t.Operations...)
	f.tools[t.Name] = &t
	input := schemaOf[In]()
	resolved, err := input.Resolve(nil)
	if err != nil {
		panic(err)
	}
	destroys, outside := t.Destroys, t.Outside
	f.server.AddTool(&sdk.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: input, OutputSchema: schemaOf[Out](),
		Annotations: &sdk.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: t.Reads, DestructiveHint: &destroys, IdempotentHint: t.Repeats || t.Reads, OpenWorldHint: &outside,
		},
	}, func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		in, _ := ctx.Value(incomingKey{}).(*incoming)
		c := &call{face: f, tool: &t, request: request, in: in}
		return c.answer(ctx, resolved, func(ctx context.Context, arguments json.RawMessage) (any, error) {
			var sent In
			if err := models.ReadJSON(arguments, &sent); err != nil {
				return nil, models.Err(models.CodeValidation, "The arguments do not fit the tool's input schema: %s", shortened(err.Error()))
			}
			return do(ctx, c, sent)
		})
	})
}

// answer does a call, for as long as its request lasts. A refusal is an answer that
// says what to do next.
func (c *call) answer(ctx context.Context, schema *jsonschema.Resolved, do func(context.Context, json.RawMessage) (any, error)) (result *sdk.CallToolResult, err error) {
	defer func() { // it would end the process: the protocol works in a goroutine of its own
		if fault := recover(); fault != nil {
			slog.ErrorContext(ctx, "panic", "tool", c.tool.Name, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			result, err = c.refused(ctx, models.Err(models.CodeInternal, "Something failed on our side. Try once more in a moment.")), nil
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.in.context, cancel)()
	c.unwanted = make(chan struct{})
	c.cancel = sync.OnceFunc(func() { close(c.unwanted); cancel() })
	defer c.work.begin(callName{models.ActorFrom(ctx).UserID, c.in.session, c.in.id}, c)()
	arguments := c.request.Params.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	answer, err := c.do(ctx, schema, arguments, do)
	if err != nil {
		return c.refused(ctx, err), nil
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return c.refused(ctx, err), nil
	}
	if len(text) > maxAnswer {
		return c.refused(ctx, models.Err(models.CodeLimitReached, "The answer has %d bytes, more than an agent is given at once. Ask for less, or have the person look at it in the console.", len(text))), nil
	}
	return &sdk.CallToolResult{
		Content: append([]sdk.Content{&sdk.TextContent{Text: string(text)}}, c.contents...), StructuredContent: json.RawMessage(text),
	}, nil
}

func (c *call) do(ctx context.Context, schema *jsonschema.Resolved, arguments json.RawMessage, do func(context.Context, json.RawMessage) (any, error)) (any, error) {
	var sent map[string]any
	if err := models.ReadJSON(arguments, &sent); err != nil {
		return nil, models.Err(models.CodeValidation, "The arguments must be an object")
	}
	if err := schema.Validate(sent); err != nil {
		return nil, models.Err(models.CodeValidation, "The arguments do not fit the tool's input schema: %s", shortened(strings.TrimPrefix(err.Error(), "validating root: ")))
	}
	ctx, err := c.enter(ctx, sent["workspace"])
	if err != nil {
		return nil, err
	}
	actor := models.ActorFrom(ctx) // of the workspace that was entered
	if actor.Client == "" {
		actor.Client = "mcp"
	}
	return do(models.WithActor(ctx, actor), arguments)
}

// enter selects the workspace of the call: the one that it names, else that of the
// request's header, else that of the session.
func (c *call) enter(ctx context.Context, named any) (context.Context, error) {
	if !c.Organizations {
		return ctx, nil
	}
	if name, _ := named.(string); name == personal {
		return c.Select(ctx, nil, false)
	} else if name != "" {
		id, err := models.ParseID("workspace", name)
		if err != nil {
			return ctx, err
		}
		return c.Select(ctx, &id, false)
	}
	wanted, err := c.Sent(ctx)
	if err == nil && wanted == nil && c.in.session != "" {
		wanted, err = c.Resolver.Orgs.Workspaces().AgentSelection(ctx, c.in.session)
	}
	if err != nil {
		return ctx, err
	}
	return c.Select(ctx, wanted, c.tool.Anywhere)
}

// personal is what the personal space is called in arguments.
const personal = "personal"

// ask runs an operation and reads its data.
func (c *call) ask(ctx context.Context, operation string, variables map[string]any, into any) error {
	sent, err := json.Marshal(variables)
	if err != nil {
		return err
	}
	raw, err := c.Executor.Execute(ctx, operations, operation, sent)
	return read(raw, err, into)
}

// once is ask under an idempotency key, where there is one.
func (c *call) once(ctx context.Context, key, operation string, variables map[string]any, into any) error {
	if key == "" {
		return c.ask(ctx, operation, variables, into)
	}
	if len(key) > 200 {
		return models.Invalid("idempotencyKey", "must have 1 to 200 bytes")
	}
	sent, err := json.Marshal(variables)
	if err != nil {
		return err
	}
	actor := models.ActorFrom(ctx)
	about, err := json.Marshal(map[string]any{"tool": c.tool.Name, "arguments": variables, "workspace": actor.WorkspaceID, "only": actor.WorkflowIDs})
	if err != nil {
		return err
	}
	raw, err := c.Executor.ExecuteOnceAs(ctx, "mcp:"+key, about, operations, operation, sent)
	return read(raw, err, into)
}

// read reads the response of an operation: its data, or its first error as a refusal.
func read(raw json.RawMessage, err error, into any) error {
	if err != nil {
		return err
	}
	var response struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct {
			Message    string         `json:"message"`
			Extensions map[string]any `json:"extensions"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(raw, &response); err != nil {
		return err
	}
	if len(response.Errors) > 0 {
		first := response.Errors[0]
		code, _ := first.Extensions["code"].(string)
		field, _ := first.Extensions["field"].(string)
		refusal := &models.Error{Code: models.Code(code), Message: first.Message, Field: strings.TrimPrefix(field, "input.")}
		if seconds, ok := first.Extensions["retryAfter"].(float64); ok {
			refusal.RetryAfter = time.Duration(seconds) * time.Second
		}
		return refusal
	}
	return json.Unmarshal(response.Data, into)
}

func shortened(text string) string {
	const most = 400
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
