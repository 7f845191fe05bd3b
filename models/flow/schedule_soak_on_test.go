//go:build soak

package flow

// soakSchedules tells whether the long form of the schedules' test is wanted.
const soakSchedules = true
