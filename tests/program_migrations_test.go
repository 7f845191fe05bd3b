//go:build !race

package tests

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/migrations"
	"atelier/models/dbtest"
)

// removesRows are the migrations that remove rows when they are taken back, by the tables: an older program could not read them.
var removesRows = map[int64][]string{
	28: {"email_tokens"}, 41: {"webhook_deliveries", "webhook_attempts"}, 43: {"ledger_entries"}, 48: {"notifications"}, 86: {"email_tokens"},
}

// TestMigrationsGoDownWithRows takes every migration but the first back, one after the other, on a database with rows in every
// table, and applies all of them again: no row is lost that an older program has a place for, the schema is the same afterwards,
// and the service works on it.
func TestMigrationsGoDownWithRows(t *testing.T) {
	databaseURL := dbtest.NewPlainURL(t)
	db := openDatabase(t, databaseURL)
	rows, err := os.ReadFile("testdata/rows.sql")
	if err != nil {
		t.Fatal(err)
	}
	db.exec(string(rows))
	for table, n := range db.counts() {
		if n == 0 {
			t.Errorf("%s is empty: testdata/rows.sql needs a row of it", table)
		}
	}
	schema := db.schema()
	states, err := migrations.Status(t.Context(), databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	before := db.counts()
	for _, state := range slices.Backward(states[1:]) {
		if err := migrations.Down(t.Context(), databaseURL); err != nil {
			t.Fatalf("%s cannot be taken back: %v", state.Name, err)
		}
		after := db.counts()
		for table, n := range before {
			left, there := after[table]
			if there && left < n && !slices.Contains(removesRows[state.Version], table) {
				t.Errorf("%s removed %d of %d rows of %s when it was taken back", state.Name, n-left, n, table)
			}
		}
		before = after
	}
	if err := migrations.Up(t.Context(), databaseURL); err != nil {
		t.Fatalf("applied again: %v", err)
	}
	after := db.counts()
	for table, n := range before {
		if left, there := after[table]; there && left < n {
			t.Errorf("%d of %d rows of %s are left when all are applied again", left, n, table)
		}
	}
	again := db.schema()
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		if again[name] != schema[name] {
			t.Errorf("%s is another one:\n%s\nwas\n%s", name, again[name], schema[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(again)) {
		if _, there := schema[name]; !there {
			t.Errorf("%s is new:\n%s", name, again[name])
		}
	}
	newPerson(t, newTestServerOn(t, nil, databaseURL).server.URL, "Someone")
}

// counts are the rows of each table, partitions together.
func (db *database) counts() map[string]int {
	db.t.Helper()
	counts := map[string]int{}
	for _, table := range db.strings(`SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
		AND NOT c.relispartition AND c.relname NOT LIKE 'river%' AND c.relname NOT LIKE 'goose%'`) {
		var n int
		if err := db.conn.QueryRow(db.ctx, `SELECT count(*) FROM `+pgx.Identifier{table}.Sanitize()).Scan(&n); err != nil {
			db.t.Fatal(err)
		}
		counts[table] = n
	}
	return counts
}

// schema is what the database is made of, by name; partitions are left out, for workers make them.
func (db *database) schema() map[string]string {
	db.t.Helper()
	all := map[string]string{}
	for _, line := range db.strings(`
		WITH mine AS (SELECT c.oid, c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
			AND c.relname NOT LIKE 'river%' AND c.relname NOT LIKE 'goose%')
		SELECT format('column %s.%s|%s %s %s %s', m.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, pg_get_expr(d.adbin, d.adrelid))
			FROM mine m JOIN pg_attribute a ON a.attrelid = m.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_class c ON c.oid = m.oid AND c.relkind IN ('r', 'p')
			LEFT JOIN pg_attrdef d ON d.adrelid = m.oid AND d.adnum = a.attnum
		UNION ALL SELECT format('constraint %s.%s|%s', m.relname, k.conname, pg_get_constraintdef(k.oid)) FROM mine m JOIN pg_constraint k ON k.conrelid = m.oid
		UNION ALL SELECT format('index %s|%s', m.relname, pg_get_indexdef(i.indexrelid)) FROM mine m JOIN pg_index i ON i.indexrelid = m.oid
		UNION ALL SELECT format('trigger %s.%s|%s', m.relname, g.tgname, pg_get_triggerdef(g.oid)) FROM mine m JOIN pg_trigger g ON g.tgrelid = m.oid AND NOT g.tgisinternal
		UNION ALL SELECT format('comment of %s|%s', m.relname, obj_description(m.oid, 'pg_class')) FROM mine m
		UNION ALL SELECT format('view %s|%s', m.relname, pg_get_viewdef(m.oid)) FROM mine m JOIN pg_class c ON c.oid = m.oid AND c.relkind = 'v'
		UNION ALL SELECT format('function %s(%s)|%s', p.proname, pg_get_function_identity_arguments(p.oid), pg_get_functiondef(p.oid)) FROM pg_proc p
			WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND p.proname NOT LIKE 'river%'
			AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e')`) {
		name, text, _ := strings.Cut(line, "|")
		all[name] = text
	}
	return all
}

// TestMigratingUnderLoad takes the newest migration back and applies it again while runs come to a service: it says meanwhile that
// it is not ready, and goes on by itself. Every run that was accepted ends, and the books are right.
func TestMigratingUnderLoad(t *testing.T) {
	t.Parallel()
	databaseURL, dataDir := dbtest.NewURL(t), t.TempDir()
	p := startOn(t, databaseURL, dataDir, []string{"serve"})
	s := begin(t, p.URL)
	load := s.runWithout(http.StatusInternalServerError)
	migrate := func(args ...string) {
		t.Helper()
		if said, err := runCommand(t, append([]string{"migrate"}, args...), "DATABASE_URL="+databaseURL, "DATA_DIR="+dataDir); err != nil {
			t.Fatalf("migrate %v: %v\n%s", args, err, said)
		}
	}
	ready := func(want string) {
		t.Helper()
		eventually(t, func() error {
			r := s.visitor.get("/readyz")
			return differs(fmt.Sprint(r.Status, " ", strings.TrimSpace(string(r.Body))), want)
		})
	}
	db := openDatabase(t, databaseURL)
	itsOwn := madeByNewest(t) // taken back with it
	for range 2 {
		load.more(3)
		before := db.counts()
		migrate("down")
		ready("503 not ready: migrations are pending")
		migrate("up")
		ready("200 ok")
		load.more(3)
		for table, n := range db.counts() {
			if n < before[table] && !slices.Contains(machinery, table) && !slices.Contains(transient, table) && !slices.Contains(itsOwn, table) {
				t.Errorf("%s had %d rows and has %d", table, before[table], n)
			}
		}
	}
	load.end(db)
	if said, err := runCommand(t, []string{"reconcile"}, "DATABASE_URL="+databaseURL, "DATA_DIR="+dataDir); err != nil {
		t.Errorf("the books: %v, %s", err, said)
	}
}

// madeByNewest are the tables that the newest migration makes.
func madeByNewest(t *testing.T) (tables []string) {
	t.Helper()
	files, err := filepath.Glob("../migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	newest, err := os.ReadFile(slices.Max(files))
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range regexp.MustCompile(`CREATE TABLE (\w+)`).FindAllSubmatch(newest, -1) {
		tables = append(tables, string(made[1]))
	}
	return tables
}

// transient are tables that have fewer rows when work is done.
var transient = []string{"usage_open", "job_waits", "workers"}

// loadOf are runs that come to a service all the time.
type loadOf struct {
	t        *testing.T
	mu       sync.Mutex
	accepted []string
	refused  atomic.Int64 // as unavailable
	halt     func()
}

// runWithout begins to run a workflow again and again. What is not accepted has to be refused as unavailable, or by one of these.
func (s *story) runWithout(besides ...int) *loadOf { return s.runAt(s.owner, besides...) }

// runAt is runWithout by a person, at a process.
func (s *story) runAt(who client, besides ...int) *loadOf {
	t := s.t.(*testing.T)
	code := s.owner.in(s.class).post("/v1/workflows", object{"name": "Code", "nodes": []object{
		{"id": "text", "type": "text", "data": object{"text": "https://example.org"}}, {"id": "code", "type": "qr-code", "data": object{"text": ""}},
	}, "edges": []object{{"id": "e", "source": "text", "target": "code", "targetHandle": "text"}}}).want(201).text("data.id")
	return runSteadily(t, 50*time.Millisecond, []func() *reply{
		func() *reply { return who.in(s.class).post("/v1/workflows/"+code+"/run", object{}) },
	}, besides...)
}

// runSteadily starts runs, each kind of them again after a pause. What is not accepted has to be refused as unavailable, with
// when to come again, or by one of besides.
func runSteadily(t *testing.T, pause time.Duration, starts []func() *reply, besides ...int) *loadOf {
	l := &loadOf{t: t}
	over := make(chan struct{})
	var under sync.WaitGroup
	var odd atomic.Int64
	for _, start := range starts {
		under.Go(func() {
			for {
				select {
				case <-over:
					return
				case <-time.After(pause):
				}
				switch r := start(); {
				case r.Status == http.StatusAccepted:
					l.mu.Lock()
					l.accepted = append(l.accepted, r.text("executionId"))
					l.mu.Unlock()
				case r.Status == http.StatusServiceUnavailable && r.Header.Get("Retry-After") != "":
					l.refused.Add(1)
				case !slices.Contains(besides, r.Status) && odd.Add(1) < 5:
					t.Errorf("a run under load: %d %v %s", r.Status, r.Header["Retry-After"], r.Body)
				}
			}
		})
	}
	l.halt = sync.OnceFunc(func() { close(over); under.Wait() })
	t.Cleanup(l.halt)
	return l
}

// all are the runs that were accepted so far.
func (l *loadOf) all() []string { l.mu.Lock(); defer l.mu.Unlock(); return slices.Clone(l.accepted) }

func (l *loadOf) count() int { l.mu.Lock(); defer l.mu.Unlock(); return len(l.accepted) }

// more waits until so many more are accepted.
func (l *loadOf) more(n int) {
	l.t.Helper()
	want := l.count() + n
	eventually(l.t, func() error {
		if have := l.count(); have < want {
			return fmt.Errorf("%d runs are accepted, %d are awaited", have, want)
		}
		return nil
	})
}

// end stops it, and waits until all have ended and are paid for.
func (l *loadOf) end(db database) {
	l.t.Helper()
	l.halt()
	eventually(l.t, func() error {
		var ended int
		err := db.conn.QueryRow(db.ctx, `SELECT count(*) FROM executions WHERE id = ANY ($1::uuid[]) AND status = 'completed' AND settled_at IS NOT NULL`, l.accepted).Scan(&ended)
		return errors.Join(err, differs(ended, len(l.accepted)))
	})
}
