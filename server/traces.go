package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	collected "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"atelier/config"
	"atelier/models/egress"
	"atelier/models/tracing"
)

const (
	// collectTime is how long the collector may take for what is sent to it at once.
	collectTime = 10 * time.Second
	// flushTime is how long a process that ends waits for the collector.
	flushTime = 3 * time.Second
	// complainEvery is how often the log says at most that the collector takes nothing.
	complainEvery = time.Minute
)

// startTracing has this process trace where there is a collector; stop sends what
// is left and waits for no longer than flushTime.
func (i *install) startTracing() (stop func(), err error) {
	if i.Traces.Endpoint == "" {
		return func() {}, nil
	}
	complaint := &complaint{}
	otel.SetErrorHandler(complaint)
	exporter, err := otlptrace.New(context.Background(), newCollector(i.Traces))
	if err != nil {
		return nil, err
	}
	named := maps.Clone(i.Traces.Resource)
	if built, ok := debug.ReadBuildInfo(); ok && named["service.version"] == "" {
		named["service.version"] = built.Main.Version
	}
	end := tracing.Begin(tracing.Config{Exporter: exporter, Ratio: i.Traces.Ratio, Resource: named})
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), flushTime)
		defer cancel()
		if err := end(ctx); err != nil {
			complaint.Handle(err)
		}
	}, nil
}

// complaint says that the collector takes nothing, now and then.
type complaint struct {
	mu   sync.Mutex
	last time.Time
}

// Handle is told of each failure.
func (c *complaint) Handle(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.last) >= complainEvery {
		c.last = now
		slog.Warn("traces are lost: the collector does not take them", "error", err)
	}
}

// collector sends traces to the collector, by the one way that requests leave.
// The exporter that comes with the SDK would bring a server of gRPC along.
type collector struct {
	http     *http.Client
	endpoint string
	headers  http.Header
}

func newCollector(c config.Traces) *collector {
	headers := http.Header{}
	for name, value := range c.Headers {
		headers.Set(name, value)
	}
	headers.Set("Content-Type", "application/x-protobuf")
	client := egress.New(egress.Config{Configured: true, Timeout: collectTime})
	return &collector{client.HTTP(), c.Endpoint, headers}
}

// Start has nothing to do: each request has a connection of its own.
func (c *collector) Start(context.Context) error { return nil }

// Stop has nothing to do either.
func (c *collector) Stop(context.Context) error { return nil }

// taken are the answers of a collector that took what it was sent.
var taken = []int{http.StatusOK, http.StatusAccepted, http.StatusNoContent}

// UploadTraces sends spans once; what the collector does not take is lost.
func (c *collector) UploadTraces(ctx context.Context, spans []*collected.ResourceSpans) error {
	// On the wire, TracesData is what a collector is asked with.
	body, err := proto.Marshal(&collected.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = c.headers.Clone()
	answer, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	if !slices.Contains(taken, answer.StatusCode) {
		return fmt.Errorf("the collector answers %s", answer.Status)
	}
	return nil
}
