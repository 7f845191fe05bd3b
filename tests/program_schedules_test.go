//go:build !race

package tests

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// TestSchedulesWhileWorkersAreKilled has processes fire schedules over one database while
// they are killed at random: every minute of every schedule has one entry, every started
// one its one run, and no run belongs to none.
func TestSchedulesWhileWorkersAreKilled(t *testing.T) {
	t.Parallel()
	killWorkersOfSchedules(t, 240, 1)
}

func killWorkersOfSchedules(t *testing.T, schedules, minutes int) {
	databaseURL, dataDir := dbtest.NewURL(t), t.TempDir()
	service := startOn(t, databaseURL, dataDir, []string{"serve", "--workers=false"})
	db := openDatabase(t, databaseURL)
	makeSchedules(t, service.URL, schedules)
	db.exec(`UPDATE workflow_triggers SET is_active = false, next_fire_at = NULL`)

	workers := make([]*program, 3)
	for i := range workers {
		workers[i] = startOn(t, databaseURL, dataDir, []string{"worker"})
	}
	begun := firstMinute()
	last := begun.Add(time.Duration(minutes-1) * time.Minute)
	settled := func() bool {
		return db.strings(`SELECT count(*)::text FROM schedule_fires WHERE fire_minute <= $1 AND outcome <> 'due'`, last)[0] == strconv.Itoa(schedules*minutes)
	}
	// Workers look each second. Each time some more schedules are due, and a worker dies in the middle of them.
	kills := 0
	for until := last.Add(50 * time.Second); time.Now().Before(until) && !settled(); kills++ {
		db.exec(`UPDATE workflow_triggers SET is_active = true, next_fire_at = $1 WHERE id IN (
			SELECT id FROM workflow_triggers WHERE NOT is_active ORDER BY id LIMIT $2)`, begun, schedules/10)
		next := time.Until(time.Now().Truncate(time.Second).Add(time.Second))
		time.Sleep(next + time.Duration(rand.IntN(80))*time.Millisecond)
		w := workers[rand.IntN(len(workers))]
		w.kill()
		w.start()
	}
	// Nothing fires after the last minute that is looked at. No one is paused for that: a minute that was taken
	// and has not started yet would be skipped.
	eventually(t, func() error {
		db.exec(`UPDATE workflow_triggers SET next_fire_at = $1::timestamptz + interval '1 year' WHERE next_fire_at > $1`, last)
		if !settled() {
			return fmt.Errorf("after %d kills not all minutes are settled: %v", kills,
				db.strings(`SELECT outcome || ': ' || count(*) FROM schedule_fires GROUP BY outcome`))
		}
		return nil
	})
	t.Logf("%d kills, %v", kills, db.strings(`SELECT outcome || ': ' || count(*) FROM schedule_fires GROUP BY outcome ORDER BY 1`))
	for what, query := range map[string]string{
		"minutes without an entry": `SELECT t.id::text FROM workflow_triggers t LEFT JOIN schedule_fires f ON f.trigger_id = t.id AND f.fire_minute <= $1
			GROUP BY t.id HAVING coalesce(sum(f.minutes), 0) <> ` + strconv.Itoa(minutes),
		"minutes that were missed or failed":  `SELECT trigger_id::text FROM schedule_fires WHERE fire_minute <= $1 AND outcome NOT IN ('started', 'skipped_running')`,
		"started minutes without their run":   `WITH e AS MATERIALIZED (SELECT id, trigger_id FROM executions) SELECT f.trigger_id::text FROM schedule_fires f LEFT JOIN e ON e.id = f.execution_id AND e.trigger_id = f.trigger_id WHERE f.fire_minute <= $1 AND f.outcome = 'started' AND e.id IS NULL`,
		"runs that no minute started":         `WITH e AS MATERIALIZED (SELECT id FROM executions) SELECT e.id::text FROM e WHERE $1::timestamptz IS NOT NULL AND NOT EXISTS (SELECT FROM schedule_fires f WHERE f.execution_id = e.id AND f.outcome = 'started')`,
		"schedules that count their runs ill": `SELECT t.id::text FROM workflow_triggers t WHERE run_count <> (SELECT count(*) FROM schedule_fires f WHERE f.trigger_id = t.id AND f.outcome = 'started' AND f.fire_minute <= $1)`,
	} {
		if bad := db.strings(query, last); len(bad) > 0 {
			t.Errorf("%d %s, %s among them", len(bad), what, bad[0])
		}
	}
	eventually(t, func() error {
		if open := db.strings(`SELECT status || ': ' || count(*) FROM executions WHERE status <> 'completed' GROUP BY status`); len(open) > 0 {
			return fmt.Errorf("runs that did not end well: %v", open)
		}
		return nil
	})
}

// firstMinute is one that has begun and lasts for a while; no one fires one that is over.
func firstMinute() time.Time {
	if rest := time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)); rest < 45*time.Second {
		time.Sleep(rest + time.Second)
	}
	return time.Now().Truncate(time.Minute)
}

// makeSchedules makes so many workflows with a schedule each, of a few people.
func makeSchedules(t *testing.T, url string, schedules int) {
	t.Helper()
	const ofOne = 80
	var all sync.WaitGroup
	for from := 0; from < schedules; from += ofOne {
		who := newPerson(t, url, "Clock").client
		all.Go(func() {
			for range min(ofOne, schedules-from) {
				id := who.post("/v1/workflows", chain(2)).want(201).text("data.id")
				who.post("/v1/workflow-triggers", object{
					"workflowId": id, "type": "schedule", "config": object{"rules": []object{{"kind": "minutes", "every": 1}}},
				}).want(201)
			}
		})
	}
	all.Wait()
}
