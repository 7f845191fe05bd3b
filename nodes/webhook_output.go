package nodes

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"atelier/models"
	"atelier/nodes/kit"
)

var webhookOutputNode = &kit.Node{
	Type: "webhook-output", Label: "Webhook output", Category: "output", OutputType: "data", Pool: kit.Provider,
	NamesInputs:  true,
	Description:  "Sends the result as a POST to an https address, once.",
	Capabilities: []string{"outbound"},
	InputSchema: kit.Object(
		kit.Address("url", "URL", "An https address on a public host.", "").Required(),
		kit.Line("credentialId", "Credential", "A header key that is sent along. With one, the output has the status of the answer alone.").As("credential"),
		parameters("Further keys of the body; connect an edge to each."),
		kit.NamedField("values", "Values", "What is sent for the parameters, by name.", kit.Schema{}),
		kit.Anything("result", "Result", "What is sent as result."),
	),
	MainInput: "result", MainOutput: "data",
	Destinations: []string{"url", "credentialId"},
	Written:      writtenKeys,
	Check:        checkParameters,
	Run:          webhookOutput,
}

const (
	webhookTimeout = 10 * time.Second
	webhookKept    = 2048 // bytes of the answer that the output shows
)

// webhookOutput posts { executionId, workflowId, result, <parameter>: value }
// (contract 2, "Webhook-output node and credentials"). Anything but 2xx fails
// the node. A call that may have sent already before it was cut off does not
// send again.
func webhookOutput(ctx context.Context, in *kit.Call) (kit.Output, error) {
	u, err := kit.SecureAddress(in.Text("url"))
	if err != nil {
		return nil, err
	}
	if in.Attempt > 1 {
		return nil, kit.Failf("The step was cut off while it was sending, and is not sent twice").
			WithHint("Look at the receiver, and run the workflow again if nothing arrived.")
	}
	body, err := json.Marshal(webhookBody(in))
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	got, err := in.Send(ctx, req, webhookTimeout, webhookKept)
	if err != nil {
		return nil, err
	}
	if got.Status < 200 || got.Status > 299 {
		return nil, kit.Failf("The receiver answered with status %d", got.Status).
			WithHint("%s", kit.StatusHint(got.Status))
	}
	out := kit.Output{"status": got.Status}
	if in.Text("credentialId") == "" {
		out["body"] = strings.ToValidUTF8(string(got.Body), "")
	}
	return out, nil
}

// webhookBody puts the parameters beside the result; the names of the run's
// own keys cannot be taken by a parameter.
func webhookBody(in *kit.Call) map[string]any {
	values := in.Object("values")
	body := map[string]any{}
	for _, name := range kit.ParameterNames(in.Input) {
		value, ok := values[name]
		if !ok && !reserved(name) {
			value = in.Input[name]
		}
		body[name] = value
	}
	if result := in.Input["result"]; result != nil || body["result"] == nil {
		body["result"] = result
	}
	body["executionId"], body["workflowId"] = in.ExecutionID, in.WorkflowID
	return body
}

// writtenKeys are the parameters, which only their author names, the result and
// the parameters' values as far as the author wrote them.
func writtenKeys(data map[string]any, _ func(string) bool) []string {
	written := []string{"parameters"}
	if isWritten(data["result"]) {
		written = append(written, "result")
	}
	values, _ := data["values"].(map[string]any)
	for _, name := range kit.ParameterNames(data) {
		value := values[name]
		if value == nil && !reserved(name) {
			value = data[name]
		}
		if isWritten(value) {
			written = append(written, name, "values."+name)
		}
	}
	return written
}

// isWritten tells whether the author gave a field a value.
func isWritten(value any) bool { return value != nil && value != "" }

// reserved tells whether a name is a setting of the node itself, whose value
// must not be sent as a parameter.
func reserved(name string) bool {
	return slices.Contains([]string{"url", "credentialId", "parameters", "values", "label"}, name)
}

// checkParameters refuses two parameters of one name.
func checkParameters(prefix string, input map[string]any) error {
	seen := map[string]bool{}
	for _, name := range kit.ParameterNames(input) {
		if seen[name] {
			return models.Invalid(prefix+"parameters", "name %q twice", name)
		}
		seen[name] = true
	}
	return nil
}
