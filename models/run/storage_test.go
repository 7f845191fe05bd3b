package run

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// keeping is a world whose spaces keep things, and what is in them.
type keeping struct {
	*world
	folder    string
	other     *org.Workspace
	workflows []models.ID
	apps      []*flow.App
}

func newKeeping(t *testing.T) *keeping {
	t.Helper()
	k := &keeping{world: newWorld(t, org.Team)}
	k.folder, k.other = k.withMedia(t), k.AddRoom("Other")
	k.Join(k.other, k.Ann, "member")
	k.Grant(k.Ann, 100*models.Credit)
	return k
}

// spaces are where ann works.
func (k *keeping) spaces() []context.Context {
	all := []context.Context{k.As(k.Ann)}
	for _, room := range []*org.Workspace{k.Room, k.other} {
		actor := models.ActorFrom(k.In(room, k.Ann))
		actor.SessionID = k.Ann
		all = append(all, models.WithActor(context.Background(), actor))
	}
	return all
}

// differences is how many counters are not what the rows add up to.
func (k *keeping) differences() int {
	k.t.Helper()
	return k.Count(`SELECT count(*) FROM storage_usage u FULL JOIN storage_sums s USING (space, owner_id)
		WHERE (coalesce(u.files, 0), coalesce(u.outputs, 0), coalesce(u.graphs, 0), coalesce(u.workflows, 0))
			<> (coalesce(s.files, 0), coalesce(s.outputs, 0), coalesce(s.graphs, 0), coalesce(s.workflows, 0))`)
}

// quota limits what accounts keep in their personal space.
func (k *keeping) quota(q space.Quota) {
	k.t.Helper()
	if err := k.Spaces.SetQuotas(context.Background(), q, space.Quota{}); err != nil {
		k.t.Fatal(err)
	}
}

func (k *keeping) kept(ctx context.Context) *space.Storage {
	k.t.Helper()
	s, err := k.Spaces.FindStorage(ctx)
	if err != nil {
		k.t.Fatal(err)
	}
	return s
}

func (k *keeping) upload(ctx context.Context, size int) error {
	_, err := k.Media.Upload(ctx, strings.NewReader(strings.Repeat("a", size)))
	return err
}

// TestQuotas fills each thing that a space keeps, sees the refusal, and makes room.
func TestQuotas(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	mine, most := k.As(k.Ann), int64(10_000)
	t.Run("files", func(t *testing.T) {
		k.quota(space.Quota{Files: &most})
		for range 2 {
			if err := k.upload(mine, 4_000); err != nil {
				t.Fatal(err)
			}
		}
		err := k.upload(mine, 2_001)
		wantError(t, err, models.CodeLimitReached, "9.7 KiB")
		wantStatus(t, err, 400)
		wantError(t, k.Media.CheckRoomForFile(mine, 2_001), models.CodeLimitReached, "personal space")
		if err := k.upload(mine, 2_000); err != nil {
			t.Fatal(err)
		}
		if err := k.upload(k.As(k.Bob), 4_000); err != nil {
			t.Errorf("another account's room: %v", err)
		}
		reader := &counting{}
		_, err = k.Media.Upload(mine, reader)
		wantError(t, err, models.CodeLimitReached, "")
		if got := k.kept(mine).Files; got != most || reader.n > 0 {
			t.Errorf("%d bytes are kept, %d were read in vain", got, reader.n)
		}
	})
	t.Run("workflows", func(t *testing.T) {
		two := int64(2)
		k.quota(space.Quota{Workflows: &two})
		first := k.save(mine, nil)
		k.save(mine, nil)
		_, err := k.Flows.CreateWorkflow(mine, flow.CreateWorkflowInput{Name: "W"})
		wantError(t, err, models.CodeLimitReached, "may be, 2")
		elsewhere := k.save(k.In(k.Room, k.Ann), nil)
		_, err = k.Flows.UpdateWorkflow(mine, elsewhere.ID, flow.UpdateWorkflowInput{ProjectID: models.Some(first.ProjectID)})
		wantError(t, err, models.CodeLimitReached, "")
		if err := k.Flows.DeleteWorkflow(mine, first.ID); err != nil {
			t.Fatal(err)
		}
		k.save(mine, nil)
	})
	t.Run("graphs", func(t *testing.T) {
		k.quota(space.Quota{Graphs: &most})
		w := k.save(mine, nodegraph.Nodes{text("a", strings.Repeat("x", 4_000))})
		change := flow.UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("a", strings.Repeat("y", 5_000))})}
		if _, err := k.Flows.UpdateWorkflow(mine, w.ID, change); err != nil {
			t.Fatal(err)
		}
		before := k.kept(mine)
		change.Nodes = models.Some([]*nodegraph.Node{text("a", strings.Repeat("z", 5_000))})
		_, err := k.Flows.UpdateWorkflow(mine, w.ID, change)
		wantError(t, err, models.CodeLimitReached, "saved versions")
		if after := k.kept(mine); after.Graphs != before.Graphs {
			t.Errorf("%d bytes became %d", before.Graphs, after.Graphs)
		}
		if err := k.Flows.DeleteWorkflow(mine, w.ID); err != nil {
			t.Fatal(err)
		}
		k.save(mine, nodegraph.Nodes{text("a", strings.Repeat("z", 5_000))})
	})
	t.Run("outputs", func(t *testing.T) {
		k.quota(space.Quota{Outputs: &most})
		words := strings.Builder{}
		for i := range 6_000 {
			words.WriteString(models.NewSecret("", 2)[:1] + string(rune('a'+i%26)))
		}
		run := func() error {
			_, err := k.tryStart(Request{Payer: credit.Payer{UserID: k.Ann}, Trigger: "api", Source: "api", Nodes: nodegraph.Nodes{text("a", words.String())}})
			return err
		}
		if err := run(); err != nil {
			t.Fatal(err)
		}
		k.work()
		if kept := k.kept(mine); kept.Outputs < most {
			t.Fatalf("only %d bytes of outputs", kept.Outputs)
		}
		wantError(t, run(), models.CodeLimitReached, "What runs have put out")
		if err := k.Spaces.CountOutputs(context.Background()); err != nil {
			t.Fatal(err)
		}
		wantError(t, run(), models.CodeLimitReached, "")
	})
}

