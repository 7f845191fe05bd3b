package tracing

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/uuid"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// traced has this process trace while fn runs, and returns the spans by their names.
func traced(t *testing.T, ratio float64, fn func(context.Context)) map[string]tracetest.SpanStub {
	t.Helper()
	kept := &keeper{}
	end := Begin(Config{Exporter: kept, Ratio: ratio})
	fn(t.Context())
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}
	spans := map[string]tracetest.SpanStub{}
	for _, span := range kept.all {
		spans[span.Name] = span
	}
	return spans
}

// keeper keeps what it is told, also past its end.
type keeper struct{ all tracetest.SpanStubs }

func (k *keeper) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) error {
	k.all = append(k.all, tracetest.SpanStubsFromReadOnlySpans(spans)...)
	return nil
}

func (k *keeper) Shutdown(context.Context) error { return nil }

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

const stranger = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func TestARunIsInTheTraceOfItsRequest(t *testing.T) {
	id := newID()
	spans := traced(t, 1, func(ctx context.Context) {
		ctx, request := StartRequest(ctx, id, stranger)
		ctx, operation := Start(ctx, Inside, "operation")
		run, ok := RunID(ctx, time.Now())
		if !ok || run != id {
			t.Fatalf("the run has the id %s, not %s", run, id)
		}
		if second, ok := RunID(ctx, time.Now()); ok {
			t.Errorf("a second run takes %s, too", second)
		}
		run[8], run[9] = run[8]&0xf0|7, 99 // the shard of who pays
		within, accept := StartRun(ctx, run)
		_, inner := Start(within, Asked, "statement")
		for _, span := range []*Span{inner, accept, operation, request} {
			span.End()
		}
		_, node := StartOf(context.Background(), run, Working, "node") // another process
		node.End()
	})
	for name, parent := range map[string]string{"operation": "request", "accept run": "operation", "statement": "accept run", "node": "accept run"} {
		span := spans[name]
		if span.Parent.SpanID() != spans[parent].SpanContext.SpanID() || !span.Parent.IsValid() {
			t.Errorf("%s is not within %s", name, parent)
		}
		if span.SpanContext.TraceID() != trace.TraceID(traceOf(id)) {
			t.Errorf("%s is in the trace %s", name, span.SpanContext.TraceID())
		}
	}
	request := spans["request"]
	if request.Parent.IsValid() || len(request.Links) != 1 || request.Links[0].SpanContext.TraceID().String() != stranger[3:35] {
		t.Errorf("what the client sent is no link: %v, %v", request.Parent, request.Links)
	}
}

func TestARunOfItsOwnLinksToWhatStartedIt(t *testing.T) {
	run := newID()
	spans := traced(t, 1, func(ctx context.Context) {
		ctx, request := StartRequest(ctx, newID(), "not a traceparent")
		_, accept := StartRun(ctx, run)
		accept.End()
		request.End()
	})
	accept := spans["accept run"]
	if accept.SpanContext.TraceID() != trace.TraceID(traceOf(run)) || accept.Parent.IsValid() || accept.SpanContext.SpanID() != spanOfRun(run) {
		t.Errorf("the run's trace begins as %v in %v", accept.SpanContext, accept.Parent)
	}
	if len(accept.Links) != 1 || accept.Links[0].SpanContext.TraceID() != spans["request"].SpanContext.TraceID() {
		t.Errorf("it links to %v", accept.Links)
	}
}

func TestAnOldRequestGivesNoID(t *testing.T) {
	traced(t, 1, func(ctx context.Context) {
		ctx, span := StartRequest(ctx, newID(), "")
		defer span.End()
		if id, ok := RunID(ctx, time.Now().Add(2*time.Minute)); ok {
			t.Errorf("a run of later takes %s", id)
		}
		if id, ok := RunID(ctx, time.Now().Add(-time.Minute)); ok {
			t.Errorf("a run of before takes %s", id)
		}
	})
}

// Every process decides alike about a trace, by its id.
func TestTheIDDecidesWhoIsSampled(t *testing.T) {
	sampled := 0
	const all = 4000
	spans := traced(t, 0.25, func(ctx context.Context) {
		for range all {
			id := newID()
			inRequest, request := StartRequest(ctx, id, stranger)
			run, _ := RunID(inRequest, time.Now())
			_, accept := StartRun(inRequest, run)
			_, node := StartOf(ctx, id, Working, "node")
			if (request == nil) != (accept == nil) || (request == nil) != (node == nil) {
				t.Fatalf("%s is sampled in part", id)
			}
			if request != nil {
				sampled++
			}
		}
	})
	if sampled < all/5 || sampled > all/3 {
		t.Errorf("%d of %d are sampled", sampled, all)
	}
	if len(spans) > 0 {
		t.Errorf("spans that did not end were told: %v", spans)
	}
	least, most := &setup{ratio: 0}, &setup{ratio: 1}
	id := newID()
	binary.BigEndian.PutUint64(id[8:], 1<<63)
	if least.samples(id) || !most.samples(id) {
		t.Error("none and all are not what they say")
	}
}

func TestSpansWithinOneAreBounded(t *testing.T) {
	n := 0
	spans := traced(t, 1, func(ctx context.Context) {
		ctx, request := StartRequest(ctx, newID(), "")
		for range maxChildren + 7 {
			_, span := Start(ctx, Asked, "statement")
			if span != nil {
				n++
			}
			span.End()
		}
		request.End()
	})
	left := spans["request"].Attributes
	if n != maxChildren || len(left) != 1 || left[0].Value.AsInt64() != 7 {
		t.Errorf("there were %d, and %v", n, left)
	}
}

// Without a collector nothing is made, and no memory is taken.
func TestOffCostsNothing(t *testing.T) {
	ctx, id := t.Context(), newID()
	allocations := testing.AllocsPerRun(100, func() {
		ctx, request := StartRequest(ctx, id, stranger)
		ctx, run := StartRun(ctx, id)
		ctx, node := StartOf(ctx, id, Working, "node")
		ctx, inner := Start(ctx, Asked, "statement")
		if _, ok := RunID(ctx, time.Time{}); ok {
			t.Error("a run takes an id")
		}
		for _, span := range [...]*Span{inner, node, run, request} {
			span.Text("name", "value")
			span.ID("id", id)
			span.Fail("no")
			span.End()
		}
		if traceID, spanID := IDs(ctx); traceID+spanID != "" {
			t.Error("there are ids")
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
}

func TestStatementsShowNoValues(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT 1":                        "SELECT 1",
		"SELECT a\n\t\tFROM b WHERE c=$1": "SELECT a FROM b WHERE c=$1",
		"UPDATE t SET a = 'se''cret', b=$2 WHERE c = 'x'": "UPDATE t SET a = ?, b=$2 WHERE c = ?",
		`SELECT E'it\'s', name'x'`:                        "SELECT E?, name?",
		"DO $$ BEGIN PERFORM 1; END $$":                   "DO ?",
		"SELECT $tag$ a 'b' $tag$, $1":                    "SELECT ?, $1",
		"SELECT 'open":                                    "SELECT ?",
		"SELECT $q$open":                                  "SELECT ?",
		"SELECT '":                                        "SELECT ?",
	} {
		if got := WithoutValues(sql); got != want {
			t.Errorf("%q is shown as %q, not %q", sql, got, want)
		}
	}
	if verb := verbOf("(SELECT 1)"); verb != "SELECT" {
		t.Errorf("the verb is %q", verb)
	}
}
