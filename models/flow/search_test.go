package flow

import (
	"context"
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

func names(hits []org.Hit) string {
	all := make([]string, len(hits))
	for i, h := range hits {
		all[i] = h.Name
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

func (w *world) find(ctx context.Context, typed string) *Found {
	w.t.Helper()
	found, err := w.Search(ctx, typed, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

func (w *world) called(id models.ID, name, address string) {
	w.t.Helper()
	w.Exec(`UPDATE users SET display_name = ?, address = ?, email = ? WHERE id = ?`, name, address, address, id)
}

func TestSearchMatches(t *testing.T) {
	w := newWorld(t, org.School)
	w.called(w.Ann, "Zoë Brontë-Łukasz", "z.bronte@northgate.example")
	owner := w.As(w.Owner)
	for typed, found := range map[string]bool{
		"zoe": true, "ZOË": true, "bront": true, "zo luk": true, "lukasz zoe": true, "z.bronte@north": true, "northgate": true,
		"oe": false, "zoe smith": false, "gate": false, "%": false, "'": false, "z": false, "": false, `zo\`: false, "zo:* | x": false,
	} {
		if got := len(w.find(owner, typed).People) == 1; got != found {
			t.Errorf("%q found: %v", typed, got)
		}
	}
	if _, err := w.Search(owner, strings.Repeat("x", 101), nil); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("a long query: %v", err)
	}
	person := w.find(owner, "zoe").People[0]
	if person.Email == nil || *person.OrganizationID != w.Org.ID || person.Total != 1 {
		t.Errorf("person %+v", person)
	}
}

// Everyone finds what their lists show, and nothing else.
func TestSearchFindsWhatListsShow(t *testing.T) {
	w := newWorld(t, org.School)
	w.called(w.Ann, "Thing Ann", "ann@thing.example")
	w.called(w.Bob, "Thing Bob", "bob@thing.example")
	teacher, admin := w.AddUser(0), w.AddUser(0)
	w.called(teacher, "Thing Teacher", "teacher@else.example")
	w.Join(w.Room, teacher, "admin")
	w.Exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at) VALUES (?, ?, 'admin', 'active', now(), now())`, w.Org.ID, admin)
	w.Exec(`UPDATE workspaces SET name = 'Thing room' WHERE id = ?`, w.Room.ID)
	other := w.AddRoom("Thing other")

	add := func(ctx context.Context, name, visibility string) *Workflow {
		made := w.save(ctx, nodegraph.Nodes{{ID: "t", Type: "text", Data: nodegraph.Data{"text": "x"}}})
		w.Exec(`UPDATE workflows SET name = ?, visibility = ? WHERE id = ?`, "Thing "+name, visibility, made.ID)
		return made
	}
	add(w.In(w.Room, w.Ann), "ann private", "private")
	shared := add(w.In(w.Room, w.Ann), "ann shared", "workspace")
	add(w.In(other, w.Owner), "other shared", "workspace")
	add(w.As(w.Ann), "ann own", "private")
	granted := add(w.As(w.Stranger), "granted", "private")
	w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'viewer', ?, now(), now())`, granted.ID, w.Bob, w.Stranger)
	app, err := w.Apps().Publish(w.In(w.Room, w.Ann), shared.ID, PublishInput{Name: "Thing app"})
	if err != nil {
		t.Fatal(err)
	}

	for name, c := range map[string]struct {
		user                                models.ID
		people, workspaces, workflows, apps string
	}{
		"owner":    {w.Owner, "Thing Ann,Thing Bob,Thing Teacher", "Thing other,Thing room", "Thing ann private,Thing ann shared,Thing other shared", "Thing app"},
		"admin":    {admin, "Thing Ann,Thing Bob,Thing Teacher", "Thing other,Thing room", "Thing ann private,Thing ann shared,Thing other shared", "Thing app"},
		"teacher":  {teacher, "Thing Ann,Thing Bob,Thing Teacher", "Thing room", "Thing ann private,Thing ann shared", "Thing app"},
		"creator":  {w.Ann, "", "Thing room", "Thing ann own,Thing ann private,Thing ann shared", "Thing app"},
		"student":  {w.Bob, "", "Thing room", "Thing ann shared,Thing granted", "Thing app"},
		"stranger": {w.Stranger, "", "", "Thing granted", ""},
	} {
		found := w.find(w.As(c.user), "thing")
		for kind, got := range map[string][2]string{
			"people": {names(found.People), c.people}, "workspaces": {names(found.Workspaces), c.workspaces},
			"workflows": {names(found.Workflows), c.workflows}, "apps": {names(found.Apps), c.apps},
		} {
			if got[0] != got[1] {
				t.Errorf("%s finds %s %q, expected %q", name, kind, got[0], got[1])
			}
		}
		for _, hit := range found.Workflows { // the canonical rule agrees
			if _, err := w.FindWorkflow(w.As(c.user), hit.ID); err != nil {
				t.Errorf("%s finds %s and may not open it: %v", name, hit.Name, err)
			}
		}
	}

	t.Run("addresses are for owner and admins", func(t *testing.T) {
		if n := len(w.find(w.As(w.Owner), "bob@thing.example").People); n != 1 {
			t.Errorf("the owner finds %d", n)
		}
		if found := w.find(w.As(teacher), "bob@thing.example").People; len(found) != 0 {
			t.Errorf("a teacher finds %+v", found)
		}
		if found := w.find(w.As(teacher), "thing bob").People; len(found) != 1 || found[0].Email != nil || *found[0].WorkspaceID != w.Room.ID {
			t.Errorf("a teacher finds %+v", found)
		}
	})
	t.Run("one organization", func(t *testing.T) {
		found, err := w.Search(w.As(w.Ann), "thing", &w.Org.ID)
		if err != nil || names(found.Workflows) != "Thing ann private,Thing ann shared" {
			t.Errorf("found %+v, %v", found, err)
		}
		if _, err := w.Search(w.As(w.Stranger), "thing", &w.Org.ID); !models.HasCode(err, models.CodeNotFound) {
			t.Errorf("an outsider: %v", err)
		}
	})
	t.Run("an app that is off is its creator's", func(t *testing.T) {
		w.Exec(`UPDATE apps SET is_active = false WHERE id = ?`, app.ID)
		if mine, others := w.find(w.As(w.Ann), "thing").Apps, w.find(w.As(w.Bob), "thing").Apps; len(mine) != 1 || len(others) != 0 {
			t.Errorf("found %v and %v", mine, others)
		}
	})
	t.Run("suspended", func(t *testing.T) {
		w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id IN (?, ?)`, w.Bob, teacher)
		for _, user := range []models.ID{w.Bob, teacher} {
			found := w.find(w.As(user), "thing")
			if len(found.People)+len(found.Workspaces)+len(found.Apps) != 0 || names(found.Workflows) != strings.Join(map[bool][]string{true: {"Thing granted"}}[user == w.Bob], "") {
				t.Errorf("found %+v", found)
			}
		}
	})
	t.Run("archived and deleted", func(t *testing.T) {
		w.Archive(other, true)
		w.Exec(`UPDATE organizations SET deleted_at = now() WHERE id = ?`, w.Org.ID)
		found := w.find(w.As(w.Owner), "thing")
		if len(found.People)+len(found.Workspaces)+len(found.Workflows)+len(found.Apps) != 0 {
			t.Errorf("found %+v", found)
		}
	})
	t.Run("tokens", func(t *testing.T) {
		if _, err := w.Search(w.ByToken(w.Ann, shared.ID), "thing", nil); !models.HasCode(err, models.CodeForbidden) {
			t.Errorf("a restricted token: %v", err)
		}
		if _, err := w.Search(w.ByApp(w.Ann, models.ScopeExecute), "thing", nil); !models.HasCode(err, models.CodeInsufficientScope) {
			t.Errorf("an app without the scope: %v", err)
		}
		if _, err := w.Search(context.Background(), "thing", nil); !models.HasCode(err, models.CodeUnauthorized) {
			t.Errorf("nobody: %v", err)
		}
	})
}

// A school of 10,000 among others is searched by an index.
func TestSearchOfManyPeople(t *testing.T) {
	w := newWorld(t, org.School)
	for first := 1; first < 12_000; first += 2_000 { // a statement may take as long as one of a request
		w.Exec(`
			WITH made AS (
				INSERT INTO users (id, email, address, display_name, created_at, updated_at)
				SELECT gen_random_uuid(), 'p' || n || '@x.example', 'p' || n || '@x.example', 'Person' || n || ' Family' || n % 500, now(), now()
				FROM generate_series(?::int, ?::int) n RETURNING id, display_name
			)
			INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at)
			SELECT ?, id, 'member', 'active', now(), now() FROM made WHERE substr(display_name, 7, 3) <> '119'`, first, first+1_999, w.Org.ID)
	}
	w.Exec(`ANALYZE users, organization_members`)

	found := w.find(w.As(w.Owner), "person")
	if len(found.People) != org.HitsShown || found.People[0].Total < 10_000 {
		t.Errorf("%d of %d", len(found.People), found.People[0].Total)
	}
	if one := w.find(w.As(w.Owner), "person77 fam").People; len(one) == 0 || !strings.HasPrefix(one[0].Name, "Person77") {
		t.Errorf("found %v", one)
	}
	var plan []string
	err := w.DB.Read(context.Background()).Raw(`EXPLAIN SELECT u.id FROM users u WHERE `+models.FoundWithAddress("u.search"), "person777").Scan(&plan).Error
	if err != nil || !strings.Contains(strings.Join(plan, "\n"), "users_search") {
		t.Errorf("plan %v, %v", plan, err)
	}
}
