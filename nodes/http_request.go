package nodes

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

var httpRequestNode = &Node{
	Type: "http-request", Label: "HTTP request", Category: "data", OutputType: "data", Pool: Provider,
	Description:  "Asks an https address and passes its answer on.",
	Capabilities: []string{"outbound", "data"},
	InputSchema: object(
		address("url", "URL", "An https address on a public host.", "").required(),
		choice("method", "Method", "", "GET", "POST", "PUT", "PATCH", "DELETE"),
		named("headers", "Headers", "Sent along, by name.", Schema{Type: "string", MaxLength: 4_000}),
		line("credentialId", "Credential", "A header key that is sent along.").as("credential"),
		anything("body", "Body", "Sent as JSON, or as plain text when it is one. Apps do not show it."),
		anything("input", "Input", "Sent instead of the body when something is connected."),
	),
	MainInput: "input", MainOutput: "data",
	Destinations: []string{"url", "method", "headers", "credentialId", "body"},
	Run:          httpRequest,
}

const (
	requestTimeout = 30 * time.Second
	requestKept    = maxText // bytes of an answer
)

// httpRequest fails on anything but 2xx. A request that is not safe to repeat
// is not sent again after it was cut off.
func httpRequest(ctx context.Context, in *Call) (Output, error) {
	u, err := secureAddress(in.text("url"))
	if err != nil {
		return nil, err
	}
	method := in.text("method")
	if in.Attempt > 1 && (method == http.MethodPost || method == http.MethodPatch) {
		return nil, failf("The step was cut off while it was sending, and is not sent twice")
	}
	sent := in.Input["input"]
	if sent == nil {
		sent = in.Input["body"]
	}
	body := plainText(sent)
	req, err := http.NewRequestWithContext(ctx, method, u.String(), strings.NewReader(body))
	if err != nil {
		return nil, failf("The address cannot be used")
	}
	if err := in.setHeaders(req, sent); err != nil {
		return nil, err
	}
	got, err := in.send(ctx, req, requestTimeout, requestKept)
	if err != nil {
		return nil, err
	}
	if got.Status < 200 || got.Status > 299 {
		return nil, failf("The address answered with status %d", got.Status)
	}
	return answerOutput(got)
}

// ownHeaders are set by the client alone.
var ownHeaders = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Idempotency-Key"}

// setHeaders sets the type of what is sent, and over it the author's headers.
func (in *Call) setHeaders(req *http.Request, sent any) error {
	switch sent.(type) {
	case nil:
	case string:
		req.Header.Set("Content-Type", "text/plain; charset=utf-8")
	default:
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range in.object("headers") {
		text, _ := value.(string)
		for _, own := range ownHeaders {
			if strings.EqualFold(strings.TrimSpace(name), own) {
				return failf("The header %s cannot be set", own)
			}
		}
		if strings.ContainsAny(name+text, "\r\n\x00") {
			return failf("A header must be one line")
		}
		req.Header.Set(name, text)
	}
	return nil
}

// answerOutput reads JSON into data, and shows text under text.
func answerOutput(got *answer) (Output, error) {
	if got.Cut {
		return nil, failf("The answer is larger than 1 MiB, or was cut off")
	}
	out := Output{"status": got.Status}
	text := strings.ToValidUTF8(string(got.Body), "\ufffd")
	var data any
	if strings.Contains(got.ContentType, "json") && json.Unmarshal(got.Body, &data) == nil {
		out["data"] = data
		return out, nil
	}
	out["text"], out["data"] = text, text
	return out, nil
}
