package nodes

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"atelier/models"
	"atelier/nodes/kit"
)

var httpRequestNode = &kit.Node{
	Type: "http-request", Label: "HTTP request", Category: "data", OutputType: "data", Pool: kit.Provider,
	Description:  "Asks an https address and passes its answer on: JSON and text as they are, pictures, videos and sounds as files.",
	Capabilities: []string{"outbound", "data"},
	InputSchema: kit.Object(
		kit.Address("url", "URL", "An https address on a public host.", "").Required(),
		kit.Choice("method", "Method", "What is asked of the address: GET reads, the others change something there.", "GET", "POST", "PUT", "PATCH", "DELETE"),
		kit.NamedField("headers", "Headers", "Sent along, by name. Values of secret headers are sealed when saved.", kit.Schema{Type: "string", MaxLength: kit.MaxHeader}),
		kit.Line("credentialId", "Credential", "A header key that is sent along. With one, the output has the status of the answer alone.").As("credential"),
		kit.Anything("body", "Body", "Sent as JSON, or as plain text when it is one. Apps do not show it."),
		kit.Anything("input", "Input", "Sent instead of the body when something is connected."),
	),
	MainInput: "input", MainOutput: "data",
	Destinations: []string{"url", "method", "headers", "credentialId", "body"},
	Written: func(data map[string]any, fed func(string) bool) []string {
		if isWritten(data["body"]) || fed("body") {
			return []string{"input"}
		}
		return nil
	},
	Check: checkHeaders,
	Run:   httpRequest,
}

// httpRequest fails on anything but 2xx. A request that is not safe to repeat
// is not sent again after it was cut off.
func httpRequest(ctx context.Context, in *kit.Call) (kit.Output, error) {
	u, err := kit.SecureAddress(in.Text("url"))
	if err != nil {
		return nil, err
	}
	method := in.Text("method")
	if in.Attempt > 1 && (method == http.MethodPost || method == http.MethodPatch) {
		return nil, kit.Failf("The step was cut off while it was sending, and is not sent twice").
			WithHint("Look at the receiver, and run the workflow again if nothing arrived.")
	}
	sent := in.Input["input"]
	if sent == nil {
		sent = in.Input["body"]
	}
	body := kit.PlainText(sent)
	req, err := http.NewRequestWithContext(ctx, method, u.String(), strings.NewReader(body))
	if err != nil {
		return nil, kit.Failf("The address cannot be used")
	}
	if err := in.SetHeaders(ctx, req, sent); err != nil {
		return nil, err
	}
	var out kit.Output
	err = in.Exchange(ctx, req, kit.RequestTimeout, func(res *http.Response) (err error) {
		if res.StatusCode < 200 || res.StatusCode > 299 {
			return kit.Failf("The address answered with status %d", res.StatusCode).WithHint("%s", kit.StatusHint(res.StatusCode))
		}
		if in.Text("credentialId") != "" { // what the receiver says back may be the key
			out = kit.Output{"status": res.StatusCode}
			return nil
		}
		out, err = in.ReadAnswer(ctx, res)
		return err
	})
	return out, err
}

// ownHeaders are set by the client alone.
var ownHeaders = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Idempotency-Key"}

// checkHeaders refuses headers that cannot be sent, and those that the client
// alone sets.
func checkHeaders(prefix string, input map[string]any) error {
	headers, _ := input["headers"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		field := prefix + "headers." + name
		text, _ := headers[name].(string)
		switch {
		case slices.ContainsFunc(ownHeaders, func(own string) bool { return strings.EqualFold(name, own) }):
			return models.Invalid(field, "cannot be set")
		case !httpguts.ValidHeaderFieldName(name):
			return models.Invalid(prefix+"headers", "has the name %q, which is none of a header: letters, digits and hyphens, without blanks", name)
		case !httpguts.ValidHeaderFieldValue(text):
			return models.Invalid(field, "must be one line")
		}
	}
	return nil
}
