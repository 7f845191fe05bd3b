package trigger

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/run"
)

// withKey gives the engine a key, without which no address can be kept.
func (e *engine) withKey() {
	e.t.Helper()
	vault, err := models.NewVault([]byte("a key of thirty-two bytes or not"))
	if err != nil {
		e.t.Fatal(err)
	}
	e.Vault = vault
}

func hook(id string, parameters ...string) *nodegraph.Node {
	list := []any{}
	for _, name := range parameters {
		name, kind, _ := strings.Cut(name, ":")
		entry := map[string]any{"name": name}
		if kind != "" {
			entry["type"] = kind
		}
		list = append(list, entry)
	}
	return &nodegraph.Node{ID: id, Type: nodegraph.WebhookTriggerType, Data: map[string]any{"parameters": list}}
}

// from is an edge from a parameter of a trigger into a field.
func from(source, parameter, target, field string) *nodegraph.Edge {
	e := edge(source, target)
	e.SourceHandle, e.TargetHandle = &parameter, &field
	return e
}

// triggers are a workflow's triggers by node; by hand is "".
func (e *engine) triggers(ctx context.Context, id models.ID) map[string]*Trigger {
	e.t.Helper()
	found, err := e.ListTriggers(ctx, id, nil, models.Page{})
	if err != nil {
		e.t.Fatal(err)
	}
	byNode := map[string]*Trigger{}
	for _, t := range found.Nodes {
		if t.NodeID == nil {
			byNode[""] = t
		} else {
			byNode[*t.NodeID] = t
		}
	}
	return byNode
}

// call calls an address as no one does.
func (e *engine) call(token string, payload map[string]any) (*run.Execution, error) {
	ctx, err := e.AdmitCall(context.Background(), token)
	if err != nil {
		return nil, err
	}
	return e.CallTrigger(ctx, payload)
}

func (e *engine) write(ctx context.Context, id models.ID, all nodegraph.Nodes, edges ...*nodegraph.Edge) {
	e.t.Helper()
	_, err := e.Flows.UpdateWorkflow(ctx, id, flow.UpdateWorkflowInput{
		Nodes: models.Some([]*nodegraph.Node(all)), Edges: models.Some(append([]*nodegraph.Edge{}, edges...)),
	})
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *engine) setTrigger(ctx context.Context, id models.ID, active bool) *Trigger {
	e.t.Helper()
	t, err := e.UpdateTrigger(ctx, id, UpdateTriggerInput{IsActive: models.Some(active)})
	if err != nil {
		e.t.Fatal(err)
	}
	return t
}