type counting struct{ n int }

func (c *counting) Read(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

// TestQuotaOfFilesIsNotOutrun uploads at once what fits but once.
func TestQuotaOfFilesIsNotOutrun(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	most := int64(10_000)
	k.quota(space.Quota{Files: &most})
	var wait sync.WaitGroup
	errs := make([]error, 12)
	for i := range errs {
		wait.Go(func() {
			_, errs[i] = k.Media.Upload(k.As(k.Ann), bytes.NewReader(bytes.Repeat([]byte{'a' + byte(i)}, 3_000)))
		})
	}
	wait.Wait()
	kept := 0
	for _, err := range errs {
		if err == nil {
			kept++
		} else if !models.HasCode(err, models.CodeLimitReached) {
			t.Error(err)
		}
	}
	if got := k.kept(k.As(k.Ann)).Files; kept != 3 || got != 9_000 {
		t.Errorf("%d files of %d bytes in all", kept, got)
	}
}

// TestNodeWithoutRoomFails runs a node whose file finds no room.
func TestNodeWithoutRoomFails(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	most := int64(10)
	if err := k.Spaces.SetQuotas(context.Background(), space.Quota{}, space.Quota{Files: &most}); err != nil {
		t.Fatal(err)
	}
	saved := k.save(k.In(k.Room, k.Ann), nodegraph.Nodes{node("i", "generate-image", map[string]any{"prompt": "x"})})
	exec, err := k.RunWorkflow(k.In(k.Room, k.Ann), saved.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	k.work()
	job := k.jobs(exec.ID)["i"]
	if job.Status != JobFailed || job.ErrorMessage == nil || !strings.Contains(*job.ErrorMessage, "no room for more files") || job.Attempts > 1 {
		t.Fatalf("%+v", job)
	}
	if n := k.Count(`SELECT count(*) FROM media_files`); n != 0 {
		t.Errorf("%d files", n)
	}
}

// TestReplicasTakeQuotasInOneOrder looks at what a replica that starts has
// touched while another holds the first row: nothing, or the two would wait for each other.
func TestReplicasTakeQuotasInOneOrder(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	try := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 8 {
		tx, err := k.DB.SQL.BeginTx(context.Background(), nil)
		try(err)
		_, err = tx.Exec(`SELECT 1 FROM storage_quotas WHERE space = 'account' FOR UPDATE`)
		try(err)
		done := make(chan error, 1)
		go func() { done <- k.Spaces.SetQuotas(context.Background(), space.Quota{}, space.Quota{}) }()
		for k.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0 {
			time.Sleep(time.Millisecond)
		}
		_, err = tx.Exec(`SELECT 1 FROM storage_quotas WHERE space = 'workspace' FOR UPDATE NOWAIT`)
		if err != nil {
			t.Error(err)
		}
		_ = tx.Rollback()
		try(<-done)
	}
}
