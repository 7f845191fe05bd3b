//go:build !race

package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/graph"
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/dbtest"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// atOnce is how many requests are under way together.
const atOnce = 30

// TestTwoConnections sends a request to every route, and for every root field
// of the schema, with and without a key, thirty at once, to a service whose
// requests have two connections. Each is answered, none takes a second
// connection while it holds one, and afterwards the service is as before.
func TestTwoConnections(t *testing.T) {
	h := newTestServerOn(t, nil, dbtest.NewURL(t)+"&pool_max_conns=2")
	stop := h.work()
	defer stop()
	s := newStage(t, newCast(t, h.server.URL, "school", 10))
	var usual, endings []func() string
	for _, route := range routesOf(t, s.visitor) {
		requests := h.ofRoute(s, route)
		if slices.Contains(endingRoutes, route) {
			endings = append(endings, requests...)
		} else {
			usual = append(usual, requests...)
		}
	}
	for _, row := range rowsOf(t, gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})) {
		if strings.HasPrefix(row, "Subscription.") {
			continue
		}
		requests := h.ofRow(s, row)
		if slices.Contains(graphqlEndings, row) {
			endings = append(endings, requests...)
		} else {
			usual = append(usual, requests...)
		}
	}
	for _, requests := range [][]func() string{usual, endings} {
		for _, fault := range together(requests) {
			t.Error(fault)
		}
	}
	eventually(t, func() error {
		if stat := h.DB.Pool.Stat(); stat.AcquiredConns() != 0 {
			return fmt.Errorf("%d connections of requests are still in use", stat.AcquiredConns())
		}
		return nil
	})
	s.visitor.get("/readyz").want(200)
	s.rival.get("/v1/me").want(200)
	stop()
	differences, err := credit.Reconcile(t.Context(), h.DB)
	if err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

// endingRoutes end what other requests need.
var endingRoutes = endings

// together runs all requests, in a random order, atOnce at a time, and returns what went wrong.
func together(requests []func() string) (faults []string) {
	rand.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
	var all sync.WaitGroup
	var next atomic.Int64
	var mu sync.Mutex
	for range atOnce {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(requests) {
					return
				}
				if fault := requests[i](); fault != "" {
					mu.Lock()
					faults = append(faults, fault)
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return faults
}

// ofRoute are requests to a route as the owner, with and without a key, and as no one.
func (h *testServer) ofRoute(s *stage, route string) (requests []func() string) {
	method, address, body := s.request(route)
	if method == "GET" && strings.HasSuffix(address, "/stream") {
		return nil // it stays open
	}
	for range 2 {
		requests = append(requests,
			func() string { return answered(s.owner.client, method, address, body, "") },
			func() string { return answered(s.visitor, method, address, body, "") })
		if method == http.MethodPost {
			requests = append(requests,
				func() string { return answered(s.owner.client, method, address, body, "key "+fmt.Sprint(rand.Int64())) },
				func() string { return answered(s.visitor, method, address, body, "key "+fmt.Sprint(rand.Int64())) },
				func() string { return answered(s.head.in(s.room), method, address, body, "the same key") })
		}
	}
	return requests
}

// ofRow are requests for a root field by HTTP, and of mutations as a form of
// the console that carries a key.
func (h *testServer) ofRow(s *stage, row string) (requests []func() string) {
	document := s.fill(rootRows[row])
	body, _ := json.Marshal(object{"query": document})
	executor := graph.NewExecutor(h.Resolver)
	for range 2 {
		requests = append(requests,
			func() string { return answered(s.owner.client, "POST", "/graphql", string(body), "") },
			func() string { return answered(s.visitor, "POST", "/graphql", string(body), "") })
		if strings.HasPrefix(row, "Mutation.") {
			for _, who := range []client{s.owner.client, s.visitor} {
				requests = append(requests, func() string { return h.once(executor, who, row, document) })
			}
		}
	}
	return requests
}

// once runs a mutation as the console's forms do.
func (h *testServer) once(executor *graph.Executor, who client, row, document string) string {
	ctx, end := context.WithTimeout(graph.WithLoaders(context.Background(), h.Resolver), time.Minute)
	defer end()
	actor := models.Actor{Kind: models.Anonymous, IP: "203.0.113.9"}
	if who.token != "" {
		if credentials, err := h.Accounts.Authenticate(ctx, who.token); err == nil {
			actor = credentials.Actor
		}
	}
	ctx = models.WithActor(ctx, actor)
	answer, err := executor.ExecuteOnce(ctx, fmt.Sprint(rand.Int64()), document, "", nil)
	if err != nil || strings.Contains(string(answer), "internal_error") {
		return fmt.Sprintf("%s once: %v %s", row, err, answer)
	}
	return ""
}

// answered sends a request and says what is wrong with its answer: it is too
// late, a failure of the service, or a busy one that does not say when to come back.
func answered(who client, method, address string, body any, key string) string {
	ctx, end := context.WithTimeout(context.Background(), time.Minute)
	defer end()
	var payload io.Reader
	if text, ok := body.(string); ok {
		payload = strings.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, who.URL+address, payload)
	if err != nil {
		return err.Error()
	}
	if payload != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if who.token != "" {
		request.Header.Set("Authorization", "Bearer "+who.token)
	}
	if who.workspace != "" {
		request.Header.Set("X-Service-Workspace", who.workspace)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := manyConnections.Do(request)
	var refused *url.Error
	if errors.As(err, &refused) {
		return fmt.Sprintf("%s %s: %v", method, address, err)
	}
	defer response.Body.Close()
	text := string(readAll(response.Body))
	switch {
	case response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "":
		return ""
	case response.StatusCode >= 500, strings.Contains(text, "internal_error"):
		return fmt.Sprintf("%s %s: %d %s", method, address, response.StatusCode, text)
	}
	return ""
}

// TestAllConnectionsTaken takes every connection of requests: the service says
// so within the wait, stays ready, shows the sign-in page and ends sessions.
func TestAllConnectionsTaken(t *testing.T) {
	h := newTestServerOn(t, nil, dbtest.NewURL(t)+"&pool_max_conns=2")
	who := h.people(1)[0]
	who.get("/v1/me").want(200)
	h.visitor().get("/login").want(200)
	for range 2 {
		conn, err := h.DB.Pool.Acquire(t.Context())
		h.must(err)
		defer conn.Release()
	}
	r := who.get("/v1/me").wantError(503, "service_unavailable")
	if r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	page := who.sending("Accept", "text/html").get("/projects").want(503)
	if !strings.Contains(string(page.Body), "The service is busy") {
		t.Errorf("the page does not say what to do: %s", page.Body)
	}
	h.visitor().get("/readyz").want(200)
	h.visitor().get("/login").want(200)
	who.post("/auth/sign-out", nil).want(200)
}