func TestTriggersFollowTheirNodes(t *testing.T) {
	e := newEngine(t)
	e.withKey()
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{hook("hook", "say"), text("a", "A")})
	first := e.triggers(ctx, w.ID)["hook"]
	if first == nil || !first.IsActive || first.Type != WebhookTrigger || first.CreatedBy != e.user || first.Config["nodeId"] != "hook" {
		t.Fatalf("registered %+v", first)
	}
	if first.Token == nil || len(*first.Token) != 43 || *first.WebhookURL() != "/v1/webhooks/"+*first.Token {
		t.Fatalf("token %v", first.Token)
	}
	if n := e.Count(`SELECT count(*) FROM workflow_triggers WHERE token_sealed LIKE ? OR encode(token_hash, 'escape') LIKE ?`, "%"+*first.Token+"%", "%"+*first.Token+"%"); n != 0 {
		t.Error("the token is kept readable")
	}

	e.clock.Advance(time.Minute)
	e.write(ctx, w.ID, nodegraph.Nodes{hook("hook", "say", "picture:imageUrl"), text("a", "B"), hook("second")})
	both := e.triggers(ctx, w.ID)
	if kept := both["hook"]; kept.ID != first.ID || *kept.Token != *first.Token || len(kept.Parameters()) != 2 || !kept.UpdatedAt.After(first.UpdatedAt) {
		t.Errorf("through a save: %+v", kept)
	}
	if both["second"] == nil || *both["second"].Token == *first.Token {
		t.Errorf("a second: %+v", both["second"])
	}

	e.write(ctx, w.ID, nodegraph.Nodes{text("a", "B"), hook("second")})
	if _, err := e.call(*first.Token, nil); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("a retired address: %v", err)
	}
	e.write(ctx, w.ID, nodegraph.Nodes{text("a", "B"), hook("second"), hook("hook")})
	again := e.triggers(ctx, w.ID)
	if *again["hook"].Token == *first.Token || again["hook"].RunCount != 0 || *again["second"].Token != *both["second"].Token {
		t.Error("a node that was removed and added again has its old address")
	}

	copied := e.save(ctx, nodegraph.Nodes{hook("hook"), text("a", "B"), hook("second")})
	if own := e.triggers(ctx, copied.ID); *own["hook"].Token == *again["hook"].Token {
		t.Error("a copy has the addresses of what it was copied from")
	}

	off := hook("hook")
	off.Data["active"] = false
	e.write(ctx, w.ID, nodegraph.Nodes{off})
	if paused := e.triggers(ctx, w.ID)["hook"]; paused.IsActive || *paused.Token != *again["hook"].Token {
		t.Errorf("a node that is off: %+v", paused)
	}
	if _, err := e.call(*again["hook"].Token, nil); !models.HasCode(err, models.CodeTriggerPaused) {
		t.Errorf("calling what is off: %v", err)
	}
	if err := e.Flows.DeleteWorkflow(ctx, w.ID); err != nil {
		t.Fatal(err)
	}
	if n := e.Count(`SELECT count(*) FROM workflow_triggers WHERE workflow_id = ?`, w.ID); n != 0 {
		t.Errorf("%d outlive their workflow", n)
	}
}

func TestSyncTriggers(t *testing.T) {
	e := newEngine(t)
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{hook("a"), hook("b")})
	sync := func(want SyncedTriggers) {
		t.Helper()
		got, err := e.SyncTriggers(ctx, w.ID)
		if err != nil || *got != want {
			t.Fatalf("synced %+v, %v; want %+v", got, err, want)
		}
	}
	sync(SyncedTriggers{Synced: 2})
	without := e.triggers(ctx, w.ID)["a"]
	if without.Token != nil || without.WebhookURL() != nil {
		t.Error("an address without a key")
	}
	e.withKey()
	sync(SyncedTriggers{Synced: 2, Updated: 2})
	sync(SyncedTriggers{Synced: 2})
	a := e.triggers(ctx, w.ID)["a"]
	if a.Token == nil || a.ID != without.ID {
		t.Fatal("no address though there is a key")
	}
	e.setTrigger(ctx, a.ID, false)
	sync(SyncedTriggers{Synced: 2, Updated: 1})
	if !e.triggers(ctx, w.ID)["a"].IsActive {
		t.Error("the node's own switch does not hold again")
	}
	e.Exec(`DELETE FROM workflow_triggers WHERE node_id = 'b'`)
	sync(SyncedTriggers{Synced: 2, Created: 1})
	e.Exec(`UPDATE workflow_triggers SET node_id = 'gone' WHERE node_id = 'b'`)
	sync(SyncedTriggers{Synced: 2, Created: 1, Removed: 1})

	// A save of the same graph is a save, too.
	e.setTrigger(ctx, a.ID, false)
	e.write(ctx, w.ID, nodegraph.Nodes{hook("a"), hook("b")})
	if !e.triggers(ctx, w.ID)["a"].IsActive {
		t.Error("a save of the same graph leaves a node paused")
	}
}

