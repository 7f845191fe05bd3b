//go:build !race

package studio

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
	"atelier/models/run"
	"atelier/models/space"
)

// step runs so many due jobs.
func (w *stageWorld) step(jobs int) {
	w.t.Helper()
	for range jobs {
		if lease := w.claim(); lease == nil {
			w.t.Fatal("nothing to take up")
		} else if err := w.Runs.RunJob(context.Background(), *lease); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *stageWorld) claim() *lane.Lease {
	w.t.Helper()
	for _, pool := range run.Pools {
		leases, err := lane.Claim(context.Background(), w.DB, pool.Kind, "test", 1)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(leases) > 0 {
			return &leases[0]
		}
	}
	return nil
}

// What was made before a render was cancelled stays, and is paid; the next render goes on from there.
func TestRenderCancelled(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 2, CreateProductionInput{})
	begun, err := w.RenderProduction(ctx, p.ID, RenderInput{})
	if err != nil {
		t.Fatal(err)
	}
	w.step(2) // a picture and what is said
	if err := w.Runs.Executions().Cancel(ctx, begun.ExecutionID); err != nil {
		t.Fatal(err)
	}
	w.work()
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Draft)
	results := len(p.Shots[0].Results) + len(p.Shots[1].Results)
	if results != 2 || w.charged(begun.ExecutionID) != 3*models.Credit || p.LatestRender.Status != run.ExecutionFailed || p.LatestRender.EndedAt == nil {
		t.Errorf("%d results, charged %s, the render %s", results, w.charged(begun.ExecutionID), jsonOf(t, p.LatestRender))
	}
	for _, shot := range p.Shots {
		if want := map[bool]ShotStatus{true: ShotReady, false: ShotEmpty}[len(shot.Results) > 0]; shot.Status != want || shot.ErrorMessage != nil {
			t.Errorf("a shot with %d results is %s", len(shot.Results), shot.Status)
		}
	}
	_, did := w.render(ctx, p.ID, RenderInput{})
	w.did(did, "generate-image 1, text-to-speech 1, shot-clip 2, freecut-export 1")
	w.wantStatus(w.find(ctx, p.ID), Ready)
}

// A production, or a shot of it, that is deleted while it is rendered disturbs nothing.
func TestRenderOfWhatIsDeleted(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 2, CreateProductionInput{})
	if _, err := w.RenderProduction(ctx, p.ID, RenderInput{}); err != nil {
		t.Fatal(err)
	}
	w.step(1)
	if err := w.DeleteShot(ctx, p.ID, p.Shots[0].ID); err != nil {
		t.Fatal(err)
	}
	w.work()
	p = w.find(ctx, p.ID)
	if len(p.Shots) != 1 || p.Shots[0].Status != ShotReady || p.VideoURL == nil {
		t.Errorf("the production is %s", jsonOf(t, p))
	}
	w.wantStatus(p, Stale)

	begun, err := w.RenderProduction(ctx, p.ID, RenderInput{Force: ptr(true)})
	if err != nil {
		t.Fatal(err)
	}
	w.step(1)
	if err := w.DeleteProduction(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.CancelMarked(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.work()
	if n := w.count(`SELECT count(*) FROM render_cancels`) + w.count(`SELECT count(*) FROM executions WHERE id = ? AND completed_at IS NULL`, begun.ExecutionID); n != 0 {
		t.Error("the render of a deleted production goes on")
	}
}

// What a worker that died had done is done again, and kept and paid once: a result, its charge and
// what follows commit together.
func TestRenderCutOffAtCommit(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 1, CreateProductionInput{})
	begun, err := w.RenderProduction(ctx, p.ID, RenderInput{})
	if err != nil {
		t.Fatal(err)
	}
	w.exec(`CREATE FUNCTION break_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the server went away'; END $$`)
	broken := func(at string) {
		t.Helper()
		lease := w.claim()
		if lease == nil {
			t.Fatal("nothing to take up")
		}
		before := w.count(`SELECT count(*) FROM shot_results`) + w.count(`SELECT count(*) FROM ledger_entries`)
		w.exec(`CREATE CONSTRAINT TRIGGER break_commit AFTER INSERT OR UPDATE OR DELETE ON ` + at + ` DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION break_commit()`)
		if err := w.Runs.RunJob(context.Background(), *lease); err == nil {
			t.Fatalf("the commit went through that %s broke", at)
		}
		w.exec(`DROP TRIGGER break_commit ON ` + at)
		if now := w.count(`SELECT count(*) FROM shot_results`) + w.count(`SELECT count(*) FROM ledger_entries`); now != before {
			t.Errorf("%d traces of what was broken by %s", now-before, at)
		}
		w.DB.Clock.(*dbtest.Clock).Advance(lane.DefaultLease + time.Second)
	}
	broken("shot_results")
	broken("lane_items")
	w.step(3)
	broken("productions") // of the cut, with which the render ends
	if p := w.find(ctx, p.ID); p.Status != Rendering || p.VideoURL != nil {
		t.Errorf("the production is %s", p.Status)
	}
	w.work()
	w.wantStatus(w.find(ctx, p.ID), Ready)
	if w.charged(begun.ExecutionID) != 9*models.Credit || w.count(`SELECT count(*) FROM shot_results`) != 3 || w.count(`SELECT count(*) FROM production_renders WHERE ended_at IS NULL`) != 0 {
		t.Errorf("charged %s", w.charged(begun.ExecutionID))
	}
}

// A production is read, listed, estimated and rendered in as many statements whatever it holds.
func TestRenderStatements(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	few, many := w.story(ctx, 1, CreateProductionInput{}), w.story(ctx, 15, CreateProductionInput{})
	for i, shot := range many.Shots {
		e := w.element(ctx, "character", string(rune('a'+i))+"nna", space.Private)
		w.exec(`UPDATE shots SET character_ids = ARRAY[?::uuid] WHERE id = ?`, e.ID, shot.ID)
	}
	one := w.element(ctx, "character", "Only", space.Private)
	w.exec(`UPDATE shots SET character_ids = ARRAY[?::uuid] WHERE id = ?`, one.ID, few.Shots[0].ID)
	statements := dbtest.CountStatements(t, w.DB)
	counted := func(fn func(id models.ID) error, id models.ID) int64 {
		t.Helper()
		before := statements.Load()
		if err := fn(id); err != nil {
			t.Fatal(err)
		}
		return statements.Load() - before
	}
	for name, fn := range map[string]func(models.ID) error{
		"reading":    func(id models.ID) error { _, err := w.FindProduction(ctx, id); return err },
		"estimating": func(id models.ID) error { _, err := w.EstimateRender(ctx, id, RenderInput{}); return err },
		"changing": func(id models.ID) error {
			_, err := w.UpdateProduction(ctx, id, UpdateProductionInput{Seed: models.Some(int(statements.Load()))})
			return err
		},
	} {
		if a, b := counted(fn, few.ID), counted(fn, many.ID); a != b {
			t.Errorf("%s takes %d statements with 1 shot, %d with 15", name, a, b)
		} else {
			t.Logf("%s takes %d statements", name, a)
		}
	}
	render := func(id models.ID) error { _, err := w.RenderProduction(ctx, id, RenderInput{}); return err }
	if a, b := counted(render, few.ID), counted(render, many.ID); a != b {
		t.Errorf("rendering takes %d statements with 1 shot, %d with 15", a, b)
	} else {
		t.Logf("rendering takes %d statements", a)
	}
}
