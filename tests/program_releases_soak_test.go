//go:build soak

package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// TestSoakTwoReleases exchanges the program of the release before for this one, as replicas are exchanged: runs come to the old
// one, the new one migrates the database and works beside it for half a minute, the old one ends. Neither fails a request, every
// run ends, and the books are right.
func TestSoakTwoReleases(t *testing.T) {
	old := buildReleaseBefore(t)
	databaseURL, dataDir := dbtest.NewEmptyURL(t), t.TempDir()
	before := startProgram(t, old, databaseURL, dataDir, []string{"serve"})
	s := begin(t, before.URL)
	s.publish()
	s.operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`, object{"in": object{"organizationId": s.school, "amount": 100_000, "reason": "Two releases"}})
	s.owner.post("/v1/orgs/"+s.school+"/workspaces/"+s.class+"/allocate", object{"delta": 100_000}).want(200)
	s.picture(s.finished(s.ada, s.run(s.ada, object{"topic": "a heron"}), "completed"))
	at := s.runWithout()
	at.more(10)
	now := startOn(t, databaseURL, dataDir, []string{"serve"}, "PUBLIC_URL="+before.URL)
	beside := s.runAt(s.owner.at(now.URL))
	for over := time.Now().Add(30 * time.Second); time.Now().Before(over); {
		at.more(5)
		beside.more(5)
		for _, url := range []string{before.URL, now.URL} {
			owner := s.owner.at(url)
			for _, path := range []string{"/v1/me", "/v1/orgs/" + s.school, "/v1/orgs/" + s.school + "/audit", "/v1/orgs/" + s.school + "/usage", "/v1/workspaces/" + s.class + "/budget"} {
				owner.get(path).want(200)
			}
			s.picture(s.finished(s.ben.at(url), s.run(s.ben.at(url), object{"topic": "a fox"}), "completed"))
		}
	}
	db := openDatabase(t, databaseURL)
	at.halt()
	before.stop()
	beside.more(10)
	at.end(db)
	beside.end(db)
	if said, err := runCommand(t, []string{"reconcile"}, "DATABASE_URL="+databaseURL, "DATA_DIR="+dataDir); err != nil {
		t.Errorf("the books: %v, %s", err, said)
	}
}

// buildReleaseBefore builds the program as it was: at the last tag before this commit, or, where there is none, before the newest
// migration was written. A checkout without its history has neither.
func buildReleaseBefore(t *testing.T) string {
	t.Helper()
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", ".."}, args...)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	commit := git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^")
	if commit == "" {
		if newest := git("log", "-1", "--diff-filter=A", "--format=%H", "--", "migrations/*.sql"); newest != "" {
			commit = git("rev-parse", "--verify", "--quiet", newest+"^")
		}
	}
	if commit == "" {
		t.Skip("this checkout has no history: fetch it (git fetch --unshallow)")
	}
	dir := t.TempDir()
	if said, err := exec.Command("bash", "-c", `set -o pipefail; git -C .. archive "$1" | tar -x -C "$2"`, "bash", commit, dir).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", commit, err, said)
	}
	path := filepath.Join(dir, "atelier")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the program of %s: %v\n%s", commit, err, said)
	}
	t.Logf("the release before is %s", commit)
	return path
}
