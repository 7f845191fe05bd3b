package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"atelier/graph/generated"
	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// server is /graphql: documents of people and programs outside, within bounds.
type server struct {
	*executor.Executor
	streams transport.SSE
	common  *common
}

// NewHandler serves the schema at /graphql: POST, and server-sent events for subscriptions.
func NewHandler(r *Resolver) http.Handler {
	schema := newSchema(r)
	s := &server{executor.New(schema), transport.SSE{KeepAlivePingInterval: 15 * time.Second}, newCommon()}
	configure(s.Executor, r)
	s.SetQueryCache(newSmallDocuments())
	s.SetParserTokenLimit(maxTokens)
	s.SetDisableSuggestion(true)
	s.SetDefaultRulesFn(rulesForOutside)
	s.Use(bounded{schema.Schema()})
	return s
}

func newSchema(r *Resolver) graphql.ExecutableSchema {
	return generated.NewExecutableSchema(generated.Config{
		Schema: published(), Resolvers: r, Directives: generated.DirectiveRoot{RecentlyConfirmed: recentlyConfirmed},
	})
}

// published is the schema without the definitions of the directives that the
// server alone reads, so that introspection shows only those for clients.
func published() *ast.Schema {
	shown := *generated.NewExecutableSchema(generated.Config{}).Schema()
	shown.Directives = maps.Clone(shown.Directives)
	for _, name := range serverDirectives {
		delete(shown.Directives, name)
	}
	return &shown
}

// configure sets what the HTTP handler and the in-process executor have in common.
func configure(e *executor.Executor, r *Resolver) {
	e.SetErrorPresenter(presentError)
	e.SetRecoverFunc(recovered)
	e.SetQueryCache(lru.New[*ast.QueryDocument](1000))
	e.Use(streams{r})
	e.Use(permitted{})
	e.Use(traced{})
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	holds := &memoryBudget{all: s.common}
	defer holds.release()
	r = r.WithContext(withHolding(graphql.StartOperationTrace(r.Context()), holds))
	params, raw, err := readRequest(w, r)
	if err != nil {
		s.refuse(w, r, gqlerror.List{{Err: err}}, r.Context())
		return
	}
	if s.streams.Supports(r) {
		if len(raw) > maxBodyOfVisitors { // it is held as long as the stream
			s.refuse(w, r, gqlerror.List{{Err: models.Err(models.CodePayloadTooLarge, "The body of a stream may have at most %d bytes", maxBodyOfVisitors)}}, r.Context())
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		s.streams.Do(w, r, s.Executor)
		return
	}
	s.answer(w, r, params)
}

// answer runs an operation and writes its one answer. A subscription that was
// not asked for as a stream answers its first event.
func (s *server) answer(w http.ResponseWriter, r *http.Request, params *graphql.RawParams) {
	params.Headers = r.Header
	params.ReadTime = graphql.TraceTiming{Start: graphql.GetStartTime(r.Context()), End: graphql.Now()}
	op, errs := s.CreateOperationContext(r.Context(), params)
	if errs != nil {
		s.refuse(w, r, errs, graphql.WithOperationContext(r.Context(), op))
		return
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(timeFor(op) + answerTime))
	ctx, cancel := context.WithTimeoutCause(r.Context(), timeFor(op), errTooLong)
	defer cancel()
	next, ctx := s.DispatchOperation(ctx, op)
	if response := next(ctx); response != nil {
		write(w, r, http.StatusOK, response)
	} else if r.Context().Err() == nil {
		s.refuse(w, r, gqlerror.List{{Err: errTooLong}}, r.Context())
	}
}

// refuse answers a request that was not run, without data: in the status of our
// own refusal. A document or variables that do not fit the schema are 400, and 200
// for those who read application/json, which is how GraphQL over HTTP has it.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, errs gqlerror.List, ctx context.Context) {
	response := s.DispatchError(ctx, errs[:min(len(errs), maxFaults)])
	status := http.StatusBadRequest
	refusal, ours := models.AsError(errs[0].Err)
	switch {
	case ours:
		status = refusal.HTTPStatus()
		if refusal.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(models.RetrySeconds(refusal.RetryAfter)))
		}
	case contentType(r) == plainJSON:
		status = http.StatusOK
	}
	begin(w, r, status)
	_, _ = w.Write(append(append([]byte(`{"errors":`), faultsOf(response)...), '}'))
}

// write sends an answer without copying its data, which may be large.
func write(w http.ResponseWriter, r *http.Request, status int, response *graphql.Response) {
	begin(w, r, status)
	_, _ = io.WriteString(w, "{")
	if len(response.Errors) > 0 {
		_, _ = w.Write(append(append([]byte(`"errors":`), faultsOf(response)...), ','))
	}
	data := []byte(response.Data)
	if data == nil {
		data = []byte("null")
	}
	_, _ = io.WriteString(w, `"data":`)
	_, _ = w.Write(data)
	_, _ = io.WriteString(w, "}")
}

func begin(w http.ResponseWriter, r *http.Request, status int) {
	w.Header().Set("Content-Type", contentType(r))
	w.WriteHeader(status)
}

func faultsOf(response *graphql.Response) []byte {
	faults, _ := json.Marshal(response.Errors)
	return faults
}

// The types of an answer.
const (
	plainJSON    = "application/json"
	responseJSON = "application/graphql-response+json"
)

// contentType is the type of an answer that the client prefers: JSON where it
// names neither, and of two that it likes as much the one it names first.
func contentType(r *http.Request) string {
	chosen, best := plainJSON, 0.0
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		kind, parameters, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil || kind != plainJSON && kind != responseJSON {
			continue
		}
		quality := 1.0
		if sent, ok := parameters["q"]; ok {
			if quality, err = strconv.ParseFloat(sent, 64); err != nil {
				continue
			}
		}
		if quality > best {
			chosen, best = kind, quality
		}
	}
	return chosen
}
