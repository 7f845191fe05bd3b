package trigger

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/timetable"
)

// ScheduleMinute is a minute at which a schedule will run.
type ScheduleMinute struct {
	At time.Time
	// LocalTime is the minute as a clock in the schedule's zone shows it.
	LocalTime string
	// ClockShift is by how many minutes the clocks have moved since the minute before.
	ClockShift int
	// Skipped and Repeated count the schedule's minutes that the clocks leave out, or
	// show twice, on the way.
	Skipped      int
	FirstSkipped *string
	Repeated     int
}

// maxNextMinutes bounds how many of the next minutes are worked out.
const maxNextMinutes = 20

// Timetable is when a schedule runs; false for one that cannot be read, and for
// triggers of another type.
func (t *Trigger) Timetable() (*timetable.Timetable, bool) {
	if t.Type != ScheduleTrigger {
		return nil, false
	}
	table, problem := timetable.Read(t.Config)
	return table, problem == nil
}

// NextMinutes are the next minutes of a schedule, with what the clocks do on the
// way; none of one that cannot be read, or has run as often as it may.
func (s *Service) NextMinutes(t *Trigger, count int) ([]*ScheduleMinute, error) {
	if count < 0 || count > maxNextMinutes {
		return nil, models.Invalid("count", "must be from 0 to %d", maxNextMinutes)
	}
	table, ok := t.Timetable()
	if !ok || t.ParkedReason != nil || usedUp(table, t.RunCount) {
		return []*ScheduleMinute{}, nil
	}
	if table.MaxExecutions > 0 {
		count = int(min(int64(count), table.MaxExecutions-t.RunCount))
	}
	coming := table.Upcoming(s.DB.Clock.Now(), count)
	minutes := make([]*ScheduleMinute, len(coming))
	for i, o := range coming {
		minutes[i] = &ScheduleMinute{
			At: o.At, LocalTime: table.LabelAt(o.At).String(), ClockShift: int(o.Shift / time.Minute), Skipped: o.Skipped, Repeated: o.Repeated,
		}
		if o.Skipped > 0 {
			first := o.FirstSkipped.String()
			minutes[i].FirstSkipped = &first
		}
	}
	return minutes, nil
}

// ListFires lists what became of a schedule's minutes, newest first. The trigger
// was found for a caller who may see it.
func (s *Service) ListFires(ctx context.Context, t *Trigger, page models.Page) (*models.Connection[*ScheduleFire], error) {
	list := models.List[*ScheduleFire]{
		Name:     "fires:" + t.ID.String(),
		Position: func(f *ScheduleFire) string { return models.TimePosition(f.FireMinute, f.TriggerID) },
	}
	query := s.DB.Read(ctx).Model(&ScheduleFire{}).Where("trigger_id = ?", t.ID)
	return models.ListPage(s.DB, list, page, query, models.LatestFirst("fire_minute", "trigger_id"))
}
