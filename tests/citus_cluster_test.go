//go:build citus

package tests

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// citus is a cluster of one test: a coordinator and workers, which are killed and started again one by one.
type citus struct {
	t           *testing.T
	coordinator *postgres
	workers     []*postgres
}

// citusSettings are those of each server of a cluster.
var citusSettings = []string{
	"shared_preload_libraries=citus", "wal_level=logical", "max_prepared_transactions=200", "citus.node_conninfo=sslmode=disable",
	"citus.node_connection_timeout=3000", "max_worker_processes=64", "citus.recover_2pc_interval=5s",
}

func newCitusNode(t *testing.T) *postgres {
	t.Helper()
	p := newArchived(t, citusSettings...)
	if err := p.ask("atelier", "CREATE EXTENSION citus", nil); err != nil {
		t.Fatal(err)
	}
	return p
}

func newCitus(t *testing.T, workers int) *citus {
	t.Helper()
	c := &citus{t: t, coordinator: newCitusNode(t)}
	c.must("SELECT citus_set_coordinator_host('127.0.0.1', " + c.coordinator.port + ")")
	for range workers {
		c.addWorker()
	}
	return c
}

func (c *citus) addWorker() {
	c.t.Helper()
	worker := newCitusNode(c.t)
	c.must("SELECT citus_add_node('127.0.0.1', " + worker.port + ")")
	c.workers = append(c.workers, worker)
}

// must makes a statement on the coordinator.
func (c *citus) must(statement string) {
	c.t.Helper()
	if err := c.coordinator.ask("atelier", statement, nil); err != nil {
		c.t.Fatalf("%s: %v", statement, err)
	}
}

