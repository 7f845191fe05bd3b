package models

import (
	"time"

	"gorm.io/gorm"
)

// CountCalls counts n calls as a part of the transaction, so that what does not
// happen does not count; false when they do not all fit, and none is counted.
// It makes those who count for one key wait for each other, also when n is 0.
func (tx *Tx) CountCalls(limit Limit, key string, n int) (bool, error) {
	start := tx.Now.Truncate(limit.Per)
	admitted, err := Affected(tx.Exec(`
		INSERT INTO rate_windows AS w (name, key, started_at, ends_at, count) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (name, key, started_at) DO UPDATE SET count = w.count + EXCLUDED.count
			WHERE w.count + EXCLUDED.count <= ?`,
		limit.Name, key, start, start.Add(limit.Per), n, limit.Max))
	return admitted == 1, err
}

// CallsLeft is how many calls a limit still admits in the window of now.
func CallsLeft(db *gorm.DB, limit Limit, key string, now time.Time) (int, error) {
	var count int
	err := db.Raw(`SELECT coalesce(sum(count), 0) FROM rate_windows WHERE name = ? AND key = ? AND started_at <= ? AND ends_at > ?`,
		limit.Name, key, now, now).Scan(&count).Error
	return max(0, limit.Max-count), err
}
