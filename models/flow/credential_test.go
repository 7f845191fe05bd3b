package flow

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// aKey is the key of the tests; wantNoPlainKey finds it.
const aKey = plainKey

// newKeys is a world whose nodes may send to a server that tells the last key it got.
func newKeys(t *testing.T) (*world, *asked) {
	t.Helper()
	w, a := newSealing(t)
	a.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		a.key = r.Header.Get("X-Key")
		if r.URL.Path == "/away" {
			http.Redirect(rw, r, "/landed", http.StatusTemporaryRedirect)
			return
		}
		_, _ = rw.Write([]byte("you sent " + a.key))
	})
	w.Events.AllowCIDRs = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	return w, a
}

// keeps makes a credential; locked is empty for a plain one.
func (w *world) keeps(user models.ID, locked string, subpaths bool) *Credential {
	w.t.Helper()
	in := CreateCredentialInput{Name: "Their service", HeaderName: "X-Key", Key: aKey, Kind: PlainCredential}
	if locked != "" {
		in.Kind, in.LockedURL, in.AllowSubpaths = LockedCredential, &locked, &subpaths
	}
	c, err := w.CreateCredential(w.as(user), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func sending(id, address string, credential models.ID) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "webhook-output", Data: map[string]any{"url": address, "credentialId": credential.String(), "label": "Send " + id, "result": "x"}}
}

func wantFailure(t *testing.T, job *Job, a *asked, part string) {
	t.Helper()
	if job.Status != JobFailed || !strings.Contains(models.Deref(job.ErrorMessage), part) || models.Deref(job.ErrorHint) == "" || a.key != "" {
		t.Errorf("%s: %q (%q), sent %q", job.Status, models.Deref(job.ErrorMessage), models.Deref(job.ErrorHint), a.key)
	}
	a.key = ""
}

