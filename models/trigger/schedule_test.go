package trigger

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/run"
)

func everyMinute() nodegraph.Data {
	return nodegraph.Data{"rules": []any{map[string]any{"kind": "minutes", "every": 1.0}}, "timezone": "UTC"}
}

func dailyAt(zone string, hour, minute int) nodegraph.Data {
	return nodegraph.Data{"timezone": zone, "rules": []any{map[string]any{
		"kind": "days", "every": 1.0, "hour": float64(hour), "minute": float64(minute),
	}}}
}

// schedule is an active schedule of a new workflow of the account.
func (e *engine) schedule(ctx context.Context, config nodegraph.Data) *Trigger {
	e.t.Helper()
	return e.scheduleOf(e.save(ctx, nodegraph.Nodes{text("a", "x")}), models.ActorFrom(ctx).UserID, config)
}

func (e *engine) scheduleOf(w *flow.Workflow, user models.ID, config nodegraph.Data) *Trigger {
	e.t.Helper()
	now := e.DB.Clock.Now()
	t := &Trigger{
		ID: models.NewID(now), WorkflowID: w.ID, Type: ScheduleTrigger, IsActive: true, Config: config, CreatedBy: user,
		NextFireAt: nextFire(config, 0, now), CreatedAt: now, UpdatedAt: now,
	}
	if err := e.DB.Read(context.Background()).Create(t).Error; err != nil {
		e.t.Fatal(err)
	}
	return t
}

func (e *engine) fireDue() int {
	e.t.Helper()
	n, err := e.FireDueSchedules(context.Background())
	if err != nil {
		e.t.Fatal(err)
	}
	return n
}

// to sets the clock to so long after the beginning of the next minute.
func (e *engine) toNextMinute(late time.Duration) time.Time {
	minute := e.clock.Now().Truncate(time.Minute).Add(time.Minute)
	e.clock.Set(minute.Add(late))
	return minute
}

func (e *engine) fires(t *Trigger) (all []ScheduleFire) {
	e.t.Helper()
	if err := e.DB.Read(context.Background()).Where("trigger_id = ?", t.ID).Order("fire_minute").Find(&all).Error; err != nil {
		e.t.Fatal(err)
	}
	return all
}

func (e *engine) outcomes(t *Trigger) (all []FireOutcome) {
	for _, f := range e.fires(t) {
		all = append(all, f.Outcome)
	}
	return all
}

func (e *engine) trigger(id models.ID) (t Trigger) {
	e.t.Helper()
	if err := e.DB.Read(context.Background()).Where("id = ?", id).Take(&t).Error; err != nil {
		e.t.Fatal(err)
	}
	return t
}

func wantOutcomes(t *testing.T, got []FireOutcome, want ...FireOutcome) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestScheduleFires(t *testing.T) {
	e := newEngine(t)
	s := e.schedule(e.As(e.user), everyMinute())
	if e.fireDue() != 0 {
		t.Fatal("fired before its minute")
	}
	minute := e.toNextMinute(300 * time.Millisecond)
	if e.fireDue() != 1 || e.fireDue() != 0 {
		t.Fatal("not once")
	}
	fires := e.fires(s)
	if len(fires) != 1 || fires[0].Outcome != FireStarted || !fires[0].FireMinute.Equal(minute) || fires[0].ExecutionID == nil {
		t.Fatalf("%+v", fires)
	}
	run := e.execution(*fires[0].ExecutionID)
	if run.Trigger != "schedule" || run.AccountID != e.user || run.Source != "schedule" {
		t.Errorf("%+v", run)
	}
	now := e.trigger(s.ID)
	if now.RunCount != 1 || now.NextFireAt == nil || !now.NextFireAt.Equal(minute.Add(time.Minute)) {
		t.Errorf("%+v", now)
	}
	if again := nextFire(s.Config, 0, minute); again == nil || !again.Equal(minute.Add(time.Minute)) {
		t.Error(again)
	}
}

