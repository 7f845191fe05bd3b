package tests

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	collected "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"atelier/models/dbtest"
)

// collector takes traces as a collector of OpenTelemetry does.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	spans    []*collected.Span
	services map[string]bool
	raw      []byte
	keys     map[string]bool
}

func newCollector(t *testing.T) *collector {
	c := &collector{services: map[string]bool{}, keys: map[string]bool{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := readAll(r.Body)
		data := &collected.TracesData{}
		if err := proto.Unmarshal(body, data); err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s %s as %q: %v", r.Method, r.URL.Path, r.Header.Get("Content-Type"), err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw = append(c.raw, body...)
		c.keys[r.Header.Get("X-Collector-Key")] = true
		for _, resource := range data.ResourceSpans {
			for _, attribute := range resource.Resource.Attributes {
				if attribute.Key == "service.name" {
					c.services[attribute.Value.GetStringValue()] = true
				}
			}
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// of are the spans of a trace.
func (c *collector) of(trace string) (spans spansOf) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, span := range c.spans {
		if hex.EncodeToString(span.TraceId) == trace {
			spans = append(spans, span)
		}
	}
	return spans
}

type spansOf []*collected.Span

// named are those whose names begin so.
func (s spansOf) named(start string) (found spansOf) {
	for _, span := range s {
		if strings.HasPrefix(span.Name, start) {
			found = append(found, span)
		}
	}
	return found
}

// within are those in a span.
func (s spansOf) within(parent *collected.Span) (found spansOf) {
	for _, span := range s {
		if string(span.ParentSpanId) == string(parent.SpanId) {
			found = append(found, span)
		}
	}
	return found
}

func attribute(span *collected.Span, name string) string {
	for _, a := range span.Attributes {
		if a.Key == name {
			if text := a.Value.GetStringValue(); text != "" {
				return text
			}
			return fmt.Sprint(a.Value.GetIntValue())
		}
	}
	return ""
}

const (
	// secretInput is what the workflow of these tests works on.
	secretInput = "a lighthouse that no one else may read about"
	stranger    = "0af7651916cd43dd8448eb211c80319c"
)

// fetching is a workflow of a text and of a request that it is sent with.
func fetching(to string) object {
	return object{
		"name": "Fetching",
		"nodes": []object{
			{"id": "topic", "type": "text", "data": object{"text": secretInput}},
			{"id": "ask", "type": "http-request", "data": object{"url": to + "/hidden-path?key=hidden-key", "method": "POST"}},
		},
		"edges": []object{{"id": "e1", "source": "topic", "target": "ask", "targetHandle": "body"}},
	}
}

// TestTraces follows a run from its request to its last delivery, in two processes.
func TestTraces(t *testing.T) {
	t.Parallel()
	hooks, collector := newReceiver(t, 0), newCollector(t)
	databaseURL, dataDir, metrics := dbtest.NewURL(t), t.TempDir(), freeAddress(t)
	env := []string{
		"SSL_CERT_FILE=" + hooks.roots, "OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-collector-key=hush%21",
		"OTEL_SERVICE_NAME=studio", "OTEL_BSP_SCHEDULE_DELAY=50", "LOG_FORMAT=json",
	}
	p := startOn(t, databaseURL, dataDir, []string{"serve", "--workers=false"}, append(env, "METRICS_ADDR="+metrics)...)
	startOn(t, databaseURL, dataDir, []string{"worker"}, append(env, "PUBLIC_URL="+p.URL)...)
	person := (&story{t: t, visitor: client{t: t, URL: p.URL}}).signUp("Mara")
	endpoint, secret := registered(person, hooks.URL+"/hidden-path")
	workflow := person.post("/v1/workflows", fetching(hooks.URL)).want(201).text("data.id")

	started := person.sending("Traceparent", "00-"+stranger+"-b7ad6b7169203331-01").sending("X-Request-Id", "the-request").
		post("/v1/workflows/"+workflow+"/run", nil).want(202)
	run := started.text("executionId")
	trace := strings.ReplaceAll(run, "-", "")
	trace = trace[:17] + "000" + trace[20:] // without the shard
	hooks.arrived(t, endpoint, 2)
	var spans spansOf
	eventually(t, func() error {
		if spans = collector.of(trace); len(spans.named("deliver ")) < 2 || len(spans.named("POST ")) < 1 || len(spans.named("node ")) < 2 {
			return fmt.Errorf("in the trace %s are %v", trace, names(spans))
		}
		return nil
	})

	request := spans.named("POST ")[0]
	if request.Name != "POST /v1/workflows/{id}/run" || len(request.ParentSpanId) > 0 || request.Kind != collected.Span_SPAN_KIND_SERVER {
		t.Errorf("the request is %s in %x", request.Name, request.ParentSpanId)
	}
	if attribute(request, "http.response.status_code") != "202" || attribute(request, "atelier.request.id") != "the-request" {
		t.Errorf("the request has %v", request.Attributes)
	}
	if len(request.Links) != 1 || hex.EncodeToString(request.Links[0].TraceId) != stranger {
		t.Errorf("the client's trace is no link: %v", request.Links)
	}
	if len(collector.of(stranger)) > 0 {
		t.Error("the client chose the trace")
	}
	operations := spans.within(request).named("post-workflows-id-run")
	if len(operations) != 1 {
		t.Fatalf("within the request are %v", names(spans.within(request)))
	}
	accepts := spans.within(operations[0]).named("accept run")
	if len(accepts) != 1 {
		t.Fatalf("within the operation are %v", names(spans.within(operations[0])))
	}
	accept := accepts[0]
	if written := spans.within(accept); len(written.named("WITH")) == 0 || attribute(written.named("WITH")[0], "db.query.text") == "" {
		t.Errorf("within the acceptance are %v", names(written))
	}
	types := map[string]*collected.Span{}
	for _, node := range spans.within(accept).named("node ") {
		types[attribute(node, "atelier.node.type")] = node
		if attribute(node, "atelier.node.outcome") != "done" {
			t.Errorf("the node has %v", node.Attributes)
		}
	}
	if len(types) != 2 || types["text"] == nil || types["http-request"] == nil {
		t.Fatalf("within the acceptance are %v", names(spans.within(accept)))
	}
	if sent := spans.within(types["http-request"]).named("outbound POST"); len(sent) != 1 || attribute(sent[0], "server.address") != "127.0.0.1" {
		t.Errorf("within the node are %v", names(spans.within(types["http-request"])))
	}
	if len(spans.within(types["http-request"]).named("COMMIT")) == 0 && len(spans.within(types["http-request"]).named("UPDATE")) == 0 {
		t.Errorf("no statements are within the node: %v", names(spans.within(types["http-request"])))
	}
	for _, delivery := range spans.named("deliver job.completed") {
		if string(delivery.ParentSpanId) != string(accept.SpanId) || attribute(delivery, "atelier.delivery.outcome") != "delivered" {
			t.Errorf("the delivery has %v", delivery.Attributes)
		}
		if len(spans.within(delivery).named("outbound POST")) != 1 {
			t.Errorf("within the delivery are %v", names(spans.within(delivery)))
		}
	}

	// What is measured has the trace as its example, for those who ask for OpenMetrics.
	shown := string(client{t: t}.sending("Accept", "application/openmetrics-text; version=1.0.0").do("GET", "http://"+metrics+"/metrics", nil).Body)
	if !regexp.MustCompile(`(?m)^atelier_http_request_seconds_bucket\{.*route="/v1/workflows/\{id\}/run".*# \{.*trace_id="` + trace).MatchString(shown) {
		t.Errorf("no example of the run is among the figures:\n%s", tail(shown, 40))
	}
	// The log names the request and its trace.
	if !regexp.MustCompile(`"msg":"request".*"request_id":"the-request".*"trace_id":"` + trace + `"`).MatchString(p.log.String()) {
		t.Errorf("the log has no line of the request:\n%s", tail(p.log.String(), 20))
	}

	collector.mu.Lock()
	defer collector.mu.Unlock()
	for _, hidden := range []string{
		secretInput, "hidden-path", "hidden-key", secret, "mara@example.com", "Mara", password, person.token, operatorCode, "hush", "Fetching",
	} {
		if strings.Contains(string(collector.raw), hidden) {
			t.Errorf("the traces tell %q", hidden)
		}
	}
	if !collector.services["studio"] || len(collector.services) != 1 || !collector.keys["hush!"] || len(collector.keys) != 1 {
		t.Errorf("services %v, keys %v", collector.services, collector.keys)
	}
}

func names(spans spansOf) (all []string) {
	for _, span := range spans {
		all = append(all, span.Name)
	}
	return all
}

// TestTracesWithoutACollector: one that hangs, refuses or is absent keeps no one waiting.
func TestTracesWithoutACollector(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-release
	}))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(release) })
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	for name, address := range map[string]string{"Hangs": hanging.URL, "Refuses": refusing.URL, "Absent": "http://" + freeAddress(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startService(t, "OTEL_EXPORTER_OTLP_ENDPOINT="+address, "OTEL_BSP_SCHEDULE_DELAY=20")
			person := (&story{t: t, visitor: client{t: t, URL: p.URL}}).signUp("Mara")
			workflow := person.post("/v1/workflows", threeSteps).want(201).text("data.id")
			for range 5 {
				person.sending("Prefer", "").post("/v1/workflows/"+workflow+"/run", nil).want(202)
			}
			if name != "Hangs" {
				eventually(t, func() error {
					if !strings.Contains(p.log.String(), "traces are lost") {
						return errNotYet
					}
					return nil
				})
			}
			if n := strings.Count(p.log.String(), "traces are lost"); n > 2 {
				t.Errorf("the log complains %d times", n)
			}
			began := time.Now()
			if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := <-p.done; err != nil {
				t.Errorf("it ended with %v", err)
			}
			p.done <- nil
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it ended after %s", took)
			}
		})
	}
}
