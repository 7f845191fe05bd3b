//go:build !race

package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"atelier/webhook"
)

// commandLine is atelierctl, built as `make cli` does it.
type commandLine struct {
	t    *testing.T
	path string
	env  []string
	dir  string
}

func buildCommandLine(t *testing.T) *commandLine {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "bin", "atelierctl")
	if out, err := exec.CommandContext(t.Context(), "../scripts/build", path, "./clients/cli").CombinedOutput(); err != nil {
		t.Fatalf("make cli: %v\n%s", err, out)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 20_000_000 {
		t.Errorf("atelierctl has %v bytes: %v", info.Size(), err)
	}
	return &commandLine{t, path, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config")}, dir}
}

// command is one call, which reads in.
func (c *commandLine) command(in string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(c.t.Context(), c.path, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.dir, c.env, strings.NewReader(in)
	return cmd
}

// ends runs a call that ends with this code, and answers with what it printed.
func (c *commandLine) ends(code int, args ...string) string {
	c.t.Helper()
	cmd := c.command("", args...)
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	err := cmd.Run()
	if cmd.ProcessState.ExitCode() != code {
		c.t.Fatalf("atelierctl %s: %v, want %d\n%s%s", strings.Join(args, " "), err, code, out.String(), told.String())
	}
	return out.String()
}

// on is the program in a subtest.
func (c *commandLine) on(t *testing.T) *commandLine { in := *c; in.t = t; return &in }

func (c *commandLine) run(args ...string) string { c.t.Helper(); return c.ends(0, args...) }

// reads runs a call with --json and reads what it prints.
func reads[T any](c *commandLine, args ...string) (value T) {
	c.t.Helper()
	out := c.run(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &value); err != nil {
		c.t.Fatalf("atelierctl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return value
}

// TestCommandLineAndGoClient lives through the story of the README by atelierctl, and with a Go program that took the client
// from its folder.
func TestCommandLineAndGoClient(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	s.publish()
	token := s.ada.post("/v1/api-tokens", object{"name": "terminal"}).want(201).text("token")
	c := buildCommandLine(t)

	signIn := c.command(token+"\n", "login", p.URL, "--token", "-")
	if out, err := signIn.CombinedOutput(); err != nil || bytes.Contains(out, []byte(token)) {
		t.Fatalf("login: %v\n%s", err, out)
	}
	if info, err := os.Stat(filepath.Join(c.dir, "config", "atelierctl", "config.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the configuration: %v %v", info, err)
	}
	if out := c.run("profiles"); strings.Contains(out, token) || !strings.Contains(out, p.URL) {
		t.Errorf("profiles: %s", out)
	}
	c.run("profiles", "use", "default", "--workspace", "Art 9b")
	if out := c.run("whoami"); !strings.Contains(out, "ada@example.com") || !strings.Contains(out, "* ") || !strings.Contains(out, s.class) {
		t.Errorf("whoami: %s", out)
	}

	// An app by its form, and what came of it.
	if out := c.run("run", "poster", "--help"); !strings.Contains(out, "--topic text") || !strings.Contains(out, "--ratio choice") {
		t.Errorf("run --help: %s", out)
	}
	c.ends(2, "run", "poster", "--ratio", "4:3")
	c.ends(5, "run", "nowhere")
	c.run("run", "poster", "--topic", "a fox", "--ratio=1:1", "--output", "fox.png")
	file, err := os.Open(filepath.Join(c.dir, "fox.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if size, err := png.DecodeConfig(file); err != nil || size.Width != 320 || size.Height != 200 {
		t.Errorf("the picture is %d by %d: %v", size.Width, size.Height, err)
	}
	id := strings.TrimSpace(c.run("run", "poster", "--topic", "a bear", "--no-wait"))
	if run := reads[struct{ Status string }](c, "runs", "get", "poster", id); run.Status != "completed" {
		t.Errorf("the run reads %s", run.Status)
	}
	jobs := reads[[]struct{ Source string }](c, "jobs", "list")
	if len(jobs) != 8 || !strings.HasPrefix(jobs[0].Source, "cli/") {
		t.Errorf("jobs: %v", jobs)
	}
	report := reads[struct {
		Data struct{ Totals struct{ Credits float64 } }
	}](c, "usage")
	if report.Data.Totals.Credits != 5 {
		t.Errorf("two runs cost %v", report.Data.Totals.Credits)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "note.txt"), []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	if response, err := http.Get(strings.TrimSpace(c.run("upload", "note.txt"))); err != nil || response.StatusCode != 200 {
		t.Errorf("the upload: %v %v", response, err)
	}
	if out := c.run("open", "app", "poster", "--print"); out != p.URL+"/app/poster\n" {
		t.Errorf("open: %s", out)
	}
	completed := c.run("__complete", "run", "poster", "--ratio", "")
	if !strings.Contains(completed, "1:1\n16:9\n") {
		t.Errorf("completion: %s", completed)
	}

	t.Run("events", func(t *testing.T) { c.on(t).listens(t) })
	t.Run("agents", func(t *testing.T) { c.on(t).servesAgents(t, s) })
	t.Run("workflows", func(t *testing.T) { c.on(t).keepsWorkflows(t, s) })
	t.Run("a Go program", func(t *testing.T) { goProgram(t, p.URL, token, s.class) })
	c.run("logout")
	c.ends(2, "apps")
}

// listens takes the events of a run to a receiver that verifies them.
func (c *commandLine) listens(t *testing.T) {
	var verified atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := webhook.Verifier{Secrets: []string{"whsec_listening"}}.Receive(r)
		if err != nil || event.Type != webhook.JobCompleted {
			t.Errorf("%+v: %v", event, err)
		}
		verified.Add(1)
	}))
	defer receiver.Close()
	listening := c.command("", "events", "listen", "--forward", receiver.URL, "--secret", "whsec_listening")
	listening.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var told logBuffer
	listening.Stdout, listening.Stderr = &told, &told
	if err := listening.Start(); err != nil {
		t.Fatal(err)
	}
	// Whatever ends before the first look is passed over, so that runs begin until one is seen.
	eventually(t, func() error {
		if verified.Load() == 0 {
			c.run("run", "poster", "--topic", "a hare")
			return fmt.Errorf("no event came: %s", told.String())
		}
		return nil
	})
	if err := listening.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := listening.Wait(); listening.ProcessState.ExitCode() != 130 {
		t.Errorf("interrupted, it ended with %v\n%s", err, told.String())
	}
}

// keepsWorkflows signs the teacher in by the browser, and changes the workflow of the app as a file.
func (c *commandLine) keepsWorkflows(t *testing.T, s *story) {
	owner := s.owner
	owner.t = t
	signIn := c.command("", "login", owner.URL, "--profile", "teacher", "--no-browser", "--workspace", s.class)
	var told logBuffer
	signIn.Stderr = &told
	if err := signIn.Start(); err != nil {
		t.Fatal(err)
	}
	var page *url.URL
	eventually(t, func() error {
		for line := range strings.Lines(told.String()) {
			if strings.HasPrefix(line, owner.URL+"/oauth/authorize") && strings.HasSuffix(line, "\n") {
				var err error
				page, err = url.Parse(strings.TrimSpace(line))
				return err
			}
		}
		return errors.New("no page to sign in at")
	})
	q := page.Query()
	allowed := owner.graphql(`mutation($input: AuthorizationInput!) { approveAuthorization(input: $input) }`, object{"input": object{
		"clientId": q.Get("client_id"), "redirectUri": q.Get("redirect_uri"), "responseType": "code", "scope": q.Get("scope"),
		"state": q.Get("state"), "codeChallenge": q.Get("code_challenge"), "codeChallengeMethod": "S256",
	}}).text("data.approveAuthorization")
	if response, err := http.Get(allowed); err != nil || response.StatusCode != 200 {
		t.Fatalf("what the browser is sent back to: %v", err)
	}
	if err := signIn.Wait(); err != nil {
		t.Fatalf("login: %v\n%s", err, told.String())
	}

	c.run("workflows", "pull", "--dir", "flows")
	path := filepath.Join(c.dir, "flows", "poster.yaml")
	c.run("workflows", "diff", path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edit := func(from, to string) {
		t.Helper()
		if !bytes.Contains(content, []byte(from)) {
			t.Fatalf("%q is not in\n%s", from, content)
		}
		content = bytes.Replace(content, []byte(from), []byte(to), 1)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("text: a lighthouse", "text: a windmill # the class voted")
	if out := c.ends(1, "workflows", "diff", path); !strings.Contains(out, "+      text: a windmill # the class voted") {
		t.Errorf("diff: %s", out)
	}
	c.ends(1, "workflows", "pull", "--dir", "flows") // what is not pushed stays
	c.run("workflows", "push", path)
	saved := owner.get("/v1/workflows/" + s.workflow)
	if saved.number("data.version") != 2 || saved.text("data.nodes.0.data.text") != "a windmill" {
		t.Errorf("saved: %s", saved.Body)
	}
	if content, err = os.ReadFile(path); err != nil || !bytes.Contains(content, []byte("# the class voted")) || !bytes.Contains(content, []byte("version: 2 ")) {
		t.Errorf("the file after the push: %v\n%s", err, content)
	}
	run := reads[struct {
		NodeStates map[string]struct{ Output struct{ Text string } }
	}](c, "workflows", "run", path, "--input", "prompt.template={{topic}} by night")
	if text := run.NodeStates["prompt"].Output.Text; text != "a windmill by night" {
		t.Errorf("the run read %q", text)
	}

	// The other one was there first.
	owner.do("PATCH", "/v1/workflows/"+s.workflow, object{"description": "Changed elsewhere"}).want(200)
	edit("a windmill", "a mill")
	c.ends(7, "workflows", "push", path)
	c.run("workflows", "push", path, "--force")
	c.run("workflows", "diff", path)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	watching := exec.CommandContext(ctx, c.path, "workflows", "run", path, "--watch")
	watching.Dir, watching.Env = c.dir, c.env
	var runs logBuffer
	watching.Stdout, watching.Stderr = &runs, &runs
	if err := watching.Start(); err != nil {
		t.Fatal(err)
	}
	waiting := func(n int) func() error {
		return func() error {
			if strings.Count(runs.String(), "Waiting for changes") < n {
				return fmt.Errorf("not yet: %s", runs.String())
			}
			return nil
		}
	}
	eventually(t, waiting(1))
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	edit("a mill", "a pond")
	eventually(t, waiting(2))
	stop()
	_ = watching.Wait()
	if text := owner.get("/v1/workflows/" + s.workflow).text("data.nodes.0.data.text"); text != "a pond" {
		t.Errorf("after watching it is %q", text)
	}
	c.run("logout", "--profile", "teacher")
	c.run("profiles", "use", "default")
}

// goProgram builds a program of a module of its own that takes the client from its folder, and runs it.
func goProgram(t *testing.T, address, token, class string) {
	dir := t.TempDir()
	client, err := filepath.Abs("../clients/go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/goclient")); err != nil {
		t.Fatal(err)
	}
	for _, step := range [][]string{
		{"go", "mod", "init", "example.org/story"},
		{"go", "mod", "edit", "-require=atelier/clients/go@v1.0.0", "-replace=atelier/clients/go=" + client},
		{"go", "run", "."},
	} {
		command := exec.CommandContext(t.Context(), step[0], step[1:]...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "ATELIER_URL="+address, "ATELIER_TOKEN="+token, "CLASS="+class)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", step, err, out)
		}
	}
}
