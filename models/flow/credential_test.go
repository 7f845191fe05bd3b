package flow

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

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
			w.Exec(`DELETE FROM rate_windows`)
			in := good
			c.change(&in)
			made, err := w.Credentials().Create(w.As(w.Ann), in)
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
	c := w.keeps(w.Ann, "", false)
	for name, tc := range map[string]struct {
		ctx  context.Context
		code models.Code
	}{
		"anonymous":        {context.Background(), models.CodeUnauthorized},
		"token":            {w.ByToken(w.Ann), models.CodeInAppOnly},
		"restricted token": {w.ByToken(w.Ann, uuid.New()), models.CodeInAppOnly},
		"app":              {w.ByApp(w.Ann, models.ScopeExecute), models.CodeInAppOnly},
		"app, no scope":    {w.ByApp(w.Ann), models.CodeInAppOnly},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Credentials().List(tc.ctx)
			wantCode(t, err, tc.code)
			_, err = w.Credentials().Find(tc.ctx, c.ID)
			wantCode(t, err, tc.code)
			_, err = w.Credentials().Create(tc.ctx, CreateCredentialInput{})
			wantCode(t, err, tc.code)
			_, err = w.Credentials().Update(tc.ctx, c.ID, UpdateCredentialInput{})
			wantCode(t, err, tc.code)
			wantCode(t, w.Credentials().Delete(tc.ctx, c.ID), tc.code)
		})
	}
	_, err := w.Credentials().Find(w.As(w.Bob), c.ID)
	wantCode(t, err, models.CodeNotFound)
	_, err = w.Credentials().Update(w.As(w.Bob), c.ID, UpdateCredentialInput{Name: models.Some("Mine")})
	wantCode(t, err, models.CodeNotFound)
	wantCode(t, w.Credentials().Delete(w.As(w.Bob), c.ID), models.CodeNotFound)
	if all, err := w.Credentials().List(w.As(w.Bob)); err != nil || len(all) != 0 {
		t.Errorf("somebody else sees %v, %v", all, err)
	}
	w.Vault = nil
	_, err = w.Credentials().List(w.As(w.Ann))
	wantCode(t, err, models.CodeEncryptionKeyMissing)
	_, err = w.Credentials().List(w.ByToken(w.Ann))
	wantCode(t, err, models.CodeInAppOnly)
}

func TestCredentialsAreFiftyAtMost(t *testing.T) {
	w, _ := newKeys(t)
	for range MaxCredentials {
		w.Exec(`DELETE FROM rate_windows`)
		w.keeps(w.Ann, "", false)
	}
	_, err := w.Credentials().Create(w.As(w.Ann), CreateCredentialInput{Name: "A", HeaderName: "X", Key: "k", Kind: PlainCredential})
	wantCode(t, err, models.CodeLimitReached)
	w.keeps(w.Bob, "", false)
}

func TestCredentialChangesAMinute(t *testing.T) {
	w, _ := newKeys(t)
	for range credentialChanges.Max {
		wantCode(t, w.Credentials().Delete(w.As(w.Ann), uuid.New()), models.CodeNotFound)
	}
	wantCode(t, w.Credentials().Delete(w.As(w.Ann), uuid.New()), models.CodeRateLimitExceeded)
	w.keeps(w.Bob, "", false)
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
			w.Exec(`DELETE FROM rate_windows`)
			w.Exec(`DELETE FROM credentials`)
			c := w.keeps(w.Ann, at, tc.subpaths)
			_, err := w.Credentials().Update(w.As(w.Ann), c.ID, tc.in)
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
			if kept, err := w.Credentials().Find(w.As(w.Ann), c.ID); err != nil || *kept.LockedURL != at || kept.AllowSubpaths != tc.subpaths || kept.KeySealed != c.KeySealed {
				t.Errorf("changed all the same: %+v, %v", kept, err)
			}
			if tc.field == "key" && !tc.in.Key.IsSet() {
				tc.in.Key = some("another")
				if _, err := w.Credentials().Update(w.As(w.Ann), c.ID, tc.in); err != nil {
					t.Errorf("with the key: %v", err)
				}
			}
		})
	}
	plain := w.keeps(w.Bob, "", false)
	locked, err := w.Credentials().Update(w.As(w.Bob), plain.ID, UpdateCredentialInput{Kind: models.Some(LockedCredential), LockedURL: some(at)})
	if err != nil || locked.Kind != LockedCredential || *locked.LockedURL != at {
		t.Errorf("locking needs no key: %+v, %v", locked, err)
	}
}

func TestUnboundCredentialsKeepOthersOut(t *testing.T) {
	w, a := newKeys(t)
	own := w.In(w.Room, w.Ann)
	plain, locked := w.keeps(w.Ann, "", false), w.keeps(w.Ann, a.URL+"/in", false)
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
			w.Exec(`DELETE FROM rate_windows`)
			flow := w.save(own, tc.nodes, tc.edges...)
			w.Exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, flow.ID)
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
			if _, err := w.Collaborators().Add(own, flow.ID, AddCollaboratorInput{UserID: &w.Bob, Role: Viewer}); err != nil {
				t.Errorf("a viewer: %v", err)
			}
			_, err := w.Collaborators().Update(own, flow.ID, w.Bob, UpdateCollaboratorInput{Role: Editor})
			want("a change to editor", err)
			_, err = w.Collaborators().Add(own, flow.ID, AddCollaboratorInput{UserID: &w.Owner, Role: Editor})
			want("a grant", err)
			_, err = w.UpdateWorkflow(own, flow.ID, UpdateWorkflowInput{Visibility: models.Some(space.WorkspaceShared)})
			want("visibility", err)
			_, err = w.CreateWorkflow(own, CreateWorkflowInput{Name: "Shared at once", Nodes: tc.nodes, Edges: tc.edges, Visibility: new(space.WorkspaceShared)})
			want("shared at once", err)
			_, err = w.Apps().Publish(own, flow.ID, PublishInput{Name: "App", Slug: new("app-" + strings.ReplaceAll(name, " ", "-"))})
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
	own := w.In(w.Room, w.Ann)
	c := w.keeps(w.Ann, "", false)
	flow := w.save(own, nodegraph.Nodes{sending("a", a.URL, c.ID), sending("b", a.URL, c.ID)})
	other := w.save(w.As(w.Ann), nodegraph.Nodes{sending("a", a.URL, c.ID)})
	w.save(w.As(w.Bob), nodegraph.Nodes{sending("a", a.URL, c.ID)}) // which is none of the account's
	uses := func() []*CredentialUse {
		t.Helper()
		all, err := w.Credentials().List(w.As(w.Ann))
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
	if err := w.DeleteWorkflow(w.As(w.Ann), other.ID); err != nil {
		t.Fatal(err)
	}
	if u := uses(); len(u) != 0 {
		t.Errorf("still used in %+v", u)
	}
}

func TestCredentialsGoWithTheirAccount(t *testing.T) {
	w, a := newKeys(t)
	w.keeps(w.Bob, "", false)
	c := w.keeps(w.Ann, a.URL, false)
	w.save(w.As(w.Ann), nodegraph.Nodes{sending("a", a.URL, c.ID)})
	w.Exec(`DELETE FROM organization_members WHERE user_id = ?`, w.Ann)
	err := w.DB.Write(w.As(w.Ann), func(tx *models.Tx) error {
		return deletePersonal(tx, &account.User{ID: w.Ann})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Count(`SELECT count(*) FROM credentials WHERE account_id = ?`, w.Ann) + w.Count(`SELECT count(*) FROM credential_nodes`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
