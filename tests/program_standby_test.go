//go:build !race

package tests

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestReadsFromAStandby lists the audit log and reports usage on one process while another writes, with a standby that follows,
// one that stands still and one that is gone: what was written before is always there, and no one is refused.
func TestReadsFromAStandby(t *testing.T) {
	t.Parallel()
	first := newPrimary(t)
	second := first.standby("second")
	dataDir, metrics := t.TempDir(), freeAddress(t)
	one := startOn(t, first.url(), dataDir, []string{"serve"})
	two := startOn(t, first.url(), dataDir, []string{"serve", "--workers=false"}, "DATABASE_READ_URL="+second.url(), "METRICS_ADDR="+metrics, "PUBLIC_URL="+one.URL)
	figure := func(name string) float64 {
		t.Helper()
		shown := string(client{t: t}.do("GET", "http://"+metrics+"/metrics", nil).Body)
		found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (.+)$`).FindStringSubmatch(shown)
		if found == nil {
			t.Fatalf("no figure %s", name)
		}
		n, _ := strconv.ParseFloat(found[1], 64)
		return n
	}
	reads := func(from string) float64 { return figure(`atelier_standby_reads_total{from="` + from + `"}`) }
	usable := func(want float64) {
		t.Helper()
		eventually(t, func() error { return differs(figure("atelier_standby_usable"), want) })
	}
	s := begin(t, one.URL)
	elsewhere := s.owner.at(two.URL)
	made := 0
	// seen writes with one process and reads with the other.
	seen := func(times int) {
		t.Helper()
		for range times {
			made++
			room := s.owner.post("/v1/orgs/"+s.school+"/workspaces", object{"name": fmt.Sprint("Room ", made)}).want(201).text("data.id")
			began := time.Now()
			newest := elsewhere.get("/v1/orgs/" + s.school + "/audit?limit=1").want(200)
			if newest.text("data.0.targetId") != room {
				t.Errorf("the log does not have what was done before: %s", newest.Body)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("reading took %s", took)
			}
			elsewhere.get("/v1/orgs/" + s.school + "/usage?groupBy=workspace").want(200)
		}
	}

	usable(1)
	before := reads("standby")
	seen(8)
	if answered := reads("standby") - before; answered < 8 {
		t.Errorf("the standby answered %g of 16 reads", answered)
	}
	s.publish()
	s.finished(s.ada, s.run(s.ada, object{"topic": "a heron"}), "completed")
	s.budget(2.5, 0)
	if cost := elsewhere.get("/v1/orgs/" + s.school + "/usage").want(200); cost.number("data.totals.credits") != 2.5 {
		t.Errorf("what the run cost: %s", cost.Body)
	}
	if file := elsewhere.get("/v1/orgs/" + s.school + "/usage?groupBy=none&format=csv").want(200); !strings.Contains(string(file.Body), "2.5") {
		t.Errorf("the export: %s", file.Body)
	}

	// Nothing is replayed: whether the process knows it or not, it is as before.
	if err := second.ask("postgres", "SELECT pg_wal_replay_pause()", nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		var state string
		if err := second.ask("postgres", "SELECT pg_get_wal_replay_pause_state()", &state); err != nil {
			return err
		}
		return differs(state, "paused")
	})
	before = reads("standby")
	seen(3)
	if answered := reads("standby") - before; answered > 0 {
		t.Errorf("a standby that stands still answered %g reads", answered)
	}
	usable(0)
	seen(2)
	if err := second.ask("postgres", "SELECT pg_wal_replay_resume()", nil); err != nil {
		t.Fatal(err)
	}
	usable(1)
	seen(2)

	second.kill()
	seen(3)
	usable(0)
	seen(2)
	elsewhere.get("/readyz").want(200)
	if printed, _ := runCommand(t, []string{"doctor"}, "DATABASE_URL="+first.url(), "DATABASE_READ_URL="+second.url(), "DATA_DIR="+dataDir); !strings.Contains(printed, "Standby") || !strings.Contains(printed, "cannot be asked") {
		t.Errorf("the doctor of a standby that is gone:\n%s", printed)
	}
	second.start()
	usable(1)

	// Promoted, it is no standby any more.
	if err := second.ask("postgres", "SELECT pg_promote()", nil); err != nil {
		t.Fatal(err)
	}
	seen(3)
	usable(0)
	if said, err := runCommand(t, []string{"reconcile"}, "DATABASE_URL="+first.url(), "DATA_DIR="+dataDir); err != nil {
		t.Errorf("the books: %v, %s", err, said)
	}
}
