package run

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/org/orgtest"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// entry is a line of the ledger, as far as the tests here read it.
type entry struct {
	Kind, NodeID string
	Model, Parts *string
	Amount       models.Credits
	UserID       models.ID
	WorkspaceID  *models.ID
}

// ledger are the lines of an execution by kind and node.
func (e *engine) ledger(id models.ID) map[string]entry {
	e.t.Helper()
	var rows []entry
	err := e.DB.Read(context.Background()).Raw(`
		SELECT kind, node_id, model, parts::text AS parts, amount, user_id, workspace_id FROM ledger_entries WHERE execution_id = ?`, id).Scan(&rows).Error
	if err != nil {
		e.t.Fatal(err)
	}
	found := map[string]entry{}
	for _, row := range rows {
		found[row.Kind+":"+row.NodeID] = row
	}
	return found
}

// reconciles checks that the ledger adds up to every counter.
func (e *engine) reconciles() {
	e.t.Helper()
	differences, err := credit.Reconcile(context.Background(), e.DB)
	if err == nil && len(differences) == 0 {
		differences, err = e.Differences(context.Background())
	}
	if err != nil || len(differences) > 0 {
		e.t.Errorf("the ledger adds up to other counters: %+v, %v", differences, err)
	}
}

// openRuns is how many rows usage_open has of an execution.
func (e *engine) openRuns(id models.ID) int {
	return e.Count(`SELECT count(*) FROM usage_open o JOIN executions x ON x.id = o.execution_id AND x.account_id = o.user_id
		AND x.workspace_id = o.workspace_id AND x.organization_id = o.organization_id AND x.created_at = o.created_at WHERE x.id = ?`, id)
}

