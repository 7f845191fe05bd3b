package models

import "time"

// MinRunMonths is for how many whole months behind the current one runs are kept at least: deliveries tell of jobs for 30 days,
// and results come late.
const MinRunMonths = 2

// FirstKept is the beginning of what is kept when so many whole months behind the current one are.
func FirstKept(now time.Time, months int) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}
