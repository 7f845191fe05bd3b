package trigger

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
)

// clockNode is a schedule node that is on.
func clockNode(id string) *nodegraph.Node {
	data := everyMinute()
	data["active"] = true
	return &nodegraph.Node{ID: id, Type: nodegraph.ScheduleTriggerType, Data: data}
}

// waiting adds so many schedules of an account that wait for their minutes.
func (e *engine) waiting(user models.ID, count int) []*Trigger {
	e.t.Helper()
	w := e.save(e.As(user), nodegraph.Nodes{text("a", "x")})
	all := make([]*Trigger, count)
	for i := range all {
		all[i] = e.scheduleOf(w, user, everyMinute())
	}
	return all
}

func TestSchedulesOfAnAccountAreBounded(t *testing.T) {
	e := newEngine(t)
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{text("a", "x")})
	there := e.waiting(e.user, MaxActiveSchedules-1)
	other := e.AddUser(models.Credit)
	e.waiting(other, 3)
	in := CreateTriggerInput{WorkflowID: w.ID, Type: ScheduleTrigger, Config: everyMinute()}
	last, err := e.CreateTrigger(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.CreateTrigger(ctx, in); !models.HasCode(err, models.CodeLimitReached) {
		t.Fatalf("one more: %v", err)
	}
	off := false
	in.IsActive = &off
	paused, err := e.CreateTrigger(ctx, in)
	if err != nil {
		t.Fatalf("a paused one: %v", err)
	}
	turn := func(id models.ID, on bool) error {
		_, err := e.UpdateTrigger(ctx, id, UpdateTriggerInput{IsActive: models.Some(on)})
		return err
	}
	if err := turn(paused.ID, true); !models.HasCode(err, models.CodeLimitReached) {
		t.Errorf("turned on: %v", err)
	}
	if now := e.trigger(paused.ID); now.IsActive || now.NextFireAt != nil {
		t.Errorf("and yet %+v", now)
	}
	if _, err := e.UpdateTrigger(ctx, last.ID, UpdateTriggerInput{Config: models.OptMapOf(map[string]any{"timezone": "Europe/Berlin"})}); err != nil {
		t.Errorf("one that waits already is changed: %v", err)
	}

	graph := e.save(ctx, nodegraph.Nodes{text("a", "x"), clockNode("s")})
	node := e.triggers(ctx, graph.ID)["s"]
	if !node.IsActive || node.ParkedReason == nil || node.NextFireAt != nil {
		t.Fatalf("a node beyond it: %+v", node)
	}
	if minutes, err := e.NextMinutes(node, 5); err != nil || len(minutes) != 0 {
		t.Errorf("a parked one shows minutes: %v, %v", minutes, err)
	}
	if err := turn(node.ID, true); !models.HasCode(err, models.CodeLimitReached) {
		t.Errorf("the node's turned on: %v", err)
	}
	if synced, err := e.SyncTriggers(ctx, graph.ID); err != nil || synced.Updated != 0 {
		t.Errorf("saved again it stays as it is: %+v, %v", synced, err)
	}
	if err := turn(there[0].ID, false); err != nil {
		t.Fatal(err)
	}
	if synced, err := e.SyncTriggers(ctx, graph.ID); err != nil || synced.Updated != 1 {
		t.Errorf("with room: %+v, %v", synced, err)
	}
	if node = e.triggers(ctx, graph.ID)["s"]; node.ParkedReason != nil || node.NextFireAt == nil {
		t.Errorf("with room: %+v", node)
	}
	// What one save takes away makes room for what it adds.
	e.write(ctx, graph.ID, nodegraph.Nodes{text("a", "x"), clockNode("t")})
	if node = e.triggers(ctx, graph.ID)["t"]; node.ParkedReason != nil || node.NextFireAt == nil {
		t.Errorf("exchanged: %+v", node)
	}
	e.write(ctx, graph.ID, nodegraph.Nodes{text("a", "x"), clockNode("t"), clockNode("u")})
	if both := e.triggers(ctx, graph.ID); both["t"].ParkedReason != nil || both["u"].ParkedReason == nil {
		t.Errorf("two: %+v, %+v", both["t"], both["u"])
	}
}

