package trigger

import (
	"time"

	"atelier/models"
)

// FireOutcome is what became of a minute of a schedule.
type FireOutcome string

const (
	// FireDue: its run is about to start.
	FireDue FireOutcome = "due"
	// FireStarted: a run began.
	FireStarted FireOutcome = "started"
	// FireSkippedRunning: the workflow's previous run was still going.
	FireSkippedRunning FireOutcome = "skipped_running"
	// FireSkippedPaused: the schedule was paused just then.
	FireSkippedPaused FireOutcome = "skipped_paused"
	// FireFailed: the run was refused; the history has an entry that says why.
	FireFailed FireOutcome = "failed"
	// FireMissed: nothing was there to see it. It is not made up for.
	FireMissed FireOutcome = "missed"
)

// ScheduleFire is a minute at which a schedule fired, or should have.
type ScheduleFire struct {
	TriggerID  models.ID `gorm:"primaryKey"`
	FireMinute time.Time `gorm:"primaryKey"`
	// LocalLabel is the minute as the schedule's clock showed it, with the zone.
	LocalLabel string
	Outcome    FireOutcome
	// ExecutionID is the run that it started, the failed entry that it left, or the
	// run that still went on.
	ExecutionID *models.ID
	ErrorCode   *string
	// Minutes is how many were missed in a row, LastMinute the last of them; the
	// count stops at maxMissed.
	Minutes    int
	LastMinute time.Time
	TryAt      *time.Time
	Tries      int
	CreatedAt  time.Time
	SettledAt  *time.Time
}

func (ScheduleFire) TableName() string { return "schedule_fires" }

// The bounds of firing.
const (
	// fireWithin is how long after its beginning a minute may still be seen: it
	// fires while the clock shows it, or is missed.
	fireWithin = time.Minute
	// startWithin is how long after its beginning a run of a minute that was seen
	// may still start, where many are due at once or the database was away.
	startWithin = 10 * time.Minute
	// fireTries is how often starting a run is tried that fails without a refusal.
	fireTries = 5
	// maxMissed bounds the count of minutes that were missed in a row.
	maxMissed = 1_000
	// fireLease is how long a process may take over what it has taken on.
	fireLease = 20 * time.Second
	// firesAtOnce is how many due schedules one statement takes, firesInHand how many
	// of them a process takes on.
	firesAtOnce = 500
	firesInHand = 2_000
	// keepFires is how long what became of a minute is kept.
	keepFires = 14 * 24 * time.Hour
)
