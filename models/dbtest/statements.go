package dbtest

import (
	"context"
	"sync/atomic"
	"testing"

	"gorm.io/gorm"

	"atelier/models"
)

// CountStatements counts what is asked of the database from now on.
func CountStatements(t testing.TB, db *models.DB) *atomic.Int64 {
	t.Helper()
	n := &atomic.Int64{}
	count := func(*gorm.DB) { n.Add(1) }
	on := db.Read(context.Background()).Callback()
	for _, err := range []error{
		on.Query().Before("*").Register("count", count), on.Raw().Before("*").Register("count", count), on.Row().Before("*").Register("count", count),
		on.Create().Before("*").Register("count", count), on.Update().Before("*").Register("count", count), on.Delete().Before("*").Register("count", count),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return n
}
