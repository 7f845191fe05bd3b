package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"atelier/migrations"
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/lane"
)

// oldestPostgres is the first version that the service works with, as a number of the server.
const oldestPostgres = 150000

// database asks the database one thing after another, by the connections that are kept for such questions.
func (d *doctor) database(ctx context.Context) (found []finding) {
	const name = "Database"
	if d.opened != nil {
		do := "Start it, or correct DATABASE_URL; the sentence says what went wrong."
		if errors.Is(d.opened, migrations.ErrUnfinished) {
			do = "Run atelier restore again."
		}
		return []finding{wrong(name, do, "The database cannot be used: %v.", d.opened)}
	}
	ctx = models.FromReserve(ctx)
	for _, look := range []func(context.Context) ([]finding, error){d.server, d.migrated, d.serverSettings, d.nodes, d.connections, d.clocks, d.months, d.work, d.ledger} {
		more, err := look(ctx)
		found = append(found, more...)
		if err != nil {
			found = append(found, wrong(name, "Look at the log of the database.", "A question to the database failed: %v.", err))
		}
	}
	return found
}

// server is its version, its size, and how it answers.
func (d *doctor) server(ctx context.Context) ([]finding, error) {
	var version string
	var number int
	var taken int64
	var recovering bool
	var encoding string
	began := time.Now()
	err := d.DB.Row(ctx, `SELECT current_setting('server_version'), current_setting('server_version_num')::int, pg_database_size(current_database()),
		pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool, current_setting('server_encoding')`).Scan(&version, &number, &taken, &recovering, &encoding)
	if err != nil {
		return nil, err
	}
	const name = "Database"
	took := time.Since(began)
	switch {
	case number < oldestPostgres:
		return []finding{wrong(name, "Upgrade to PostgreSQL 15 or later.", "PostgreSQL %s is older than what the service works with.", version)}, nil
	case recovering:
		return []finding{wrong(name, "Let DATABASE_URL name every server of the cluster, with target_session_attrs=read-write.", "The database is read-only: a standby, or a primary that was set so.")}, nil
	case encoding != "UTF8":
		return []finding{wrong(name, "Create a database with ENCODING 'UTF8', and move there.", "The database keeps text as %s.", encoding)}, nil
	case took > slowAnswer:
		return []finding{noticed(name, "Look at its processors, its disk and the network between.", "PostgreSQL %s answers after %d ms.", version, took.Milliseconds())}, nil
	}
	return []finding{well(name, "PostgreSQL %s, %s, answers in %d ms.", version, size(taken), took.Milliseconds())}, nil
}

const slowAnswer = 200 * time.Millisecond

func (d *doctor) migrated(ctx context.Context) ([]finding, error) {
	const name = "Schema"
	pending, err := migrations.Pending(ctx, d.DB.SQL)
	if err != nil {
		return nil, err
	}
	if pending {
		return []finding{wrong(name, "Run atelier migrate up, or start the service, which does it.", "The database is of an older program.")}, nil
	}
	newer, err := migrations.Newer(ctx, d.DB.SQL)
	if err != nil {
		return nil, err
	}
	if newer {
		return []finding{noticed(name, "Exchange the program everywhere; the older one goes on working meanwhile.", "The database is of a newer program than this one.")}, nil
	}
	return []finding{well(name, "All migrations are applied.")}, nil
}

// wants are settings of the server by what they must be.
var wants = []struct{ name, want, state, why, do string }{
	{"fsync", "on", findsWrong, "a power cut destroys the database", "Set fsync = on and restart it."},
	{"full_page_writes", "on", findsWrong, "a power cut destroys the database", "Set full_page_writes = on and reload it."},
	{"synchronous_commit", "", findsWrong, "runs that were accepted are lost in a crash", "Set synchronous_commit = on, or leave it to the replication."},
	{"autovacuum", "on", findsWrong, "tables grow without end", "Set autovacuum = on and reload it."},
	{"track_counts", "on", findsWrong, "autovacuum does not know where to work", "Set track_counts = on and reload it."},
	{"data_checksums", "on", findsNotice, "a damaged disk goes unnoticed", "Run pg_checksums --enable while the database is stopped."},
}

