package graph

import (
	"context"
	"net/http"
	"time"

	"atelier/graph/generated"
	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The limits on a document from outside. A list counts its length times its
// fields, so that a page of everything is far below them and a tower of lists far above.
const (
	maxComplexity = 20_000
	maxDepth      = 12
	maxBody       = 5 << 20
)

// NewHandler serves the schema at /graphql: POST, and server-sent events for subscriptions.
func NewHandler(r *Resolver) http.Handler {
	server := handler.New(newSchema(r))
	server.AddTransport(transport.SSE{KeepAlivePingInterval: 15 * time.Second})
	server.AddTransport(transport.POST{})
	configure(server, r)
	server.Use(extension.FixedComplexityLimit(maxComplexity))
	server.Use(depthLimit(maxDepth))
	server.Use(oneMutation{})
	server.Use(introspectionForMembers{})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Body = http.MaxBytesReader(w, req.Body, maxBody)
		server.ServeHTTP(w, req)
	})
}

func newSchema(r *Resolver) graphql.ExecutableSchema {
	config := generated.Config{Resolvers: r}
	limitLists(&config.Complexity)
	return generated.NewExecutableSchema(config)
}

// runner is what the HTTP handler and the in-process executor have in common.
type runner interface {
	SetErrorPresenter(graphql.ErrorPresenterFunc)
	SetRecoverFunc(graphql.RecoverFunc)
	SetQueryCache(graphql.Cache[*ast.QueryDocument])
	Use(graphql.HandlerExtension)
}

func configure(r runner, resolver *Resolver) {
	r.SetErrorPresenter(presentError)
	r.SetRecoverFunc(recovered)
	r.SetQueryCache(lru.New[*ast.QueryDocument](1000))
	r.Use(streams{resolver})
	r.Use(coveredByToken{})
}

var (
	_ runner = (*handler.Server)(nil)
	_ runner = (*executor.Executor)(nil)
)

// introspectionForMembers shows the schema to signed-in people alone.
type introspectionForMembers struct{}

// ExtensionName names the rule.
func (introspectionForMembers) ExtensionName() string { return "IntrospectionForMembers" }

// Validate accepts every schema.
func (introspectionForMembers) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext opens introspection.
func (introspectionForMembers) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = !models.ActorFrom(ctx).SignedIn()
	return nil
}
