//go:build soak

package trigger

// soakSchedules tells whether the long form of the schedules' test is wanted.
const soakSchedules = true