// oldTransactions is the age in transactions at which PostgreSQL is far from where it begins to freeze by force, and near the
// end where it refuses to write.
const oldTransactions = 1_000_000_000

func (d *doctor) serverSettings(ctx context.Context) (found []finding, err error) {
	const name = "Database settings"
	for _, w := range wants {
		var has string
		if err := d.DB.Row(ctx, `SELECT current_setting($1)`, w.name).Scan(&has); err != nil {
			return found, err
		}
		if has != w.want && (w.want != "" || has == "off") {
			found = append(found, finding{name, w.state, fmt.Sprintf("%s is %s: %s.", w.name, has, w.why), w.do})
		}
	}
	var age int64
	var collation bool
	err = d.DB.Row(ctx, `SELECT age(datfrozenxid)::bigint, coalesce(datcollversion <> pg_database_collation_actual_version(oid), false) FROM pg_database WHERE datname = current_database()`).Scan(&age, &collation)
	if err != nil {
		return found, err
	}
	if age > oldTransactions {
		found = append(found, wrong(name, "End what holds it up (old transactions, replication slots, prepared transactions), and run VACUUM.",
			"The oldest transaction is %d back: at two thousand million the database stops to write.", age))
	}
	if collation {
		found = append(found, wrong(name, "REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION.", "The system sorts text otherwise than when the indexes were made."))
	}
	var slot string
	err = d.DB.Row(ctx, `SELECT coalesce(string_agg(slot_name, ', '), '') FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL
		AND NOT pg_is_in_recovery() AND pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > 1024 * 1024 * 1024`).Scan(&slot)
	if err != nil {
		return found, err
	}
	if slot != "" {
		found = append(found, wrong(name, "Bring the standby back, or drop the slot (pg_drop_replication_slot).", "The disk fills up for a standby that does not come: %s.", slot))
	}
	if len(found) == 0 {
		found = append(found, well(name, "Nothing is odd."))
	}
	return found, nil
}

// connections looks whether there are enough for one more process.
func (d *doctor) connections(ctx context.Context) ([]finding, error) {
	const name = "Connections"
	var used, most int
	err := d.DB.Row(ctx, `SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
		current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int`).Scan(&used, &most)
	if err != nil {
		return nil, err
	}
	if used*10 > most*9 {
		return []finding{wrong(name, "Raise max_connections, lower pool_max_conns in DATABASE_URL, or put a pooler in between.", "%d of %d are taken.", used, most)}, nil
	}
	return []finding{well(name, "%d of %d are taken.", used, most)}, nil
}

// clocks compares this machine's with the database's, by which leases and limits go.
func (d *doctor) clocks(ctx context.Context) ([]finding, error) {
	const name = "Clock"
	before := time.Now()
	var there time.Time
	if err := d.DB.Row(ctx, `SELECT clock_timestamp()`).Scan(&there); err != nil {
		return nil, err
	}
	took := time.Since(before)
	off := there.Sub(before.Add(took / 2))
	if off = max(off, -off); off > clockOff/10+took {
		return []finding{wrong(name, "Let both machines keep time (timedatectl set-ntp true).", "This machine and the database are %s apart.", off.Round(time.Millisecond))}, nil
	}
	return []finding{well(name, "This machine and the database agree.")}, nil
}

// months looks whether the growing tables have a partition for this month and the next.
func (d *doctor) months(ctx context.Context) ([]finding, error) {
	const name = "Months"
	now := d.DB.Clock.Now().UTC()
	var missing []string
	for _, table := range models.PartitionedTables {
		for ahead := range 2 {
			month := time.Date(now.Year(), now.Month()+time.Month(ahead), 1, 0, 0, 0, 0, time.UTC)
			partition := models.PartitionName(table, month)
			var there bool
			if err := d.DB.Row(ctx, `SELECT to_regclass($1) IS NOT NULL`, partition).Scan(&there); err != nil {
				return nil, err
			}
			if !there {
				missing = append(missing, partition)
			}
		}
	}
	if len(missing) > 0 {
		return []finding{noticed(name, "Start a worker, which makes them within six hours; see its log where it does not.", "Partitions are not made yet: %s.", strings.Join(missing, ", "))}, nil
	}
	return []finding{well(name, "The growing tables have partitions for this month and the next.")}, nil
}

