package flow

import (
	"time"

	"atelier/models/nodegraph"
)

// nodeSchedule is the config of a schedule node as its trigger keeps it, and why
// it cannot run: "" when it can (contract 2, "Schedule firing rules" 4).
func nodeSchedule(data nodegraph.Data) (config nodegraph.Data, parked string) {
	panic("not yet")
}

// checkSchedule reads the config of a schedule that somebody makes or changes by
// hand. Refusals are validation_error and name the field below prefix.
func checkSchedule(prefix string, config nodegraph.Data) (nodegraph.Data, error) {
	panic("not yet")
}

// nextFire is the first minute after now at which a schedule fires; nil when it
// never does again.
func nextFire(config nodegraph.Data, runs int64, now time.Time) *time.Time {
	panic("not yet")
}