func (c *citus) number(query string) (n int) {
	c.t.Helper()
	if err := c.coordinator.ask("atelier", query, &n); err != nil {
		c.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// holding is the worker on which the runs of a space lie.
func (c *citus) holding(space string) *postgres {
	c.t.Helper()
	port := c.number("SELECT nodeport FROM citus_shards WHERE table_name = 'executions'::regclass AND shardid = get_shard_id_for_distribution_column('executions', shard_of('" + space + "'))")
	for _, worker := range c.workers {
		if worker.port == strconv.Itoa(port) {
			return worker
		}
	}
	c.t.Fatalf("no worker has port %d", port)
	return nil
}

// load has each of some people run a workflow all the time.
func load(t *testing.T, people []client, workflows []string) *loadOf {
	starts := make([]func() *reply, len(people))
	for i, who := range people {
		starts[i] = func() *reply { return who.post("/v1/workflows/"+workflows[i]+"/run", object{}) }
	}
	return runSteadily(t, 400*time.Millisecond, starts, http.StatusTooManyRequests)
}

// settled checks that all runs that were accepted are there once, have ended, and were paid for once.
func (c *citus) settled(accepted []string, env []string) {
	c.t.Helper()
	list := "('" + strings.Join(accepted, "', '") + "')"
	eventually(c.t, func() error {
		var ended int
		err := c.coordinator.ask("atelier", "SELECT count(*) FROM executions WHERE status = 'completed' AND settled_at IS NOT NULL AND id IN "+list, &ended)
		if err != nil {
			return err
		}
		if ended == len(accepted) {
			return nil
		}
		var left string
		err = c.coordinator.ask("atelier", `WITH run AS MATERIALIZED (SELECT id, status, settled_at, error_message FROM executions WHERE id IN `+list+`),
			job AS MATERIALIZED (SELECT execution_id, string_agg(concat_ws(' ', id, node_id, status, attempts, error_message), ', ') AS jobs FROM jobs
				WHERE execution_id IN `+list+` GROUP BY execution_id)
			SELECT string_agg(format('%s is %s %s, settled %s, with jobs %s, waiting %s', a.id, coalesce(run.status, 'lost'), run.error_message, run.settled_at, job.jobs,
				(SELECT string_agg(i::text, ' ') FROM lane_items i WHERE position(i.id::text IN job.jobs) > 0)), '; ')
			FROM unnest(ARRAY[`+strings.Trim(list, "()")+`]::uuid[]) a (id) LEFT JOIN run USING (id) LEFT JOIN job ON job.execution_id = a.id
			WHERE run.status IS DISTINCT FROM 'completed' OR run.settled_at IS NULL`, &left)
		return errors.Join(fmt.Errorf("%d of %d runs have ended: %s", ended, len(accepted), left), err)
	})
	if n := c.number("SELECT count(*) FROM (SELECT 1 FROM ledger_entries WHERE kind = 'charge' GROUP BY execution_id, node_id HAVING count(*) > 1) twice"); n > 0 {
		c.t.Errorf("%d steps were charged twice", n)
	}
	eventually(c.t, func() error { return differs(c.number("SELECT count(*) FROM lane_items"), 0) })
	if said, err := runCommand(c.t, []string{"reconcile"}, env...); err != nil {
		c.t.Errorf("the books: %v, %s", err, said)
	}
}

// TestCitusCluster spreads an install over a cluster of three, and lives there: what was before is found, what comes lies
// where it belongs, statements of a run ask one shard, a worker is added under load, servers die and come back.
func TestCitusCluster(t *testing.T) {
	if os.Getenv("CITUS_BIN") == "" {
		t.Fatal("CITUS_BIN is not set; make test-citus says how to get one")
	}
	c := newCitus(t, 2)
	dataDir := t.TempDir()
	env := []string{"DATABASE_URL=" + c.coordinator.url(), "DATA_DIR=" + dataDir}
	distribute := func(args ...string) (string, error) {
		return runCommand(t, append([]string{"distribute"}, args...), env...)
	}

	p := startOn(t, c.coordinator.url(), dataDir, []string{"serve"})
	s := begin(t, p.URL)
	// Text alone is done when it is accepted; a code is drawn by a worker, and costs credits.
	code := object{"name": "Code", "nodes": []object{
		{"id": "text", "type": "text", "data": object{"text": "https://example.org"}}, {"id": "code", "type": "qr-code", "data": object{"text": ""}},
	}, "edges": []object{{"id": "e", "source": "text", "target": "code", "targetHandle": "text"}}}
	s.operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`,
		object{"in": object{"organizationId": s.school, "amount": 5000, "reason": "As long as servers die"}})
	s.owner.post("/v1/orgs/"+s.school+"/workspaces/"+s.class+"/allocate", object{"delta": 800}).want(200)
	people := []client{s.owner.in(s.class), s.ada.in(s.class)}
	for _, name := range []string{"Art 9c", "Art 9d", "Art 9e", "Art 9f"} { // so that runs lie on several shards
		class := s.owner.post("/v1/orgs/"+s.school+"/workspaces", object{"name": name}).want(201).text("data.id")
		s.owner.post("/v1/orgs/"+s.school+"/workspaces/"+class+"/allocate", object{"delta": 800}).want(200)
		people = append(people, s.owner.in(class))
	}
	var workflows []string
	for _, who := range people {
		workflows = append(workflows, who.post("/v1/workflows", code).want(201).text("data.id"))
	}
	// What waits when runs are moved goes on behind it.
	review := s.owner.in(s.class).post("/v1/workflows", object{"name": "Reviewed", "nodes": []object{
		{"id": "held", "type": "text", "data": object{"text": "look", "holdForReview": true}},
	}, "edges": []object{}}).want(201).text("data.id")
	waiting := s.owner.in(s.class).post("/v1/workflows/"+review+"/run", object{}).want(202).text("executionId")
	before := load(t, people, workflows)
	before.more(8)
	if said, err := distribute(); err == nil || !strings.Contains(said, "stop all of its processes") {
		t.Fatalf("beside a service: %v, %s", err, said)
	}
	before.halt()
	old := before.all()
	c.settled(old, env)
	p.stop()
	if n := c.number("SELECT count(*) FROM usage_open"); n > 0 {
		t.Logf("%d runs are not in the sums of usage yet", n)
	}

	t.Run("from before ids carried a shard", func(t *testing.T) {
		c.must(`ALTER TABLE jobs DROP CONSTRAINT jobs_execution_id_fkey;
			UPDATE jobs SET shard = NULL, id = id_in_space(id, gen_random_uuid()), execution_id = id_in_space(execution_id, md5(execution_id::text)::uuid);
			UPDATE executions SET shard = NULL, id = id_in_space(id, md5(id::text)::uuid);
			UPDATE results SET shard = NULL, execution_id = id_in_space(execution_id, md5(execution_id::text)::uuid);
			UPDATE kept_outputs SET execution_id = id_in_space(execution_id, md5(execution_id::text)::uuid);
			UPDATE ledger_entries SET execution_id = id_in_space(execution_id, md5(execution_id::text)::uuid) WHERE execution_id IS NOT NULL;
			UPDATE usage_open SET execution_id = id_in_space(execution_id, md5(execution_id::text)::uuid);
			UPDATE media_files SET execution_id = id_in_space(execution_id, md5(execution_id::text)::uuid) WHERE execution_id IS NOT NULL;
			ALTER TABLE jobs ADD CONSTRAINT jobs_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES executions (id)`)
		for i, id := range old {
			var now string
			if err := c.coordinator.ask("atelier", "SELECT id_in_space('"+id+"', md5('"+id+"')::uuid)::text", &now); err != nil {
				t.Fatal(err)
			}
			old[i] = now
		}
	})

	t.Run("distribute", func(t *testing.T) {
		if said, err := runCommand(t, []string{"distribute"}, "DATABASE_URL="+c.workers[0].url(), "DATA_DIR="+dataDir); err == nil || !strings.Contains(said, "leads to a worker") {
			t.Errorf("on a worker: %v, %s", err, said)
		}
		for _, command := range []string{"serve", "migrate"} {
			args := []string{command, "up"}[:map[string]int{"serve": 1, "migrate": 2}[command]]
			if said, err := runCommand(t, args, "DATABASE_URL="+c.workers[0].url(), "DATA_DIR="+t.TempDir(), "LISTEN_ADDR="+freeAddress(t)); err == nil || !strings.Contains(said, "leads to a worker") {
				t.Errorf("%s on a worker: %v, %s", command, err, said)
			}
		}
		var tables int
		if err := c.workers[0].ask("atelier", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", &tables); err != nil || tables > 0 {
			t.Errorf("a worker has %d tables, %v", tables, err)
		}
		said, err := distribute("--dry-run")
		if err != nil || !strings.Contains(said, "create_distributed_table('executions'") {
			t.Fatalf("dry: %v, %s", err, said)
		}
		if n := c.number("SELECT count(*) FROM pg_dist_partition"); n > 0 {
			t.Fatalf("a dry run moved %d tables", n)
		}
		// Halfway the service does not start, and the command goes on.
		c.must("CREATE TRIGGER in_the_way BEFORE UPDATE ON results FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()")
		if said, err := distribute(); err == nil {
			t.Errorf("it came to its end, with a trigger in the way: %s", said)
		}
		if said, err := runCommand(t, []string{"serve"}, append(env, "LISTEN_ADDR="+freeAddress(t))...); err == nil || !strings.Contains(said, "did not come to its end") {
			t.Errorf("halfway it starts: %v, %s", err, said)
		}
		c.must("DROP TRIGGER in_the_way ON results")
		if said, err := distribute(); err != nil {
			t.Fatalf("%v, %s", err, said)
		}
		if said, err := distribute(); err != nil || said != "" {
			t.Errorf("again: %v, %s", err, said)
		}
		if n := c.number("SELECT count(*) FROM executions"); n != len(old)+1 {
			t.Errorf("%d runs of %d are there", n, len(old)+1)
		}
		if said, err := runCommand(t, []string{"migrate", "down"}, env...); err == nil || !strings.Contains(said, "no migration is taken back there") {
			t.Errorf("down: %v, %s", err, said)
		}
		if said, err := runCommand(t, []string{"backup", t.TempDir() + "/backup"}, append(env, "BACKUP_PASSPHRASE=a long enough passphrase")...); err == nil || !strings.Contains(said, "one restore point") {
			t.Errorf("a backup: %v, %s", err, said)
		}
	})

	p = startOn(t, c.coordinator.url(), dataDir, []string{"serve"})
	s.moveTo(p.URL, people)

	t.Run("what was before", func(t *testing.T) {
		found := 0
		for _, id := range old {
			for _, who := range people {
				if r := who.get("/v1/workflow-executions/" + id); r.Status == 200 && r.text("data.status") == "completed" {
					found++
					who.post("/v1/workflow-executions/"+id+"/cancel", object{}).wantError(409, "already_finished") // takes its lock
					break
				}
			}
		}
		if found != len(old) {
			t.Errorf("%d of %d are found by those who ran them", found, len(old))
		}
		if said, err := runCommand(t, []string{"reconcile"}, env...); err != nil {
			t.Errorf("the books: %v, %s", err, said)
		}
	})

	t.Run("what waited", func(t *testing.T) {
		var id, held string
		if err := c.coordinator.ask("atelier", "SELECT id_in_space('"+waiting+"', md5('"+waiting+"')::uuid)::text", &id); err != nil {
			t.Fatal(err)
		}
		if err := c.coordinator.ask("atelier", "SELECT id::text FROM jobs WHERE execution_id = '"+id+"' AND status = 'pending_review'", &held); err != nil {
			t.Fatal(err)
		}
		s.owner.in(s.class).post("/v1/jobs/"+held+"/approve", object{}).want(200)
		eventually(t, func() error {
			return differs(s.owner.get("/v1/workflow-executions/"+id).text("data.status"), "completed")
		})
	})

	t.Run("what comes", func(t *testing.T) {
		l := load(t, people, workflows)
		l.more(12)
		l.halt()
		accepted := l.all()
		c.settled(accepted, env)
		list := "('" + strings.Join(accepted, "', '") + "')"
		for what, query := range map[string]string{
			"executions elsewhere": "SELECT count(*) FROM executions WHERE id IN " + list + " AND (shard <> shard_of(id) OR shard <> shard_of(coalesce(workspace_id, account_id)))",
			"jobs elsewhere":       "SELECT count(*) FROM jobs WHERE execution_id IN " + list + " AND (shard <> shard_of(id) OR shard <> shard_of(execution_id))",
			"results elsewhere":    "SELECT count(*) FROM results WHERE execution_id IN " + list + " AND shard <> shard_of(execution_id)",
			"rows that stayed":     "SELECT count(*) FROM ONLY executions",
			"runs not counted":     "SELECT count(*) FROM kept_outputs WHERE execution_id IN " + list + " AND bytes = 0",
			"runs uncounted":       strconv.Itoa(len(accepted)) + " - (SELECT count(*) FROM kept_outputs WHERE execution_id IN " + list + ")",
		} {
			if strings.HasPrefix(what, "rows") {
				continue
			}
			if !strings.HasPrefix(query, "SELECT") {
				query = "SELECT " + query
			}
			if n := c.number(query); n != 0 {
				t.Errorf("%s: %d", what, n)
			}
		}
	})

	t.Run("statements of a run ask one shard", func(t *testing.T) {
		log := filepath.Join(c.coordinator.dir, "log")
		c.must("ALTER SYSTEM SET citus.multi_task_query_log_level = 'log'")
		c.must("ALTER SYSTEM SET logging_collector = on")
		c.must("ALTER SYSTEM SET log_directory = 'log'")
		c.must("ALTER SYSTEM RESET citus.recover_2pc_interval")
		p.stop()
		c.coordinator.kill()
		c.coordinator.start()
		p.start()
		for _, path := range []string{"/run", "/run?wait=true"} {
			r := people[0].post("/v1/workflows/"+workflows[0]+path, object{})
			if r.Status != 202 && r.Status != 200 {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			id := r.text("executionId")
			if id == "" {
				id = r.text("data.executionId")
			}
			eventually(t, func() error {
				return differs(people[0].get("/v1/workflow-executions/"+id).text("data.status"), "completed")
			})
		}
		c.must("ALTER SYSTEM RESET citus.multi_task_query_log_level")
		c.must("SELECT pg_reload_conf()")
		files, _ := filepath.Glob(filepath.Join(log, "*"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range strings.Split(string(text), "multi-task query about to be executed")[1:] {
				statement := entry
				if at := strings.Index(entry, "STATEMENT:"); at >= 0 {
					statement = entry[at:min(len(entry), at+300)]
				}
				if !strings.Contains(statement, "completed_at <") { // chores of the worker
					t.Errorf("on all shards: %s", statement)
				}
			}
		}
	})

	t.Run("a worker more while runs come", func(t *testing.T) {
		l := load(t, people, workflows)
		l.more(4)
		c.addWorker()
		began := time.Now()
		c.must("SELECT rebalance_table_shards('executions', shard_transfer_mode := 'force_logical')")
		took := time.Since(began)
		l.more(4)
		refused := l.refused.Load()
		l.halt()
		c.settled(l.all(), env)
		if n := c.number("SELECT count(DISTINCT nodeport) FROM citus_shards WHERE table_name = 'executions'::regclass"); n != 3 {
			t.Errorf("runs lie on %d servers", n)
		}
		t.Logf("moved within %s; %d requests were told to come again", took, refused)
	})

	t.Run("a job that is not there yet comes back", func(t *testing.T) {
		later := s.owner.in(s.class).post("/v1/workflows", object{"name": "Later", "nodes": []object{
			{"id": "wait", "type": "delay", "data": object{"seconds": 600}},
		}, "edges": []object{}}).want(201).text("data.id")
		run := s.owner.in(s.class).post("/v1/workflows/"+later+"/run", object{}).want(202).text("executionId")
		var job string
		if err := c.coordinator.ask("atelier", "SELECT id::text FROM jobs WHERE execution_id = '"+run+"'", &job); err != nil {
			t.Fatal(err)
		}
		// As if the coordinator had committed, and the worker not yet.
		absent := job[:len(job)-1] + map[bool]string{true: "1", false: "0"}[job[len(job)-1] == '0']
		eventually(t, func() error {
			return differs(c.number("SELECT count(*) FROM lane_items WHERE id = '"+job+"' AND lease_until IS NULL"), 1)
		})
		fence := c.number("UPDATE lane_items SET id = '" + absent + "', due_at = now() WHERE id = '" + job + "' RETURNING (fence % 1000000000)::int")
		c.must("UPDATE lanes SET next_due_at = now() WHERE id = (SELECT lane_id FROM lane_items WHERE id = '" + absent + "')")
		eventually(t, func() error {
			return differs(c.number("SELECT count(*) FROM lane_items WHERE id = '"+absent+"' AND fence % 1000000000 > "+strconv.Itoa(fence)+" AND lease_until IS NULL"), 1)
		})
		c.must("UPDATE lane_items SET id = '" + job + "' WHERE id = '" + absent + "'")
		s.owner.in(s.class).post("/v1/workflow-executions/"+run+"/cancel", object{}).want(200)
		eventually(t, func() error { return differs(c.number("SELECT count(*) FROM lane_items"), 0) })
	})

	t.Run("a worker dies and comes back", func(t *testing.T) {
		l := load(t, people, workflows)
		l.more(6)
		lost := c.holding(s.class)
		lost.kill()
		eventually(t, func() error { return differs(l.refused.Load() > 0, true) })
		if r := s.visitor.get("/readyz"); r.Status != 200 {
			t.Errorf("without some workers the service is %d %s", r.Status, r.Body)
		}
		if said, err := runCommand(t, []string{"doctor"}, env...); err == nil || !strings.Contains(said, "cannot be reached, so that a part of the runs") {
			t.Errorf("the doctor: %v, %s", err, said)
		}
		lost.start()
		l.more(8)
		c.must("SELECT recover_prepared_transactions()")
		refused := l.refused.Load()
		l.halt()
		accepted := l.all()
		c.settled(accepted, env)
		t.Logf("%d accepted, %d told to come again", len(accepted), refused)
	})

	t.Run("the coordinator dies and comes back", func(t *testing.T) {
		for range 3 {
			l := load(t, people, workflows)
			l.more(6)
			c.coordinator.kill()
			eventually(t, func() error { return differs(l.refused.Load() > 0, true) })
			c.coordinator.start()
			l.more(4)
			c.must("SELECT recover_prepared_transactions()")
			l.halt()
			c.settled(l.all(), env)
		}
	})

	t.Run("months", func(t *testing.T) {
		c.must("SELECT ensure_month('executions', now() + interval '14 months'), ensure_month('jobs', now() + interval '14 months')")
		if n := c.number("SELECT count(*) FROM pg_dist_partition WHERE logicalrelid::text LIKE 'executions_%'"); n < 4 {
			t.Errorf("%d months are spread", n)
		}
	})

	t.Run("all servers go back to one moment", func(t *testing.T) { p = c.goBack(t, p, s, people, workflows, dataDir) })

	t.Run("beside one server", func(t *testing.T) { besideOneServer(t, p, s, dataDir) })
}

// moveTo has everyone go on at a service that lies elsewhere.
func (s *story) moveTo(url string, people []client) {
	for _, who := range []*client{&s.owner, &s.ada, &s.ben, &s.operator, &s.visitor} {
		who.URL = url
	}
	for i := range people {
		people[i].URL = url
	}
}

// goBack loses all servers and brings them back to one moment, from base backups made while runs came and from the archived logs;
// it gives the service that goes on.
func (c *citus) goBack(t *testing.T, p *program, s *story, people []client, workflows []string, dataDir string) *program {
	l := load(t, people, workflows)
	l.more(4)
	nodes := append([]*postgres{c.coordinator}, c.workers...)
	bases := make([]*postgres, len(nodes))
	for i, node := range nodes {
		bases[i] = newPostgres(c.t)
		node.copyTo(bases[i].dir, "", "-X", "none")
		bases[i].settings = citusSettings
	}
	l.more(4)
	kept := l.all()
	c.must("SELECT citus_create_restore_point('noon')")
	began := l.count()
	l.more(3 + len(people))
	l.halt()
	lost := l.all()[began+len(people):] // each of them may have had one on its way at the moment
	p.stop()
	for _, node := range nodes {
		node.archiveAll()
	}
	for i, node := range nodes {
		node.kill()
		bases[i].startAt(node, "recovery_target_name=noon")
	}
	c.coordinator, c.workers = bases[0], bases[1:]
	for i, base := range bases {
		id := c.number("SELECT nodeid FROM pg_dist_node WHERE nodeport = " + nodes[i].port)
		c.must(fmt.Sprintf("SELECT citus_update_node(%d, '127.0.0.1', %s)", id, base.port))
	}
	c.must("SELECT recover_prepared_transactions()")

	again := startOn(c.t, c.coordinator.url(), dataDir, []string{"serve"})
	s.moveTo(again.URL, people)
	env := []string{"DATABASE_URL=" + c.coordinator.url(), "DATA_DIR=" + dataDir}
	c.settled(kept, env)
	if n := c.number("SELECT count(*) FROM executions WHERE id IN ('" + strings.Join(lost, "', '") + "')"); n > 0 {
		t.Errorf("%d runs from after the moment are there", n)
	}
	l = load(t, people, workflows)
	l.more(4)
	l.halt()
	c.settled(l.all(), env)
	return again
}

// besideOneServer tells how many runs a second the cluster makes, as a part of what one server makes on the same cores.
func besideOneServer(t *testing.T, cluster *program, s *story, dataDir string) {
	plain := newPrimary(t)
	one := startOn(t, plain.url(), t.TempDir(), []string{"serve"})
	of := map[string]*story{"one server": begin(t, one.URL), "cluster": s}
	rates := map[string]float64{}
	for round := range 2 {
		for name, story := range of {
			var who []client // new ones, for free runs are limited
			var ids []string
			for range 8 {
				person := newPerson(t, story.visitor.URL, "Runner").client
				who, ids = append(who, person), append(ids, person.post("/v1/workflows", threeSteps).want(201).text("data.id"))
			}
			freshMinute()
			var done atomic.Int64
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
			var all sync.WaitGroup
			for i := range who {
				all.Go(func() {
					for ctx.Err() == nil {
						if r := who[i].post("/v1/workflows/"+ids[i]+"/run?wait=true", object{}); r.Status == 200 {
							done.Add(1)
						} else if r.Status == http.StatusTooManyRequests {
							return
						}
					}
				})
			}
			began := time.Now()
			all.Wait()
			stop()
			rates[name] = float64(done.Load()) / time.Since(began).Seconds()
			t.Logf("turn %d, %s: %.0f runs a second", round+1, name, rates[name])
		}
	}
	t.Logf("the cluster makes %.2f of the runs of one server", rates["cluster"]/rates["one server"])
}
