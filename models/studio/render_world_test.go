package studio

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
	"atelier/models/run"
	"atelier/nodes/kit"
)

// stageWorld is a studio whose nodes yield addresses at once, each call another one.
type stageWorld struct {
	*world
	made int
}

func newStageWorld(t testing.TB) *stageWorld {
	w := &stageWorld{world: newWorld(t)}
	for nodeType, out := range map[string]kit.Output{
		pictureType: {"imageUrl": "png", "width": 1280, "height": 720}, cardType: {"imageUrl": "png"},
		speechType: {"audioUrl": "wav", "duration": 2.0}, shotType: {"videoUrl": "mp4", "duration": 2.6},
		animateType: {"videoUrl": "mp4", "duration": 4.0}, "add-audio": {"videoUrl": "mp4", "duration": 4.0},
		cutType: {"videoUrl": "mp4", "captionsUrl": "vtt", "duration": 30.0, "captions": map[string]any{"cues": []any{}}},
	} {
		w.watchWith(nodeType, func(in *kit.Call) (kit.Output, error) { return w.yield(nodeType, out), nil })
	}
	for _, kind := range []string{"image", "audio", "video"} {
		w.watchWith("upload-"+kind, func(in *kit.Call) (kit.Output, error) {
			return kit.Output{kind + "Url": in.Input[kind+"Url"], "url": in.Input[kind+"Url"]}, nil
		})
	}
	return w
}

// yield is what a node yields, with addresses that were never there before.
func (w *stageWorld) yield(nodeType string, out kit.Output) kit.Output {
	w.made++
	yielded := kit.Output{}
	for name, value := range out {
		if kind, ok := value.(string); ok {
			value = fmt.Sprintf("https://files.example/%s-%d.%s", nodeType, w.made, kind)
		}
		yielded[name] = value
	}
	return yielded
}

// story is a production of so many shots in the owner's own space, in each of which something is said.
func (w *stageWorld) story(ctx context.Context, shots int, in CreateProductionInput) *Production {
	w.t.Helper()
	p := w.production(ctx, in)
	for i := range shots {
		w.shot(ctx, p.ID, CreateShotInput{Action: ptr(fmt.Sprintf("Something happens, number %d.", i)), Dialogue: ptr(fmt.Sprintf("Line number %d.", i))})
	}
	return w.find(ctx, p.ID)
}

// render renders a production to the end, and tells how often each node type did something.
func (w *stageWorld) render(ctx context.Context, id models.ID, in RenderInput) (*Begun, map[string]int) {
	w.t.Helper()
	before := w.counts()
	begun, err := w.RenderProduction(ctx, id, in)
	if err != nil {
		w.t.Fatal(err)
	}
	w.work()
	done := w.counts()
	for nodeType, n := range before {
		if done[nodeType] -= n; done[nodeType] == 0 {
			delete(done, nodeType)
		}
	}
	return begun, done
}

func (w *stageWorld) counts() map[string]int {
	counts := map[string]int{}
	for nodeType, calls := range w.calls {
		counts[nodeType] = len(calls)
	}
	return counts
}

// did expects that node types were called so often, and no others but uploads.
func (w *stageWorld) did(got map[string]int, want string) {
	w.t.Helper()
	var said []string
	for _, nodeType := range []string{pictureType, cardType, speechType, shotType, animateType, "add-audio", cutType} {
		if got[nodeType] > 0 {
			said = append(said, fmt.Sprintf("%s %d", nodeType, got[nodeType]))
		}
	}
	if text := strings.Join(said, ", "); text != want {
		w.t.Errorf("did %q, want %q", text, want)
	}
}

// charged is what an execution was charged by the ledger.
func (w *stageWorld) charged(execution models.ID) models.Credits {
	w.t.Helper()
	return models.Credits(w.count(`SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entries WHERE execution_id = ? AND kind = 'charge'`, execution))
}

func (w *stageWorld) states(execution models.ID) string {
	w.t.Helper()
	states, err := w.Runs.Executions().NodeStates(context.Background(), []models.ID{execution})
	if err != nil {
		w.t.Fatal(err)
	}
	var all []string
	for _, s := range states[execution] {
		message := ""
		if s.Job.ErrorMessage != nil {
			message = " (" + *s.Job.ErrorMessage + ")"
		}
		all = append(all, s.NodeID+" "+s.Job.JobType+" "+string(s.Status)+message)
	}
	return strings.Join(all, "\n")
}

func (w *stageWorld) wantStatus(p *Production, want ProductionStatus) {
	w.t.Helper()
	if p.Status != want {
		render := ""
		if p.LatestRender != nil {
			render = w.states(p.LatestRender.ExecutionID)
		}
		w.t.Errorf("the production is %s, want %s\n%s", p.Status, want, render)
	}
}

// staleShots are the places of stale shots.
func staleShots(p *Production) (at []int) {
	for i, shot := range p.Shots {
		if shot.IsStale {
			at = append(at, i)
		}
	}
	return at
}

// followUp asks providers for what came late.
func (w *stageWorld) followUp() {
	w.t.Helper()
	w.DB.Clock.(*dbtest.Clock).Advance(2 * time.Minute)
	leases, err := lane.Claim(context.Background(), w.DB, run.FollowUps, "test", 10)
	if err != nil || len(leases) == 0 {
		w.t.Fatalf("nothing to follow up: %v", err)
	}
	for _, lease := range leases {
		if err := w.Runs.FollowUp(context.Background(), lease); err != nil {
			w.t.Fatal(err)
		}
	}
}
