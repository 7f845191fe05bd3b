package rest

import "testing"

// TestErrorsOfFormNameTheField reads the sentences that wrong forms are answered with.
func TestErrorsOfFormNameTheField(t *testing.T) {
	f := newWorkflowFace(t)
	for _, c := range []struct{ path, body, message string }{
		{"/v1/workflows", `{"name":5}`, "name must be a string"},
		{"/v1/workflows", `{}`, "name is required"},
		{"/v1/workflows", `{"name":"x","nodes":{}}`, "nodes must be an array"},
		{"/v1/workflows", `{"name":"x","projectId":"x"}`, "projectId must be a UUID"},
		{"/v1/workflows/x/run", `{}`, "id must be a UUID"},
		{"/v1/api/run", `{"workflowId":1}`, "workflowId must be a string"},
		{"/v1/jobs/batch-status", `{"ids":"x"}`, "ids must be an array"},
	} {
		code, answer := f.call("POST", c.path, c.body)
		refusal, _ := answer["error"].(map[string]any)
		if code != 400 || refusal["code"] != "validation_error" || refusal["message"] != c.message {
			t.Errorf("POST %s %s: %d %v, want %q", c.path, c.body, code, answer, c.message)
		}
	}
	for path, message := range map[string]string{
		"/v1/api/schema":                  "workflowId is required",
		"/v1/api/schema?workflowId=x":     "workflowId must be a UUID",
		"/v1/workflow-executions/1?wait=": "id must be a UUID",
	} {
		if code, answer := f.call("GET", path, ""); code != 400 || answer["error"].(map[string]any)["message"] != message {
			t.Errorf("GET %s: %d %v, want %q", path, code, answer, message)
		}
	}
}
