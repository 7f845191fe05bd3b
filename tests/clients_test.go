//go:build !race

package tests

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestClients lives through stories with every client against one running service, each client installed as its users
// install it: from the tarball that npm packs, from the wheel that pip builds.
func TestClients(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	t.Run("GeneratedByOpenAPITypeScript", w.generatedTypeScript)
	t.Run("GeneratedByOgen", w.generatedOgen)
	w.tool(t, w.dir("clients"), "tsc", "-b", "typescript", "typescript/test", "react", "n8n") // one process for all
	t.Run("TypeScript", w.typeScript)
	t.Run("React", w.react)
	t.Run("Python", w.python)
	t.Run("GitHubAction", w.gitHubAction)
	t.Run("N8n", w.n8n)
}

// clientWorld is a service with two apps, poster and greeting, and a copy of clients/ to build in.
type clientWorld struct {
	url, token string
	// root is laid out as the repository is.
	root string
	// document is that of the service.
	document string
	// tarballs are what was packed so far, by the folder in clients/.
	tarballs map[string]string
}

func newClientWorld(t *testing.T) *clientWorld {
	w := &clientWorld{url: startService(t).URL, root: t.TempDir(), tarballs: map[string]string{}}
	for _, folder := range []string{"clients", "docs/examples", "webhook/testdata"} {
		copyTree(t, filepath.Join("..", folder), filepath.Join(w.root, folder))
	}
	tools, err := filepath.Abs("../node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(tools, filepath.Join(w.root, "node_modules")); err != nil {
		t.Fatal(err)
	}
	_, body := openAPI(t)
	w.document = filepath.Join(w.root, "openapi.json")
	if err := os.WriteFile(w.document, body, 0o644); err != nil {
		t.Fatal(err)
	}
	ada := newPerson(t, w.url, "Ada").on(t)
	w.token = ada.post("/v1/api-tokens", object{"name": "clients", "rateLimit": 120}).want(201).text("token")
	publish := func(workflow, app object) {
		id := ada.post("/v1/workflows", workflow).want(201).text("data.id")
		ada.post("/v1/workflows/"+id+"/publish", app).want(201)
	}
	input := func(id, node, label string, more object) object {
		item := object{"type": "field", "id": id, "nodeId": node, "field": "text", "label": label, "allowedValues": nil}
		for key, value := range more {
			item[key] = value
		}
		return item
	}
	edge := func(id, source, target, handle string) object {
		return object{"id": id, "source": source, "target": target, "targetHandle": handle}
	}
	publish(object{"name": "Poster", "nodes": []object{
		{"id": "topic", "type": "text", "data": object{"text": "a lighthouse"}},
		{"id": "prompt", "type": "template-text", "data": object{"template": "{{topic}} at night", "values": object{}}},
		{"id": "paint", "type": "generate-image", "data": object{"seed": 4, "aspectRatio": "4:3", "resolution": "1K"}},
		{"id": "small", "type": "resize-image", "data": object{"width": 80, "height": 60, "fit": "cover"}},
	}, "edges": []object{edge("1", "topic", "prompt", "values.topic"), edge("2", "prompt", "paint", "prompt"), edge("3", "paint", "small", "imageUrl")}},
		object{"name": "Poster", "slug": "poster", "thumbnailNodeId": "small", "presentationSettings": object{"inputItems": []object{input("topic", "topic", "Topic", nil)}}})
	publish(object{"name": "Greeting", "nodes": []object{
		{"id": "who", "type": "text", "data": object{"text": "world"}},
		{"id": "how", "type": "text", "data": object{"text": "merry"}},
		{"id": "line", "type": "template-text", "data": object{"template": "Hello {{who}}, have a {{how}} day", "values": object{}}},
	}, "edges": []object{edge("1", "who", "line", "values.who"), edge("2", "how", "line", "values.how")}},
		object{"name": "Greeting", "slug": "greeting", "presentationSettings": object{"inputItems": []object{
			{"type": "richtext", "id": "intro", "content": "Greets a person."},
			input("name", "who", "Name", object{"required": true}),
			{"type": "group", "id": "more", "title": "More", "items": []object{input("mood", "how", "Mood", object{"allowedValues": []string{"merry", "solemn"}})}},
		}}})
	return w
}

