package flow

import (
	"testing"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/org"
)

func TestProblemsNameEveryNodeAtFault(t *testing.T) {
	all := Nodes{
		text("fine", "x"), node("wide", "resize-image", map[string]any{"width": "wide"}), node("odd", "magic", nil),
	}
	found := problemsOf(all, Edges{handle(edge("fine", "wide"), "", "nope")})
	var got []string
	for _, p := range found {
		got = append(got, *p.NodeID+" "+p.Field)
	}
	want := []string{"wide nodes.wide.data.width", "odd nodes.odd.type", "wide edges.fine>wide.targetHandle"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	circle := problemsOf(Nodes{text("a", ""), text("b", "")}, Edges{edge("a", "b"), edge("b", "a")})
	if len(circle) != 1 || circle[0].NodeID == nil {
		t.Errorf("%+v", circle)
	}
	if twice := problemsOf(Nodes{text("a", ""), text("a", "")}, nil); len(twice) != 1 || twice[0].NodeID != nil {
		t.Errorf("%+v", twice)
	}
}

// A check finds something exactly where saving would be refused.
func TestProblemsAgreeWithSaving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := []string{"a", "b", "c", "d"}
		var all Nodes
		for _, id := range ids[:rapid.IntRange(0, 4).Draw(t, "nodes")] {
			kind := rapid.SampledFrom([]string{"text", "group", "resize-image", "magic"}).Draw(t, "kind")
			all = append(all, node(id, kind, map[string]any{"width": rapid.SampledFrom([]any{nil, 7.0, "wide"}).Draw(t, "width")}))
		}
		var edges Edges
		for range rapid.IntRange(0, 4).Draw(t, "edges") {
			edges = append(edges, edge(rapid.SampledFrom(ids).Draw(t, "from"), rapid.SampledFrom(ids).Draw(t, "to")))
		}
		if refused, found := ValidateGraph(all, edges) != nil, len(problemsOf(all, edges)) > 0; refused != found {
			t.Fatalf("saving is refused: %t, the check finds something: %t", refused, found)
		}
	})
}

func TestCheckWorkflowSavesNothing(t *testing.T) {
	w := newWorld(t, org.School)
	ctx := w.in(w.room, w.ann)
	saved := w.save(ctx, Nodes{text("a", "x")})
	check, err := w.CheckWorkflow(ctx, saved.ID, Nodes{node("p", "generate-image", nil)}, nil)
	if err != nil || len(check.Problems) != 0 || check.EstimatedCredits != 2*models.Credit {
		t.Fatalf("%+v %v", check, err)
	}
	if again, err := w.FindWorkflow(ctx, saved.ID); err != nil || again.Version != 1 || again.Nodes[0].ID != "a" {
		t.Errorf("%+v %v", again, err)
	}
	_, err = w.CheckWorkflow(w.as(w.stranger), saved.ID, nil, nil)
	wantError(t, err, models.CodeNotFound, "Workflow")
}

func TestVersionsCanBeReadAgain(t *testing.T) {
	w := newWorld(t, org.School)
	ctx := w.in(w.room, w.ann)
	saved := w.save(ctx, Nodes{text("a", "first")})
	for _, word := range []string{"second", "third"} {
		in := UpdateWorkflowInput{Nodes: models.Some([]*Node{text("a", word)}), Edges: models.Some([]*Edge{})}
		if _, err := w.UpdateWorkflow(ctx, saved.ID, in); err != nil {
			t.Fatal(err)
		}
	}
	now, err := w.FindWorkflow(ctx, saved.ID)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	two := 2
	for page := (models.Page{Limit: &two}); ; {
		list, err := w.ListVersions(ctx, now, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list.Nodes {
			numbers = append(numbers, v.Version)
		}
		if page.Cursor = list.Next(); page.Cursor == nil {
			break
		}
	}
	if len(numbers) != 3 || numbers[0] != 3 || numbers[2] != 1 {
		t.Errorf("%v", numbers)
	}
	if v, err := w.FindVersion(ctx, saved.ID, 2); err != nil || v.Nodes[0].Data["text"] != "second" || v.CreatedBy != w.ann {
		t.Errorf("%+v %v", v, err)
	}
	_, err = w.FindVersion(ctx, saved.ID, 9)
	wantError(t, err, models.CodeNotFound, "Version")
	_, err = w.FindVersion(w.as(w.stranger), saved.ID, 2)
	wantError(t, err, models.CodeNotFound, "Workflow")
}

func TestListsAreNarrowed(t *testing.T) {
	e := newEngine(t)
	good := e.start(Nodes{text("a", "x")}, nil)
	e.work()
	bad := e.start(Nodes{node("a", "json-query", map[string]any{"query": "("})}, nil)
	e.work()
	ctx := e.as(e.user)
	failed, completed, schedule := ExecutionFailed, ExecutionCompleted, "schedule"
	for name, c := range map[string]struct {
		filter ExecutionFilter
		want   []models.ID
	}{
		"all":        {ExecutionFilter{}, []models.ID{bad.ID, good.ID}},
		"failed":     {ExecutionFilter{Status: &failed}, []models.ID{bad.ID}},
		"completed":  {ExecutionFilter{Status: &completed}, []models.ID{good.ID}},
		"schedule":   {ExecutionFilter{Trigger: &schedule}, nil},
		"a workflow": {ExecutionFilter{WorkflowID: &good.ID}, nil},
	} {
		list, err := e.ListExecutions(ctx, models.Page{}, c.filter)
		if err != nil || len(list.Nodes) != len(c.want) {
			t.Fatalf("%s: %v %v", name, list, err)
		}
		for i, id := range c.want {
			if list.Nodes[i].ID != id {
				t.Errorf("%s: %v", name, list.Nodes[i].ID)
			}
		}
	}
	failedJob, pending := JobFailed, JobPending
	if jobs, err := e.ListJobs(ctx, models.Page{}, &failedJob); err != nil || len(jobs.Nodes) != 1 || jobs.Nodes[0].ExecutionID != bad.ID {
		t.Errorf("%v %v", jobs, err)
	}
	if jobs, err := e.ListJobs(ctx, models.Page{}, &pending); err != nil || len(jobs.Nodes) != 0 {
		t.Errorf("%v %v", jobs, err)
	}
	one := 1
	first, err := e.ListExecutions(ctx, models.Page{Limit: &one}, ExecutionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.ListExecutions(ctx, models.Page{Limit: &one, Cursor: first.Next()}, ExecutionFilter{Status: &failed})
	if err == nil {
		t.Error("a cursor of another list is taken")
	}
}