func TestCallRunsTheBranch(t *testing.T) {
	e := newEngine(t)
	e.withKey()
	ctx := e.As(e.user)
	combine := &nodegraph.Node{ID: "say", Type: "combine-text", Data: map[string]any{"separator": " "}}
	mapped := &nodegraph.Node{ID: "mapped", Type: "text", Data: map[string]any{
		"text": "unset", "fieldMappings": map[string]any{"text": map[string]any{"nodeId": "hook", "output": "name"}},
	}}
	w := e.save(ctx, nodegraph.Nodes{hook("hook", "name", "other", "picture:imageUrl"), text("hello", "Hello"), combine, mapped, text("apart", "X")},
		edge("hello", "say"), from("hook", "name", "say", "texts"))
	token := *e.triggers(ctx, w.ID)["hook"].Token

	begun, err := e.call(token, map[string]any{"name": "Ada", "unknown": 7.0})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	begun = e.execution(begun.ID)
	jobs := e.jobs(begun.ID)
	if len(jobs) != 4 || jobs["apart"] != nil {
		t.Errorf("ran %v", e.statuses(begun.ID))
	}
	if jobs["say"].OutputData["text"] != "Hello Ada" || jobs["mapped"].OutputData["text"] != "Ada" {
		t.Errorf("said %v and %v", jobs["say"].OutputData, jobs["mapped"].OutputData)
	}
	if begun.Trigger != "webhook" || begun.Source != "webhook" || begun.AccountID != e.user || begun.Status != run.ExecutionCompleted || *begun.Subject != "Ada" {
		t.Errorf("the run is %+v", begun)
	}
	trigger := e.triggers(ctx, w.ID)["hook"]
	if trigger.RunCount != 1 || trigger.LastFiredAt == nil || *trigger.LastExecutionID != begun.ID || trigger.LastError != nil {
		t.Errorf("the trigger notes %+v", trigger)
	}

	// What is missing stays as the node has it.
	begun, err = e.call(token, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	if jobs := e.jobs(begun.ID); jobs["say"].OutputData["text"] != "Hello" || jobs["mapped"].OutputData["text"] != "unset" {
		t.Errorf("without a body: %v and %v", jobs["say"].OutputData, jobs["mapped"].OutputData)
	}
	for _, payload := range []map[string]any{{"name": 7.0}, {"other": true}, {"picture": "not an address"}} {
		_, err := e.call(token, payload)
		wantCode(t, err, models.CodeValidation)
	}
	if again := e.triggers(ctx, w.ID)["hook"]; again.RunCount != 2 {
		t.Errorf("%d runs: what was refused counts", again.RunCount)
	}

	// Other ways of running are not limited by triggers.
	all, err := e.Runs.RunWorkflow(ctx, w.ID, run.Input{})
	if err != nil || all.TotalNodes != 5 {
		t.Errorf("from the editor: %+v, %v", all, err)
	}
}

func TestTriggersByHand(t *testing.T) {
	e := newEngine(t)
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{hook("hook", "say"), text("a", "A"), text("b", "B")}, from("hook", "say", "a", "text"))
	in := CreateTriggerInput{WorkflowID: w.ID, Type: WebhookTrigger}
	_, err := e.CreateTrigger(ctx, in)
	wantCode(t, err, models.CodeEncryptionKeyMissing)
	e.withKey()
	made, err := e.CreateTrigger(ctx, in)
	if err != nil || made.NodeID != nil || !made.IsActive || made.Token == nil || made.CreatedBy != e.user {
		t.Fatalf("made %+v, %v", made, err)
	}
	run, err := e.call(*made.Token, map[string]any{"say": "hello"})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	if jobs := e.jobs(run.ID); len(jobs) != 2 || jobs["a"].OutputData["text"] != "hello" {
		t.Errorf("the only webhook on the canvas: %v", e.statuses(run.ID))
	}
	e.write(ctx, w.ID, nodegraph.Nodes{hook("hook", "say"), text("a", "A"), text("b", "B"), hook("two", "say")}, from("hook", "say", "a", "text"))
	if run, err = e.call(*made.Token, map[string]any{"say": "both"}); err != nil || run.TotalNodes != 4 {
		t.Errorf("with two: %+v, %v", run, err)
	}

	wantCode(t, e.DeleteTrigger(ctx, e.triggers(ctx, w.ID)["hook"].ID), models.CodeTriggerOwnedByNode)
	for _, bad := range []CreateTriggerInput{
		{WorkflowID: w.ID, Type: "chat"}, {WorkflowID: w.ID},
		{WorkflowID: w.ID, Type: WebhookTrigger, Config: map[string]any{"parameters": "x"}},
		{WorkflowID: w.ID, Type: WebhookTrigger, Config: map[string]any{"parameters": []any{map[string]any{"name": "a", "type": "number"}}}},
		{WorkflowID: w.ID, Type: WebhookTrigger, Config: map[string]any{"more": strings.Repeat("x", maxTriggerConfig)}},
	} {
		_, err := e.CreateTrigger(ctx, bad)
		wantCode(t, err, models.CodeValidation)
	}
	changed, err := e.UpdateTrigger(ctx, made.ID, UpdateTriggerInput{Config: models.OptMapOf(map[string]any{"parameters": []any{map[string]any{"name": "own"}}, "nodeId": "hook"})})
	if err != nil || len(changed.Parameters()) != 1 || changed.Config["nodeId"] != nil || changed.RunCount != 2 || *changed.Token != *made.Token {
		t.Errorf("changed %+v, %v", changed, err)
	}
	_, err = e.UpdateTrigger(ctx, made.ID, UpdateTriggerInput{IsActive: models.Null[bool]()})
	wantCode(t, err, models.CodeValidation)
	if err := e.DeleteTrigger(ctx, made.ID); err != nil {
		t.Fatal(err)
	}
	_, err = e.call(*made.Token, nil)
	wantCode(t, err, models.CodeNotFound)

	for range MaxTriggersByHand {
		if _, err := e.CreateTrigger(ctx, in); err != nil {
			t.Fatal(err)
		}
	}
	_, err = e.CreateTrigger(ctx, in)
	wantCode(t, err, models.CodeLimitReached)
}

