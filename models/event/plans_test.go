package event_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"atelier/models"
	"atelier/models/event"
	"atelier/models/lane"
)

// The statements of deliveries keep to indexes, also with plans that were made
// while the tables were empty, and with as many dead rows as a hundred thousand
// turns leave behind, none of which was vacuumed.
func TestDeliveriesReadNoTableWhole(t *testing.T) {
	w := newWorld(t)
	url := w.DB.Pool.Config().ConnString()
	for _, path := range []string{"/a", "/b"} {
		w.create(w.receiver.URL + path)
	}
	for _, table := range []string{"lanes", "lane_items", "lane_owners", "webhook_endpoints"} {
		_, err := w.DB.Pool.Exec(t.Context(), fmt.Sprintf(`ALTER TABLE %s SET (autovacuum_enabled = false)`, table))
		w.must(err)
	}
	service := *w.Service
	service.DB = asInProduction(t, url, w.clock)
	sent := 0
	turn := func(events int) {
		t.Helper()
		ctx := models.ForWork(t.Context())
		for range events {
			w.must(service.DB.Write(ctx, func(tx *models.Tx) error {
				return service.PublishJob(tx, w.account, event.JobEvent{Type: event.JobCompleted, JobID: tx.NewID(), At: tx.Now, Job: []byte(`{"id":"x"}`)})
			}))
		}
		running, stop := context.WithCancel(models.ForDeliveries(t.Context()))
		d := &lane.Dispatcher{DB: service.DB, Kind: event.Lane, Worker: "test", Slots: 32, Drain: time.Second, Begin: service.NewDeliverer().Begin}
		ended := make(chan bool)
		go func() { d.Run(running); close(ended) }()
		sent += 2 * events
		for deadline := time.Now().Add(2 * time.Minute); len(w.receiver.got()) < sent && time.Now().Before(deadline); {
			w.clock.Advance(10 * time.Millisecond)
			time.Sleep(5 * time.Millisecond)
		}
		stop()
		<-ended
	}
	turn(20) // every statement is planned on nearly empty tables
	w.deadRows(100_000)
	before := w.wholeReads()
	turn(100)
	service.DB.Close() // whereupon its backends report what they did
	time.Sleep(1200 * time.Millisecond)
	after := w.wholeReads()
	for table, n := range after {
		if whole := n - before[table]; whole > 0 {
			t.Errorf("%s was read whole %d times for 200 deliveries", table, whole)
		}
	}
}

// asInProduction is a database whose connections plan each statement once, as
// the service's do.
func asInProduction(t *testing.T, url string, clock models.Clock) *models.DB {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `SET plan_cache_mode = force_generic_plan; SET jit = off; SET application_name = 'deliveries'`)
		return err
	}
	db, err := models.Open(models.Config{Database: config, Clock: clock, Secret: []byte("a secret that only tests use, 32b")})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// deadRows leaves what so many turns of an item leave: it came, was leased, went,
// and its lane was moved twice.
func (w *world) deadRows(turns int) {
	w.Helper()
	const at = 20_000
	conn, err := pgx.Connect(w.Context(), w.DB.Pool.Config().ConnString())
	w.must(err)
	defer func() { // whereupon its backend reports what it did
		conn.Close(context.WithoutCancel(w.Context()))
		time.Sleep(1200 * time.Millisecond)
	}()
	for range turns / at {
		for _, query := range []string{
			`INSERT INTO lane_items (id, kind, lane_id, owner_id, due_at)
				SELECT gen_random_uuid(), 'delivery', l.id, l.owner_id, now() FROM lanes l, generate_series(1, $1::int / 2)`,
			`UPDATE lane_items SET lease_until = now() + $1::int * interval '1 second'`,
			`DELETE FROM lane_items WHERE $1::int > 0`,
		} {
			_, err := conn.Exec(w.Context(), query, at)
			w.must(err)
		}
	}
	for range 300 {
		_, err := conn.Exec(w.Context(), `UPDATE lanes SET next_due_at = next_due_at + interval '1 microsecond'`)
		w.must(err)
		_, err = conn.Exec(w.Context(), `UPDATE webhook_endpoints SET consecutive_failures = consecutive_failures`)
		w.must(err)
	}
}

// wholeReads are the sequential scans of the tables of deliveries; nothing else
// than deliveries reads them meanwhile.
func (w *world) wholeReads() map[string]int {
	w.Helper()
	rows, err := w.DB.Pool.Query(w.Context(), `SELECT relname::text, seq_scan FROM pg_stat_user_tables
		WHERE relname IN ('lanes', 'lane_owners', 'webhook_endpoints') OR relname LIKE 'webhook_deliveries%' OR relname LIKE 'webhook_attempts%'
			OR relname = 'lane_items'`)
	w.must(err)
	all := map[string]int{}
	for rows.Next() {
		var table string
		var n int
		w.must(rows.Scan(&table, &n))
		all[table] = n
	}
	w.must(rows.Err())
	return all
}