// TestLedgerSaysWhatFor has every face of a payment say by what and for which node it
// was spent, and every run of a workspace stand among those that no report has read.
func TestLedgerSaysWhatFor(t *testing.T) {
	e := newEngine(t)
	costs(t, "combine-text", 1500)
	costs(t, "delay", 500)
	costs(t, "template-text", 300)
	w := e.addWorkspace(100 * models.Credit)
	inner := e.addWorkflow(e.user, nodegraph.Nodes{{ID: "i", Type: "template-text", Data: nodegraph.Data{"template": "x", "model": " Quill "}}, combine("j")},
		nodegraph.Edges{edge("i", "j")})
	all := nodegraph.Nodes{combine("a"), {ID: "b", Type: "delay", Data: nodegraph.Data{"seconds": 1.0}}, componentNode("c", inner, nodegraph.Data{}),
		{ID: "d", Type: "combine-text", Data: nodegraph.Data{"texts": []any{"x"}, "model": "Quill"}}}
	parts := map[string]int64{"combine-text": 3000, "delay": 500, "Quill": 1800}
	charged := map[string]string{"a": "combine-text", "b": "delay", "c/i": "Quill", "c/j": "combine-text", "d": "Quill"}
	for name, payer := range map[string]credit.Payer{
		"personal":  {UserID: e.user},
		"workspace": {UserID: e.user, WorkspaceID: &w.id, OrganizationID: &w.organization},
	} {
		t.Run(name, func(t *testing.T) {
			exec, err := e.tryStart(Request{Payer: payer, AuthorID: e.user, Trigger: "api", Source: "api", Nodes: all})
			if err != nil {
				t.Fatal(err)
			}
			atWork := e.ledger(exec.ID)["hold:"]
			var got map[string]int64
			if atWork.Parts == nil || json.Unmarshal([]byte(*atWork.Parts), &got) != nil || !maps.Equal(got, parts) || atWork.Amount != 5300 {
				t.Errorf("the hold is %+v for %v", atWork, got)
			}
			e.work()
			ledger := e.ledger(exec.ID)
			for node, model := range charged {
				if c := ledger["charge:"+node]; c.Model == nil || *c.Model != model || c.UserID != e.user || (c.WorkspaceID == nil) != (payer.WorkspaceID == nil) {
					t.Errorf("node %s was charged %+v", node, c)
				}
			}
			if len(ledger) != len(charged)+2 {
				t.Errorf("the ledger has %+v", ledger)
			}
			want := 0
			if payer.WorkspaceID != nil {
				want = 1
			}
			if n := e.openRuns(exec.ID); n != want {
				t.Errorf("%d open runs", n)
			}
		})
	}
	run, err := e.Nodes().Run(w.in(w.member), "combine-text", map[string]any{"texts": []any{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	ledger := e.ledger(run.Job.ExecutionID)
	if hold, charge := ledger["hold:"], ledger["charge:"+run.Job.NodeID]; hold.Parts == nil || *hold.Parts != `{"combine-text": 1500}` ||
		charge.Model == nil || *charge.Model != "combine-text" || charge.UserID != w.member || e.openRuns(run.Job.ExecutionID) != 1 {
		t.Errorf("paid at once: %+v and %+v, %d open runs", hold, charge, e.openRuns(run.Job.ExecutionID))
	}
	e.reconciles()
	if free, err := e.Nodes().Run(w.in(w.member), "text", map[string]any{"text": "a"}); err != nil || e.openRuns(free.Job.ExecutionID) != 0 {
		t.Errorf("a free run: %v", err)
	}
}

// meters makes delay a node that costs 1 credit, and says that it cost what its input
// "really" says.
func meters(t *testing.T) {
	slow(t, "delay", func(_ context.Context, in *kit.Call) (kit.Output, error) {
		really, _ := in.Input["really"].(float64)
		in.Spent(models.Credits(really))
		return kit.Output{"text": "done"}, nil
	})
	change(t, "delay", func(n *kit.Node) { n.Cost, n.Meters = models.Credit, true })
}

// metered is a node that holds 1 credit and costs so many thousandths.
func metered(id string, really float64) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "delay", Data: nodegraph.Data{"seconds": 1.0, "really": really, "model": "small"}}
}

// TestMeteredRuns charges what nodes really cost as far as hold, budget and cap cover it.
func TestMeteredRuns(t *testing.T) {
	e := newEngine(t)
	meters(t)
	costs(t, "combine-text", 1500)
	inner := e.addWorkflow(e.user, nodegraph.Nodes{metered("i", 4_000), combine("j")}, nil)
	type want struct {
		charged, absorbed             models.Credits // of the execution
		markupCharged, markupAbsorbed models.Credits
		jobs                          map[string][2]int64 // charged and absorbed, by node
	}
	for name, c := range map[string]struct {
		credits models.Credits // what the space has
		cap     *models.Credits
		markup  int
		nodes   nodegraph.Nodes
		want
	}{
		"less than held": {credits: 1_000, nodes: nodegraph.Nodes{metered("a", 400)},
			want: want{charged: 400, jobs: map[string][2]int64{"a": {400, 0}}}},
		"covered by the headroom": {credits: 5_000, nodes: nodegraph.Nodes{metered("a", 3_000)},
			want: want{charged: 3_000, jobs: map[string][2]int64{"a": {3_000, 0}}}},
		"beyond the headroom": {credits: 2_500, nodes: nodegraph.Nodes{metered("a", 3_000)},
			want: want{charged: 2_500, absorbed: 500, jobs: map[string][2]int64{"a": {2_500, 500}}}},
		"no headroom at all": {credits: 1_000, nodes: nodegraph.Nodes{metered("a", 3_000)},
			want: want{charged: 1_000, absorbed: 2_000, jobs: map[string][2]int64{"a": {1_000, 2_000}}}},
		"beyond the cap": {credits: 9_000, cap: new(models.Credits(1_200)), nodes: nodegraph.Nodes{metered("a", 3_000)},
			want: want{charged: 1_200, absorbed: 1_800, jobs: map[string][2]int64{"a": {1_200, 1_800}}}},
		"what another left of the hold": {credits: 2_000, nodes: nodegraph.Nodes{metered("a", 1_900), metered("b", 100)},
			want: want{charged: 2_000, jobs: map[string][2]int64{"a": {1_900, 0}, "b": {100, 0}}}},
		"one after the other": {credits: 4_000, nodes: nodegraph.Nodes{metered("a", 3_000), metered("b", 3_000)},
			want: want{charged: 4_000, absorbed: 2_000, jobs: map[string][2]int64{"a": {3_000, 0}, "b": {1_000, 2_000}}}},
		"nonsense": {credits: 50_000, nodes: nodegraph.Nodes{metered("a", 1e15), metered("b", -7)},
			want: want{charged: 20_000, jobs: map[string][2]int64{"a": {20_000, 0}, "b": {0, 0}}}},
		"inside a component": {credits: 5_000, nodes: nodegraph.Nodes{componentNode("c", inner, nodegraph.Data{})},
			want: want{charged: 5_000, absorbed: 500, jobs: map[string][2]int64{"c": {5_000, 500}}}},
		"with a markup": {credits: 5_000, markup: 1_000, nodes: nodegraph.Nodes{metered("a", 900)},
			want: want{charged: 990, markupCharged: 90, jobs: map[string][2]int64{"a": {900, 0}}}},
		"markup behind the nodes": {credits: 3_100, markup: 1_000, nodes: nodegraph.Nodes{metered("a", 3_000)},
			want: want{charged: 3_100, markupCharged: 100, markupAbsorbed: 200, jobs: map[string][2]int64{"a": {3_000, 0}}}},
		"markup without cover": {credits: 1_100, markup: 1_000, nodes: nodegraph.Nodes{metered("a", 3_000)},
			want: want{charged: 1_100, absorbed: 1_900, markupAbsorbed: 300, jobs: map[string][2]int64{"a": {1_100, 1_900}}}},
		"markup rounded up": {credits: 3_100, markup: 333, nodes: nodegraph.Nodes{metered("a", 1)},
			want: want{charged: 2, markupCharged: 1, jobs: map[string][2]int64{"a": {1, 0}}}},
	} {
		for _, inWorkspace := range []bool{true, false} {
			if !inWorkspace && c.cap != nil {
				continue
			}
			t.Run(name+map[bool]string{true: ", workspace", false: ", personal"}[inWorkspace], func(t *testing.T) {
				e := &engine{Service: e.Service, People: orgtest.PeopleOn(t, e.DB), t: t, clock: e.clock, user: e.user}
				var payer credit.Payer
				if inWorkspace {
					e.clock.Advance(time.Hour) // organizations are made rarely
					w := e.addWorkspace(c.credits)
					payer = credit.Payer{UserID: w.member, WorkspaceID: &w.id, OrganizationID: &w.organization}
					if c.cap != nil {
						e.Exec(`UPDATE workspaces SET settings = '{"member_caps_enabled": true}' WHERE id = ?`, w.id)
						e.Exec(`INSERT INTO member_budgets (workspace_id, user_id, cap) VALUES (?, ?, ?)`, w.id, w.member, *c.cap)
					}
				} else {
					payer = credit.Payer{UserID: e.AddUser(c.credits)}
				}
				exec, err := e.tryStart(Request{Payer: payer, AuthorID: e.user, Trigger: "api", Source: "api", Nodes: c.nodes, Markup: c.markup})
				if err != nil {
					t.Fatal(err)
				}
				e.work()
				var done Execution
				if err := e.DB.Read(context.Background()).Select(executionColumns).Take(&done, "id = ?", exec.ID).Error; err != nil {
					t.Fatal(err)
				}
				got := want{done.Charged, done.Absorbed, done.MarkupCharged, done.MarkupAbsorbed, map[string][2]int64{}}
				for id, job := range e.jobs(exec.ID) {
					got.jobs[id] = [2]int64{int64(models.Deref(job.CreditsCharged)), int64(models.Deref(job.CreditsAbsorbed))}
					if models.Deref(job.CreditStatus) != creditCommitted {
						t.Errorf("the job %s is %v", id, job.CreditStatus)
					}
				}
				if !reflect.DeepEqual(got, c.want) || done.SettledAt == nil || done.Due != nil {
					t.Errorf("it came to %+v, expected %+v", got, c.want)
				}
				sums := map[string]models.Credits{}
				for _, line := range e.ledger(exec.ID) {
					sums[line.Kind] += line.Amount
				}
				if sums["charge"] != done.Charged-done.MarkupCharged || sums["markup"] != done.MarkupCharged || sums["absorbed"] != done.Absorbed ||
					sums["markup_absorbed"] != done.MarkupAbsorbed || sums["hold"] != sums["charge"]+sums["markup"]+sums["release"] {
					t.Errorf("the ledger has %v", sums)
				}
				e.reconciles()
			})
		}
	}
}

// TestMeteredEnds charges what is due however the run ends, once.
func TestMeteredEnds(t *testing.T) {
	e := newEngine(t)
	meters(t)
	t.Run("cancelled while another node waits", func(t *testing.T) {
		e := e.again(t)
		slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) {
			return nil, &kit.Pause{Until: e.clock.Now().Add(time.Hour)}
		})
		costs(t, "combine-text", 500)
		exec := e.start(nodegraph.Nodes{metered("a", 2_000), combine("b")}, nil)
		for lease := e.claim(); lease != nil; lease = e.claim() {
			if err := e.RunJob(context.Background(), *lease); err != nil {
				t.Fatal(err)
			}
		}
		if _, reserved := e.wallet(); reserved != 1_500 || len(e.charges(exec.ID)) != 0 || e.jobs(exec.ID)["a"].CreditsCharged != nil {
			t.Errorf("before the end %d are reserved, charged are %v", reserved, e.charges(exec.ID))
		}
		if err := e.Executions().Cancel(e.As(e.user), exec.ID); err != nil {
			t.Fatal(err)
		}
		if balance, reserved := e.wallet(); balance != 1000*models.Credit-2_000 || reserved != 0 || e.charges(exec.ID)["a"] != 2_000 {
			t.Errorf("the wallet has %d, %d reserved, charged are %v", balance, reserved, e.charges(exec.ID))
		}
		e.reconciles()
	})
	t.Run("held for review", func(t *testing.T) {
		for _, approve := range []bool{true, false} {
			e := e.again(t)
			node := metered("a", 2_000)
			node.Data["holdForReview"] = true
			exec := e.start(nodegraph.Nodes{node}, nil)
			e.work()
			job := e.jobs(exec.ID)["a"]
			decide := e.Jobs().Reject
			if approve {
				decide = e.Jobs().Approve
			}
			if _, err := decide(e.As(e.user), job.ID); err != nil {
				t.Fatal(err)
			}
			job = e.jobs(exec.ID)["a"]
			if balance, reserved := e.wallet(); balance != 1000*models.Credit-2_000 || reserved != 0 || models.Deref(job.CreditsCharged) != 2_000 {
				t.Errorf("approved %v: the wallet has %d, %d reserved, the job %v", approve, balance, reserved, job.CreditsCharged)
			}
		}
		e.reconciles()
	})
	t.Run("free", func(t *testing.T) {
		e := e.again(t)
		exec, err := e.tryStart(Request{Payer: credit.Payer{UserID: e.user}, Trigger: "api", Source: "api",
			Nodes: nodegraph.Nodes{metered("a", 5_000)}, Free: map[string]bool{"a": true}, Markup: 5_000})
		if err != nil {
			t.Fatal(err)
		}
		e.work()
		if len(e.ledger(exec.ID)) != 0 {
			t.Errorf("a free run has %v", e.ledger(exec.ID))
		}
	})
}