func TestCallsAreTenAMinute(t *testing.T) {
	e := newEngine(t)
	e.withKey()
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{hook("hook"), hook("other"), text("a", "A")})
	byNode := e.triggers(ctx, w.ID)
	var all sync.WaitGroup
	codes := make(chan error, 14)
	for range 14 {
		all.Go(func() {
			_, err := e.call(*byNode["hook"].Token, nil)
			codes <- err
		})
	}
	all.Wait()
	close(codes)
	refused := 0
	for err := range codes {
		if err != nil {
			wantCode(t, err, models.CodeRateLimitExceeded)
			refused++
		}
	}
	if refused != 4 {
		t.Errorf("%d of 14 were refused", refused)
	}
	if _, err := e.call(*byNode["other"].Token, nil); err != nil {
		t.Errorf("another trigger: %v", err)
	}
	e.clock.Advance(time.Minute)
	if _, err := e.call(*byNode["hook"].Token, nil); err != nil {
		t.Errorf("a minute later: %v", err)
	}
	if got := e.triggers(ctx, w.ID)["hook"].RunCount; got != 11 {
		t.Errorf("%d runs", got)
	}
}

// The access of the person who made a trigger is checked again at every call.
func TestCreatorIsCheckedAtEveryCall(t *testing.T) {
	for name, stop := range map[string]func(w *world, id models.ID){
		"the grant is revoked": func(w *world, id models.ID) {
			w.Exec(`DELETE FROM workflow_collaborators WHERE workflow_id = ?`, id)
		},
		"the grant is to look": func(w *world, id models.ID) {
			w.Exec(`UPDATE workflow_collaborators SET role = 'viewer' WHERE workflow_id = ?`, id)
		},
		"the membership is suspended": func(w *world, id models.ID) {
			w.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, w.Bob)
		},
		"the workspace is archived": func(w *world, id models.ID) { w.Archive(w.Room, true) },
		"the organization is stopped": func(w *world, id models.ID) {
			w.Exec(`UPDATE organizations SET status = 'suspended' WHERE id = ?`, w.Org.ID)
		},
		"the account is banned": func(w *world, id models.ID) { w.Exec(`UPDATE users SET banned_at = now() WHERE id = ?`, w.Bob) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, org.Team)
			w.withKey()
			saved := w.save(w.In(w.Room, w.Ann), nodegraph.Nodes{text("a", "A")})
			w.Exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, saved.ID)
			w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, saved.ID, w.Bob, w.Ann)
			made, err := w.CreateTrigger(w.In(w.Room, w.Bob), CreateTriggerInput{WorkflowID: saved.ID, Type: WebhookTrigger})
			if err != nil {
				t.Fatal(err)
			}
			run, err := w.call(*made.Token, nil)
			if err != nil || run.AccountID != w.Bob || *run.WorkspaceID != w.Room.ID {
				t.Fatalf("a call: %+v, %v", run, err)
			}
			stop(w, saved.ID)
			_, err = w.call(*made.Token, nil)
			wantCode(t, err, models.CodeRunRequiresMember)
			_, err = w.call(*made.Token, nil)
			wantCode(t, err, models.CodeTriggerPaused)
			if n := w.Count(`SELECT count(*) FROM executions WHERE workflow_id = ? AND status = 'failed' AND error_code = 'run_requires_authenticated_member'
				AND trigger = 'webhook' AND account_id = ? AND workspace_id = ? AND completed_at IS NOT NULL`, saved.ID, w.Bob, w.Room.ID); n != 1 {
				t.Errorf("%d entries in the history", n)
			}
			stopped, err := models.First[Trigger](w.DB.Read(context.Background()).Where("id = ?", made.ID), errNoTrigger)
			if err != nil || stopped.IsActive || *stopped.LastError != "run_requires_authenticated_member" || stopped.RunCount != 1 {
				t.Errorf("the trigger is %+v, %v", stopped, err)
			}
			if told := w.toldOfStops(w.Bob); len(told) != 1 || !strings.HasPrefix(told[0], "A webhook trigger of yours stopped, and no longer starts "+saved.Name+". You may not run it any more. ") ||
				!strings.HasSuffix(told[0], ".") {
				t.Errorf("the creator was told %q", told)
			}
			if told := w.toldOfStops(w.Ann); len(told) != 0 {
				t.Errorf("another was told %q", told)
			}
			if _, err := w.Runs.Executions().Retry(w.In(w.Room, w.Bob), *stopped.LastExecutionID); err == nil {
				t.Error("what never began is retried")
			}
		})
	}
}