func TestScheduleSkipsWhileARunGoesOn(t *testing.T) {
	e := newEngine(t)
	w := e.save(e.As(e.user), nodegraph.Nodes{text("a", "x")})
	s := e.scheduleOf(w, e.user, everyMinute())
	e.toNextMinute(0)
	e.fireDue()
	e.toNextMinute(0)
	e.fireDue()
	first := e.fires(s)[0].ExecutionID
	if f := e.fires(s)[1]; f.Outcome != FireSkippedRunning || f.ExecutionID == nil || *f.ExecutionID != *first {
		t.Errorf("%+v", f)
	}
	e.work()
	e.toNextMinute(0)
	e.fireDue()
	wantOutcomes(t, e.outcomes(s), FireStarted, FireSkippedRunning, FireStarted)
	e.work()
	if _, err := e.Runs.RunWorkflow(e.As(e.user), w.ID, run.Input{}); err != nil { // a person's own run
		t.Fatal(err)
	}
	e.toNextMinute(0)
	e.fireDue()
	wantOutcomes(t, e.outcomes(s), FireStarted, FireSkippedRunning, FireStarted, FireSkippedRunning)
	if runs := e.trigger(s.ID).RunCount; runs != 2 {
		t.Error(runs, "runs")
	}
}

// Two schedules of one workflow in the same minute: the second sees the first's run.
func TestSchedulesOfOneWorkflow(t *testing.T) {
	e := newEngine(t)
	w := e.save(e.As(e.user), nodegraph.Nodes{text("a", "x")})
	e.scheduleOf(w, e.user, everyMinute())
	e.scheduleOf(w, e.user, everyMinute())
	e.toNextMinute(0)
	taken, _, err := e.takeDue(context.Background(), 10)
	if err != nil || len(taken) != 2 {
		t.Fatal(taken, err)
	}
	var all sync.WaitGroup
	for _, f := range taken {
		all.Go(func() {
			if err := e.startFire(context.Background(), f); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := e.Count(`SELECT count(*) FROM executions WHERE workflow_id = ?`, w.ID); n != 1 {
		t.Error(n, "runs")
	}
}

// In one transaction, too: each sees whether a run before it is at its end.
func TestSchedulesOfOneWorkflowInABatch(t *testing.T) {
	for spare, want := range map[bool]map[FireOutcome]int{
		true:  {FireStarted: 3}, // text is done as the run begins
		false: {FireStarted: 1, FireSkippedRunning: 2},
	} {
		e := newEngine(t)
		if spare {
			e.Runs.SpareWorker = func() (func(), bool) { return func() {}, true }
		}
		w := e.save(e.As(e.user), nodegraph.Nodes{text("a", "x")})
		var all []*Trigger
		for range 3 {
			all = append(all, e.scheduleOf(w, e.user, everyMinute()))
		}
		e.toNextMinute(0)
		taken, _, err := e.takeDue(context.Background(), 10)
		if err != nil || len(taken) != 3 {
			t.Fatal(taken, err)
		}
		left := e.startBatches(context.Background(), taken)
		if len(left) != 0 {
			t.Errorf("%v are left to transactions of their own", left)
		}
		got := map[FireOutcome]int{}
		for _, s := range all {
			for _, f := range e.fires(s) {
				got[f.Outcome]++
				if n := e.Count(`SELECT count(*) FROM executions WHERE id = ? AND workflow_id = ?`, f.ExecutionID, w.ID); n != 1 {
					t.Errorf("%s names %d runs", f.Outcome, n)
				}
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("with a worker to spare %t: %v, want %v", spare, got, want)
		}
		if n := e.Count(`SELECT count(*) FROM executions WHERE workflow_id = ?`, w.ID); n != want[FireStarted] {
			t.Errorf("%d runs, %d started", n, want[FireStarted])
		}
	}
}

func TestScheduleStopsAfterItsRuns(t *testing.T) {
	e := newEngine(t)
	config := everyMinute()
	config["maxExecutions"] = 2.0
	s := e.schedule(e.As(e.user), config)
	for range 4 {
		e.toNextMinute(0)
		e.fireDue()
		e.work()
	}
	wantOutcomes(t, e.outcomes(s), FireStarted, FireStarted)
	if now := e.trigger(s.ID); now.NextFireAt != nil || !now.IsActive || now.RunCount != 2 {
		t.Errorf("it stays registered, and waits for nothing: %+v", now)
	}
}

func TestMissedMinutes(t *testing.T) {
	e := newEngine(t)
	s := e.schedule(e.As(e.user), everyMinute())
	begun := e.clock.Now().Truncate(time.Minute)
	e.clock.Set(begun.Add(10*time.Minute + 20*time.Second))
	e.fireDue()
	fires := e.fires(s)
	wantOutcomes(t, e.outcomes(s), FireMissed, FireStarted)
	if m := fires[0]; m.Minutes != 9 || !m.FireMinute.Equal(begun.Add(time.Minute)) || !m.LastMinute.Equal(begun.Add(9*time.Minute)) {
		t.Errorf("%+v", m)
	}
	if !fires[1].FireMinute.Equal(begun.Add(10 * time.Minute)) {
		t.Errorf("%+v", fires[1])
	}
	e.work()
	e.clock.Set(begun.Add(90 * 24 * time.Hour))
	e.fireDue()
	if fires = e.fires(s); len(fires) != 4 || fires[2].Minutes != maxMissed || fires[3].Outcome != FireStarted {
		t.Errorf("a long gap is one row: %+v", fires)
	}
	daily := e.schedule(e.As(e.user), dailyAt("UTC", 9, 0))
	e.clock.Set(daily.NextFireAt.Add(time.Minute))
	e.fireDue()
	wantOutcomes(t, e.outcomes(daily), FireMissed)
	if next := e.trigger(daily.ID).NextFireAt; next == nil || !next.Equal(daily.NextFireAt.Add(24*time.Hour)) {
		t.Error(next)
	}
}

func TestRepeatedMinuteFiresOnce(t *testing.T) {
	e := newEngine(t)
	e.clock.Set(time.Date(2026, 10, 24, 20, 0, 0, 0, time.UTC))
	s := e.schedule(e.As(e.user), dailyAt("Europe/Berlin", 2, 30))
	for range 12 * 60 {
		e.clock.Advance(time.Minute)
		if e.clock.Now().Minute()%30 == 0 {
			// as if a person had worked it out without looking at the clocks
			e.Exec(`UPDATE workflow_triggers SET next_fire_at = ? WHERE id = ?`, e.clock.Now(), s.ID)
		}
		e.fireDue()
		e.work()
	}
	fires := e.fires(s)
	if len(fires) != 1 || fires[0].LocalLabel != "2026-10-25T02:30 Europe/Berlin" || fires[0].FireMinute.Hour() != 0 {
		t.Errorf("%+v", fires)
	}
	// The keys hold by themselves, too.
	fire := newFire{TriggerID: s.ID, Minute: fires[0].FireMinute.Add(time.Hour), Label: fires[0].LocalLabel, Outcome: FireDue, Minutes: 1, LastMinute: e.clock.Now()}
	now := e.clock.Now()
	fire.TryAt = &now
	err := e.DB.Write(context.Background(), func(tx *models.Tx) error {
		added, err := writeDue(tx, e.DB, []scheduleMove{}, []newFire{fire})
		if len(added) != 0 {
			t.Error("the second 02:30 fires as well")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Of a zone whose rules are others than when the minute was worked out, the
// present ones count.
func TestZoneWhoseRulesChange(t *testing.T) {
	e := newEngine(t)
	s := e.schedule(e.As(e.user), dailyAt("Europe/Berlin", 9, 0))
	right := *s.NextFireAt
	e.Exec(`UPDATE workflow_triggers SET next_fire_at = ? WHERE id = ?`, right.Add(-time.Hour), s.ID)
	e.clock.Set(right.Add(-time.Hour))
	if e.fireDue() != 0 {
		t.Error("fired by rules that do not hold")
	}
	if next := e.trigger(s.ID).NextFireAt; next == nil || !next.Equal(right) {
		t.Error(next)
	}
	e.Exec(`UPDATE workflow_triggers SET next_fire_at = ? WHERE id = ?`, right.Add(5*time.Hour), s.ID)
	if err := e.RecheckSchedules(context.Background()); err != nil {
		t.Fatal(err)
	}
	if next := e.trigger(s.ID).NextFireAt; next == nil || !next.Equal(right) {
		t.Error("after the check:", next)
	}
}

func TestUnreadableScheduleParksItself(t *testing.T) {
	e := newEngine(t)
	broken, other := e.schedule(e.As(e.user), everyMinute()), e.schedule(e.As(e.user), everyMinute())
	e.Exec(`UPDATE workflow_triggers SET config = '{"rules": 7}' WHERE id = ?`, broken.ID)
	e.toNextMinute(0)
	e.fireDue()
	if now := e.trigger(broken.ID); now.ParkedReason == nil || now.NextFireAt != nil {
		t.Errorf("%+v", now)
	}
	wantOutcomes(t, e.outcomes(other), FireStarted)
	if told := e.toldOfStops(e.user); len(told) != 1 || !strings.HasPrefix(told[0], "A schedule of yours stopped, and no longer starts ") ||
		!strings.Contains(told[0], "It has to be mended first. ") {
		t.Errorf("told %q", told)
	}
}

func TestRefusedSchedules(t *testing.T) {
	w := newWorld(t, org.Team)
	s := w.schedule(w.In(w.Room, w.Ann), everyMinute())
	t.Run("no budget", func(t *testing.T) {
		costs(t, "text", 10)
		w.Exec(`UPDATE workspace_budgets SET allocated = 0 WHERE workspace_id = ?`, w.Room.ID)
		w.toNextMinute(0)
		w.fireDue()
		w.Exec(`UPDATE workspace_budgets SET allocated = 100000 WHERE workspace_id = ?`, w.Room.ID)
		f := w.fires(s)[0]
		if f.Outcome != FireFailed || f.ErrorCode == nil || *f.ErrorCode != string(models.CodeBudgetExceeded) || f.ExecutionID == nil {
			t.Fatalf("%+v", f)
		}
		if now := w.trigger(s.ID); !now.IsActive || now.NextFireAt == nil || now.RunCount != 0 {
			t.Errorf("%+v", now)
		}
	})
	t.Run("the creator is suspended", func(t *testing.T) {
		w.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, w.Ann)
		w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, w.Ann)
		for range 3 {
			w.toNextMinute(0)
			w.fireDue()
		}
		fires := w.fires(s)
		if len(fires) != 2 || fires[1].Outcome != FireFailed || *fires[1].ErrorCode != string(models.CodeRunRequiresMember) {
			t.Fatalf("%+v", fires)
		}
		if now := w.trigger(s.ID); now.IsActive || now.NextFireAt != nil {
			t.Errorf("%+v", now)
		}
		if told := w.toldOfStops(w.Ann); len(told) != 2 || !strings.HasPrefix(told[0], "A schedule of yours could not start ") ||
			!strings.HasPrefix(told[1], "A schedule of yours stopped, and no longer starts ") {
			t.Errorf("told %q", told)
		}
	})
}

// What lacks credits is told once until it has run again, and counted until it was read.
func TestScheduleWithoutCreditsIsToldOnce(t *testing.T) {
	w := newWorld(t, org.Team)
	s := w.schedule(w.In(w.Room, w.Ann), everyMinute())
	costs(t, "text", 10)
	budget := func(allocated int) {
		w.Exec(`UPDATE workspace_budgets SET allocated = spent + reserved + ? WHERE workspace_id = ?`, allocated, w.Room.ID)
	}
	fire := func() {
		w.toNextMinute(0)
		w.fireDue()
		w.Exec(`UPDATE executions SET status = 'completed' WHERE workflow_id = ?`, s.WorkflowID)
	}
	for _, c := range []struct{ allocated, told int }{{0, 1}, {0, 1}, {100_000, 1}, {0, 2}, {0, 2}} {
		budget(c.allocated)
		fire()
		if n := w.Count(`SELECT coalesce(sum(count), 0) FROM notifications WHERE kind = 'automation_stopped' AND recipient_id = ?`, w.Ann); n != c.told {
			t.Fatalf("told %d times, expected %d", n, c.told)
		}
	}
}

func TestPausedBetweenTakingAndStarting(t *testing.T) {
	e := newEngine(t)
	s := e.schedule(e.As(e.user), everyMinute())
	e.toNextMinute(0)
	taken, _, err := e.takeDue(context.Background(), 10)
	if err != nil || len(taken) != 1 {
		t.Fatal(taken, err)
	}
	e.Exec(`UPDATE workflow_triggers SET is_active = false, next_fire_at = NULL WHERE id = ?`, s.ID)
	if err := e.startFire(context.Background(), taken[0]); err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, e.outcomes(s), FireSkippedPaused)
}

func TestDeadProcessLeavesItsMinutes(t *testing.T) {
	e := newEngine(t)
	s := e.schedule(e.As(e.user), everyMinute())
	e.toNextMinute(0)
	if taken, _, err := e.takeDue(context.Background(), 10); err != nil || len(taken) != 1 {
		t.Fatal(taken, err)
	}
	if e.fireDue() != 0 {
		t.Error("what another has taken on is not free yet")
	}
	e.clock.Advance(fireLease)
	if e.fireDue() != 1 {
		t.Error("nobody took it up")
	}
	wantOutcomes(t, e.outcomes(s), FireStarted)
	e.work()
	e.toNextMinute(0)
	if _, _, err := e.takeDue(context.Background(), 10); err != nil {
		t.Fatal(err)
	}
	e.Exec(`UPDATE workflow_triggers SET next_fire_at = NULL WHERE id = ?`, s.ID)
	e.clock.Advance(startWithin + time.Second)
	e.fireDue()
	wantOutcomes(t, e.outcomes(s), FireStarted, FireMissed)
}

func TestOldFiresAreSwept(t *testing.T) {
	e := newEngine(t)
	s := e.schedule(e.As(e.user), everyMinute())
	e.toNextMinute(0)
	e.fireDue()
	e.clock.Advance(keepFires + time.Minute)
	if err := e.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	wantOutcomes(t, e.outcomes(s))
}

// Four replicas whose clocks differ, which die at every point: no minute twice,
// none lost while any replica sees it.
func TestFourReplicasFireOnce(t *testing.T) {
	minutes, schedules := 6, 12
	if soakSchedules {
		minutes, schedules = 60, 50
	}
	e := newEngine(t)
	all := make([]*Trigger, schedules)
	for i := range all {
		all[i] = e.schedule(e.As(e.user), everyMinute())
	}
	replicas, clocks := make([]*Service, 4), make([]*dbtest.Clock, 4)
	for i := range replicas {
		clocks[i] = dbtest.NewClock()
		db, err := e.DB.At(clocks[i], []byte("secret"))
		if err != nil {
			t.Fatal(err)
		}
		replicas[i] = newService(db)
	}
	begun := e.clock.Now().Truncate(time.Minute)
	for m := 1; m <= minutes; m++ {
		e.clock.Set(begun.Add(time.Duration(m) * time.Minute))
		for _, late := range []time.Duration{0, 21 * time.Second, 42 * time.Second} {
			var group sync.WaitGroup
			for i, s := range replicas {
				clocks[i].Set(e.clock.Now().Add(late).Add(time.Duration(i) * 400 * time.Millisecond))
				group.Go(func() {
					random := rand.New(rand.NewPCG(uint64(m), uint64(i)))
					for range 6 {
						taken, err := takeBoth(s, 5)
						if err != nil {
							t.Error(err)
							return
						}
						for _, f := range taken {
							if late < 42*time.Second && random.IntN(4) == 0 {
								break // it dies: the rest of what it took is left
							}
							if err := s.startFire(context.Background(), f); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			group.Wait()
		}
		e.Exec(`UPDATE executions SET status = 'completed'`)
	}
	for _, s := range all {
		if n := e.Count(`SELECT count(*) FROM schedule_fires WHERE trigger_id = ? AND outcome = 'started'`, s.ID); n != minutes {
			t.Errorf("started %d times: %v", n, e.outcomes(s))
		}
		if n := e.Count(`SELECT count(*) FROM executions WHERE trigger_id = ?`, s.ID); n != minutes {
			t.Errorf("%d runs", n)
		}
	}
}

func takeBoth(s *Service, room int) ([]fire, error) {
	taken, _, err := s.takeDue(context.Background(), room)
	if err != nil {
		return nil, err
	}
	left, err := s.takeLeft(context.Background(), room)
	return append(taken, left...), err
}

func TestNodeSchedules(t *testing.T) {
	if config, parked := nodeSchedule(nodegraph.Data{"interval": "5m", "rules": []any{}}); parked != "" || fmt.Sprint(config) != "map[rules:[map[every:5 kind:minutes]] timezone:UTC]" {
		t.Error(config, parked)
	}
	config, parked := nodeSchedule(nodegraph.Data{"rules": []any{map[string]any{"kind": "cron"}}, "label": "x"})
	if parked != "Rule 1 needs an expression." || config["rules"] == nil || config["label"] != nil {
		t.Error(config, parked)
	}
	if _, parked := nodeSchedule(nodegraph.Data{"rules": everyMinute()["rules"], "timezone": "Mars/Olympus"}); parked == "" {
		t.Error("an unreadable zone is guessed")
	}
}

func TestSchedulesByHand(t *testing.T) {
	_, err := checkSchedule("config.", nodegraph.Data{"rules": []any{map[string]any{"kind": "hours", "every": 24.0, "minute": 0.0}}})
	if refusal, _ := models.AsError(err); refusal == nil || refusal.Code != models.CodeValidation || refusal.Field != "config.rules[0].every" {
		t.Error(err)
	}
	checked, err := checkSchedule("config.", nodegraph.Data{"interval": "1h", "x": 1.0})
	if err != nil || checked["interval"] != "1h" || checked["rules"] != nil || checked["x"] != nil {
		t.Error(checked, err)
	}
	if next := nextFire(checked, 0, dbtest.Start); next == nil || next.Minute() != 0 {
		t.Error(next)
	}
	checked["maxExecutions"] = 3.0
	if next := nextFire(checked, 3, dbtest.Start); next != nil {
		t.Error("used up:", next)
	}
}

// A node that is saved with an interval or an expression has rules from then on.
func TestSavedNodesHaveRules(t *testing.T) {
	e := newEngine(t)
	w := e.save(e.As(e.user), nodegraph.Nodes{
		{ID: "s", Type: "schedule-trigger", Data: nodegraph.Data{"interval": "1d"}},
		{ID: "c", Type: "schedule-trigger", Data: nodegraph.Data{"cron": "@daily"}},
	})
	if s := w.Nodes.Find("s"); s.Data["interval"] != nil || fmt.Sprint(s.Data["rules"]) != "[map[every:1 hour:0 kind:days minute:0]]" {
		t.Errorf("%v", s.Data)
	}
	if c := w.Nodes.Find("c"); c.Data["cron"] != "@daily" {
		t.Errorf("what cannot be read stays: %v", c.Data)
	}
}

// BenchmarkDueSchedules has 10,000 schedules due in one minute, with two workers,
// and tells how late their minutes were seen and their runs started: one and fifty of a workflow.
func BenchmarkDueSchedules(b *testing.B) {
	for _, each := range []int{1, 50} {
		b.Run(fmt.Sprint(each, "-per-workflow"), func(b *testing.B) { benchDueSchedules(b, each) })
	}
}

func benchDueSchedules(b *testing.B, perWorkflow int) {
	e := newEngine(b)
	e.Runs.SpareWorker = func() (func(), bool) { return func() {}, true } // runs end as they begin, or the next would be skipped
	users := make([]models.ID, 50)
	for i := range users {
		users[i] = e.AddUser(1_000 * models.Credit)
	}
	const schedules = 10_000
	config := everyMinute()
	w := e.save(e.As(e.user), nodegraph.Nodes{text("a", "x")})
	for i := range schedules / perWorkflow {
		e.save(e.As(users[i%50]), nodegraph.Nodes{text("a", "x")})
	}
	next := nextFire(config, 0, e.clock.Now())
	e.Exec(`INSERT INTO workflow_triggers (id, workflow_id, type, is_active, config, created_by, by_session, next_fire_at, created_at, updated_at)
		SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() OVER (ORDER BY id)), 12, '0'))::uuid, id, 'schedule', true,
			'{"interval":"1m"}', owner_id, true, ?, now(), now() FROM workflows, generate_series(1, ?) WHERE id <> ?`, *next, perWorkflow, w.ID)
	e.Exec(`ANALYZE`)
	started := 0
	b.ResetTimer()
	for b.Loop() {
		e.toNextMinute(0)
		begun := time.Now()
		queue := make(chan fire, schedules)
		var workers sync.WaitGroup
		var mu sync.Mutex
		var late []time.Duration
		for range 2 {
			workers.Go(func() {
				for f := range queue {
					all := withMore(f, queue)
					e.startFires(models.ForWork(context.Background()), all)
					mu.Lock()
					for range all {
						late = append(late, time.Since(begun))
					}
					mu.Unlock()
				}
			})
		}
		for {
			more, err := e.takeRound(models.ForWork(context.Background()), schedules, func(f fire) { queue <- f })
			if err != nil {
				b.Fatal(err)
			}
			if !more {
				break
			}
		}
		b.ReportMetric(time.Since(begun).Seconds(), "s-until-all-seen")
		close(queue)
		workers.Wait()
		b.ReportMetric(time.Since(begun).Seconds(), "s-until-all-started")
		slices.Sort(late)
		b.ReportMetric(late[len(late)/2].Seconds(), "s-p50")
		b.ReportMetric(late[len(late)*99/100].Seconds(), "s-p99")
		if started += schedules; e.Count(`SELECT count(*) FROM executions WHERE trigger = 'schedule' AND status = 'completed'`) != started {
			b.Error("not all runs began")
		}
		if n := e.Count(`SELECT count(*) FROM schedule_fires GROUP BY fire_minute ORDER BY fire_minute DESC LIMIT 1`); n != schedules {
			b.Fatal(n)
		}
	}
}
