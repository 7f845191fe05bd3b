//go:build !race

package run

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
)

// TestStorageCountersAreTheSums does at random whatever keeps and drops things:
// the counters are what the rows add up to, and making them again changes nothing.
func TestStorageCountersAreTheSums(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	small := func(t *rapid.T) string { return strings.Repeat("x", rapid.IntRange(1, 3_000).Draw(t, "length")) }
	rapid.Check(t, func(t *rapid.T) {
		ctx := rapid.SampledFrom(k.spaces()).Draw(t, "space")
		t.Repeat(map[string]func(*rapid.T){
			"save": func(t *rapid.T) {
				k.workflows = append(k.workflows, k.save(ctx, nodegraph.Nodes{text("a", small(t))}).ID)
			},
			"upload": func(t *rapid.T) { must(t, k.upload(ctx, rapid.IntRange(1, 5_000).Draw(t, "size"))) },
			"": func(t *rapid.T) {
				must(t, k.Spaces.CountOutputs(context.Background()))
				if n := k.differences(); n > 0 {
					t.Fatalf("%d counters differ from the rows", n)
				}
			},
			"change": func(t *rapid.T) {
				_, err := k.Flows.UpdateWorkflow(ctx, k.any(t), flow.UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("a", small(t))})})
				must(t, err)
			},
			"move": func(t *rapid.T) {
				there := rapid.SampledFrom(k.spaces()).Draw(t, "there")
				_, err := k.Flows.UpdateWorkflow(ctx, k.any(t), flow.UpdateWorkflowInput{ProjectID: models.Some(k.save(there, nil).ProjectID)})
				must(t, err)
			},
			"publish": func(t *rapid.T) {
				app, err := k.Flows.Apps().Publish(ctx, k.any(t), flow.PublishInput{Name: "App"})
				must(t, err)
				k.apps = append(k.apps, app)
			},
			"unpublish": func(t *rapid.T) {
				if len(k.apps) == 0 {
					t.Skip()
				}
				err := k.Flows.Apps().Delete(ctx, k.apps[0].ID)
				if k.apps = k.apps[1:]; !models.HasCode(err, models.CodeNotFound) {
					must(t, err)
				}
			},
			"delete": func(t *rapid.T) {
				id := k.any(t)
				must(t, k.Flows.DeleteWorkflow(ctx, id))
				k.workflows = without(k.workflows, id)
			},
			"run": func(t *rapid.T) {
				if len(k.apps) == 0 {
					t.Skip()
				}
				run, err := k.AppRuns().Start(ctx, k.apps[0].Slug, AppInput{})
				if models.HasCode(err, models.CodeNotFound) {
					t.Skip()
				}
				must(t, err)
				k.work()
				if rapid.Bool().Draw(t, "erased") {
					_, err = k.AppRuns().Archive(ctx, k.apps[0].Slug, run.ID)
					must(t, err)
					must(t, k.AppRuns().Delete(ctx, k.apps[0].Slug, run.ID))
				}
			},
		})
	})
	if wrong, err := k.Spaces.RebuildStorage(context.Background()); err != nil || wrong != 0 {
		t.Errorf("making the counters again changed %d, %v", wrong, err)
	}
	k.Exec(`UPDATE storage_usage SET files = files + 7, workflows = 0`)
	if wrong, err := k.Spaces.RebuildStorage(context.Background()); err != nil || wrong == 0 || k.differences() != 0 {
		t.Errorf("wrong counters: %d made right, %v", wrong, err)
	}
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func without(ids []models.ID, gone models.ID) (left []models.ID) {
	for _, id := range ids {
		if id != gone {
			left = append(left, id)
		}
	}
	return left
}

// any is one of the workflows.
func (k *keeping) any(t *rapid.T) models.ID {
	if len(k.workflows) == 0 {
		t.Skip()
	}
	return rapid.SampledFrom(k.workflows).Draw(t, "workflow")
}