func TestCallWithoutMoney(t *testing.T) {
	w := newWorld(t, org.School)
	w.withKey()
	costs(t, "combine-text", models.Credit)
	graph := nodegraph.Nodes{hook("hook"), {ID: "a", Type: "combine-text", Data: map[string]any{"texts": []any{"x"}}}}
	shared := w.save(w.In(w.Room, w.Ann), graph)
	own := w.save(w.As(w.Stranger), graph)
	calls := 0
	refused := func(id models.ID, as context.Context, code models.Code) {
		t.Helper()
		calls++
		_, err := w.call(*w.triggers(as, id)["hook"].Token, nil)
		wantCode(t, err, code)
		if n := w.Count(`SELECT count(*) FROM executions WHERE workflow_id = ? AND status = 'failed' AND error_code = ?`, id, string(code)); n != 1 {
			t.Errorf("%d entries with %s", n, code)
		}
		after := w.triggers(as, id)["hook"]
		if !after.IsActive || after.LastError == nil || *after.LastError != string(code) || after.RunCount != 0 {
			t.Errorf("the trigger is %+v", after)
		}
	}
	w.Exec(`UPDATE workspace_budgets SET allocated = 0 WHERE workspace_id = ?`, w.Room.ID)
	refused(shared.ID, w.In(w.Room, w.Ann), models.CodeBudgetExceeded)
	w.Exec(`UPDATE workspace_budgets SET allocated = 100000 WHERE workspace_id = ?`, w.Room.ID)
	w.Set("member_budget_caps_enabled", "true")
	w.Exec(`INSERT INTO member_budgets (workspace_id, user_id, cap) VALUES (?, ?, 0) ON CONFLICT (workspace_id, user_id) DO UPDATE SET cap = 0`, w.Room.ID, w.Ann)
	refused(shared.ID, w.In(w.Room, w.Ann), models.CodeMemberCapExceeded)
	w.Exec(`UPDATE wallets SET balance = 0 WHERE user_id = ?`, w.Stranger)
	refused(own.ID, w.As(w.Stranger), models.CodeInsufficientCredits)
}

