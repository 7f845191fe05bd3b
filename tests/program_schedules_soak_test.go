//go:build soak

package tests

import "testing"

// TestSoakSchedulesWhileWorkersAreKilled is the long form: ten minutes, and more schedules
// than a process takes on at once.
func TestSoakSchedulesWhileWorkersAreKilled(t *testing.T) {
	killWorkersOfSchedules(t, 2_400, 10)
}
