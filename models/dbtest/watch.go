package dbtest

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/petermattis/goid"

	"atelier/models"
)

// watcher finds code that takes a second connection while it holds one, by the
// goroutines that take them.
type watcher struct {
	mu      sync.Mutex
	reserve *pgxpool.Pool
	holders map[*pgx.Conn]holder
	faults  map[string]bool // where the second was taken
	apart   map[string]bool // statements that several servers could not make
	counted atomic.Pointer[atomic.Int64]
}

type holder struct {
	goroutine int64
	pool      *pgxpool.Pool
}

// WatchConnections fails the test when anything on the database to be opened
// takes a second connection while it holds one; the returned function is told
// the database. Only the reserve may be used beside a connection.
func WatchConnections(t testing.TB, config *pgxpool.Config) (opened func(*models.DB)) {
	w := &watcher{holders: map[*pgx.Conn]holder{}, faults: map[string]bool{}, apart: map[string]bool{}}
	if other := config.ConnConfig.Tracer; other != nil {
		config.ConnConfig.Tracer = multitracer.New(w, other)
	} else {
		config.ConnConfig.Tracer = w
	}
	t.Cleanup(func() {
		for stack := range w.faults {
			t.Errorf("a second connection was taken while one was held, at\n%s", stack)
		}
		for fault := range w.apart {
			t.Error(fault)
		}
	})
	return func(db *models.DB) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.reserve = db.Reserve
		watchers.Store(db, w)
		t.Cleanup(func() { watchers.Delete(db) })
	}
}

// TraceAcquireStart looks whether the goroutine holds a connection already.
func (w *watcher) TraceAcquireStart(ctx context.Context, pool *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	me := goid.Get()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, held := range w.holders {
		if held.goroutine == me && (pool != w.reserve || held.pool == w.reserve) {
			if stack := secondTaken(); stack != "" {
				w.faults[stack] = true
			}
		}
	}
	return ctx
}

// TraceAcquireEnd notes who holds the connection.
func (w *watcher) TraceAcquireEnd(_ context.Context, pool *pgxpool.Pool, data pgxpool.TraceAcquireEndData) {
	if data.Conn == nil {
		return
	}
	me := goid.Get()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holders[data.Conn] = holder{me, pool}
}

// TraceRelease forgets it.
func (w *watcher) TraceRelease(_ *pgxpool.Pool, data pgxpool.TraceReleaseData) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.holders, data.Conn)
}

// uncounted are how statements begin that CountStatements leaves out.
var uncounted = regexp.MustCompile(`(?i)^\s*(SET|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b`)

// TraceQueryStart looks whether several servers could make the statement, and counts it where that is wanted.
func (w *watcher) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if n := w.counted.Load(); n != nil && !uncounted.MatchString(data.SQL) {
		n.Add(1)
	}
	if fault := shardFault(data.SQL); fault != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.apart[fault] = true
	}
	return ctx
}

// TraceQueryEnd belongs to TraceQueryStart.
func (w *watcher) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// secondTaken is the stack down to the transaction; "" when the test itself
// does something within one, to see two at once.
func secondTaken() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var stack strings.Builder
	area := false // whether the code that takes it has been passed
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "_test.go") {
			return ""
		}
		fmt.Fprintf(&stack, "%s\n\t%s:%d\n", frame.Function, frame.File, frame.Line)
		area = area || strings.HasPrefix(frame.Function, "atelier/") && !strings.HasPrefix(frame.Function, "atelier/models.")
		if !more || area && strings.Contains(frame.Function, ".(*DB).Write") {
			return stack.String()
		}
	}
}
