//go:build !race

package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestOAuthClient drives the whole flow with a client library that others wrote
// (npm oauth4webapi): discovery, registration, PKCE, the issuer of the answer,
// the exchange, a call, and revocation. The person consents by GraphQL.
func TestOAuthClient(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	session := newPerson(t, url, "Ada")
	tools, err := filepath.Abs("../node_modules")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/oauth")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(tools, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "node", "flow.mjs")
	command.Dir = dir
	command.Env = append(os.Environ(), "BASE_URL="+url, "SESSION="+session.token)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
