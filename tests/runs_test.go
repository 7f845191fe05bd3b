//go:build !race

package tests

import "testing"

// TestRunAPI drives the rules of contract 1 over HTTP, against one install.
func TestRunAPI(t *testing.T) {
	t.Parallel()
	p := startService(t)
	for name, part := range map[string]func(*testing.T, *program){
		"Apps": runAPIApps, "Runs": runAPIRuns, "Nodes": runAPINodes, "Jobs": runAPIJobs,
		"Executions": runAPIExecutions, "Live": runAPILive, "Conventions": runAPIConventions, "Tokens": runAPITokens,
		"Workflows": runAPIWorkflows, "Uploads": runAPIUploads, "Bytes": runAPIBytes,
	} {
		t.Run(name, func(t *testing.T) { part(t, p) })
	}
}