func wantSent(t *testing.T, job *Job, a *asked) {
	t.Helper()
	if job.Status != JobCompleted || a.key != aKey {
		t.Errorf("%s: %q, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	if len(job.OutputData) != 1 || job.OutputData["status"] == nil {
		t.Errorf("put out %v", job.OutputData)
	}
	a.key = ""
}

func TestCredentialForms(t *testing.T) {
	w, _ := newKeys(t)
	address := "https://example.com/hook"
	good := CreateCredentialInput{Name: "A", HeaderName: "Authorization", Key: "Bearer x y~!", Kind: LockedCredential, LockedURL: &address}
	for name, c := range map[string]struct {
		change func(*CreateCredentialInput)
		field  string // empty is accepted
	}{
		"as it is": {func(in *CreateCredentialInput) {}, ""},
		"longest": {func(in *CreateCredentialInput) {
			in.Name, in.Key = strings.Repeat("n", 100), strings.Repeat("k", maxKey)
		}, ""},
		"plain":              {func(in *CreateCredentialInput) { in.Kind, in.LockedURL = PlainCredential, nil }, ""},
		"query":              {func(in *CreateCredentialInput) { in.LockedURL = new("https://example.com/hook?a=b") }, ""},
		"no name":            {func(in *CreateCredentialInput) { in.Name = "  " }, "name"},
		"long name":          {func(in *CreateCredentialInput) { in.Name = strings.Repeat("n", 101) }, "name"},
		"no header":          {func(in *CreateCredentialInput) { in.HeaderName = "" }, "headerName"},
		"header with blank":  {func(in *CreateCredentialInput) { in.HeaderName = "X Key" }, "headerName"},
		"header with colon":  {func(in *CreateCredentialInput) { in.HeaderName = "X-Key:" }, "headerName"},
		"header in two":      {func(in *CreateCredentialInput) { in.HeaderName = "X\r\nY" }, "headerName"},
		"long header":        {func(in *CreateCredentialInput) { in.HeaderName = strings.Repeat("x", 101) }, "headerName"},
		"host":               {func(in *CreateCredentialInput) { in.HeaderName = "hOST" }, "headerName"},
		"length":             {func(in *CreateCredentialInput) { in.HeaderName = "Content-Length" }, "headerName"},
		"encoding":           {func(in *CreateCredentialInput) { in.HeaderName = "transfer-encoding" }, "headerName"},
		"connection":         {func(in *CreateCredentialInput) { in.HeaderName = "Connection" }, "headerName"},
		"client":             {func(in *CreateCredentialInput) { in.HeaderName = "User-Agent" }, "headerName"},
		"own":                {func(in *CreateCredentialInput) { in.HeaderName = "Service-Signature" }, "headerName"},
		"proxy":              {func(in *CreateCredentialInput) { in.HeaderName = "Proxy-Authorization" }, "headerName"},
		"no key":             {func(in *CreateCredentialInput) { in.Key = "" }, "key"},
		"long key":           {func(in *CreateCredentialInput) { in.Key = strings.Repeat("k", maxKey+1) }, "key"},
		"key in two lines":   {func(in *CreateCredentialInput) { in.Key = "a\r\nX-Other: b" }, "key"},
		"key with tab":       {func(in *CreateCredentialInput) { in.Key = "a\tb" }, "key"},
		"key beyond ASCII":   {func(in *CreateCredentialInput) { in.Key = "schlüssel" }, "key"},
		"key with blank":     {func(in *CreateCredentialInput) { in.Key = "a-key " }, "key"},
		"no kind":            {func(in *CreateCredentialInput) { in.Kind = "" }, "kind"},
		"unknown kind":       {func(in *CreateCredentialInput) { in.Kind = "bound" }, "kind"},
		"plain with address": {func(in *CreateCredentialInput) { in.Kind = PlainCredential }, "lockedUrl"},
		"plain with subpaths": {func(in *CreateCredentialInput) {
			in.Kind, in.LockedURL, in.AllowSubpaths = PlainCredential, nil, new(true)
		}, "allowSubpaths"},
		"locked to nothing":    {func(in *CreateCredentialInput) { in.LockedURL = nil }, "lockedUrl"},
		"locked to http":       {func(in *CreateCredentialInput) { in.LockedURL = new("http://example.com/") }, "lockedUrl"},
		"locked to localhost":  {func(in *CreateCredentialInput) { in.LockedURL = new("https://localhost/") }, "lockedUrl"},
		"locked to private":    {func(in *CreateCredentialInput) { in.LockedURL = new("https://10.0.0.1/") }, "lockedUrl"},
		"locked to internal":   {func(in *CreateCredentialInput) { in.LockedURL = new("https://a.internal/") }, "lockedUrl"},
		"locked with user":     {func(in *CreateCredentialInput) { in.LockedURL = new("https://a:b@example.com/") }, "lockedUrl"},
		"locked to no address": {func(in *CreateCredentialInput) { in.LockedURL = new("example.com") }, "lockedUrl"},
		"locked with fragment": {func(in *CreateCredentialInput) { in.LockedURL = new("https://example.com/#a") }, "lockedUrl"},
		"locked with dots":     {func(in *CreateCredentialInput) { in.LockedURL = new("https://example.com/a/../b") }, "lockedUrl"},
		"locked with escapes":  {func(in *CreateCredentialInput) { in.LockedURL = new("https://example.com/a%2fb") }, "lockedUrl"},
	} {
		t.Run(name, func(t *testing.T) {
			w.exec(`DELETE FROM rate_windows`)
			in := good
			c.change(&in)
			made, err := w.CreateCredential(w.as(w.ann), in)
			if c.field == "" {
				if err != nil || made.KeySealed == "" || strings.Contains(made.KeySealed, in.Key) {
					t.Errorf("%+v, %v", made, err)
				}
				return
			}
			wantCode(t, err, models.CodeValidation)
			refusal, _ := models.AsError(err)
			if refusal.Field != c.field || (len(in.Key) > 2 && strings.Contains(refusal.Message, in.Key)) {
				t.Errorf("field %q: %s", refusal.Field, refusal.Message)
			}
		})
	}
}

func TestWhoManagesCredentials(t *testing.T) {
	w, _ := newKeys(t)
	c := w.keeps(w.ann, "", false)
	for name, tc := range map[string]struct {
		ctx  context.Context
		code models.Code
	}{
		"anonymous":        {context.Background(), models.CodeUnauthorized},
		"token":            {w.byToken(w.ann), models.CodeInAppOnly},
		"restricted token": {w.byToken(w.ann, uuid.New()), models.CodeInAppOnly},
		"app":              {w.byApp(w.ann, models.ScopeExecute), models.CodeInAppOnly},
		"app, no scope":    {w.byApp(w.ann), models.CodeInAppOnly},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.ListCredentials(tc.ctx)
			wantCode(t, err, tc.code)
			_, err = w.FindCredential(tc.ctx, c.ID)
			wantCode(t, err, tc.code)
			_, err = w.CreateCredential(tc.ctx, CreateCredentialInput{})
			wantCode(t, err, tc.code)
			_, err = w.UpdateCredential(tc.ctx, c.ID, UpdateCredentialInput{})
			wantCode(t, err, tc.code)
			wantCode(t, w.DeleteCredential(tc.ctx, c.ID), tc.code)
		})
	}
	_, err := w.FindCredential(w.as(w.bob), c.ID)
	wantCode(t, err, models.CodeNotFound)
	_, err = w.UpdateCredential(w.as(w.bob), c.ID, UpdateCredentialInput{Name: models.Some("Mine")})
	wantCode(t, err, models.CodeNotFound)
	wantCode(t, w.DeleteCredential(w.as(w.bob), c.ID), models.CodeNotFound)
	if all, err := w.ListCredentials(w.as(w.bob)); err != nil || len(all) != 0 {
		t.Errorf("somebody else sees %v, %v", all, err)
	}
	w.Vault = nil
	_, err = w.ListCredentials(w.as(w.ann))
	wantCode(t, err, models.CodeEncryptionKeyMissing)
	_, err = w.ListCredentials(w.byToken(w.ann))
	wantCode(t, err, models.CodeInAppOnly)
}

