package run

import (
	"context"
	"slices"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// selecting is a context in which a person has selected a room, or with nil the
// personal space.
func (w *world) selecting(user models.ID, room *org.Workspace) context.Context {
	if room == nil {
		return w.As(user)
	}
	return w.In(room, user)
}

// TestAWorkflowIsPaidWhereItLives runs workflows by their ids, and runs them
// again, whatever the caller has selected.
func TestAWorkflowIsPaidWhereItLives(t *testing.T) {
	w := newWorld(t, org.Team)
	w.withMedia(t)
	broken := true
	flaky(t, &broken)
	costs(t, "combine-text", 300)
	costs(t, "template-text", 500)
	other := w.AddRoom("Other")
	w.Exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at)
		VALUES (?, ?, ?, 'member', 'active', now(), now())`, other.ID, w.Bob, w.Org.ID)
	editor := w.AddUser(models.Credit)
	nodes := nodegraph.Nodes{combine("a"), template("b")}
	shared := &sharedWorld{world: w}
	theirs := w.save(w.In(w.Room, w.Ann), nodes)
	personal := w.save(w.As(w.Bob), nodes)
	shared.grant(personal, editor, flow.Editor)
	w.Grant(w.Bob, 10*models.Credit)
	for _, c := range []struct {
		name     string
		flow     *flow.Workflow
		user     models.ID
		selected *org.Workspace
		pays     *models.ID
	}{
		{"of a room, without a selection", theirs, w.Bob, nil, &w.Room.ID},
		{"of a room, in it", theirs, w.Bob, w.Room, &w.Room.ID},
		{"of a room, in another", theirs, w.Bob, other, &w.Room.ID},
		{"personal, without a selection", personal, w.Bob, nil, nil},
		{"personal, in a room", personal, w.Bob, w.Room, nil},
		{"personal, by an editor", personal, editor, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken = true
			exec, err := w.RunWorkflow(w.selecting(c.user, c.selected), c.flow.ID, Input{})
			if err != nil {
				t.Fatal(err)
			}
			w.work()
			again, err := w.Executions().Retry(w.selecting(c.user, c.selected), exec.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range []*Execution{exec, again} {
				if !sameID(e.WorkspaceID, c.pays) || e.AccountID != c.user {
					t.Errorf("%s is paid by %v in the name of %s", e.ID, e.WorkspaceID, e.AccountID)
				}
				if n := w.Count(`SELECT count(*) FROM jobs WHERE execution_id = ? AND workspace_id IS NOT DISTINCT FROM ?`, e.ID, c.pays); n != 2 {
					t.Errorf("%d jobs belong to the space that pays", n)
				}
			}
			broken = false
			w.work()
		})
	}
	differences, err := credit.Reconcile(context.Background(), w.DB)
	differences = slices.DeleteFunc(differences, func(d credit.Difference) bool { return d.Counter == "workspace_budgets.allocated" }) // which the world sets
	if err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

func sameID(a, b *models.ID) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func accepted(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// TestTheSpaceThatPaysIsAsked refuses runs by what holds where the workflow
// lives, and by nothing of the selected space.
func TestTheSpaceThatPaysIsAsked(t *testing.T) {
	w := newWorld(t, org.School)
	other := w.AddRoom("Other")
	w.Exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at)
		VALUES (?, ?, ?, 'member', 'active', now(), now())`, other.ID, w.Ann, w.Org.ID)
	picture := nodegraph.Nodes{node("p", "generate-image", nodegraph.Data{"prompt": "sky"})}
	theirs, personal := w.save(w.In(w.Room, w.Ann), picture), w.save(w.As(w.Ann), picture)
	run := func(ctx context.Context, flow *flow.Workflow) error {
		_, err := w.RunWorkflow(ctx, flow.ID, Input{})
		return err
	}
	cap := func(room *org.Workspace, credits any) {
		w.Exec(`INSERT INTO member_budgets (workspace_id, user_id, cap) VALUES (?, ?, ?)
			ON CONFLICT (workspace_id, user_id) DO UPDATE SET cap = excluded.cap`, room.ID, w.Ann, credits)
	}
	t.Run("wallet", func(t *testing.T) { // ann has none
		wantError(t, run(w.In(w.Room, w.Ann), personal), models.CodeInsufficientCredits, "")
		accepted(t, run(w.As(w.Ann), theirs))
	})
	t.Run("cap", func(t *testing.T) {
		cap(w.Room, 2000)
		wantError(t, run(w.In(other, w.Ann), theirs), models.CodeMemberCapExceeded, "")
		cap(w.Room, nil)
		cap(other, 0)
		accepted(t, run(w.In(other, w.Ann), theirs))
	})
	t.Run("budget", func(t *testing.T) {
		w.Exec(`UPDATE workspace_budgets SET allocated = reserved WHERE workspace_id = ?`, w.Room.ID)
		wantError(t, run(w.In(other, w.Ann), theirs), models.CodeBudgetExceeded, "")
		wantError(t, run(w.As(w.Ann), theirs), models.CodeBudgetExceeded, "")
		w.Exec(`UPDATE workspace_budgets SET allocated = 100000 WHERE workspace_id = ?`, w.Room.ID)
	})
	t.Run("archive", func(t *testing.T) {
		w.Archive(other, true)
		accepted(t, run(w.In(other, w.Ann), theirs))
		w.Archive(other, false)
		w.Archive(w.Room, true)
		err := run(w.In(other, w.Ann), theirs)
		wantError(t, err, models.CodeWorkspaceArchived, "")
		wantStatus(t, err, 409)
		w.Archive(w.Room, false)
	})
	t.Run("personal space", func(t *testing.T) {
		w.Grant(w.Ann, 10*models.Credit)
		w.Set("personal_space_enabled", "false")
		wantError(t, run(w.In(w.Room, w.Ann), personal), models.CodePersonalSpaceDisabled, "")
		accepted(t, run(w.As(w.Ann), theirs))
		found, err := w.Flows.FindWorkflow(w.As(w.Ann), personal.ID)
		if err != nil || found.Can.Run || found.WhyNotRun == nil {
			t.Errorf("may run: %+v, %v", found, err)
		}
		w.Set("personal_space_enabled", "true")
		accepted(t, run(w.In(w.Room, w.Ann), personal))
	})
	t.Run("membership", func(t *testing.T) {
		w.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE workspace_id = ? AND user_id = ?`, w.Room.ID, w.Ann)
		wantError(t, run(w.In(other, w.Ann), theirs), models.CodeMemberSuspended, "")
		w.Exec(`DELETE FROM workspace_members WHERE workspace_id = ? AND user_id = ?`, w.Room.ID, w.Ann)
		wantError(t, run(w.In(other, w.Ann), theirs), models.CodeNotFound, "Workflow not found")
	})
}

// TestOtherWorkIsPaidByTheSelection has single nodes, drafts and runs of apps
// paid by the selected space, wherever the app's workflow lives.
func TestOtherWorkIsPaidByTheSelection(t *testing.T) {
	w := newWorld(t, org.Team)
	w.Grant(w.Bob, 10*models.Credit)
	in := w.In(w.Room, w.Ann)
	inner := w.save(in, nodegraph.Nodes{node("p", "generate-image", nodegraph.Data{"prompt": "sky"})})
	saved := w.save(in, nodegraph.Nodes{componentNode("part", inner.ID, nil)})
	app, err := w.Flows.Apps().Publish(in, saved.ID, flow.PublishInput{Name: "Room app"})
	if err != nil {
		t.Fatal(err)
	}
	for name, selected := range map[string]*org.Workspace{"nothing": nil, "the room": w.Room} {
		t.Run(name, func(t *testing.T) {
			ctx := w.selecting(w.Bob, selected)
			var pays *models.ID
			if selected != nil {
				pays = &selected.ID
			}
			node, err := w.Nodes().Run(ctx, "generate-image", map[string]any{"prompt": "x"})
			if err != nil || !sameID(node.Job.WorkspaceID, pays) {
				t.Errorf("the node: %+v, %v", node, err)
			}
			draft, err := w.AppRuns().CreateDraft(ctx, app.Slug)
			if err != nil || !sameID(draft.WorkspaceID, pays) {
				t.Fatalf("the draft: %+v, %v", draft, err)
			}
			run, err := w.AppRuns().Start(ctx, app.Slug, AppInput{RunID: &draft.ID})
			if err != nil || !sameID(run.Execution.WorkspaceID, pays) || run.Execution.Hold != 2*models.Credit {
				t.Fatalf("the run: %+v, %v", run, err)
			}
		})
	}
}
