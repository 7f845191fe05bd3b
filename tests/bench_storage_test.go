package tests

import (
	"fmt"
	"testing"
)

// benchStorage is what a three-step run leaves in the database: rows and
// bytes with their indexes, for docs/scale.md.
func benchStorage(b testing.TB) {
	runs := times(500)
	priced(b, "template-text", 100)
	h := newTestServer(b)
	run := h.runWaiting(h.people(1)[0], threeSteps)
	defer h.work()()
	tables := map[string]string{"executions": "executions%", "jobs": "jobs%", "ledger_entries": "ledger_entries", "lane_items": "lane_items"}
	size := func(pattern string) int {
		return h.count(`SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class WHERE relkind = 'r' AND relname LIKE $1`, pattern)
	}
	bytes, rows := map[string]int{}, map[string]int{}
	for table, pattern := range tables {
		bytes[table], rows[table] = size(pattern), h.count(`SELECT count(*) FROM `+table)
	}
	for range runs {
		run()
	}
	for table, pattern := range tables {
		if trial {
			continue
		}
		fmt.Printf("storage: %-15s %.1f rows, %d bytes for each run\n", table,
			float64(h.count(`SELECT count(*) FROM `+table)-rows[table])/float64(runs), (size(pattern)-bytes[table])/runs)
	}
}
