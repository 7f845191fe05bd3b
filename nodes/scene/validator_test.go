//go:build !race

package scene

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// validate has Khronos' validator look at every file of a folder, in one process.
const validate = `
const fs = require('fs'), path = require('path'), validator = require('gltf-validator');
(async () => {
  const out = {};
  for (const name of fs.readdirSync(process.argv[1])) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path.join(process.argv[1], name))), { maxIssues: 5 });
    out[name] = { errors: report.issues.numErrors, warnings: report.issues.numWarnings, first: report.issues.messages.slice(0, 2).map(m => m.code + ' ' + m.pointer + ' ' + m.message) };
  }
  console.log(JSON.stringify(out));
})();`

func TestWhatIsWrittenIsValidGLTF(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "node_modules", "gltf-validator")); err != nil {
		t.Fatal("gltf-validator is missing: scripts/setup test installs it")
	}
	folder := t.TempDir()
	names := map[string]string{}
	models := map[string]*Model{"everything": everything(t)}
	for name, s := range kitScenes(t) {
		models[name] = mustBuild(t, s)
	}
	for name, m := range models {
		glb, err := m.GLB()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file := strconv.Itoa(len(names)) + ".glb"
		names[file] = name
		if err := os.WriteFile(filepath.Join(folder, file), glb, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("node", "-e", validate, folder)
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var reports map[string]struct {
		Errors, Warnings int
		First            []string
	}
	if err := json.Unmarshal(out, &reports); err != nil {
		t.Fatal(err)
	}
	if len(reports) != len(names) || len(names) < 120 {
		t.Fatalf("%d of %d files were looked at", len(reports), len(names))
	}
	for file, r := range reports {
		if r.Errors+r.Warnings > 0 {
			t.Errorf("%s: %d errors, %d warnings: %q", names[file], r.Errors, r.Warnings, r.First)
		}
	}
}