// longDue is since when work that could begin waits too long.
const longDue = 10 * time.Minute

// work looks whether it is done.
func (d *doctor) work(ctx context.Context) ([]finding, error) {
	const name = "Workers"
	state, err := lane.FindState(ctx, d.DB)
	if err != nil {
		return nil, err
	}
	var waits time.Duration
	if state.OldestDue != nil {
		waits = d.DB.Clock.Now().Sub(*state.OldestDue)
	}
	switch {
	case state.Workers == 0 && state.Waiting > 0:
		return []finding{wrong(name, "Start atelier serve, or atelier worker.", "%d pieces of work wait, and no process does them.", state.Waiting)}, nil
	case state.Workers == 0:
		return []finding{noticed(name, "Start atelier serve, or atelier worker.", "No process works on runs and deliveries.")}, nil
	case waits > longDue:
		return []finding{wrong(name, "Start more of atelier worker, and look at the log of those that run.", "%d pieces of work wait, the oldest for %s.", state.Waiting, waits.Round(time.Second))}, nil
	}
	return []finding{well(name, "%s; %d pieces of work are under way, %d wait.", plural(state.Workers, "process works", "processes work"), state.AtWork, state.Waiting)}, nil
}

// oldBooks is how old the comparison of the books may be.
const oldBooks = 48 * time.Hour

// ledger looks how the books came out when they were compared last.
func (d *doctor) ledger(ctx context.Context) ([]finding, error) {
	const name = "Books"
	last, err := (&credit.Service{DB: d.DB}).LastComparison(ctx)
	switch {
	case err != nil:
		return nil, err
	case last == nil:
		return []finding{noticed(name, "A worker compares them every night; atelier reconcile does it now.", "The books were not compared yet.")}, nil
	case last.Differences > 0:
		return []finding{wrong(name, "Run atelier reconcile, which names them, and see docs/operations.md.", "%d counters differ from the ledger.", last.Differences)}, nil
	case d.DB.Clock.Now().Sub(last.CreatedAt) > oldBooks:
		return []finding{noticed(name, "Run atelier reconcile; see the log of the workers, which do it every night.", "The books were last compared at %s.", last.CreatedAt.UTC().Format(time.RFC3339))}, nil
	}
	return []finding{well(name, "Every counter is what the ledger adds up to.")}, nil
}

// standby looks whether reports can be read from it.
func (d *doctor) standby(ctx context.Context) []finding {
	const name = "Standby"
	if d.opened != nil || d.DB == nil || !d.DB.HasStandby() {
		return nil
	}
	state := d.DB.ExamineStandby(ctx)
	switch {
	case state.Usable:
		return []finding{well(name, "Reports are read from it.")}
	case state.Far:
		return []finding{noticed(name, "Look at its processors, its disk and the network between; a query there that takes minutes holds it up, too.", "Reports are read from the primary: %s.", state.Why)}
	}
	return []finding{wrong(name, "Bring the standby back, or correct or unset DATABASE_READ_URL.", "Reports are read from the primary: %s.", state.Why)}
}

// keys compares those here with those of the database.
func (d *doctor) keys(ctx context.Context) (found []finding) {
	const name = "Keys"
	if d.opened != nil || len(d.SessionKey) == 0 {
		return nil // said elsewhere
	}
	ctx = models.FromReserve(ctx)
	for _, key := range d.sharedKeys() {
		known, err := models.KeyFingerprint(ctx, d.DB, key.variable)
		switch {
		case err != nil:
			return []finding{wrong(name, "Look at the log of the database.", "The database does not say which keys it is used with: %v.", err)}
		case len(key.fingerprints) == 0:
			found = append(found, noticed(name, "Set "+key.variable+" to use event endpoints and credentials.", "%s is not set: secrets cannot be kept.", key.variable))
		case known != "" && !slices.Contains(key.fingerprints, known):
			found = append(found, wrong(name, "Give every process the same key; if it was exchanged on purpose, run atelier keys accept.", "%s is not the key that the database is used with.", key.variable))
		}
	}
	if len(found) == 0 {
		found = append(found, well(name, "They are those that the database is used with."))
	}
	return found
}
