package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
)

// How the standby is used: docs/decisions/reading-from-a-standby.md.
const (
	// standbyLook is how often a process looks whether the standby is of use, and how long each question may take.
	standbyLook = time.Second
	// standbyBehind is how far the standby may be behind before nothing is tried on it any more.
	standbyBehind = 3 * time.Second
	// standbyWait is how long a read waits for a connection of the standby, and about as long for what was committed before it.
	standbyWait = 250 * time.Millisecond
)

// StandbyState is what the last look at the standby came to.
type StandbyState struct {
	Usable bool
	// Why says in words why it is not usable.
	Why string
	// Behind is for how long the standby has not had what the primary wrote, Far whether that is all that is wrong with it.
	Behind time.Duration
	Far    bool
}

// standby is a server that follows the primary; reports are read there.
type standby struct {
	found   atomic.Pointer[lookedAt]
	samples []walSample // of the one that watches
	// served and declined count reads by who answered them.
	served, declined atomic.Int64
}

// lookedAt is a state; up ends when the standby is no longer usable.
type lookedAt struct {
	StandbyState
	up   context.Context
	down context.CancelFunc
}

// walSample is where the primary's log was at a moment.
type walSample struct {
	at  time.Time
	end int64
}

// HasStandby tells whether a standby is set.
func (db *DB) HasStandby() bool { return db.standby != nil }

// WatchesStandby tells whether this process has looked at the standby.
func (db *DB) WatchesStandby() bool { return db.standby != nil && db.standby.found.Load() != nil }

// StandbyReads are how many reads the standby answered, and how many the primary did in its place.
func (db *DB) StandbyReads() (served, declined int64) {
	if db.standby == nil {
		return 0, 0
	}
	return db.standby.served.Load(), db.standby.declined.Load()
}

// StandbyState is the state as this process knows it; not usable until WatchStandby has looked.
func (db *DB) StandbyState() StandbyState {
	if db.standby == nil {
		return StandbyState{Why: "none is set"}
	}
	if found := db.standby.found.Load(); found != nil {
		return found.StandbyState
	}
	return StandbyState{Why: "it was not looked at yet"}
}

// OnStandby is what read finds, on the standby where one is set and has everything that was committed when it is asked, else
// on the primary. read only reads, and may be called twice.
func OnStandby[T any](ctx context.Context, db *DB, read func(ctx context.Context) (T, error)) (T, error) {
	if db.standby == nil || transactionIn(ctx) != nil {
		return read(ctx)
	}
	found, err := fromStandby(ctx, db, read)
	var refusal *Error
	if err == nil || errors.As(err, &refusal) || ctx.Err() != nil {
		db.standby.served.Add(1)
		return found, err
	}
	if !errors.Is(err, errNotThere) {
		slog.Warn("the standby did not answer; the primary does", "error", err)
	}
	db.standby.declined.Add(1)
	return read(ctx)
}

// errNotThere says that the standby is not of use now, or has not got everything yet.
var errNotThere = errors.New("the standby is behind")

func fromStandby[T any](ctx context.Context, db *DB, read func(ctx context.Context) (T, error)) (found T, err error) {
	state := db.standby.found.Load()
	if state == nil || !state.Usable {
		return found, errNotThere
	}
	var end int64
	if err := db.SQL.QueryRowContext(ctx, `SELECT `+walEnd).Scan(&end); err != nil {
		return found, err
	}
	there, leave := context.WithCancel(context.WithValue(ctx, shareKey{}, ofStandby))
	defer leave()
	defer context.AfterFunc(state.up, leave)()
	err = db.gorm.WithContext(there).Transaction(func(g *gorm.DB) error {
		var after afterCommit
		tx := db.newTx(there, g, &after)
		if err := tx.caughtUp(end); err != nil {
			return err
		}
		found, err = read(tx.Context())
		return err
	}, &sql.TxOptions{Isolation: sql.LevelReadCommitted, ReadOnly: true})
	return found, err
}

// walEnd is where the log of the primary ends that is flushed, which is behind every commit that others see; -1 on what is no primary.
const walEnd = `CASE WHEN pg_is_in_recovery() THEN -1 ELSE pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint END`

// caughtUp waits until the standby has replayed the log up to there; statements that begin then see everything in it, for in a
// transaction that reads what is committed each has a snapshot of its own.
func (tx *Tx) caughtUp(end int64) error {
	if end < 0 {
		return errNotThere
	}
	for wait := 2 * time.Millisecond; ; wait *= 2 {
		var there bool
		err := tx.Statement.ConnPool.QueryRowContext(tx.ctx,
			`SELECT pg_is_in_recovery() AND pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= $1::bigint`, end).Scan(&there)
		if err != nil || there {
			return err
		}
		if wait > standbyWait/2 {
			return errNotThere
		}
		select {
		case <-tx.ctx.Done():
			return tx.ctx.Err()
		case <-time.After(wait):
		}
	}
}

