package mcp

import (
	"context"
	_ "embed" // operations.graphql
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"atelier/graph"
	"atelier/models"
)

// Path is where agents find the tools.
const Path = "/mcp"

//go:embed operations.graphql
var operations string

// Config is what the face needs.
type Config struct {
	Executor *graph.Executor
	Resolver *graph.Resolver
	// PublicURL is the base of addresses of files.
	PublicURL string
	// MetadataURL is where a program finds out how to get a token.
	MetadataURL string
	// Organizations is whether organizations exist on this install; without them
	// there are no tools for workspaces.
	Organizations bool
	// Refusal is why the credentials of a request were not accepted, nil where they
	// were or where there are none.
	Refusal func(context.Context) error
	// Sent is the workspace that the request's header names, nil for none.
	Sent func(context.Context) (*models.ID, error)
	// Select puts a workspace, or with nil the one that the token is bound to, into the
	// actor of a context. One that cannot be selected is none where tolerant.
	Select func(ctx context.Context, workspaceID *models.ID, tolerant bool) (context.Context, error)
	// MayRead tells whether pages of the site that sent the request may read its answer.
	MayRead func(*http.Request) bool
	// Refuse answers a request that is not served, in the form of /v1.
	Refuse func(http.ResponseWriter, *http.Request, error)
	// Closing is closed when the server begins to stop: calls that wait for a run are
	// answered then, and the run goes on.
	Closing <-chan struct{}
}

// face serves the tools.
type face struct {
	Config
	// scopes are what each operation needs.
	scopes map[string][]models.Scope
	tools  map[string]*tool
	server *sdk.Server
	stream http.Handler
	work   atWork
}

const instructions = `Atelier makes pictures, sounds, videos and texts with workflows of nodes, apps and productions.
Look before you make: list_apps and list_workflows show what is there, list_nodes and describe_node what a workflow can be made of.
Runs cost credits. Ask get_credits for the price first, and tell the person. A run that takes long goes on by itself: follow it with get_run.
Work happens in the personal space unless a workspace is selected with select_workspace or named in a call, and that space pays.
Give each run an idempotencyKey of your own, so that a repeated call starts and charges nothing twice.`

// New makes the face.
func New(config Config) http.Handler {
	scopes, err := config.Executor.Needs(operations)
	if err != nil {
		panic(fmt.Sprintf("operations.graphql: %v", err)) // a part of the program
	}
	f := &face{Config: config, scopes: scopes, tools: map[string]*tool{}}
	f.server = sdk.NewServer(&sdk.Implementation{Name: "atelier", Title: "Atelier", Version: "1"}, &sdk.ServerOptions{
		Instructions: instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		Logger:       slog.New(slog.DiscardHandler),
		PageSize:     100,
	})
	f.workflowTools()
	f.nodeTools()
	f.appTools()
	f.runTools()
	f.fileTools()
	f.libraryTools()
	f.productionTools()
	f.creditTools()
	if config.Organizations {
		f.workspaceTools()
	}
	f.stream = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return f.server }, &sdk.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxBody,
		DisableLocalhostProtection: true, // a request without a token is refused, whatever its Host says
		Logger:                     slog.New(slog.DiscardHandler),
	})
	return f
}

// needs are the scopes of operations, each once.
func (f *face) needs(names ...string) []models.Scope {
	found := map[models.Scope]bool{}
	for _, name := range names {
		scopes, known := f.scopes[name]
		if !known {
			panic("operations.graphql has no operation " + name) // a part of the program
		}
		for _, scope := range scopes {
			found[scope] = true
		}
	}
	var needed []models.Scope
	for _, scope := range models.Scopes {
		if found[scope] {
			needed = append(needed, scope)
		}
	}
	return needed
}

// atWork are the calls that can be cancelled, by who made them.
type atWork struct {
	mu    sync.Mutex
	calls map[callName]*call
}

// callName names a call within this process: ids are unique in a session alone.
type callName struct {
	user        models.ID
	session, id string
}

// begin lets a call be cancelled until end is called. A call without a session, or with
// an id that another call of its session still has, cannot be.
func (a *atWork) begin(name callName, c *call) (end func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.calls == nil {
		a.calls = map[callName]*call{}
	}
	if name.session == "" || a.calls[name] != nil {
		return func() {}
	}
	a.calls[name] = c
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.calls, name)
	}
}

func (a *atWork) cancel(name callName) {
	a.mu.Lock()
	c := a.calls[name]
	a.mu.Unlock()
	if c != nil {
		c.cancel()
	}
}
