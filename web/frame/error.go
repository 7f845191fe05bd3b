package frame

import "time"

// Error is a refusal of the service, or of the console itself.
type Error struct {
	Code string
	// Message is for people.
	Message string
	// Said is what the service said, for decisions; empty for the console's own.
	Said string
	// Field names the input at fault, empty when none is.
	Field  string
	Status int
	// RetryAfter is how long to wait after a 429 or 503.
	RetryAfter time.Duration
	// Nodes are those that a credential_unbound names.
	Nodes []NamedNode
	// StepToken is the second step that a sign-in waits for, and StepMethods are the
	// ways to take it: totp, passkey, recovery.
	StepToken   string
	StepMethods []string
}

// NamedNode is a node of a workflow that a refusal names, with the credential that it sends with.
type NamedNode struct {
	NodeID       string `json:"nodeId"`
	Label        string `json:"label"`
	WorkflowID   string `json:"workflowId"`
	CredentialID string `json:"credentialId"`
}

// Error says code and message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }
