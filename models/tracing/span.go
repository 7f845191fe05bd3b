package tracing

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Span is something that takes time. A nil one is none, and everything may be
// asked of it.
type Span struct {
	span trace.Span
	left *atomic.Int32
}

// Kind is the part that this program has in a span.
type Kind = trace.SpanKind

// The kinds of spans.
const (
	Inside  = trace.SpanKindInternal
	Served  = trace.SpanKindServer
	Asked   = trace.SpanKindClient
	Sending = trace.SpanKindProducer
	Working = trace.SpanKindConsumer
)

// maxChildren bounds the spans within one that began in this process: a request,
// the call of a node, an attempt of a delivery.
const maxChildren = 500

type (
	// leftKey is how many more spans there may be within the first one.
	leftKey struct{}
	// requestKey is the request that a context belongs to.
	requestKey struct{}
)

// request is what the runs of a request know of it.
type request struct {
	id    uuid.UUID
	taken atomic.Bool
}

// Text says something of the span.
func (s *Span) Text(name, value string) {
	if s != nil {
		s.span.SetAttributes(attribute.String(name, value))
	}
}

// ID says of what the span is.
func (s *Span) ID(name string, id uuid.UUID) {
	if s != nil {
		s.span.SetAttributes(attribute.String(name, id.String()))
	}
}

// Number counts something of the span.
func (s *Span) Number(name string, n int) {
	if s != nil {
		s.span.SetAttributes(attribute.Int(name, n))
	}
}

// Rename names the span by what was found out since it began.
func (s *Span) Rename(name string) {
	if s != nil {
		s.span.SetName(name)
	}
}

// Fail marks the span as failed, for a reason that is one of a few.
func (s *Span) Fail(reason string) {
	if s != nil {
		s.span.SetStatus(codes.Error, reason)
	}
}

// End ends the span.
func (s *Span) End() {
	if s == nil {
		return
	}
	if s.left != nil {
		if left := s.left.Load(); left < 0 {
			s.Number("atelier.spans_left_out", int(-left))
		}
	}
	s.span.End()
}

// Start begins a span within that of the context; without one, or with too many
// in it already, it begins none.
func Start(ctx context.Context, kind Kind, name string) (context.Context, *Span) {
	set := now.Load()
	if set == nil || !trace.SpanFromContext(ctx).IsRecording() || !oneMore(ctx) {
		return ctx, nil
	}
	ctx, span := set.tracer.Start(ctx, name, trace.WithSpanKind(kind))
	return ctx, &Span{span: span}
}

// Past is a span within that of the context that ends now and began earlier.
func Past(ctx context.Context, kind Kind, name string, began time.Time) *Span {
	set := now.Load()
	if set == nil || !trace.SpanFromContext(ctx).IsRecording() || !oneMore(ctx) {
		return nil
	}
	_, span := set.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithTimestamp(began))
	return &Span{span: span}
}

func oneMore(ctx context.Context) bool {
	left, _ := ctx.Value(leftKey{}).(*atomic.Int32)
	return left == nil || left.Add(-1) >= 0
}

// first begins a span whose parent is none of this process.
func (set *setup) first(ctx context.Context, kind Kind, name string, options ...trace.SpanStartOption) (context.Context, *Span) {
	left := &atomic.Int32{}
	left.Store(maxChildren)
	ctx, span := set.tracer.Start(ctx, name, append(options, trace.WithSpanKind(kind))...)
	return context.WithValue(ctx, leftKey{}, left), &Span{span, left}
}

// StartRequest begins the trace of a request, which has an id of the form of a
// run's; traceparent is what the client sent.
func StartRequest(ctx context.Context, id uuid.UUID, traceparent string) (context.Context, *Span) {
	set := now.Load()
	if set == nil {
		return ctx, nil
	}
	ctx = context.WithValue(ctx, requestKey{}, &request{id: id})
	if !set.samples(id) {
		return ctx, nil
	}
	options := []trace.SpanStartOption{trace.WithNewRoot()}
	if sent := read(traceparent); sent.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: sent}))
	}
	return set.first(context.WithValue(ctx, traceIDKey{}, traceOf(id)), Served, "request", options...)
}

func read(traceparent string) trace.SpanContext {
	if traceparent == "" {
		return trace.SpanContext{}
	}
	carrier := propagation.MapCarrier{"traceparent": traceparent}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
}

// youngest is how old a request may be whose id its run takes: the id says when
// the run was made.
const youngest = time.Minute

// RunID is the id that a run takes of the request that starts it, at a time, so
// that both are one trace whatever its shard; false when it makes one of its own. A request gives it once.
func RunID(ctx context.Context, at time.Time) (id uuid.UUID, ok bool) {
	if now.Load() == nil {
		return id, false
	}
	r, _ := ctx.Value(requestKey{}).(*request)
	if r == nil {
		return id, false
	}
	seconds, nanoseconds := r.id.Time().UnixTime()
	age := at.Sub(time.Unix(seconds, nanoseconds))
	if age < 0 || age > youngest || !r.taken.CompareAndSwap(false, true) {
		return id, false
	}
	return r.id, true
}

// StartRun begins the span that accepts a run: within that of the context where
// both are one trace, else as the beginning of the run's, which links to it.
func StartRun(ctx context.Context, run uuid.UUID) (context.Context, *Span) {
	set := now.Load()
	if set == nil || !set.samples(run) {
		return ctx, nil
	}
	const name = "accept run"
	around := trace.SpanFromContext(ctx)
	named := context.WithValue(ctx, spanIDKey{}, spanOfRun(run))
	var span *Span
	if around.IsRecording() && around.SpanContext().TraceID() == trace.TraceID(traceOf(run)) {
		var begun trace.Span
		named, begun = set.tracer.Start(named, name, trace.WithSpanKind(Sending))
		span = &Span{span: begun}
	} else {
		options := []trace.SpanStartOption{trace.WithNewRoot()}
		if around.SpanContext().IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: around.SpanContext()}))
		}
		named, span = set.first(context.WithValue(named, traceIDKey{}, traceOf(run)), Sending, name, options...)
	}
	span.ID("atelier.run.id", run)
	return context.WithValue(named, spanIDKey{}, trace.SpanID{}), span
}

// StartOf begins a span of a run, within the one that accepted it, no matter
// which process that was.
func StartOf(ctx context.Context, run uuid.UUID, kind Kind, name string) (context.Context, *Span) {
	set := now.Load()
	if set == nil || !set.samples(run) {
		return ctx, nil
	}
	parent := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(traceOf(run)), SpanID: spanOfRun(run), TraceFlags: trace.FlagsSampled, Remote: true,
	})
	ctx, span := set.first(trace.ContextWithRemoteSpanContext(ctx, parent), kind, name)
	span.ID("atelier.run.id", run)
	return ctx, span
}

// IDs are those of the span that a context is in, for lines of the log and for
// figures; empty outside of spans.
func IDs(ctx context.Context) (traceID, spanID string) {
	if now.Load() == nil {
		return "", ""
	}
	at := trace.SpanContextFromContext(ctx)
	if !at.IsSampled() {
		return "", ""
	}
	return at.TraceID().String(), at.SpanID().String()
}

// recording tells whether a span may begin in a context.
func recording(ctx context.Context) bool {
	return now.Load() != nil && trace.SpanFromContext(ctx).IsRecording()
}
