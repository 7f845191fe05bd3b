package dbtest

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"atelier/migrations"
)

// spread has its runs on the workers of a Citus cluster; see nodesOf.
const spread templateKind = "spread"

// nodesOf are the servers on which test databases are made: of a Citus cluster the coordinator, which TEST_DATABASE_URL names,
// and its workers, whose addresses TEST_CITUS_WORKERS has, with commas between.
func nodesOf(server string) []string {
	if !OnCitus() {
		return []string{server}
	}
	return append([]string{server}, strings.Split(os.Getenv("TEST_CITUS_WORKERS"), ",")...)
}

// OnCitus tells whether tests run on a Citus cluster, where what looks at PostgreSQL's own plans, locks and statistics of runs
// finds those of the coordinator alone.
func OnCitus() bool { return os.Getenv("TEST_CITUS_WORKERS") != "" }

// onAll makes a statement on each server.
func onAll(ctx context.Context, nodes []string, statement string) error {
	for _, node := range nodes {
		if err := administer(ctx, node, statement); err != nil {
			return err
		}
	}
	return nil
}

// makeSpread migrates a database that is there on all nodes, and spreads its runs over the workers.
func makeSpread(ctx context.Context, nodes []string, name string) error {
	for _, node := range nodes {
		if err := execute(ctx, withDatabase(node, name), `CREATE EXTENSION IF NOT EXISTS citus`); err != nil {
			return err
		}
	}
	coordinator := withDatabase(nodes[0], name)
	if err := migrations.Up(ctx, coordinator); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, coordinator)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for i, node := range nodes {
		host, port, err := addressOf(node)
		if err != nil {
			return err
		}
		statement := `SELECT citus_add_node($1, $2)`
		if i == 0 {
			statement = `SELECT citus_set_coordinator_host($1, $2)`
		}
		if _, err := conn.Exec(ctx, statement, host, port); err != nil {
			return err
		}
	}
	if err := conn.Close(ctx); err != nil {
		return err
	}
	return migrations.Distribute(ctx, coordinator, false, func(string) {})
}

func addressOf(server string) (host string, port int, err error) {
	u, err := url.Parse(server)
	if err == nil {
		port, err = strconv.Atoi(u.Port())
	}
	return u.Hostname(), port, err
}

// closeTemplate ends what Citus itself keeps open in a database, which could not be cloned otherwise.
func closeTemplate(ctx context.Context, nodes []string, name string) error {
	return errors.Join(
		onAll(ctx, nodes, `ALTER DATABASE `+name+` ALLOW_CONNECTIONS false`),
		onAll(ctx, nodes, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+name+`'`))
}