// TestAppMarkup has an operator approve a markup, which its price and its runs include.
func TestAppMarkup(t *testing.T) {
	e := newEngine(t)
	costs(t, "combine-text", 1500)
	w := e.addWorkspace(10 * models.Credit)
	project, err := e.Spaces.CreateProject(w.in(w.owner), space.CreateProjectInput{Name: "P"})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := e.Flows.CreateWorkflow(w.in(w.owner), flow.CreateWorkflowInput{Name: "F", ProjectID: &project.ID, Nodes: nodegraph.Nodes{combine("a")}, Edges: nodegraph.Edges{}})
	if err != nil {
		t.Fatal(err)
	}
	app, err := e.Flows.Apps().Publish(w.in(w.owner), saved.ID, flow.PublishInput{Name: "App"})
	if err != nil {
		t.Fatal(err)
	}
	operator := models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: e.user, SessionID: e.user, Operator: true, ConfirmedAt: time.Now().AddDate(100, 0, 0)})
	_, err = e.Flows.Apps().SetMarkup(e.As(e.user), app.ID, 10*models.Credit)
	wantCode(t, err, models.CodeInsufficientRole)
	for _, percent := range []models.Credits{-1, 100*models.Credit + 10, 5, 1 << 60} {
		_, err = e.Flows.Apps().SetMarkup(operator, app.ID, percent)
		wantCode(t, err, models.CodeValidation)
	}
	_, err = e.Flows.Apps().SetMarkup(operator, e.user, 0)
	wantCode(t, err, models.CodeNotFound)
	for range 2 {
		if app, err = e.Flows.Apps().SetMarkup(operator, app.ID, 10*models.Credit); err != nil || app.Price() != 1650 || app.MarkupPercent() != 10 {
			t.Fatalf("%+v, %v", app, err)
		}
	}
	if n := e.Count(`SELECT count(*) FROM audit_entries WHERE action = 'app.markup_changed' AND organization_id = ?`, w.organization); n != 1 {
		t.Errorf("%d entries in the audit log", n)
	}
	poor := e.AddUser(1649)
	_, err = e.AppRuns().Start(e.As(poor), app.Slug, AppInput{})
	wantCode(t, err, models.CodeInsufficientCredits)
	rich := e.AddUser(1650)
	for name, payer := range map[string]context.Context{"workspace": w.in(w.member), "personal": e.As(rich)} {
		run, err := e.AppRuns().Start(payer, app.Slug, AppInput{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e.work()
		var done Execution
		if err := e.DB.Read(context.Background()).Select(executionColumns).Take(&done, "id = ?", *run.ExecutionID).Error; err != nil {
			t.Fatal(err)
		}
		line := e.ledger(done.ID)["markup:"]
		if done.Charged != 1650 || done.MarkupCharged != 150 || line.Amount != 150 || line.Model == nil || *line.Model != credit.MarkupModel {
			t.Errorf("%s: charged %s, for the app %s, %+v", name, done.Charged, done.MarkupCharged, line)
		}
	}
	e.reconciles()
}

// TestMeteredRunsRaced settles many overrunning runs at once beside allocations: what they
// take beyond their holds never exceeds the budget.
func TestMeteredRunsRaced(t *testing.T) {
	e := newEngine(t)
	meters(t)
	w := e.addWorkspace(150 * models.Credit)
	payer := credit.Payer{UserID: w.member, WorkspaceID: &w.id, OrganizationID: &w.organization}
	const runs = 60
	for range runs {
		if _, err := e.tryStart(Request{Payer: payer, AuthorID: e.user, Trigger: "api", Source: "api", Nodes: nodegraph.Nodes{metered("a", 4_000)}}); err != nil {
			t.Fatal(err)
		}
	}
	var leases []lane.Lease
	for lease := e.claim(); lease != nil; lease = e.claim() {
		leases = append(leases, *lease)
	}
	var all sync.WaitGroup
	for i := range leases {
		all.Go(func() {
			if err := e.RunJob(context.Background(), leases[i]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Go(func() {
		for range 20 {
			for _, delta := range []models.Credits{-3 * models.Credit, 2 * models.Credit} {
				if _, err := e.Credits.AllocateCredits(e.As(w.owner), w.organization, w.id, delta); err != nil && !models.HasCode(err, models.CodeValidation) {
					t.Error(err)
				}
			}
		}
	})
	all.Wait()
	e.work()
	var allocated, spent, absorbed models.Credits
	row := e.DB.Read(context.Background()).Raw(`SELECT b.allocated, b.spent, (SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE workspace_id = b.workspace_id AND kind = 'absorbed')
		FROM workspace_budgets b WHERE b.workspace_id = ?`, w.id).Row()
	if err := row.Scan(&allocated, &spent, &absorbed); err != nil {
		t.Fatal(err)
	}
	if reserved, _ := e.budget(w.id); reserved != 0 || spent > allocated || spent+absorbed != runs*4*models.Credit || spent < runs*models.Credit {
		t.Errorf("%s reserved, %s spent of %s, %s absorbed", reserved, spent, allocated, absorbed)
	}
	e.reconciles()
}
