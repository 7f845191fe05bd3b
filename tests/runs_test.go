package tests

import "testing"

// TestContract1 drives the rules of contract 1 over HTTP, against one install.
func TestContract1(t *testing.T) {
	t.Parallel()
	p := startService(t)
	for name, part := range map[string]func(*testing.T, *program){
		"Apps": contract1Apps, "Runs": contract1Runs, "Nodes": contract1Nodes, "Jobs": contract1Jobs,
		"Executions": contract1Executions, "Live": contract1Live, "Conventions": contract1Conventions, "Tokens": contract1Tokens,
		"Workflows": contract1Workflows, "Uploads": contract1Uploads,
	} {
		t.Run(name, func(t *testing.T) { part(t, p) })
	}
}