// WatchStandby looks at the standby each second, until ctx ends. Without one it returns at once.
func (db *DB) WatchStandby(ctx context.Context) {
	if db.standby == nil {
		return
	}
	ticker := time.NewTicker(standbyLook)
	defer ticker.Stop()
	for {
		state := db.lookAtStandby(ctx)
		if ctx.Err() != nil {
			return
		}
		db.standby.put(state)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// ExamineStandby is the state that is known, and where no one watches that of a few looks.
func (db *DB) ExamineStandby(ctx context.Context) StandbyState {
	if db.WatchesStandby() {
		return db.StandbyState()
	}
	for began := time.Now(); ; {
		state := db.lookAtStandby(ctx)
		if !state.Usable || state.Behind == 0 || time.Since(began) > standbyBehind+standbyLook {
			return state
		}
		time.Sleep(standbyLook / 2)
	}
}

// put makes a state known. Reads that are under way on a standby of no use end there.
func (s *standby) put(state StandbyState) {
	before := s.found.Load()
	if before != nil && before.Usable && state.Usable {
		s.found.Store(&lookedAt{state, before.up, before.down})
		return
	}
	if before == nil || before.Usable != state.Usable {
		if state.Usable {
			slog.Info("reports are read from the standby")
		} else {
			slog.Warn("reports are read from the primary", "because", state.Why)
		}
	}
	next := &lookedAt{StandbyState: state}
	next.up, next.down = context.WithCancel(context.Background())
	s.found.Store(next)
	if before != nil {
		before.down()
	}
}

// lookAtStandby asks both servers. It is for one at a time.
func (db *DB) lookAtStandby(ctx context.Context) StandbyState {
	var primary, there struct {
		end       int64
		history   string // which system, and which of its timelines
		recovers  bool
		committed string
	}
	asked, cancel := context.WithTimeout(FromReserve(ctx), standbyLook)
	defer cancel()
	err := db.SQL.QueryRowContext(asked, `SELECT `+walEnd+`, current_setting('synchronous_commit'), (SELECT system_identifier FROM pg_control_system()) || ' ' ||
		CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) ELSE '' END`).Scan(&primary.end, &primary.committed, &primary.history)
	if err != nil || primary.end < 0 {
		return StandbyState{Why: "the primary does not answer"}
	}
	db.standby.note(walSample{time.Now(), primary.end})
	asked, cancel = context.WithTimeout(context.WithValue(ctx, shareKey{}, ofStandby), standbyLook)
	defer cancel()
	err = db.SQL.QueryRowContext(asked, `SELECT pg_is_in_recovery(), coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint, -1),
		(SELECT system_identifier FROM pg_control_system()) || ' ' || upper(lpad(to_hex(greatest((SELECT timeline_id FROM pg_control_checkpoint()),
			(SELECT min_recovery_end_timeline FROM pg_control_recovery()))), 8, '0'))`).Scan(&there.recovers, &there.end, &there.history)
	behind := db.standby.behind(there.end)
	switch {
	case err != nil:
		return StandbyState{Why: fmt.Sprintf("it cannot be asked: %v", err)}
	case !there.recovers:
		return StandbyState{Why: "it is a primary, and follows no other"}
	case there.history != primary.history:
		return StandbyState{Why: "it follows another primary, or has not heard yet which one is"}
	case primary.committed == "off":
		return StandbyState{Why: "synchronous_commit is off: what is committed may not be on its way to the standby"}
	case behind > standbyBehind:
		return StandbyState{Behind: behind, Far: true, Why: fmt.Sprintf("it is %s behind", behind.Round(time.Second))}
	}
	return StandbyState{Usable: true, Behind: behind}
}

// maxSamples are those of a minute; a standby may be further behind than is known.
const maxSamples = 60

// note keeps where the primary's log ends now.
func (s *standby) note(now walSample) {
	if s.samples = append(s.samples, now); len(s.samples) > maxSamples {
		s.samples = s.samples[1:]
	}
}

// behind is since when the primary has had something that a standby that has replayed the log up to there has not.
func (s *standby) behind(replayed int64) time.Duration {
	for len(s.samples) > 0 && s.samples[0].end <= replayed {
		s.samples = s.samples[1:]
	}
	if len(s.samples) == 0 {
		return 0
	}
	return time.Since(s.samples[0].at)
}