// copyTree copies a folder without what is built in it.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	built := []string{"dist", "node_modules", "build", "__pycache__"}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inner, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && slices.Contains(built, entry.Name()):
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, inner), 0o755)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, inner), content, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dir is a folder of the copy.
func (w *clientWorld) dir(names ...string) string {
	return filepath.Join(append([]string{w.root}, names...)...)
}

// done runs a command in a folder, with where the service is, and answers what it printed.
func (w *clientWorld) done(t *testing.T, dir string, cmd *exec.Cmd, env ...string) string {
	t.Helper()
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), "BASE_URL="+w.url, "ATELIER_URL="+w.url, "ATELIER_TOKEN="+w.token,
		"PATH="+w.dir("node_modules", ".bin")+":"+os.Getenv("PATH"), "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// tool runs a program that npm installed for the tests.
func (w *clientWorld) tool(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	path := w.dir("node_modules", ".bin", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: scripts/setup test installs it", err)
	}
	return w.done(t, dir, exec.Command(path, args...))
}

func (w *clientWorld) node(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return w.done(t, dir, exec.Command("node", args...))
}

// installed makes a folder of a program in JavaScript with packages of clients/, packed as npm publishes them and
// installed without the network.
func (w *clientWorld) installed(t *testing.T, name string, packages ...string) string {
	t.Helper()
	dir := w.dir(name)
	writeFile(t, filepath.Join(dir, "package.json"), `{"private": true, "type": "module"}`)
	install := []string{"install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--legacy-peer-deps", "--loglevel=error"}
	for _, name := range packages {
		if w.tarballs[name] == "" {
			printed := w.done(t, w.dir("clients", name), exec.Command("npm", "pack", "--silent", "--pack-destination", w.root))
			w.tarballs[name] = w.dir(strings.TrimSpace(printed))
		}
		install = append(install, w.tarballs[name])
	}
	w.done(t, dir, exec.Command("npm", install...))
	return dir
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// generatedTypeScript makes a client of the OpenAPI document as an integrator
// would, and runs the story of testdata/client with it: what the document says
// of each route must compile against what the story reads and sends.
func (w *clientWorld) generatedTypeScript(t *testing.T) {
	dir := w.dir("generated")
	copyTree(t, "testdata/client", dir)
	w.tool(t, dir, "openapi-typescript", w.document, "-o", "api.d.ts")
	w.tool(t, dir, "tsc", "-p", ".")
	w.node(t, dir, "out/story.js")
}

// generatedOgen makes a client in Go of the document of one group, in a module of its own, and runs the story of
// testdata/ogen with it. What oapi-codegen makes of the whole document is clients/go/api. Of the whole document ogen makes
// 600,000 lines, and version 1.24.0 ends with a panic at forms with members of any name, which /v1/oauth/token and
// /v1/webhooks/{token} take.
func (w *clientWorld) generatedOgen(t *testing.T) {
	dir := w.dir("ogen")
	copyTree(t, "testdata/ogen", dir)
	document := client{t: t, URL: w.url}.get("/v1/openapi.json?tag=App+runs").want(200)
	writeFile(t, filepath.Join(dir, "runs.json"), string(document.Body))
	made := w.done(t, dir, exec.Command("go", "tool", "ogen", "-package", "api", "-target", "api", "runs.json"), "GOWORK=off")
	for line := range strings.Lines(made) {
		if strings.Contains(line, "will be ignored") && !strings.Contains(line, `"format": "uuid"`) {
			t.Errorf("ogen leaves out a part of the document: %s", line)
		}
	}
	w.done(t, dir, exec.Command("go", "run", "."), "GOWORK=off")
}

// typeScript runs the tests of the SDK, and every example of it as one who installed its package does.
func (w *clientWorld) typeScript(t *testing.T) {
	sdk := w.dir("clients", "typescript")
	w.node(t, sdk, "scripts/types.mjs", w.document, "src/api.ts")
	current(t, filepath.Join(sdk, "src/api.ts"), "../clients/typescript/src/api.ts")
	w.node(t, sdk, slices.Concat([]string{"--test", "--test-reporter=spec"}, inFolder(t, sdk, "test/*.test.mjs"))...)

	dir := w.installed(t, "of-npm", "typescript")
	copyTree(t, "../clients/typescript/examples", dir)
	var program strings.Builder // one process for all examples
	for _, example := range inFolder(t, dir, "*.mjs") {
		fmt.Fprintf(&program, "await import(%q);\n", "./"+example)
	}
	writeFile(t, filepath.Join(dir, "all.mjs"), program.String())
	wantLines(t, w.node(t, dir, "all.mjs"), "Hello Hedy, have a solemn day")
}

// wantLines holds what the examples of a language print.
func wantLines(t *testing.T, printed string, more ...string) {
	t.Helper()
	for _, line := range append(more, "fox.png: image", "Hello Ada, have a merry day", "Hello Grace, have a solemn day", "ahoy!", "hey!", "land!", "The fox is in the snow.", "inputs.mood", "204 400", "cancelled") {
		if !strings.Contains(printed, line) {
			t.Errorf("the examples do not print %q:\n%s", line, printed)
		}
	}
}

// react fills the form in, in a page, against the routes of the example.
func (w *clientWorld) react(t *testing.T) {
	dir := w.installed(t, "of-react", "typescript", "react")
	copyTree(t, "../clients/react/examples", dir)
	copyTree(t, "../clients/react/test", dir)
	w.node(t, dir, "--test", "--test-reporter=spec", "form.test.mjs")
}

// python builds the wheel, runs the tests of the SDK with it, every example, and the notebook.
func (w *clientWorld) python(t *testing.T) {
	sdk := w.dir("clients", "python")
	run := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("python3", args...)
		cmd.Args = append([]string{cmd.Args[0], "-X", "utf8", "-W", "error::ResourceWarning"}, args...)
		return w.done(t, dir, cmd, "PYTHONPATH="+w.dir("of-pip", "site"), "PYTHONDONTWRITEBYTECODE=1", "PIP_NO_INPUT=1")
	}
	pip := []string{"-m", "pip", "--quiet", "--no-cache-dir", "--disable-pip-version-check", "--isolated"}
	run(sdk, append(pip, "wheel", "--no-index", "--no-deps", "--wheel-dir", w.dir("of-pip"), ".")...)
	wheel := inFolder(t, w.dir("of-pip"), "*.whl")[0]
	run(w.dir("of-pip"), append(pip, "install", "--no-index", "--no-deps", "--no-compile", "--root-user-action=ignore", "--target", "site", wheel)...)
	run(sdk, "-m", "unittest", "discover", "-s", "tests")
	var program strings.Builder // one process for all examples
	program.WriteString("import runpy\n")
	for _, example := range inFolder(t, sdk, "examples/*.py") {
		fmt.Fprintf(&program, "runpy.run_path(%q, run_name=%q)\n", filepath.Join(sdk, example), "__main__")
	}
	wantLines(t, run(w.dir("of-pip"), "-c", program.String()), "Hello Hedy, have a merry day", "{'age': 36, 'name': 'Ada'}")
	told := run(w.dir("of-pip"), filepath.Join(sdk, "tests", "notebook.py"), filepath.Join(sdk, "examples", "story.ipynb"))
	if !regexp.MustCompile(`(?m)^cell 5: image/(png|jpeg), \d{4,}$`).MatchString(told) || !strings.Contains(told, "cell 9: (True, 'completed')") || !strings.Contains(told, "validation_error in ") {
		t.Errorf("the notebook shows\n%s", told)
	}
}

// gitHubAction runs the action as a runner does.
func (w *clientWorld) gitHubAction(t *testing.T) {
	w.node(t, w.dir("clients", "github-action"), "--test", "--test-reporter=spec", "test/action.test.mjs")
}

// n8n loads the node as n8n does, with the packages installed.
func (w *clientWorld) n8n(t *testing.T) {
	dir := w.installed(t, "of-n8n", "typescript", "n8n")
	copyTree(t, "../clients/n8n/test", dir)
	w.node(t, dir, "--test", "--test-reporter=spec", "node.test.mjs")
}

// inFolder are the files of a folder that fit a pattern.
func inFolder(t *testing.T, dir, pattern string) []string {
	t.Helper()
	found, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("%s in %s: %v, %d files", pattern, dir, err, len(found))
	}
	return found
}

// current fails unless a generated file is tracked as it was made now; with -write-docs it is written.
func current(t *testing.T, made, tracked string) {
	t.Helper()
	want, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	if *writeDocs {
		if err := os.WriteFile(tracked, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if has, err := os.ReadFile(tracked); err != nil || !bytes.Equal(has, want) {
		t.Errorf("%s is out of date (%v): go test ./tests -run TestClient -args -write-docs", tracked, err)
	}
}
