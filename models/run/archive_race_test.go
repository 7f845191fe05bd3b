package run

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// Creating and archiving meet on two replicas, with inserts that take a while:
// nothing comes to be in a workspace once it is archived.
func TestCreatingMeetsArchiving(t *testing.T) {
	w := newWorld(t, org.Team)
	there := dbtest.Open(t, w.DB.Pool.Config().ConnString(), w.clock)
	orgs := &org.Service{DB: there, Accounts: &account.Service{DB: there}}
	w.Exec(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.03); RETURN NEW; END $$`)
	for _, table := range []string{"projects", "workflows", "executions", "app_runs"} {
		w.Exec(`CREATE TRIGGER linger BEFORE INSERT ON ` + table + ` FOR EACH ROW EXECUTE FUNCTION linger()`)
	}
	for what, create := range map[string]func(ctx context.Context, workflow models.ID) error{
		"projects": func(ctx context.Context, _ models.ID) error {
			_, err := w.Spaces.CreateProject(ctx, space.CreateProjectInput{Name: "P"})
			return err
		},
		"workflows": func(ctx context.Context, _ models.ID) error {
			_, err := w.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{Name: "W"})
			return err
		},
		"runs of nodes": func(ctx context.Context, _ models.ID) error {
			_, err := w.Nodes().Run(ctx, "delay", map[string]any{"seconds": 1.0})
			return err
		},
		"runs of workflows": func(ctx context.Context, workflow models.ID) error {
			_, err := w.RunWorkflow(ctx, workflow, Input{})
			return err
		},
		"runs paid personally": func(ctx context.Context, workflow models.ID) error {
			_, err := w.RunWorkflow(w.As(w.Owner), workflow, Input{})
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			for round := range 3 {
				room := w.AddRoom(fmt.Sprint("Room ", round, " of ", what))
				ctx := w.In(room, w.Owner)
				made, err := w.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{Name: "Old", Nodes: nodegraph.Nodes{{ID: "d", Type: "delay", Data: map[string]any{"seconds": 1.0}}}})
				if err != nil {
					t.Fatal(err)
				}
				rows := func() int {
					return w.Count(`SELECT (SELECT count(*) FROM projects WHERE workspace_id = ?) + (SELECT count(*) FROM workflows WHERE workspace_id = ?)
						+ (SELECT count(*) FROM executions WHERE workspace_id = ? OR workflow_id = ?)`, room.ID, room.ID, room.ID, made.ID)
				}
				var creators sync.WaitGroup
				for range 4 {
					creators.Go(func() {
						if err := create(ctx, made.ID); err != nil && !models.HasCode(err, models.CodeWorkspaceArchived) {
							t.Error(err)
						}
					})
				}
				time.Sleep(time.Duration(round) * 10 * time.Millisecond) // so that the archive comes before, amid and behind
				if _, err := orgs.Workspaces().Archive(w.As(w.Owner), room.ID); err != nil {
					t.Fatal(err)
				}
				atArchive := rows()
				creators.Wait()
				if after := rows(); after != atArchive {
					t.Errorf("%d came to be after the workspace was archived", after-atArchive)
				}
				if err := create(ctx, made.ID); !models.HasCode(err, models.CodeWorkspaceArchived) {
					t.Errorf("afterwards: %v", err)
				}
			}
		})
	}
}