func TestWhoMayUseTriggers(t *testing.T) {
	w := newWorld(t, org.Team)
	w.withKey()
	saved := w.save(w.In(w.Room, w.Ann), nodegraph.Nodes{hook("hook")})
	w.Exec(`UPDATE workflows SET visibility = 'workspace' WHERE id = ?`, saved.ID)
	w.Set("member_access_to_shared", `"view"`)
	made, err := w.CreateTrigger(w.In(w.Room, w.Ann), CreateTriggerInput{WorkflowID: saved.ID, Type: WebhookTrigger})
	if err != nil {
		t.Fatal(err)
	}
	w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, saved.ID, w.Owner, w.Ann)
	for name, c := range map[string]struct {
		ctx                context.Context
		list, create, edit models.Code
	}{
		"nobody":           {context.Background(), models.CodeUnauthorized, models.CodeUnauthorized, models.CodeUnauthorized},
		"a stranger":       {w.As(w.Stranger), models.CodeNotFound, models.CodeNotFound, models.CodeNotFound},
		"a viewer":         {w.In(w.Room, w.Bob), models.CodeInsufficientRole, models.CodeInsufficientRole, models.CodeInsufficientRole},
		"an editor":        {w.In(w.Room, w.Owner), models.CodeInsufficientRole, "", ""},
		"without scope":    {w.ByApp(w.Ann, models.ScopeJobsRead), models.CodeInsufficientScope, models.CodeInsufficientScope, models.CodeInsufficientScope},
		"restricted token": {w.ByToken(w.Ann, saved.ID), models.CodeForbidden, models.CodeForbidden, models.CodeForbidden},
		"a token":          {w.ByToken(w.Ann), "", "", ""},
		"the creator":      {w.In(w.Room, w.Ann), "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			check := func(err error, want models.Code) {
				t.Helper()
				if want == "" && err != nil || want != "" && !models.HasCode(err, want) {
					t.Errorf("got %v, want %q", err, want)
				}
			}
			_, err := w.ListTriggers(c.ctx, saved.ID, nil, models.Page{})
			check(err, c.list)
			_, err = w.CreateTrigger(c.ctx, CreateTriggerInput{WorkflowID: saved.ID, Type: WebhookTrigger})
			check(err, c.create)
			_, err = w.SyncTriggers(c.ctx, saved.ID)
			check(err, c.edit)
			found, err := w.FindTrigger(c.ctx, made.ID)
			check(err, c.edit)
			if err == nil && (found.Token == nil) != (name == "an editor") {
				t.Errorf("token shown: %v", found.Token != nil)
			}
			_, err = w.UpdateTrigger(c.ctx, made.ID, UpdateTriggerInput{IsActive: models.Some(true)})
			check(err, c.edit)
			if c.edit != "" {
				check(w.DeleteTrigger(c.ctx, made.ID), c.edit)
				_, err = w.TryTrigger(c.ctx, made.ID, nil)
				check(err, c.edit)
			}
		})
	}
}

