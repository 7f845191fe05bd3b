package migrations_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"atelier/migrations"
	"atelier/models/dbtest"
)

// One server is told what it lacks, and nothing of it is changed; that of a cluster is in TestCitusCluster.
func TestDistributeNeedsACluster(t *testing.T) {
	ctx, url := t.Context(), dbtest.NewURL(t)
	for _, dry := range []bool{true, false} {
		err := migrations.Distribute(ctx, url, dry, func(line string) { t.Errorf("it did something: %s", line) })
		if err == nil || !strings.Contains(err.Error(), "has no Citus") {
			t.Errorf("dry %t: %v", dry, err)
		}
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if d, err := migrations.ReadDistribution(ctx, conn); err != nil || d.Spread {
		t.Errorf("%+v, %v", d, err)
	}
}
