package lane

import (
	"database/sql"
	"time"

	"atelier/models"
)

// Cooldown is the rule by which a lane that does not answer is left alone
// (contract 2, "Delivery guarantees" 5).
type Cooldown struct {
	// After is how many attempts in a row without an answer bring a rest.
	After int
	// First is the first rest; each repeat doubles it, up to Longest.
	First, Longest time.Duration
}

// Health is what a lane's last attempts say about it; the zero value is well.
type Health struct {
	// Until is the end of the rest, zero without one. Once it has passed, one
	// attempt at a time is made until an answer lifts it.
	Until time.Time
	// Level is how often in a row the lane was sent to rest.
	Level int
	// Streak is the attempts in a row without an answer.
	Streak int
}

// Next is the health after one more attempt that ended at now. Any answer ends
// a rest. Attempts that were under way when a rest began, and end during it,
// neither lengthen nor repeat it.
func (r Cooldown) Next(h Health, answered bool, now time.Time) Health {
	if answered {
		return Health{}
	}
	h.Streak++
	if h.Streak < r.After || now.Before(h.Until) {
		return h
	}
	length := r.First
	for range h.Level {
		if length >= r.Longest/2 {
			length = r.Longest
			break
		}
		length *= 2
	}
	h.Until = now.Add(min(length, r.Longest))
	h.Level++
	return h
}

// NoteAttempt brings the lane's health up to date after an attempt. Attempts of
// one lane that end at once are counted one after another.
func NoteAttempt(tx *models.Tx, kind Kind, laneID models.ID, rest Cooldown, answered bool) error {
	if answered {
		lifted, err := tx.Run(`
			UPDATE lanes SET rest_until = NULL, rest_level = 0, silent_streak = 0, next_due_at = LEAST(next_due_at, $3)
			WHERE kind = $1 AND id = $2 AND (rest_until IS NOT NULL OR rest_level <> 0 OR silent_streak <> 0)`,
			kind.Name, laneID, tx.Now)
		if lifted > 0 {
			tx.Notify(Topic(kind.Name))
		}
		return err
	}
	health, err := LockHealth(tx, kind, laneID)
	if err != nil {
		return err
	}
	return SetHealth(tx, kind, laneID, rest.Next(health, answered, tx.Now))
}

// LockHealth reads a lane's health and keeps others from changing it until the
// transaction ends.
func LockHealth(tx *models.Tx, kind Kind, laneID models.ID) (h Health, err error) {
	err = rows(tx, func(row *sql.Rows) error {
		var until *time.Time
		if err := row.Scan(&until, &h.Level, &h.Streak); err != nil {
			return err
		}
		if until != nil {
			h.Until = until.UTC()
		}
		return nil
	}, `SELECT rest_until, rest_level, silent_streak FROM lanes WHERE kind = $1 AND id = $2 FOR NO KEY UPDATE`, kind.Name, laneID)
	return h, err
}

// SetHealth writes a lane's health; the zero value lifts a rest. The lane is
// looked at again, so that its next time fits.
func SetHealth(tx *models.Tx, kind Kind, laneID models.ID, h Health) error {
	var until *time.Time
	if !h.Until.IsZero() {
		until = &h.Until
	}
	_, err := tx.Run(`
		UPDATE lanes SET rest_until = $3, rest_level = $4, silent_streak = $5, next_due_at = LEAST(next_due_at, $6)
		WHERE kind = $1 AND id = $2`, kind.Name, laneID, until, h.Level, h.Streak, tx.Now)
	if err == nil {
		tx.Notify(Topic(kind.Name))
	}
	return err
}
