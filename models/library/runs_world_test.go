//go:build !race

package library

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"gocloud.dev/blob/memblob"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/flow"
	"atelier/models/lane"
	"atelier/models/media"
	"atelier/models/nodegraph"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// runsWorld is a library whose accounts have credits, with a place for files and workers.
type runsWorld struct {
	*wordsWorld
	calls map[string][]*kit.Call // by node type, of types that were watched
}

func newRunsWorld(t testing.TB) *runsWorld {
	w := &runsWorld{wordsWorld: newWordsWorld(t, kit.Providers{}), calls: map[string][]*kit.Call{}}
	bucket := memblob.OpenBucket(nil)
	t.Cleanup(func() { _ = bucket.Close() })
	w.Media = &media.Service{Store: &media.Store{DB: w.DB, Bucket: bucket, PublicURL: "https://atelier.example"}, Accounts: w.Accounts, Spaces: w.Spaces}
	w.Runs.Media = w.Media
	for _, id := range []models.ID{w.owner, w.ann, w.bob, w.stranger} {
		w.exec(`UPDATE wallets SET balance = ? WHERE user_id = ?`, 1000*models.Credit, id)
		w.exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, to_id, amount, user_id, created_at, balance_after)
			VALUES (?, 'grant', 'issued', 'wallet', ?, ?, ?, ?, ?)`, models.NewID(w.DB.Clock.Now()), id, 1000*models.Credit, id, w.DB.Clock.Now(), 1000*models.Credit)
	}
	return w
}

// watch has a node type note its calls, and yield what it is told.
func (w *runsWorld) watch(nodeType string, out kit.Output) {
	w.t.Helper()
	kind, ok := w.Flows.Catalogue.Find(nodeType)
	if !ok {
		w.t.Fatal(nodeType)
	}
	before := *kind
	kind.Run = func(_ context.Context, in *kit.Call) (kit.Output, error) {
		w.calls[nodeType] = append(w.calls[nodeType], in)
		made := kit.Output{}
		for name, value := range out {
			made[name] = value
		}
		return made, nil
	}
	w.t.Cleanup(func() { *kind = before })
}

// work runs due jobs until none is left.
func (w *runsWorld) work() {
	w.t.Helper()
	for range 1000 {
		var lease *lane.Lease
		for _, pool := range run.Pools {
			leases, err := lane.Claim(context.Background(), w.DB, pool.Kind, "test", 1)
			if err != nil {
				w.t.Fatal(err)
			}
			if len(leases) > 0 {
				lease = &leases[0]
				break
			}
		}
		if lease == nil {
			if w.count(`SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`) == 0 {
				return
			}
			w.DB.Clock.(*dbtest.Clock).Advance(5 * time.Second)
			continue
		}
		if err := w.Runs.RunJob(context.Background(), *lease); err != nil {
			w.t.Fatal(err)
		}
	}
	w.t.Fatal("the work does not end")
}

// element makes an element of a kind, private unless it is shared.
func (w *runsWorld) element(ctx context.Context, kind Kind, name string, visibility space.Visibility) *Element {
	w.t.Helper()
	e, err := w.Elements().Create(ctx, CreateElementInput{
		Kind: kind, Name: name, Visibility: &visibility, Attributes: map[string]any{"accessory": "glasses"},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// workflow saves a workflow in the account's own space.
func (w *runsWorld) workflow(ctx context.Context, visibility space.Visibility, all ...*nodegraph.Node) *flow.Workflow {
	w.t.Helper()
	made, err := w.tryWorkflow(ctx, visibility, nil, all...)
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

func (w *runsWorld) tryWorkflow(ctx context.Context, visibility space.Visibility, edges nodegraph.Edges, all ...*nodegraph.Node) (*flow.Workflow, error) {
	w.t.Helper()
	maker := ctx
	if models.ActorFrom(ctx).WorkspaceID != nil {
		maker = w.in(w.owner)
	}
	project, err := w.Spaces.CreateProject(maker, space.CreateProjectInput{Name: "Stories"})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{
		Name: "Story", ProjectID: &project.ID, Visibility: &visibility, Nodes: nodegraph.Nodes(all), Edges: edges,
	})
}

func pictureNode(id string, data map[string]any) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "generate-image", Data: data}
}

func idsOf(elements ...*Element) []any {
	var ids []any
	for _, e := range elements {
		ids = append(ids, e.ID.String())
	}
	return ids
}

func (w *runsWorld) job(id models.ID) *run.Job {
	w.t.Helper()
	job, err := models.First[run.Job](w.DB.Read(context.Background()).Where("id = ?", id), models.NotFound("Job"))
	if err != nil {
		w.t.Fatal(err)
	}
	return job
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
