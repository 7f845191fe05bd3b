//go:build !race

package tests

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestFailover kills the primary of two PostgreSQL servers, of which the second has every commit, while runs come to two
// replicas of the service: once the second is promoted they go on by themselves. Every run that was accepted ends, is there once
// and was paid for once; meanwhile clients are told to come again.
func TestFailover(t *testing.T) {
	t.Parallel()
	first := newPrimary(t)
	second := first.standby("second")
	for _, statement := range []string{"ALTER SYSTEM SET synchronous_standby_names = 'second'", "SELECT pg_reload_conf()"} {
		if err := first.ask("postgres", statement, nil); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() error {
		var state string
		if err := first.ask("postgres", "SELECT sync_state FROM pg_stat_replication", &state); err != nil {
			return err
		}
		return differs(state, "sync")
	})

	databaseURL := fmt.Sprintf("postgres://atelier@127.0.0.1:%s,127.0.0.1:%s/atelier?target_session_attrs=read-write&connect_timeout=2&sslmode=disable", first.port, second.port)
	dataDir := t.TempDir()
	hooks := newReceiver(t, 0)
	one := startOn(t, databaseURL, dataDir, []string{"serve"}, "SSL_CERT_FILE="+hooks.roots)
	two := startOn(t, databaseURL, dataDir, []string{"serve"}, "SSL_CERT_FILE="+hooks.roots, "PUBLIC_URL="+one.URL)
	s := begin(t, one.URL)
	s.listen(s.owner, hooks.URL+"/events")
	code := s.owner.in(s.class).post("/v1/workflows", object{"name": "Code", "nodes": []object{
		{"id": "text", "type": "text", "data": object{"text": "https://example.org"}}, {"id": "code", "type": "qr-code", "data": object{"text": ""}},
	}, "edges": []object{{"id": "e", "source": "text", "target": "code", "targetHandle": "text"}}}).want(201).text("data.id")

	var mu sync.Mutex
	var accepted []string
	var refused, after atomic.Int64
	var promoted atomic.Bool
	over := make(chan struct{})
	var load sync.WaitGroup
	for _, who := range []client{s.owner, s.owner.at(two.URL)} {
		load.Go(func() {
			for {
				select {
				case <-over:
					return
				case <-time.After(100 * time.Millisecond):
				}
				switch r := who.in(s.class).post("/v1/workflows/"+code+"/run", object{}); r.Status {
				case http.StatusAccepted:
					mu.Lock()
					accepted = append(accepted, r.text("executionId"))
					mu.Unlock()
					if promoted.Load() {
						after.Add(1)
					}
				case http.StatusServiceUnavailable:
					if refused.Add(1); r.Header.Get("Retry-After") == "" {
						t.Errorf("no word when to come again: %s", r.Body)
					}
				default:
					t.Errorf("while the primary died: %d %s", r.Status, r.Body)
					return
				}
			}
		})
	}
	stop := sync.OnceFunc(func() { close(over); load.Wait() })
	defer stop()
	count := func() int { mu.Lock(); defer mu.Unlock(); return len(accepted) }
	eventually(t, func() error { return differs(count() >= 5, true) })
	first.kill()
	eventually(t, func() error { return differs(refused.Load() > 0, true) })
	for _, p := range []*program{one, two} {
		eventually(t, func() error {
			r := s.visitor.at(p.URL).get("/readyz")
			return differs(fmt.Sprint(r.Status, " ", strings.TrimSpace(string(r.Body))), "503 not ready: the database cannot be used")
		})
	}
	began := time.Now()
	if err := second.ask("postgres", "SELECT pg_promote()", nil); err != nil {
		t.Fatal(err)
	}
	promoted.Store(true)
	eventually(t, func() error { return differs(after.Load() > 0, true) })
	again := time.Since(began)
	if again > 30*time.Second {
		t.Errorf("the first run was accepted %s after the promotion", again)
	}
	for _, p := range []*program{one, two} {
		eventually(t, func() error { return differs(s.visitor.at(p.URL).get("/readyz").Status, 200) })
	}
	eventually(t, func() error { return differs(after.Load() >= 5, true) })
	stop()

	var ended int
	eventually(t, func() error {
		if err := second.ask("atelier", fmt.Sprintf("SELECT count(*) FROM executions WHERE status = 'completed' AND settled_at IS NOT NULL AND id IN ('%s')", strings.Join(accepted, "', '")), &ended); err != nil {
			return err
		}
		return differs(ended, len(accepted))
	})
	ends := time.Since(began)
	eventually(t, func() error {
		told := map[string]bool{}
		for _, e := range hooks.all() {
			for _, id := range accepted {
				told[id] = told[id] || e.verified(s.secret) && bytes.Contains(e.body, []byte(id))
			}
		}
		for _, id := range accepted {
			if !told[id] {
				return fmt.Errorf("no event of the run %s", id)
			}
		}
		return nil
	})
	var charges int
	if err := second.ask("atelier", "SELECT count(*) FROM (SELECT FROM ledger_entries WHERE kind = 'charge' GROUP BY execution_id, node_id HAVING count(*) > 1) twice", &charges); err != nil || charges > 0 {
		t.Errorf("%d steps were charged twice, %v", charges, err)
	}
	if said, err := runCommand(t, []string{"reconcile"}, "DATABASE_URL="+databaseURL, "DATA_DIR="+dataDir); err != nil {
		t.Errorf("the books: %v, %s", err, said)
	}
	t.Logf("%d runs accepted, %d of them by the second server, %d requests told to come again; accepted %s after the promotion, all ended %s after it",
		len(accepted), after.Load(), refused.Load(), again, ends)
}
