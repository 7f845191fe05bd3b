package egress

import (
	"context"
	"net/http"

	"atelier/models/tracing"
)

// traceRequest begins the span of a request. Its address may hold a secret, so the host
// stands for it; and the receiver learns nothing of the trace.
func traceRequest(req *http.Request) (context.Context, *tracing.Span) {
	ctx, span := tracing.Start(req.Context(), tracing.Asked, "outbound request")
	if span != nil {
		span.Rename("outbound " + req.Method)
		span.Text("http.request.method", req.Method)
		span.Text("server.address", req.URL.Hostname())
	}
	return ctx, span
}

// endRequest ends it with the head of the answer.
func endRequest(span *tracing.Span, resp *http.Response, err error) {
	switch {
	case span == nil:
		return
	case err != nil:
		class := Classify(err)
		span.Text("error.type", class)
		span.Fail(class)
	default:
		span.Number("http.response.status_code", resp.StatusCode)
	}
	span.End()
}
