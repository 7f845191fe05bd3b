package trigger

import (
	"time"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/timetable"
)

// scheduleFields are what a schedule's config holds; of rules, interval and cron
// one says when it runs.
var scheduleFields = []string{"rules", "interval", "cron", "timezone", "maxExecutions"}

// nodeSchedule is the config of a schedule node as its trigger keeps it, and why
// it cannot run: "" when it can (contract 2, "Schedule firing rules" 4).
func nodeSchedule(data nodegraph.Data) (config nodegraph.Data, parked string) {
	table, problem := timetable.Read(flow.WithoutEmptyRules(data))
	if problem != nil {
		return onlySchedule(data), problem.Sentence
	}
	return table.Config(), ""
}

// checkSchedule reads the config of a schedule that a person makes or changes by
// hand. Refusals are validation_error and name the field below prefix. An older
// interval or expression stays as it was written.
func checkSchedule(prefix string, config nodegraph.Data) (nodegraph.Data, error) {
	table, problem := timetable.Read(config)
	if problem != nil {
		return nil, models.Invalid(prefix+problem.Field, "%s", problem.Message)
	}
	checked := nodegraph.Data(table.Config())
	if config["rules"] == nil {
		delete(checked, "rules")
		for _, older := range []string{"interval", "cron"} {
			if text, _ := config[older].(string); text != "" {
				checked[older] = text
				break
			}
		}
	}
	return checked, nil
}

// nextFire is the first minute after now at which a schedule fires; nil when it
// never does again.
func nextFire(config nodegraph.Data, runs int64, now time.Time) *time.Time {
	table, problem := timetable.Read(config)
	if problem != nil {
		return nil
	}
	return nextMinute(table, runs, now)
}

func nextMinute(table *timetable.Timetable, runs int64, after time.Time) *time.Time {
	if usedUp(table, runs) {
		return nil
	}
	if next, ok := table.NextAfter(after); ok {
		return &next
	}
	return nil
}

// usedUp tells whether a schedule has run as often as it may.
func usedUp(table *timetable.Timetable, runs int64) bool {
	return table.MaxExecutions > 0 && runs >= table.MaxExecutions
}

// onlySchedule is what a node says about its schedule, readable or not.
func onlySchedule(data nodegraph.Data) nodegraph.Data {
	kept := nodegraph.Data{}
	for _, name := range scheduleFields {
		if value := data[name]; value != nil {
			kept[name] = value
		}
	}
	return kept
}
