package tests

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/config"
	"atelier/models"
	"atelier/models/dbtest"
	"atelier/nodes"
	"atelier/server"
)

// testServer is the service in this process, on a database of its own, with
// its statements counted.
type testServer struct {
	*server.Server
	b      testing.TB
	server *httptest.Server
	tracer *statements
	story  *story
}

// statements counts what goes to the database, transaction commands included,
// and keeps the statements themselves while it records.
type statements struct {
	n      atomic.Int64
	mu     sync.Mutex
	record bool
	kept   []statement
}

type statement struct {
	sql  string
	args []any
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.n.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.record {
		values := slices.DeleteFunc(slices.Clone(data.Args), isOption)
		s.kept = append(s.kept, statement{data.SQL, values})
	}
	return ctx
}

// isOption tells pgx's options, which stand in front of a statement's values.
func isOption(arg any) bool {
	switch arg.(type) {
	case pgx.QueryExecMode, pgx.QueryResultFormats, pgx.QueryResultFormatsByOID:
		return true
	}
	return false
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Statements that go out together count one by one.
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (s *statements) TraceBatchQuery(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchQueryData) {
	s.TraceQueryStart(ctx, conn, pgx.TraceQueryStartData{SQL: data.SQL, Args: data.Args})
}

func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// during are the statements that fn makes.
func (s *statements) during(fn func()) []statement {
	s.mu.Lock()
	s.record, s.kept = true, nil
	s.mu.Unlock()
	fn()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record = false
	// A connection that begins meanwhile has its settings made.
	return slices.DeleteFunc(s.kept, func(one statement) bool { return strings.HasPrefix(one.sql, "SET ") })
}

// newTestServer starts the service without workers.
func newTestServer(b testing.TB) *testServer {
	b.Helper()
	return newTestServerAt(b, nil)
}

// newTestServerAt is newTestServer at the time of a clock; nil is the database's.
func newTestServerAt(b testing.TB, clock models.Clock) *testServer {
	b.Helper()
	return newTestServerOn(b, clock, dbtest.NewURL(b))
}

// newTestServerOn is newTestServerAt on a database, with more settings (NAME=value).
func newTestServerOn(b testing.TB, clock models.Clock, databaseURL string, settings ...string) *testServer {
	b.Helper()
	log := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	b.Cleanup(func() { slog.SetDefault(log) })
	h := &testServer{b: b, tracer: &statements{}}
	h.server = httptest.NewUnstartedServer(nil)
	url := "http://" + h.server.Listener.Addr().String()
	env := map[string]string{
		"PUBLIC_URL": url, "DATA_DIR": b.TempDir(), "PLATFORM_OPERATOR_EMAILS": "op@example.com", "OPERATOR_CODE": operatorCode,
		"EGRESS_ALLOW_CIDRS": "127.0.0.1/32", "SESSION_KEY": "a-session-key-that-only-tests-use",
		"SERVICE_ENCRYPTION_KEY": strings.Repeat("A", 43), "TRUSTED_PROXIES": "127.0.0.1/32",
	}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		env[name] = value
	}
	c, err := config.Load(lookupIn(env))
	h.must(err)
	db := h.open(databaseURL, c.SessionKey, clock)
	h.Server, err = server.New(b.Context(), c, db)
	h.must(err)
	h.server.Config.Handler = h.Handler()
	h.server.Start()
	b.Cleanup(func() {
		h.server.Close()
		// A test that ran beside others is kept until the last of them has ended, with what its cleanups hold.
		h.server.Config.Handler, h.Server = nil, nil
	})
	return h
}

// lookupIn reads variables from a map.
func lookupIn(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { value, ok := env[name]; return value, ok }
}

func (h *testServer) open(databaseURL string, key []byte, clock models.Clock) *models.DB {
	config, err := server.PoolConfig(databaseURL)
	h.must(err)
	config.ConnConfig.Tracer = h.tracer
	opened := func(*models.DB) {}
	if _, test := h.b.(*testing.T); test {
		opened = dbtest.WatchConnections(h.b, config)
	}
	synced := &models.DatabaseClock{}
	if clock == nil {
		clock = synced
	}
	db, err := models.Open(models.Config{Database: config, Clock: clock, Secret: key})
	h.must(err)
	opened(db)
	h.must(synced.Sync(context.Background(), db.SQL))
	ctx, cancel := context.WithCancel(context.Background())
	listening := make(chan struct{})
	go func() { defer close(listening); db.Bus.Run(ctx) }()
	h.b.Cleanup(func() { cancel(); <-listening; db.Close() })
	return db
}

func (h *testServer) must(err error) {
	h.b.Helper()
	if err != nil {
		h.b.Fatal(err)
	}
}

// work starts the workers; the returned function ends them.
func (h *testServer) work() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Jobs.Run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		h.must(<-ended)
	})
}

// visitor is a person without credentials.
func (h *testServer) visitor() client { return client{t: h.b, URL: h.server.URL} }

// school tells the story up to a class, without publishing.
func (h *testServer) school() *story {
	h.story = begin(h.b, h.server.URL)
	return h.story
}

// people are n accounts whose wallets never run dry.
func (h *testServer) people(n int) []client {
	h.b.Helper()
	all := make([]client, n)
	for i := range all {
		r := h.visitor().post("/auth/sign-up", object{
			"email": fmt.Sprintf("p%d@example.com", i), "password": password, "displayName": fmt.Sprintf("Person %d", i),
		}).want(201)
		all[i] = h.visitor().with(r.text("data.token"))
	}
	h.exec(`UPDATE wallets SET balance = balance + 1000000000`)
	return all
}

func (h *testServer) exec(sql string, args ...any) {
	h.b.Helper()
	_, err := h.DB.Pool.Exec(context.Background(), sql, args...)
	h.must(err)
}

func (h *testServer) count(sql string, args ...any) (n int) {
	h.b.Helper()
	h.must(h.DB.Pool.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

// until waits, looking rarely, until the query counts n.
func (h *testServer) until(n int, sql string, args ...any) {
	h.b.Helper()
	for deadline := time.Now().Add(patience); h.count(sql, args...) != n; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			h.b.Fatalf("%s is %d, not %d", sql, h.count(sql, args...), n)
		}
	}
}

// priced gives a node type a price for the length of the benchmark.
func priced(b testing.TB, nodeType string, cost models.Credits) {
	kind, ok := nodes.Find(nodeType)
	if !ok {
		b.Fatalf("no node type %s", nodeType)
	}
	before := kind.Cost
	b.Cleanup(func() { kind.Cost = before })
	kind.Cost = cost
}

// threeSteps is a workflow of three text nodes one after another; the second
// has a price, so that credits are held, charged and settled.
var threeSteps = object{
	"name": "Three steps",
	"nodes": []object{
		{"id": "topic", "type": "text", "data": object{"text": "a lighthouse"}},
		{"id": "prompt", "type": "template-text", "data": object{"template": "{{topic}} in the style of {{style}}", "values": object{"style": "a woodcut"}}},
		{"id": "words", "type": "split-text", "data": object{"separator": " "}},
	},
	"edges": []object{
		{"id": "e1", "source": "topic", "target": "prompt", "targetHandle": "values.topic"},
		{"id": "e2", "source": "prompt", "target": "words"},
	},
}
