package migrations

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// spread are the tables whose rows lie on several servers, in the order in which they are distributed, with the column that
// holds the id of the run and the keys that have to hold the shard, too.
var spread = []spreadTable{
	{name: "executions", run: "id", keys: []key{{"executions_pkey", "PRIMARY KEY (id, shard)"}}},
	{name: "jobs", run: "execution_id", keys: []key{
		{"jobs_pkey", "PRIMARY KEY (id, shard)"},
		{"jobs_execution_id_node_id_id_key", "UNIQUE (execution_id, node_id, id, shard)"},
		{"jobs_execution_id_fkey", "FOREIGN KEY (execution_id, shard) REFERENCES executions (id, shard)"},
	}},
	{name: "results", run: "execution_id", keys: []key{{"results_pkey", "PRIMARY KEY (execution_id, shard)"}}},
}

type spreadTable struct {
	name, run string
	keys      []key
}

// key is a constraint, and how it is when rows are spread.
type key struct{ name, definition string }

const (
	// citusShards is into how many tables Citus divides each; 4,096 shards of ours fill them evenly.
	citusShards = 32
	// filledAtOnce is for how many runs one statement fills in the shard.
	filledAtOnce = 10_000
)

// triedCitus are the versions that this program was tried with.
var triedCitus = []string{"13.2"}

// CommitEverywhere is the name of the table whose presence tells that runs are spread. It has no rows: a statement on it makes
// a transaction that wrote here and on a worker commit in two phases.
const CommitEverywhere = "commit_everywhere"

// Distribution says how the runs of a database lie.
type Distribution struct {
	// Spread: on several servers.
	Spread bool
	// Last is the last id of a run or a job that was made before ids carried their shard.
	Last uuid.UUID
}

// ErrHalfSpread says that the runs of a database are on their way to several servers: keys are others, and triggers may be gone whose
// work the program does not do yet.
var ErrHalfSpread = errors.New("spreading the runs over several servers was begun and did not come to its end: atelier distribute goes on with it")