func TestCredentialsAreFiftyAtMost(t *testing.T) {
	w, _ := newKeys(t)
	for range MaxCredentials {
		w.exec(`DELETE FROM rate_windows`)
		w.keeps(w.ann, "", false)
	}
	_, err := w.CreateCredential(w.as(w.ann), CreateCredentialInput{Name: "A", HeaderName: "X", Key: "k", Kind: PlainCredential})
	wantCode(t, err, models.CodeLimitReached)
	w.keeps(w.bob, "", false)
}

func TestCredentialChangesAMinute(t *testing.T) {
	w, _ := newKeys(t)
	for range credentialChanges.Max {
		wantCode(t, w.DeleteCredential(w.as(w.ann), uuid.New()), models.CodeNotFound)
	}
	wantCode(t, w.DeleteCredential(w.as(w.ann), uuid.New()), models.CodeRateLimitExceeded)
	w.keeps(w.bob, "", false)
}

// TestAKeyGoesNowhereNew: an open session cannot send a key where it could not go before.
func TestAKeyGoesNowhereNew(t *testing.T) {
	w, _ := newKeys(t)
	const at = "https://example.com/a/b"
	some, flag := models.Some[string], models.Some[bool]
	for name, tc := range map[string]struct {
		subpaths bool
		in       UpdateCredentialInput
		field    string // empty: changed without the key
	}{
		"name":                   {false, UpdateCredentialInput{Name: some("B"), HeaderName: some("X-Other")}, ""},
		"same address":           {false, UpdateCredentialInput{LockedURL: some("https://EXAMPLE.com:443/a/b?c")}, ""},
		"below":                  {true, UpdateCredentialInput{LockedURL: some(at + "/c")}, ""},
		"no subpaths":            {true, UpdateCredentialInput{AllowSubpaths: flag(false)}, ""},
		"other host":             {false, UpdateCredentialInput{LockedURL: some("https://evil.example/a/b")}, "key"},
		"other port":             {false, UpdateCredentialInput{LockedURL: some("https://example.com:8443/a/b")}, "key"},
		"other path":             {false, UpdateCredentialInput{LockedURL: some("https://example.com/a/c")}, "key"},
		"above":                  {true, UpdateCredentialInput{LockedURL: some("https://example.com/a")}, "key"},
		"below without subpaths": {false, UpdateCredentialInput{LockedURL: some(at + "/c")}, "key"},
		"subpaths":               {false, UpdateCredentialInput{AllowSubpaths: flag(true)}, "key"},
		"plain":                  {false, UpdateCredentialInput{Kind: models.Some(PlainCredential)}, "key"},
		"null name":              {false, UpdateCredentialInput{Name: models.Null[string]()}, "name"},
		"null key":               {false, UpdateCredentialInput{Key: models.Null[string]()}, "key"},
		"empty key":              {false, UpdateCredentialInput{Key: some("")}, "key"},
		"no address":             {false, UpdateCredentialInput{LockedURL: models.Null[string]()}, "lockedUrl"},
		"plain with address":     {false, UpdateCredentialInput{Kind: models.Some(PlainCredential), LockedURL: some(at), Key: some("k")}, "lockedUrl"},
	} {
		t.Run(name, func(t *testing.T) {
			w.exec(`DELETE FROM rate_windows`)
			w.exec(`DELETE FROM credentials`)
			c := w.keeps(w.ann, at, tc.subpaths)
			_, err := w.UpdateCredential(w.as(w.ann), c.ID, tc.in)
			if tc.field == "" && err != nil {
				t.Fatal(err)
			}
			if tc.field == "" {
				return
			}
			wantCode(t, err, models.CodeValidation)
			if refusal, _ := models.AsError(err); refusal.Field != tc.field {
				t.Errorf("field %q: %s", refusal.Field, refusal.Message)
			}
			if kept, err := w.FindCredential(w.as(w.ann), c.ID); err != nil || *kept.LockedURL != at || kept.AllowSubpaths != tc.subpaths || kept.KeySealed != c.KeySealed {
				t.Errorf("changed all the same: %+v, %v", kept, err)
			}
			if tc.field == "key" && !tc.in.Key.IsSet() {
				tc.in.Key = some("another")
				if _, err := w.UpdateCredential(w.as(w.ann), c.ID, tc.in); err != nil {
					t.Errorf("with the key: %v", err)
				}
			}
		})
	}
	plain := w.keeps(w.bob, "", false)
	locked, err := w.UpdateCredential(w.as(w.bob), plain.ID, UpdateCredentialInput{Kind: models.Some(LockedCredential), LockedURL: some(at)})
	if err != nil || locked.Kind != LockedCredential || *locked.LockedURL != at {
		t.Errorf("locking needs no key: %+v, %v", locked, err)
	}
}