func TestSchedulesAreCountedWhenManyBegin(t *testing.T) {
	e := newEngine(t)
	ctx := e.As(e.user)
	e.waiting(e.user, MaxActiveSchedules-5)
	paused := make([]models.ID, 10)
	for i := range paused {
		s := e.schedule(ctx, everyMinute())
		e.Exec(`UPDATE workflow_triggers SET is_active = false, next_fire_at = NULL WHERE id = ?`, s.ID)
		paused[i] = s.ID
	}
	homes := make([]*flow.Workflow, 5)
	for i := range homes {
		homes[i] = e.save(ctx, nodegraph.Nodes{text("a", "x")})
	}
	var all sync.WaitGroup
	var done, refused, saved atomic.Int64
	note := func(err error) {
		switch {
		case err == nil:
			done.Add(1)
		case models.HasCode(err, models.CodeLimitReached):
			refused.Add(1)
		default:
			t.Error(err)
		}
	}
	for i := range 10 {
		all.Go(func() {
			_, err := e.UpdateTrigger(ctx, paused[i], UpdateTriggerInput{IsActive: models.Some(true)})
			note(err)
		})
		all.Go(func() {
			if i%2 == 0 {
				_, err := e.CreateTrigger(ctx, CreateTriggerInput{WorkflowID: homes[i/2].ID, Type: ScheduleTrigger, Config: everyMinute()})
				note(err)
				return
			}
			w, err := e.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{Name: "W", Nodes: []*nodegraph.Node{clockNode("s"), text("a", "x")}})
			if err != nil {
				t.Error(err)
				return
			}
			if e.triggers(ctx, w.ID)["s"].ParkedReason == nil {
				saved.Add(1)
			}
		})
	}
	all.Wait()
	if n := done.Load() + saved.Load(); n != 5 || refused.Load()+done.Load() != 15 {
		t.Errorf("%d of 20 began to wait, %d refused", n, refused.Load())
	}
	if n := e.Count(`SELECT count(*) FROM workflow_triggers WHERE created_by = ? AND next_fire_at IS NOT NULL`, e.user); n != MaxActiveSchedules {
		t.Errorf("%d wait", n)
	}
}

func TestTriggerNodesOfAGraphAreBounded(t *testing.T) {
	e := newEngine(t)
	e.withKey()
	ctx := e.As(e.user)
	all := nodegraph.Nodes{text("a", "x")}
	for i := range MaxTriggerNodes {
		all = append(all, hook(fmt.Sprint("h", i)))
	}
	w := e.save(ctx, append(all, clockNode("s"), hook("late")))
	if synced, err := e.SyncTriggers(ctx, w.ID); err != nil || *synced != (SyncedTriggers{Synced: MaxTriggerNodes + 2}) {
		t.Errorf("%+v, %v", synced, err)
	}
	found := e.triggers(ctx, w.ID)
	late := found["late"]
	if late.ParkedReason == nil || late.Token != nil || late.IsActive || found["s"].ParkedReason == nil || found["s"].NextFireAt != nil {
		t.Fatalf("%+v, %+v", late, found["s"])
	}
	for _, in := range []UpdateTriggerInput{{IsActive: models.Some(true)}, {Config: models.OptMapOf(everyMinute()), IsActive: models.Some(true)}} {
		if _, err := e.UpdateTrigger(ctx, found["s"].ID, in); !models.HasCode(err, models.CodeLimitReached) {
			t.Errorf("turned on: %v", err)
		}
	}
	if _, err := e.UpdateTrigger(ctx, found["s"].ID, UpdateTriggerInput{Config: models.OptMapOf(everyMinute())}); err != nil {
		t.Error(err)
	}
	if now := e.trigger(found["s"].ID); now.ParkedReason == nil || now.NextFireAt != nil {
		t.Errorf("another timetable makes no room: %+v", now)
	}
	// Those that were there keep their place, wherever they stand.
	e.write(ctx, w.ID, append(nodegraph.Nodes{hook("first")}, all...))
	found = e.triggers(ctx, w.ID)
	if found["first"].ParkedReason == nil || found["h19"].ParkedReason != nil || !found["h19"].IsActive {
		t.Errorf("%+v, %+v", found["first"], found["h19"])
	}
	e.write(ctx, w.ID, append(nodegraph.Nodes{hook("first")}, all[:len(all)-1]...))
	if first := e.triggers(ctx, w.ID)["first"]; first.ParkedReason != nil || !first.IsActive || first.Token == nil {
		t.Errorf("with room: %+v", first)
	}
}

// The count of an account's schedules reads an index, of those that wait alone.
func TestSchedulesAreCountedByAnIndex(t *testing.T) {
	e := newEngine(t)
	s := e.schedule(e.As(e.user), everyMinute())
	for range 20 {
		e.Exec(`INSERT INTO workflow_triggers (id, workflow_id, type, is_active, config, created_by, by_session, next_fire_at, created_at, updated_at)
			SELECT gen_random_uuid(), workflow_id, 'schedule', n % 2 = 0, config, ?, true, CASE WHEN n % 2 = 0 THEN next_fire_at END, now(), now()
			FROM workflow_triggers, generate_series(1, 200) n WHERE id = ?`, e.AddUser(models.Credit), s.ID)
	}
	e.Exec(`ANALYZE workflow_triggers`)
	var plan []string
	if err := e.DB.Read(context.Background()).Raw(`EXPLAIN SELECT count(*) FROM (
		SELECT FROM workflow_triggers WHERE created_by = ? AND next_fire_at IS NOT NULL LIMIT 1000) n`, e.user).Scan(&plan).Error; err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(plan); !strings.Contains(text, "workflow_triggers_creator") || !strings.Contains(text, "next_fire_at IS NOT NULL") || strings.Contains(text, "Filter") {
		t.Error(text)
	}
}
