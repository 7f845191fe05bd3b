package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"atelier/config"
	"atelier/migrations"
	"atelier/models"
)

// Distribute spreads the runs of an install over the workers of a Citus cluster (docs/scale.md), or with --dry-run says what it
// would do.
func Distribute(ctx context.Context, c config.Config, args []string, out io.Writer) error {
	dry := len(args) == 1 && args[0] == "--dry-run"
	if len(args) > 0 && !dry {
		return errors.New("distribute takes --dry-run and nothing else")
	}
	if c.DatabaseURL == "" {
		return errors.New("distribute needs DATABASE_URL, the address of the coordinator of a Citus cluster: the PostgreSQL that an install brings along is one server (docs/scale.md says how to move)")
	}
	return migrations.Distribute(ctx, c.DatabaseURL, dry, func(line string) { fmt.Fprintln(out, line) })
}

// nodeTime is how long it may take to find out which servers of a cluster can be reached.
const nodeTime = 5 * time.Second

// databaseNode is a server of a Citus cluster.
type databaseNode struct {
	Address   string
	Reached   bool
	Why       string // where it was not
	HasShards bool
}

// databaseNodes asks each server of the cluster whether it answers; none on a database by itself.
func (i *install) databaseNodes(ctx context.Context) ([]databaseNode, error) {
	if !i.DB.Spread() {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, nodeTime)
	defer cancel()
	rows, err := i.DB.Reserve.Query(ctx, `SELECT n.nodename || ':' || n.nodeport, r.success, CASE WHEN r.success THEN '' ELSE r.result END, n.shouldhaveshards
		FROM run_command_on_all_nodes('SELECT 1') r JOIN pg_dist_node n USING (nodeid) WHERE n.groupid <> 0 OR n.shouldhaveshards ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[databaseNode])
}

// nodes is whether all servers of a cluster answer.
func (d *doctor) nodes(ctx context.Context) (found []finding, err error) {
	const name = "Database servers"
	all, err := d.databaseNodes(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for _, node := range all {
		if !node.Reached {
			found = append(found, wrong(name, "Start it, or promote its standby and tell the coordinator: SELECT citus_update_node(…).",
				"%s cannot be reached, so that a part of the runs can neither be read nor begun: %s", node.Address, node.Why))
		}
	}
	var waiting int
	err = d.DB.Row(ctx, `SELECT coalesce(sum(result::int), 0) FROM run_command_on_all_nodes($1) WHERE success`,
		`SELECT count(*) FROM pg_prepared_xacts WHERE prepared < now() - interval '10 minutes'`).Scan(&waiting)
	if err == nil && waiting > 0 {
		found = append(found, wrong(name, "SELECT recover_prepared_transactions() on the coordinator; Citus does so every minute, see its log why it does not.",
			"%d transactions are prepared on workers for more than ten minutes, and hold their rows.", waiting))
	}
	if len(found) == 0 {
		found = append(found, well(name, "Runs are spread over %d servers, which all answer.", len(all)))
	}
	return found, err
}

// nodeMetrics say which servers of a cluster answer; it is looked at when the figures are read.
type nodeMetrics struct {
	*install
	up *prometheus.Desc
}

func newNodeMetrics(i *install) *nodeMetrics {
	return &nodeMetrics{i, prometheus.NewDesc("atelier_database_node_up", "1 for a server of the database's cluster that answers, 0 for one that does not; none for a database by itself.", []string{"node"}, nil)}
}

func (m *nodeMetrics) Describe(out chan<- *prometheus.Desc) { out <- m.up }

func (m *nodeMetrics) Collect(out chan<- prometheus.Metric) {
	all, err := m.databaseNodes(models.FromReserve(context.Background()))
	if err != nil {
		out <- prometheus.NewInvalidMetric(m.up, err)
		return
	}
	for _, node := range all {
		up := 0.0
		if node.Reached {
			up = 1
		}
		out <- prometheus.MustNewConstMetric(m.up, prometheus.GaugeValue, up, node.Address)
	}
}
