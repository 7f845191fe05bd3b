package models_test

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
)

// What is swept out of one month leaves the rows of others where they are.
func TestSweepOfPartitions(t *testing.T) {
	db, ctx := dbtest.New(t), context.Background()
	month := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range 2 {
		first := month.AddDate(0, n, 0)
		if _, err := db.Work.Exec(ctx, `SELECT ensure_month('audit_entries', $1)`, first); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := db.Work.Exec(ctx, `INSERT INTO audit_entries (id, organization_id, action, target_type, details, created_at, sequence, hash) VALUES ($1, $1, 'x', 'x', '{}', $2, 1, '')`,
				models.NewID(first), first); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := db.SweepRows(ctx, "audit_entries", "id < first_id($1)", month.AddDate(0, 1, 0)); err != nil {
		t.Fatal(err)
	}
	var left, newer int
	if err := db.Work.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE created_at > $1) FROM audit_entries`, month).Scan(&left, &newer); err != nil || left != 3 || newer != 3 {
		t.Errorf("%d are left, %d of them of the second month, %v", left, newer, err)
	}
}
