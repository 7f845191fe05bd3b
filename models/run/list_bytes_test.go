//go:build !race

package run

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
)

// Pages of rows that are large end where their bytes do, with a cursor that leads on, and
// read what they leave out as little as what is behind them.
func TestAPageEndsWhereItsBytesDo(t *testing.T) {
	e := newEngine(t)
	ctx := e.As(e.user)
	big := strings.Repeat("x", 1_000_000)
	for i := range 5 { // each of 4 MB
		var all nodegraph.Nodes
		for n := range 4 {
			all = append(all, node(fmt.Sprint("n", n), "text", map[string]any{"text": big}))
		}
		e.save(ctx, all)
		_ = i
	}
	exec := e.start(nodegraph.Nodes{node("a", "text", map[string]any{"text": "x"})}, nil)
	e.Exec(`INSERT INTO jobs (id, account_id, execution_id, node_id, node_index, job_type, status, source, cost, created_at, input_data, output_data, output_size, shard)
		SELECT gen_random_uuid(), ?, ?, 'n' || i, i, 'text', 'completed', 'api', 0, now(),
			jsonb_build_object('text', repeat('x', 1000000)), jsonb_build_object('text', repeat('y', 1000000)), 1000011, shard_of(?)
		FROM generate_series(1, 40) i`, e.user, exec.ID, exec.ID)

	most := 100
	workflows, err := e.Flows.ListWorkflows(ctx, nil, models.Page{Limit: &most})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Flows.GraphsOfPage(ctx, workflows); err != nil || len(workflows.Nodes) != 4 || workflows.Next() == nil {
		t.Fatalf("%d workflows, %v", len(workflows.Nodes), err)
	}
	rest, err := e.Flows.ListWorkflows(ctx, nil, models.Page{Cursor: workflows.Next()})
	if err != nil || len(rest.Nodes) != 1 || rest.Next() != nil {
		t.Fatalf("%d workflows behind: %v", len(rest.Nodes), err)
	}
	if _, err := e.Flows.GraphsOf(ctx, e.ids(`SELECT id FROM workflows WHERE owner_id = ?`, e.user)); err != nil {
		t.Error(err)
	}

	seen := map[models.ID]bool{}
	var cursor *string
	pages := 0
	for {
		page, err := e.Jobs().List(ctx, models.Page{Limit: &most, Cursor: cursor}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		for _, job := range page.Nodes {
			if seen[job.ID] {
				t.Fatalf("%s is listed twice", job.ID)
			}
			if seen[job.ID] = true; job.NodeID != "a" && len(job.OutputData) == 0 {
				t.Errorf("%s comes without its output", job.NodeID)
			}
		}
		if pages == 1 && len(page.Nodes) > 8 {
			t.Errorf("%d jobs of 2 MB on a page", len(page.Nodes))
		}
		if cursor = page.Next(); cursor == nil {
			break
		}
		if page.PageInfo.PreviousCursor == nil && pages > 1 {
			t.Error("no way back")
		}
	}
	if len(seen) != 41 || pages < 5 {
		t.Errorf("%d jobs on %d pages", len(seen), pages)
	}
	whole, err := e.Jobs().List(LeavingOut(ctx), models.Page{Limit: &most}, nil, nil)
	if err != nil || len(whole.Nodes) != 41 || whole.Nodes[0].OutputData != nil || whole.Nodes[0].InputData != nil {
		t.Errorf("%d jobs without their data, %v", len(whole.Nodes), err)
	}
	_, err = e.Jobs().ByID(ctx, e.ids(`SELECT id FROM jobs WHERE account_id = ? AND node_id <> 'a'`, e.user))
	wantError(t, err, models.CodePayloadTooLarge, "ask for fewer")
	few, err := e.Jobs().ByID(ctx, e.ids(`SELECT id FROM jobs WHERE account_id = ? ORDER BY id LIMIT 10`, e.user))
	if err != nil || len(few) != 10 {
		t.Errorf("%d jobs by their ids, %v", len(few), err)
	}
}

func (e *engine) ids(query string, args ...any) (ids []models.ID) {
	e.t.Helper()
	if err := e.DB.Read(context.Background()).Raw(query, args...).Scan(&ids).Error; err != nil {
		e.t.Fatal(err)
	}
	return ids
}
