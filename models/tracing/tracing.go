// Package tracing tells a collector what happened when, as spans of
// OpenTelemetry. Without a collector it does nothing and costs nothing: every
// function looks at one pointer and returns.
//
// The trace of a run has the run's id, and the span that accepted it the last
// half of that id. So every process finds the trace and the parent of what it
// does for a run by the run's id alone, also after a restart, and people find
// the trace of a run by the id that the console shows. A request that starts a
// run has the run's trace from its beginning: it is given an id of the form of
// a run's, and its first run takes it (see RunID).
//
// A traceparent that a client sends is a link of its request's span and never
// its parent: who is sampled is decided here alone, by the id of the trace, so
// that all processes decide alike.
//
// Spans name routes, types, ids and statements without their values. What
// people type, what runs work on, addresses of people and secrets are in none.
package tracing

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Config is where spans go.
type Config struct {
	Exporter sdk.SpanExporter
	// Ratio is the share of traces that are told.
	Ratio float64
	// Resource is what the collector is told of this process.
	Resource map[string]string
}

// Bounds of what is kept of one span, and of what waits for the collector: what
// is more is left out, and no one waits.
const (
	maxText    = 1024
	maxQueue   = 4096
	exportTime = 10 * time.Second
)

type setup struct {
	tracer trace.Tracer
	ratio  float64
}

// now is how this process traces; nil while it does not.
var now atomic.Pointer[setup]

// Begin has this process trace, until end is called, which sends what is left
// for as long as its context lasts.
func Begin(c Config) (end func(context.Context) error) {
	limits := sdk.NewSpanLimits()
	limits.AttributeValueLengthLimit = maxText
	provider := sdk.NewTracerProvider(
		sdk.WithSampler(sdk.AlwaysSample()), // what is not sampled is not begun
		sdk.WithIDGenerator(ids{}),
		sdk.WithRawSpanLimits(limits),
		sdk.WithResource(resource.NewSchemaless(attributes(c.Resource)...)),
		sdk.WithBatcher(c.Exporter, sdk.WithMaxQueueSize(maxQueue), sdk.WithExportTimeout(exportTime)),
	)
	begun := &setup{provider.Tracer("atelier"), c.Ratio}
	now.Store(begun)
	return func(ctx context.Context) error {
		now.CompareAndSwap(begun, nil)
		return provider.Shutdown(ctx)
	}
}

func attributes(of map[string]string) []attribute.KeyValue {
	all := make([]attribute.KeyValue, 0, len(of))
	for name, value := range of {
		all = append(all, attribute.String(name, value))
	}
	return all
}

// On tells whether this process traces.
func On() bool { return now.Load() != nil }

// samples decides about the trace of a request or a run by the 50 random bits of its id that both have.
func (s *setup) samples(id uuid.UUID) bool {
	switch {
	case s.ratio >= 1:
		return true
	case s.ratio <= 0:
		return false
	}
	random := uint64(id[8]>>4&3)<<48 | binary.BigEndian.Uint64(id[8:])&(1<<48-1)
	return float64(random) < s.ratio*(1<<50)
}

// ids are the ids of spans: those that their beginning names, else random ones.
type ids struct{}

type (
	traceIDKey struct{}
	spanIDKey  struct{}
)

// NewIDs are those of the first span of a trace.
func (g ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, named := ctx.Value(traceIDKey{}).(uuid.UUID)
	for !named && id == (uuid.UUID{}) {
		binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
		binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	}
	return trace.TraceID(id), g.NewSpanID(ctx, trace.TraceID(id))
}

// NewSpanID is that of a further one.
func (ids) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	id, _ := ctx.Value(spanIDKey{}).(trace.SpanID)
	for !id.IsValid() {
		binary.NativeEndian.PutUint64(id[:], rand.Uint64())
	}
	return id
}

// traceOf is the id of the trace of a request or a run: theirs without the shard, which is known only when it is
// clear who pays for the run.
func traceOf(id uuid.UUID) uuid.UUID {
	id[8], id[9] = id[8]&0xf0, 0
	return id
}

// spanOfRun is the id of the span that accepted a run.
func spanOfRun(run uuid.UUID) trace.SpanID { return trace.SpanID(run[8:]) }