// TestWhichRunsSendAPlainCredential is the table of contract 2, "Webhook-output
// node and credentials" 3: by who starts a run, and how.
func TestWhichRunsSendAPlainCredential(t *testing.T) {
	w, a := newKeys(t)
	own := w.in(w.room, w.ann)
	plain := w.keeps(w.ann, "", false)
	locked := w.keeps(w.ann, a.URL+"/in", true)
	for _, c := range []*Credential{plain, locked} {
		flow := w.save(own, nodegraph.Nodes{sending("out", a.URL+"/in/x", c.ID)})
		w.exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, flow.ID, w.bob, w.ann)
		for name, ctx := range map[string]context.Context{
			"session": own, "token": w.byToken(w.ann), "app": w.byApp(w.ann, models.ScopeExecute), "editor": w.in(w.room, w.bob),
		} {
			t.Run(string(c.Kind)+" "+name, func(t *testing.T) {
				job := w.runs(ctx, flow.ID)
				if c == locked || name == "session" {
					wantSent(t, job, a)
				} else {
					wantFailure(t, job, a, "only in runs that its owner starts personally")
				}
			})
		}
		// An app's run is not the owner's own, not even when they start it.
		t.Run(string(c.Kind)+" published", func(t *testing.T) {
			app, err := w.PublishWorkflow(own, flow.ID, PublishInput{Name: "App", Slug: new("app-" + string(c.Kind))})
			if c == plain {
				wantCode(t, err, models.CodeCredentialUnbound)
				w.exec(`UPDATE credentials SET kind = 'locked', locked_url = ? WHERE id = ?`, a.URL+"/in/x", c.ID)
				app, err = w.PublishWorkflow(own, flow.ID, PublishInput{Name: "App", Slug: new("app-" + string(c.Kind))})
				w.exec(`UPDATE credentials SET kind = 'plain', locked_url = NULL WHERE id = ?`, c.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			run, err := w.RunApp(own, app.Slug, RunAppInput{})
			if err != nil {
				t.Fatal(err)
			}
			w.work()
			job := w.jobs(run.Execution.ID)["out"]
			if c == locked {
				wantSent(t, job, a)
				return
			}
			wantFailure(t, job, a, "only in runs that its owner starts personally")
			again, err := w.RetryExecution(own, run.Execution.ID)
			if err != nil {
				t.Fatal(err)
			}
			w.work()
			wantFailure(t, w.jobs(again.ID)["out"], a, "only in runs that its owner starts personally")
		})
	}
	w.wantNoPlainKey()
}

func TestRetriesAndComponentsWithCredentials(t *testing.T) {
	w, a := newKeys(t)
	own := w.in(w.room, w.ann)
	plain := w.keeps(w.ann, "", false)
	flow := w.save(own, nodegraph.Nodes{sending("out", a.URL, plain.ID)})

	byToken, err := w.RunWorkflow(w.byToken(w.ann), flow.ID, RunInput{})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	again, err := w.RetryExecution(own, byToken.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	wantFailure(t, w.jobs(again.ID)["out"], a, "only in runs") // a call of another person's does not become one's own

	outer := w.save(own, nodegraph.Nodes{{ID: "part", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": flow.ID.String()}}})
	if job := w.runs(own, outer.ID); job.Status != JobCompleted || a.key != aKey {
		t.Errorf("%s: %s, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	a.key = ""
	wantFailure(t, w.runs(w.byToken(w.ann), outer.ID), a, "only in runs")

	// Another person's workflow runs it as a component: the credential is the author's, the run is not.
	w.exec(`UPDATE workflows SET visibility = 'workspace' WHERE id = ?`, flow.ID)
	theirs := w.save(w.in(w.room, w.bob), nodegraph.Nodes{{ID: "part", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": flow.ID.String()}}})
	wantFailure(t, w.runs(w.in(w.room, w.bob), theirs.ID), a, "only in runs")
	_, err = w.PublishWorkflow(w.in(w.room, w.bob), theirs.ID, PublishInput{Name: "Theirs", Slug: new("theirs")})
	wantCode(t, err, models.CodeCredentialUnbound)
	refusal, _ := models.AsError(err)
	said := refusal.Extra["nodes"].([]map[string]any)
	if len(said) != 1 || said[0]["nodeId"] != "out" || said[0]["workflowId"] != flow.ID || said[0]["credentialId"] != nil || !strings.Contains(refusal.Message, `"Send out"`) {
		t.Errorf("named as %v: %s", said, refusal.Message)
	}

	// A single node, on settings that are sent along.
	for _, tc := range []struct {
		ctx  context.Context
		sent bool
	}{{w.as(w.ann), true}, {w.byToken(w.ann), false}, {w.as(w.bob), false}} {
		run, err := w.RunNode(tc.ctx, "webhook-output", map[string]any{"url": a.URL, "credentialId": plain.ID.String()})
		if err != nil {
			t.Fatal(err)
		}
		w.work()
		job := w.jobs(run.Job.ExecutionID)[singleNode]
		if tc.sent {
			wantSent(t, job, a)
		} else if job.Status != JobFailed || a.key != "" {
			t.Errorf("%s, sent %q", job.Status, a.key)
		}
	}
	w.wantNoPlainKey()
}

// TestFedAddressesGetNoPlainKey: the owner's own run sends a plain key to no host that flows
// in from elsewhere, and to the host that the owner wrote in the node.
func TestFedAddressesGetNoPlainKey(t *testing.T) {
	w, a := newKeys(t)
	evil := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { a.key = r.Header.Get("X-Key") }))
	t.Cleanup(evil.Close)
	own, editor := w.in(w.room, w.ann), w.in(w.room, w.bob)
	plain := w.keeps(w.ann, "", false)
	addr := w.save(own, nodegraph.Nodes{{ID: "text", Type: "text", Data: map[string]any{"text": a.URL + "/in"}}})
	w.exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, addr.ID, w.bob, w.ann)
	part := &nodegraph.Node{ID: "part", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": addr.ID.String()}}
	mapped := func(url string) *nodegraph.Node {
		return &nodegraph.Node{ID: "out", Type: requestType, Data: map[string]any{
			"url": url, "credentialId": plain.ID.String(), "fieldMappings": map[string]any{"url": map[string]any{"nodeId": "part"}},
		}}
	}
	graphs := map[string]struct {
		flow    *Workflow
		written bool
	}{
		"component, no address":  {w.save(own, nodegraph.Nodes{part, sending("out", "", plain.ID)}, handle(edge("part", "out"), "", "url")), false},
		"component, own address": {w.save(own, nodegraph.Nodes{part, sending("out", a.URL, plain.ID)}, handle(edge("part", "out"), "", "url")), true},
		"mapping, no address":    {w.save(own, nodegraph.Nodes{part, mapped("")}), false},
		"mapping, own address":   {w.save(own, nodegraph.Nodes{part, mapped(a.URL)}), true},
	}
	try := func(when string, sends func(written bool) bool) {
		for name, tc := range graphs {
			w.HTTP, a.key = evil.Client(), ""
			if when == "before" {
				w.HTTP = a.Client()
			}
			exec, err := w.RunWorkflow(own, tc.flow.ID, RunInput{})
			if err != nil {
				t.Fatal(name, err)
			}
			w.work()
			job := w.jobs(exec.ID)["out"]
			if want := sends(tc.written); (a.key == aKey) != want || (job.Status == JobCompleted) != want {
				t.Errorf("%s, %s: %s (%s), sent %q", when, name, job.Status, models.Deref(job.ErrorMessage), a.key)
			}
		}
	}
	try("before", func(written bool) bool { return written })
	if _, err := w.UpdateWorkflow(editor, addr.ID, graphOf([]*nodegraph.Node{{ID: "text", Type: "text", Data: map[string]any{"text": evil.URL}}})); err != nil {
		t.Fatal(err)
	}
	try("after", func(bool) bool { return false })
}

// TestAttackersGetNoKey: the one who may edit a workflow, or holds a token of its
// creator's, does not get the creator's plain key sent elsewhere.
func TestAttackersGetNoKey(t *testing.T) {
	w, a := newKeys(t)
	evil := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { a.key = r.Header.Get("X-Key") }))
	t.Cleanup(evil.Close)
	own, editor := w.in(w.room, w.ann), w.in(w.room, w.bob)
	plain := w.keeps(w.ann, "", false)
	text := &nodegraph.Node{ID: "where", Type: "text", Data: map[string]any{"text": evil.URL}}
	moved := sending("out", evil.URL, plain.ID)
	fed := func(address string) []*nodegraph.Node {
		return []*nodegraph.Node{sending("out", a.URL, plain.ID), {ID: "where", Type: "text", Data: map[string]any{"text": address}}}
	}
	feed := handle(edge("where", "out"), "", "url")
	ask := &nodegraph.Node{ID: "out", Type: requestType, Data: map[string]any{"url": a.URL, "method": "DELETE", "credentialId": plain.ID.String()}}
	for name, tc := range map[string]struct {
		first  []*nodegraph.Node
		edges  []*nodegraph.Edge
		attack func(*Workflow) (UpdateWorkflowInput, context.Context)
		code   models.Code // of the save
	}{
		"another address": {attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), editor
		}},
		"another address, token": {attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), w.byToken(w.ann)
		}},
		"another address, app": {attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), w.byApp(w.ann, models.ScopeExecute)
		}},
		"another node": {attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{sending("more", evil.URL, plain.ID)}), editor
		}},
		"a fed address": {attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{sending("out", a.URL, plain.ID), text}, feed), editor
		}},
		"another type":           {attack: func(*Workflow) (UpdateWorkflowInput, context.Context) { return graphOf([]*nodegraph.Node{ask}), editor }},
		"what feeds the address": {first: fed("https://example.com/"), edges: []*nodegraph.Edge{feed}, attack: func(*Workflow) (UpdateWorkflowInput, context.Context) { return graphOf(fed(evil.URL), feed), editor }},
		"a credential it had not": {first: []*nodegraph.Node{text}, attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), editor
		}, code: models.CodeValidation},
		"a credential by a token": {first: []*nodegraph.Node{text}, attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), w.byToken(w.ann)
		}},
		"a fed credential": {first: []*nodegraph.Node{text}, attack: func(*Workflow) (UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{{ID: "out", Type: "webhook-output", Data: map[string]any{"url": evil.URL}}, {ID: "which", Type: "text", Data: map[string]any{"text": plain.ID.String()}}},
				handle(edge("which", "out"), "", "credentialId")), editor
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w.HTTP, a.key = evil.Client(), ""
			first := tc.first
			if first == nil {
				first = []*nodegraph.Node{sending("out", a.URL, plain.ID)}
			}
			flow := w.save(own, first, tc.edges...)
			w.exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, flow.ID, w.bob, w.ann)
			in, as := tc.attack(flow)
			_, err := w.UpdateWorkflow(as, flow.ID, in)
			if tc.code != "" {
				wantCode(t, err, tc.code)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for round := range 2 {
				exec, err := w.RunWorkflow(own, flow.ID, RunInput{})
				if err != nil {
					t.Fatal(err)
				}
				w.work()
				for _, job := range w.jobs(exec.ID) {
					if job.JobType != "text" && job.Status != JobFailed || a.key != "" {
						t.Errorf("round %d: %s is %s, sent %q", round, job.NodeID, job.Status, a.key)
					}
				}
				// The owner saves something else, and gives nothing away by that.
				seen, err := w.FindWorkflow(own, flow.ID)
				if err != nil {
					t.Fatal(err)
				}
				more := append(append([]*nodegraph.Node{}, seen.Nodes...), &nodegraph.Node{ID: fmt.Sprintf("note%d", round), Type: "text", Data: map[string]any{"text": "hello"}})
				if _, err := w.UpdateWorkflow(own, flow.ID, graphOf(more, seen.Edges...)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Run("the way back", func(t *testing.T) {
		w.HTTP = a.Client()
		flow := w.save(own, []*nodegraph.Node{sending("out", a.URL, plain.ID)})
		for _, step := range []struct {
			ctx     context.Context
			address string
			sent    bool
		}{{w.byToken(w.ann), a.URL + "/other", false}, {w.byToken(w.ann), a.URL, true}, {own, a.URL + "/other", true}, {w.byToken(w.ann), a.URL, false}} {
			if _, err := w.UpdateWorkflow(step.ctx, flow.ID, graphOf([]*nodegraph.Node{sending("out", step.address, plain.ID)})); err != nil {
				t.Fatal(err)
			}
			if job := w.runs(own, flow.ID); step.sent {
				wantSent(t, job, a)
			} else {
				wantFailure(t, job, a, "did not write where this node sends")
			}
		}
	})
	t.Run("somebody else's id", func(t *testing.T) {
		theirs := w.save(editor, []*nodegraph.Node{sending("out", a.URL, plain.ID)})
		wantFailure(t, w.runs(editor, theirs.ID), a, "does not exist any more")
	})
	w.wantNoPlainKey()
}

func TestLockedCredentialsGoToTheirAddressAlone(t *testing.T) {
	w, a := newKeys(t)
	own := w.in(w.room, w.ann)
	exact, below := w.keeps(w.ann, a.URL+"/away", false), w.keeps(w.ann, a.URL+"/in", true)
	for _, tc := range []struct {
		c       *Credential
		address string
		failure string // empty: sent
	}{
		{below, a.URL + "/in", ""},
		{below, strings.Replace(a.URL, "https", "HTTPS", 1) + "/in/a?b=c", ""},
		{below, a.URL + "/inner", "locked to another address"},
		{below, a.URL + "/in/../x", "locked to another address"},
		{below, a.URL + "/in/%2e%2e/x", "locked to another address"},
		{below, a.URL + "/in/%252e%252e/x", "locked to another address"},
		{below, a.URL + "/in/..;/x", "locked to another address"},
		{below, a.URL + "/", "locked to another address"},
		{below, strings.Replace(a.URL, "https", "http", 1) + "/in", "must start with https://"},
		{exact, a.URL + "/away/", "locked to another address"},
	} {
		job := w.runs(own, w.save(own, nodegraph.Nodes{sending("out", tc.address, tc.c.ID)}).ID)
		if tc.failure == "" {
			wantSent(t, job, a)
		} else if wantFailure(t, job, a, tc.failure); t.Failed() {
			t.Fatal(tc.address)
		}
	}
	// A redirect is an answer: not followed, with or without the key.
	job := w.runs(own, w.save(own, nodegraph.Nodes{sending("out", a.URL+"/away", exact.ID)}).ID)
	if job.Status != JobFailed || !strings.Contains(models.Deref(job.ErrorMessage), "status 307") || a.key != aKey {
		t.Errorf("%s: %s", job.Status, models.Deref(job.ErrorMessage))
	}
	// A request that would read an answer keeps its status alone, for the answer may hold the key.
	job = w.runs(own, w.save(own, nodegraph.Nodes{{ID: "ask", Type: requestType, Data: map[string]any{"url": a.URL + "/in", "credentialId": below.ID.String()}}}).ID)
	wantSent(t, job, a)
	if err := w.DeleteCredential(w.as(w.ann), below.ID); err != nil {
		t.Fatal(err)
	}
	job = w.runs(own, w.save(own, nodegraph.Nodes{sending("out", a.URL+"/in", below.ID)}).ID)
	wantFailure(t, job, a, "The credential does not exist any more")
	w.wantNoPlainKey()
}

func TestUnboundCredentialsKeepOthersOut(t *testing.T) {
	w, a := newKeys(t)
	own := w.in(w.room, w.ann)
	plain, locked := w.keeps(w.ann, "", false), w.keeps(w.ann, a.URL+"/in", false)
	inner := w.save(own, nodegraph.Nodes{sending("deep", a.URL, plain.ID)})
	part := &nodegraph.Node{ID: "part", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": inner.ID.String()}}
	middle := w.save(own, nodegraph.Nodes{part})
	around := &nodegraph.Node{ID: "around", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": middle.ID.String()}}
	fedID := &nodegraph.Node{ID: "fed", Type: "webhook-output", Data: map[string]any{"url": a.URL + "/in", "label": "Fed"}}
	for name, tc := range map[string]struct {
		nodes  nodegraph.Nodes
		edges  []*nodegraph.Edge
		reason string // empty: shared
	}{
		"none":              {nodegraph.Nodes{{ID: "out", Type: "webhook-output", Data: map[string]any{"url": a.URL}}}, nil, ""},
		"locked":            {nodegraph.Nodes{sending("out", a.URL+"/in?x", locked.ID)}, nil, ""},
		"plain":             {nodegraph.Nodes{sending("out", a.URL+"/in", plain.ID)}, nil, "not_locked"},
		"another address":   {nodegraph.Nodes{sending("out", a.URL+"/in/x", locked.ID)}, nil, "other_address"},
		"both":              {nodegraph.Nodes{sending("out", a.URL+"/in", locked.ID), sending("more", a.URL, plain.ID)}, nil, "not_locked"},
		"within":            {nodegraph.Nodes{part}, nil, "not_locked"},
		"two steps within":  {nodegraph.Nodes{around}, nil, "not_locked"},
		"deleted":           {nodegraph.Nodes{sending("out", a.URL+"/in", uuid.New())}, nil, ""},
		"chosen by another": {nodegraph.Nodes{fedID, text("which", locked.ID.String())}, []*nodegraph.Edge{handle(edge("which", "fed"), "", "credentialId")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w.exec(`DELETE FROM rate_windows`)
			flow := w.save(own, tc.nodes, tc.edges...)
			w.exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, flow.ID)
			want := func(what string, err error) {
				t.Helper()
				if tc.reason == "" {
					if err != nil {
						t.Errorf("%s: %v", what, err)
					}
					return
				}
				refusal, _ := models.AsError(err)
				if err == nil || refusal.Code != models.CodeCredentialUnbound || refusal.HTTPStatus() != 409 {
					t.Fatalf("%s: %v", what, err)
				}
				if said := refusal.Extra["nodes"].([]map[string]any); len(said) != 1 || said[0]["reason"] != tc.reason {
					t.Errorf("%s names %v", what, said)
				}
			}
			if _, err := w.AddCollaborator(own, flow.ID, AddCollaboratorInput{UserID: &w.bob, Role: Viewer}); err != nil {
				t.Errorf("a viewer: %v", err)
			}
			_, err := w.UpdateCollaborator(own, flow.ID, w.bob, UpdateCollaboratorInput{Role: Editor})
			want("a change to editor", err)
			_, err = w.AddCollaborator(own, flow.ID, AddCollaboratorInput{UserID: &w.owner, Role: Editor})
			want("a grant", err)
			_, err = w.UpdateWorkflow(own, flow.ID, UpdateWorkflowInput{Visibility: models.Some(space.WorkspaceShared)})
			want("visibility", err)
			_, err = w.CreateWorkflow(own, CreateWorkflowInput{Name: "Shared at once", Nodes: tc.nodes, Edges: tc.edges, Visibility: new(space.WorkspaceShared)})
			want("shared at once", err)
			_, err = w.PublishWorkflow(own, flow.ID, PublishInput{Name: "App", Slug: new("app-" + strings.ReplaceAll(name, " ", "-"))})
			want("publication", err)
			if tc.reason != "" {
				if seen, err := w.FindWorkflow(own, flow.ID); err != nil || seen.Visibility != space.Private {
					t.Errorf("shared all the same: %v, %v", seen, err)
				}
			}
		})
	}
}

func TestWhereACredentialIsUsed(t *testing.T) {
	w, a := newKeys(t)
	own := w.in(w.room, w.ann)
	c := w.keeps(w.ann, "", false)
	flow := w.save(own, nodegraph.Nodes{sending("a", a.URL, c.ID), sending("b", a.URL, c.ID)})
	other := w.save(w.as(w.ann), nodegraph.Nodes{sending("a", a.URL, c.ID)})
	w.save(w.as(w.bob), nodegraph.Nodes{sending("a", a.URL, c.ID)}) // which is none of the account's
	uses := func() []*CredentialUse {
		t.Helper()
		all, err := w.ListCredentials(w.as(w.ann))
		if err != nil || len(all) != 1 || all[0].UseCount != len(all[0].Uses) {
			t.Fatal(all, err)
		}
		return all[0].Uses
	}
	if u := uses(); len(u) != 2 || u[0].WorkflowID != other.ID || u[1].WorkflowID != flow.ID || u[1].Nodes != 2 || u[1].WorkflowName != "A workflow" {
		t.Errorf("used in %+v", u)
	}
	if _, err := w.UpdateWorkflow(own, flow.ID, graphOf(nil)); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteWorkflow(w.as(w.ann), other.ID); err != nil {
		t.Fatal(err)
	}
	if u := uses(); len(u) != 0 {
		t.Errorf("still used in %+v", u)
	}
}

func TestCredentialsGoWithTheirAccount(t *testing.T) {
	w, a := newKeys(t)
	w.keeps(w.bob, "", false)
	c := w.keeps(w.ann, a.URL, false)
	w.save(w.as(w.ann), nodegraph.Nodes{sending("a", a.URL, c.ID)})
	w.exec(`DELETE FROM organization_members WHERE user_id = ?`, w.ann)
	err := w.DB.Write(w.as(w.ann), func(tx *models.Tx) error {
		return deletePersonal(tx, &account.User{ID: w.ann})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.count(`SELECT count(*) FROM credentials WHERE account_id = ?`, w.ann) + w.count(`SELECT count(*) FROM credential_nodes`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestStrangersOfTheOrganizationAreNoOwners(t *testing.T) {
	w, a := newKeys(t)
	w.setting("admin_access", `"edit"`)
	w.join(w.addRoom("Other"), w.owner, "admin")
	own := w.in(w.room, w.ann)
	c := w.keeps(w.ann, "", false)
	flow := w.save(own, nodegraph.Nodes{sending("out", a.URL, c.ID)})
	admin := w.in(w.room, w.owner)
	if _, err := w.UpdateWorkflow(admin, flow.ID, graphOf([]*nodegraph.Node{sending("out", a.URL+"/evil", c.ID)})); err != nil {
		t.Skip("admins cannot edit here: " + err.Error())
	}
	wantFailure(t, w.runs(own, flow.ID), a, "did not write where this node sends")
	wantFailure(t, w.runs(admin, flow.ID), a, "only in runs")
}