// Two saves at once and calls beside them leave one trigger with one address.
func TestTriggersUnderRaces(t *testing.T) {
	e := newEngine(t)
	e.withKey()
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{hook("hook"), text("a", "A")})
	token := *e.triggers(ctx, w.ID)["hook"].Token
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			e.write(ctx, w.ID, nodegraph.Nodes{hook("hook"), text("a", fmt.Sprint(i))})
		})
		all.Go(func() {
			if _, err := e.call(token, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	after := e.triggers(ctx, w.ID)
	if len(after) != 1 || *after["hook"].Token != token || after["hook"].RunCount != 8 {
		t.Errorf("left %+v", after["hook"])
	}
}

func TestRunsOfSchedulesAreTheOwnersOwn(t *testing.T) {
	e := newEngine(t)
	e.withKey()
	w := e.save(e.As(e.user), nodegraph.Nodes{hook("hook")})
	for _, c := range []struct {
		trigger Trigger
		want    bool
	}{
		{Trigger{Type: WebhookTrigger, BySession: true}, false},
		{Trigger{Type: ScheduleTrigger, BySession: true}, true},
		{Trigger{Type: ScheduleTrigger}, false},
	} {
		if c.trigger.personal() != c.want {
			t.Errorf("%s, made in the console %v: personal %v", c.trigger.Type, c.trigger.BySession, !c.want)
		}
	}
	// What a token made is not, until its creator saves it signed in.
	made := func(ctx context.Context) bool {
		t.Helper()
		e.write(ctx, w.ID, nodegraph.Nodes{hook("hook"), hook("other")})
		return e.triggers(e.As(e.user), w.ID)["other"].BySession
	}
	if made(e.ByToken(e.user)) || !made(e.As(e.user)) || !made(e.ByToken(e.user)) {
		t.Error("a trigger that a token made is made in person, or one that was saved in person is not")
	}
}

func TestSchedulesFollowTheirNodes(t *testing.T) {
	e := newEngine(t)
	ctx := e.As(e.user)
	timer := func(more map[string]any) *nodegraph.Node {
		data := map[string]any{"rules": []any{map[string]any{"kind": "hours", "every": 1.0, "minute": 30.0}}}
		for key, value := range more {
			data[key] = value
		}
		return &nodegraph.Node{ID: "timer", Type: nodegraph.ScheduleTriggerType, Data: data}
	}
	w := e.save(ctx, nodegraph.Nodes{timer(nil), text("a", "A")})
	first := e.triggers(ctx, w.ID)["timer"]
	if first.Type != ScheduleTrigger || first.IsActive || first.NextFireAt != nil || first.ParkedReason != nil || first.Token != nil || !first.BySession {
		t.Fatalf("without a switch it is %+v", first)
	}
	e.write(ctx, w.ID, nodegraph.Nodes{timer(map[string]any{"active": true}), text("a", "A")})
	on := e.triggers(ctx, w.ID)["timer"]
	if on.ID != first.ID || !on.IsActive || on.NextFireAt == nil || on.NextFireAt.Minute() != 30 || !on.NextFireAt.After(e.clock.Now()) {
		t.Fatalf("switched on it is %+v", on)
	}
	e.write(ctx, w.ID, nodegraph.Nodes{timer(map[string]any{"active": true, "timezone": "Nowhere/Land"}), text("a", "A")})
	parked := e.triggers(ctx, w.ID)["timer"]
	if !parked.IsActive || parked.ParkedReason == nil || parked.NextFireAt != nil {
		t.Fatalf("with an unreadable zone it is %+v", parked)
	}
	e.write(ctx, w.ID, nodegraph.Nodes{timer(map[string]any{"active": true}), text("a", "A")})
	if mended := e.triggers(ctx, w.ID)["timer"]; mended.ParkedReason != nil || mended.NextFireAt == nil {
		t.Fatalf("mended it is %+v", mended)
	}
	if paused := e.setTrigger(ctx, first.ID, false); paused.NextFireAt != nil {
		t.Errorf("paused it is %+v", paused)
	}
	if resumed := e.setTrigger(ctx, first.ID, true); resumed.NextFireAt == nil {
		t.Errorf("resumed it is %+v", resumed)
	}
	// A node of another type under the same id is another trigger.
	e.withKey()
	e.write(ctx, w.ID, nodegraph.Nodes{hook("timer"), text("a", "A")})
	if other := e.triggers(ctx, w.ID)["timer"]; other.ID == first.ID || other.Type != WebhookTrigger || other.Token == nil {
		t.Errorf("as a webhook it is %+v", other)
	}

	rules := func(every float64) map[string]any {
		return map[string]any{"rules": []any{map[string]any{"kind": "minutes", "every": every}}}
	}
	made, err := e.CreateTrigger(ctx, CreateTriggerInput{WorkflowID: w.ID, Type: ScheduleTrigger, Config: rules(5)})
	if err != nil || !made.IsActive || made.NextFireAt == nil || !made.BySession {
		t.Fatalf("by hand %+v, %v", made, err)
	}
	changed, err := e.UpdateTrigger(ctx, made.ID, UpdateTriggerInput{Config: models.OptMapOf(map[string]any{"timezone": "Europe/Berlin", "maxExecutions": 3.0})})
	if err != nil || changed.Config["timezone"] != "Europe/Berlin" || changed.Config["rules"] == nil {
		t.Errorf("changed %+v, %v", changed, err)
	}
	if changed, err = e.UpdateTrigger(ctx, made.ID, UpdateTriggerInput{Config: models.OptMapOf(map[string]any{"cron": "0 9 * * 1", "maxExecutions": nil})}); err != nil ||
		changed.Config["maxExecutions"] != nil || changed.NextFireAt.Hour() == e.clock.Now().Hour() && changed.NextFireAt.Minute()%5 != 0 {
		t.Errorf("another way to say when: %+v, %v", changed, err)
	}
	for _, config := range []map[string]any{nil, rules(0), rules(60), {"rules": []any{}}, {"cron": "@daily"}, {"interval": "5x"}} {
		_, err := e.CreateTrigger(ctx, CreateTriggerInput{WorkflowID: w.ID, Type: ScheduleTrigger, Config: config})
		wantCode(t, err, models.CodeValidation)
	}
	_, err = e.UpdateTrigger(ctx, made.ID, UpdateTriggerInput{Config: models.OptMapOf(map[string]any{"timezone": "Nowhere"})})
	wantCode(t, err, models.CodeValidation)
	if _, err := e.TryTrigger(ctx, made.ID, nil); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("calling a schedule: %v", err)
	}
}

// Anyone who turns a trigger on again that was stopped because of its creator runs it.
func TestTriggersAreTakenOver(t *testing.T) {
	w := newWorld(t, org.Team)
	w.withKey()
	saved := w.save(w.In(w.Room, w.Ann), nodegraph.Nodes{text("a", "A")})
	w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, saved.ID, w.Bob, w.Ann)
	w.write(w.In(w.Room, w.Bob), saved.ID, nodegraph.Nodes{hook("hook")})
	trigger := w.triggers(w.In(w.Room, w.Ann), saved.ID)["hook"]
	if trigger.CreatedBy != w.Bob || trigger.Token == nil {
		t.Fatalf("who saved the node first is its creator: %+v", trigger)
	}
	w.setTrigger(w.In(w.Room, w.Ann), trigger.ID, false)
	if same := w.setTrigger(w.In(w.Room, w.Ann), trigger.ID, true); same.CreatedBy != w.Bob {
		t.Error("resuming makes another creator")
	}
	w.Exec(`DELETE FROM workflow_collaborators WHERE workflow_id = ?`, saved.ID)
	w.Exec(`DELETE FROM workspace_members WHERE user_id = ?`, w.Bob)
	_, err := w.call(*trigger.Token, nil)
	wantCode(t, err, models.CodeRunRequiresMember)
	if taken := w.setTrigger(w.In(w.Room, w.Ann), trigger.ID, true); taken.CreatedBy != w.Ann || !taken.IsActive {
		t.Errorf("taken over: %+v", taken)
	}
	run, err := w.call(*trigger.Token, nil)
	if err != nil || run.AccountID != w.Ann {
		t.Errorf("afterwards: %+v, %v", run, err)
	}
}
