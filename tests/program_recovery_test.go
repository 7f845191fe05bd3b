package tests

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// slow makes the story's picture large, so that there is time to pull the plug.
var slow = object{"picture": object{"resolution": "2K"}}

// TestStoryWithKill pulls the plug of a service with its own PostgreSQL in the
// middle of a run: after the next start the run ends as if nothing had been,
// finished nodes have run and been charged once.
func TestStoryWithKill(t *testing.T) {
	t.Parallel()
	hooks := newReceiver(t, 0)
	p := startOn(t, "", t.TempDir(), []string{"serve"}, "SSL_CERT_FILE="+hooks.roots)
	s := begin(t, p.URL)
	s.publish()
	s.listen(s.ada, hooks.URL+"/events")
	run := s.ada.in(s.class).post("/v1/app/poster/run", object{"inputOverrides": slow}).want(202).text("runId")
	eventually(t, func() error {
		r := s.ada.in(s.class).get("/v1/app/poster/runs/" + run).want(200)
		if r.text("execution.nodeStates.prompt.status") != "completed" || r.text("execution.nodeStates.picture.status") != "running" {
			return fmt.Errorf("not yet in the middle: %s", r.Body)
		}
		return nil
	})
	p.kill()
	p.start()
	after := s.finished(s.ada, run, "completed")
	s.picture(after)
	if after.number("creditsUsed") != 2.5 {
		t.Errorf("charged %v, want 2.5", after.path("creditsUsed"))
	}
	s.budget(2.5, 0)
	// At least once: an event that was under way when the plug was pulled may come twice.
	ids := map[string]bool{}
	eventually(t, func() error {
		for _, e := range hooks.all() {
			ids[e.header.Get("Service-Delivery")] = true
		}
		if len(ids) != 4 {
			return fmt.Errorf("%d different events, want 4", len(ids))
		}
		return nil
	})
}

// TestStoryOnReplicas runs the story on two services without workers and one
// worker, with each request at the other service than the one before.
func TestStoryOnReplicas(t *testing.T) {
	t.Parallel()
	hooks := newReceiver(t, 1)
	databaseURL, dataDir := dbtest.NewURL(t), t.TempDir()
	env := []string{"SSL_CERT_FILE=" + hooks.roots, "DELIVERY_BACKOFF=100ms,200ms"}
	first := startOn(t, databaseURL, dataDir, []string{"serve", "--workers=false"}, env...)
	env = append(env, "PUBLIC_URL="+first.URL)
	second := startOn(t, databaseURL, dataDir, []string{"serve", "--workers=false"}, env...)
	startOn(t, databaseURL, dataDir, []string{"worker"}, env...)

	s := begin(t, first.URL)
	s.visitor, s.owner, s.ada = s.visitor.at(second.URL), s.owner.at(second.URL), s.ada.at(second.URL)
	s.publish()
	s.listen(s.ada, hooks.URL+"/events")
	run := s.run(s.ada.at(first.URL), object{"topic": "a heron"})
	s.picture(s.finished(s.ada, run, "completed"))
	s.budget(2.5, 0)
	s.delivered(s.ada, hooks, 4, 5)

	// A session ends on every replica at once, and limits are shared.
	s.ben.post("/auth/sign-out", nil).want(200)
	s.ben.at(second.URL).get("/v1/me").wantError(401, "unauthorized")
	freshMinute()
	for i := range 10 {
		url := []string{first.URL, second.URL}[i%2]
		s.operator.at(url).post("/v1/workspaces/join", object{"code": "23456789"}).wantError(400, "join_code_invalid")
	}
	s.operator.at(second.URL).post("/v1/workspaces/join", object{"code": "23456789"}).wantError(429, "rate_limit_exceeded")
}

func TestSecondStartOnOneDataDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startOn(t, "", dir, []string{"serve"})
	said, err := runCommand(t, []string{"serve"}, "DATA_DIR="+dir, "LISTEN_ADDR=127.0.0.1:0")
	if err == nil || !strings.Contains(said, "already in use") || !strings.Contains(said, fmt.Sprint(p.cmd.Process.Pid)) {
		t.Errorf("the second start: %v, %s", err, said)
	}
	for _, name := range []string{"session.key", "encryption.key"} {
		info, err := os.Stat(dir + "/" + name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestMalformedSettingStopsTheStart(t *testing.T) {
	said, err := runCommand(t, []string{"serve"}, "TRUSTED_PROXIES=x", "SIGN_UP=x")
	if err == nil || !strings.Contains(said, "TRUSTED_PROXIES") || !strings.Contains(said, "SIGN_UP") {
		t.Errorf("the start said %v, %s", err, said)
	}
}

func TestCommandsThatPrint(t *testing.T) {
	for command, want := range map[string]string{"openapi": `"openapi": "3.1.0"`, "schema": "type Organization", "help": "atelier serve"} {
		if printed, err := runCommand(t, []string{command}); err != nil || !strings.Contains(printed, want) {
			t.Errorf("atelier %s: %v, without %q", command, err, want)
		}
	}
	if _, err := runCommand(t, []string{"nonsense"}, "DATA_DIR="+t.TempDir()); err == nil {
		t.Error("an unknown command was taken")
	}
}
