//go:build !race

package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTypeScriptClient makes a client of the OpenAPI document as an integrator
// would, and runs the story of testdata/client with it: what the document says
// of each route must compile against what the story reads and sends.
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	url := startService(t).URL
	dir := t.TempDir()
	tools, err := filepath.Abs("../node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/client")); err != nil {
		t.Fatal(err)
	}
	_, body := openAPI(t)
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), body, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(tools, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	for _, step := range [][]string{
		{tools + "/.bin/openapi-typescript", "openapi.json", "-o", "api.d.ts"},
		{tools + "/.bin/tsc", "-p", "."},
		{"node", "out/story.js"},
	} {
		command := exec.CommandContext(t.Context(), step[0], step[1:]...)
		command.Dir = dir
		command.Env = append(os.Environ(), "BASE_URL="+url)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", step, err, out)
		}
	}
}