// ReadDistribution tells how the runs of a database lie. Errors say what to do about a database that this program cannot use.
func ReadDistribution(ctx context.Context, q interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}) (d Distribution, err error) {
	var version *string
	err = q.QueryRow(ctx, `SELECT to_regclass('`+CommitEverywhere+`') IS NOT NULL, (SELECT extversion FROM pg_extension WHERE extname = 'citus')`).
		Scan(&d.Spread, &version)
	if err != nil || version == nil {
		return d, err
	}
	var group int
	if err := q.QueryRow(ctx, `SELECT groupid FROM pg_catalog.pg_dist_local_group`).Scan(&group); err != nil {
		return d, err
	}
	if group != 0 {
		return d, errors.New("DATABASE_URL leads to a worker of Citus: it has to be the address of the coordinator")
	}
	if !d.Spread {
		var begun bool
		err := q.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass('executions') AND contype = 'p'
			AND pg_get_constraintdef(oid) LIKE '%shard%')`).Scan(&begun)
		if err == nil && begun {
			err = ErrHalfSpread
		}
		return d, err
	}
	if !tried(*version) {
		return d, fmt.Errorf("the database runs Citus %s, which this version was not tried with: it was with %s", *version, strings.Join(triedCitus, ", "))
	}
	return d, q.QueryRow(ctx, `SELECT last_id_without_shard()`).Scan(&d.Last)
}

func tried(version string) bool {
	for _, known := range triedCitus {
		if strings.HasPrefix(version, known) {
			return true
		}
	}
	return false
}

// distributor spreads a database; with dry it says what it would do.
type distributor struct {
	conn *pgx.Conn
	dry  bool
	say  func(string)
}

// Distribute spreads the runs of a database over the workers of its Citus cluster, or says what it would do. It may be called
// again at any time: what is done already is left out. Errors say what keeps it from beginning.
func Distribute(ctx context.Context, databaseURL string, dry bool, say func(string)) error {
	return alone(ctx, databaseURL, func(pgx.Tx) error {
		config, err := connection(databaseURL)
		if err != nil {
			return err
		}
		conn, err := pgx.ConnectConfig(ctx, config)
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx))
		d := &distributor{conn, dry, say}
		if problems, err := d.problems(ctx, databaseURL); err != nil || len(problems) > 0 {
			return errors.Join(append(problems, err)...)
		}
		return d.run(ctx)
	})
}

// problems are what has to be mended before.
func (d *distributor) problems(ctx context.Context, databaseURL string) (all []error, err error) {
	if _, err := ReadDistribution(ctx, d.conn); err != nil && !errors.Is(err, ErrHalfSpread) {
		return nil, err
	}
	var version *string
	if err := d.conn.QueryRow(ctx, `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus')`).Scan(&version); err != nil {
		return nil, err
	}
	if version == nil {
		return []error{errors.New("the database has no Citus: shared_preload_libraries = 'citus' on each server, and CREATE EXTENSION citus in the database of each")}, nil
	}
	wrong := func(format string, args ...any) { all = append(all, fmt.Errorf(format, args...)) }
	if !tried(*version) {
		wrong("Citus %s was not tried; %s was", *version, strings.Join(triedCitus, ", "))
	}
	var targets, away int
	var local bool
	err = d.conn.QueryRow(ctx, `SELECT count(*) FILTER (WHERE shouldhaveshards AND isactive), count(*) FILTER (WHERE groupid <> 0),
		coalesce(bool_or(groupid = 0 AND nodename IN ('localhost', '127.0.0.1')), false) AND bool_or(groupid <> 0 AND nodename NOT IN ('localhost', '127.0.0.1'))
		FROM pg_dist_node WHERE noderole = 'primary'`).Scan(&targets, &away, &local)
	if err != nil {
		return nil, err
	}
	if targets == 0 {
		wrong("the cluster has no worker: SELECT citus_add_node('host', 5432) for each, with the database and the user of DATABASE_URL on it")
	}
	if local {
		wrong("the workers know the coordinator as localhost: SELECT citus_set_coordinator_host('host', 5432)")
	}
	rows, err := d.conn.Query(ctx, `SELECT nodename || ':' || nodeport, success, result FROM run_command_on_all_nodes('SHOW max_prepared_transactions')
		JOIN pg_dist_node USING (nodeid)`)
	if err != nil {
		return nil, err
	}
	var node, result string
	var success bool
	_, err = pgx.ForEachRow(rows, []any{&node, &success, &result}, func() error {
		switch {
		case !success:
			wrong("%s cannot be reached: %s", node, result)
		case result == "0":
			wrong("%s has max_prepared_transactions = 0, and transactions commit on several servers: set it to at least max_connections, and start the server again", node)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	states, err := Status(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	for _, state := range states {
		if !state.Applied {
			wrong("the migration %s is not applied: atelier migrate up", state.Name)
			break
		}
	}
	var others int
	err = d.conn.QueryRow(ctx, `SELECT count(DISTINCT pid) FROM pg_stat_activity JOIN pg_locks l USING (pid)
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND l.relation = ANY ($1::regclass[]::oid[])`,
		[]string{"executions", "jobs", "results"}).Scan(&others)
	if err == nil {
		err = d.conn.QueryRow(ctx, `SELECT $1 + count(*) FROM workers WHERE seen_at > now() - interval '10 seconds'`, others).Scan(&others)
	}
	if others > 0 {
		wrong("the service still uses the database: stop all of its processes first")
	}
	return all, err
}

// run takes the steps that are left.
func (d *distributor) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{d.fill, d.changeKeys, d.dropTriggers, d.distribute, d.finish} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// do says what is done, and does it unless the run is dry.
func (d *distributor) do(ctx context.Context, what string, statements ...string) error {
	d.say(what)
	if d.dry {
		for _, statement := range statements {
			d.say("    " + statement)
		}
		return nil
	}
	began := time.Now()
	err := pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
	if err == nil {
		d.say(fmt.Sprintf("    done in %s", time.Since(began).Round(time.Millisecond)))
	}
	return err
}

// ask reads one value.
func ask[T any](ctx context.Context, d *distributor, query string, args ...any) (value T, err error) {
	err = d.conn.QueryRow(ctx, query, args...).Scan(&value)
	return value, err
}

// fill gives the rows from before ids carried a shard theirs, month by month.
func (d *distributor) fill(ctx context.Context) error {
	for _, table := range spread {
		distributed, err := d.distributed(ctx, table.name)
		if err != nil || distributed {
			return err
		}
		missing, err := ask[bool](ctx, d, `SELECT EXISTS (SELECT FROM `+table.name+` WHERE shard IS NULL)`)
		if err != nil {
			return err
		}
		statement := `UPDATE ` + table.name + ` r SET shard = shard_of(coalesce(workspace_id, account_id))
			FROM (SELECT tableoid AS part, ctid AS place FROM ` + table.name + ` WHERE shard IS NULL LIMIT ` + fmt.Sprint(filledAtOnce) + `) missing
			WHERE r.tableoid = missing.part AND r.ctid = missing.place`
		if missing {
			d.say("fill in the shard of older rows of " + table.name)
			if d.dry {
				d.say("    " + statement)
				continue
			}
			for filled := int64(1); filled > 0; {
				tag, err := d.conn.Exec(ctx, statement)
				if err != nil {
					return err
				}
				filled = tag.RowsAffected()
			}
		}
		required, err := ask[bool](ctx, d, `SELECT attnotnull FROM pg_attribute WHERE attrelid = $1::text::regclass AND attname = 'shard'`, table.name)
		if err != nil {
			return err
		}
		if !required {
			if err := d.do(ctx, "every row of "+table.name+" has a shard", `ALTER TABLE `+table.name+` ALTER shard SET NOT NULL`); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *distributor) distributed(ctx context.Context, table string) (bool, error) {
	return ask[bool](ctx, d, `SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = $1::text::regclass)`, table)
}

// changeKeys puts the shard into the keys: none is unique over several servers without it.
func (d *distributor) changeKeys(ctx context.Context) error {
	var drop, add []string
	for _, table := range spread {
		for _, key := range table.keys {
			changed, err := ask[bool](ctx, d, `SELECT EXISTS (SELECT FROM pg_constraint WHERE conrelid = $1::text::regclass AND conname = $2 AND pg_get_constraintdef(oid) LIKE '%shard%')`,
				table.name, key.name)
			if err != nil {
				return err
			}
			if changed {
				continue
			}
			drop = append([]string{fmt.Sprintf(`ALTER TABLE %s DROP CONSTRAINT %s`, table.name, key.name)}, drop...) // what refers to a key before the key
			add = append(add, fmt.Sprintf(`ALTER TABLE %s ADD CONSTRAINT %s %s`, table.name, key.name, key.definition))
		}
	}
	if len(add) == 0 {
		return nil
	}
	return d.do(ctx, "put the shard into the keys", append(drop, add...)...)
}

// dropTriggers takes away what the program does itself where runs are spread: a trigger on a worker sees no table of the
// coordinator.
func (d *distributor) dropTriggers(ctx context.Context) error {
	var statements []string
	for _, name := range []string{"executions_have_room", "executions_counted", "executions_counted_at_once"} {
		exists, err := ask[bool](ctx, d, `SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'executions'::regclass AND tgname = $1)`, name)
		if err != nil {
			return err
		}
		if exists {
			statements = append(statements, `DROP TRIGGER `+name+` ON executions`)
		}
	}
	if len(statements) == 0 {
		return nil
	}
	return d.do(ctx, "take away the triggers of runs, whose work the program does", statements...)
}

// distribute hands the tables to Citus, which moves their rows.
func (d *distributor) distribute(ctx context.Context) error {
	for i, table := range spread {
		distributed, err := d.distributed(ctx, table.name)
		if err != nil || distributed {
			if err != nil {
				return err
			}
			continue
		}
		how := fmt.Sprintf("shard_count := %d", citusShards)
		if i > 0 {
			how = "colocate_with := '" + spread[0].name + "'"
		}
		if err := d.do(ctx, "move "+table.name, fmt.Sprintf(`SELECT create_distributed_table('%s', 'shard', %s)`, table.name, how)); err != nil {
			return err
		}
	}
	return nil
}

// finish gives the conditions their meaning, removes the rows that Citus left where they were, and tells the program.
func (d *distributor) finish(ctx context.Context) error {
	spreadAlready, err := ask[bool](ctx, d, `SELECT to_regclass('`+CommitEverywhere+`') IS NOT NULL`)
	if err != nil || spreadAlready {
		return err
	}
	last := uuid.Nil
	for _, table := range []string{"executions", "jobs"} {
		found, err := ask[*uuid.UUID](ctx, d, `SELECT (SELECT id FROM `+table+` WHERE shard_of(id) <> coalesce(shard, shard_of(coalesce(workspace_id, account_id))) ORDER BY id DESC LIMIT 1)`)
		if err != nil {
			return err
		}
		if found != nil && found.String() > last.String() {
			last = *found
		}
	}
	statements := []string{
		ShardFunctions(last.String()),
		`CREATE OR REPLACE FUNCTION last_id_without_shard() RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT '` + last.String() + `'::uuid $$`,
	}
	for _, table := range spread {
		statements = append(statements, `SELECT truncate_local_data_after_distributing_table('`+table.name+`')`)
	}
	statements = append(statements,
		`CREATE TABLE `+CommitEverywhere+` (id int PRIMARY KEY CHECK (id <> 0))`,
		`SELECT citus_add_local_table_to_metadata('`+CommitEverywhere+`')`)
	return d.do(ctx, "give the conditions on shards their meaning, and remove what was moved from here", statements...)
}
