package flow

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"atelier/models"
)

func (s *sharedWorld) share(ctx context.Context, with models.ID, role CollaboratorRole) (*Collaborator, error) {
	return s.Collaborators().Add(ctx, s.flow.ID, AddCollaboratorInput{UserID: &with, Role: role})
}

func TestAddCollaborator(t *testing.T) {
	s := newSharedWorld(t)
	s.Set("collaborators_can_invite", "false")
	creator, outsider, absent := s.As(s.Ann), s.As(s.AddUser(0)), models.NewID(s.clock.Now())
	address, malformed, unknown, unconfirmed := s.Stranger.String()+"@EXAMPLE.com", "nobody", "nobody@example.com", s.Bob.String()+"@example.com"
	s.Exec(`UPDATE users SET email_verified_at = now() WHERE id = ?`, s.Stranger)
	for name, c := range map[string]struct {
		ctx    context.Context
		in     AddCollaboratorInput
		code   models.Code
		needle string
	}{
		"ErrUnauthorized": {context.Background(), AddCollaboratorInput{UserID: &s.Bob, Role: Viewer}, models.CodeUnauthorized, ""},
		"ErrScope":        {s.ByApp(s.Ann, models.ScopeJobsRead), AddCollaboratorInput{UserID: &s.Bob, Role: Viewer}, models.CodeInsufficientScope, "workflows:execute"},
		"ErrToken":        {s.ByToken(s.Ann, s.Bob), AddCollaboratorInput{UserID: &s.Bob, Role: Viewer}, models.CodeForbidden, ""},
		"ErrNobody":       {creator, AddCollaboratorInput{Role: Viewer}, models.CodeValidation, "userId or email"},
		"ErrBoth":         {creator, AddCollaboratorInput{UserID: &s.Bob, Email: &address, Role: Viewer}, models.CodeValidation, "exclude each other"},
		"ErrAddress":      {creator, AddCollaboratorInput{Email: &malformed, Role: Viewer}, models.CodeValidation, "email must be"},
		"ErrRole":         {creator, AddCollaboratorInput{UserID: &s.Bob, Role: "owner"}, models.CodeValidation, "viewer or editor"},
		"ErrBeyondReach":  {outsider, AddCollaboratorInput{UserID: &s.Bob, Role: Viewer}, models.CodeNotFound, "Workflow not found"},
		"ErrSuspended":    {s.As(s.people["benched"]), AddCollaboratorInput{UserID: &s.Bob, Role: Viewer}, models.CodeMemberSuspended, ""},
		"ErrMember":       {s.As(s.Bob), AddCollaboratorInput{UserID: &s.Stranger, Role: Viewer}, models.CodeInsufficientRole, ""},
		"ErrCreator":      {creator, AddCollaboratorInput{UserID: &s.Ann, Role: Viewer}, models.CodeValidation, "creator"},
		"ErrUnknown":      {creator, AddCollaboratorInput{UserID: &absent, Role: Viewer}, models.CodeNotFound, "Account not found"},
		"ErrUnknownEmail": {creator, AddCollaboratorInput{Email: &unknown, Role: Viewer}, models.CodeNotFound, "Account not found"},
		"ErrUnconfirmed":  {creator, AddCollaboratorInput{Email: &unconfirmed, Role: Viewer}, models.CodeNotFound, "Account not found"},
		"by id":           {creator, AddCollaboratorInput{UserID: &s.Bob, Role: Editor}, "", ""},
		"by address":      {creator, AddCollaboratorInput{Email: &address, Role: Viewer}, "", ""},
		"ErrOwnToken":     {s.ByToken(s.Ann, s.flow.ID), AddCollaboratorInput{UserID: &s.Owner, Role: Viewer}, models.CodeForbidden, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.Collaborators().Add(c.ctx, s.flow.ID, c.in)
			if c.code != "" {
				wantError(t, err, c.code, c.needle)
				return
			}
			if err != nil || !got.Added || got.Role != c.in.Role || got.GrantedBy != s.Ann || got.Standing == nil {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// TestChangingGrants is a grant's life: added, changed by a second addition and
// by a change, ended; with what the audit log says of it.
func TestChangingGrants(t *testing.T) {
	s := newSharedWorld(t)
	creator := s.As(s.Ann)
	first, err := s.share(creator, s.Stranger, Viewer)
	if err != nil || !first.Added {
		t.Fatal(first, err)
	}
	s.clock.Advance(time.Hour)
	for _, role := range []CollaboratorRole{Editor, Editor} {
		again, err := s.share(creator, s.Stranger, role)
		if err != nil || again.Added || again.Role != Editor || !again.CreatedAt.Equal(first.CreatedAt) {
			t.Errorf("%+v, %v", again, err)
		}
	}
	changed, err := s.Collaborators().Update(creator, s.flow.ID, s.Stranger, UpdateCollaboratorInput{Role: Viewer})
	if err != nil || changed.Role != Viewer || !changed.Standing.Outside {
		t.Errorf("%+v, %v", changed, err)
	}
	for name, c := range map[string]struct {
		by, of models.ID
		code   models.Code
	}{
		"ErrNoGrant": {s.Ann, s.Bob, models.CodeNotFound}, "ErrCreator": {s.Ann, s.Ann, models.CodeValidation},
		"ErrSelf": {s.Owner, s.Owner, models.CodeValidation}, "ErrViewer": {s.Stranger, s.Bob, models.CodeInsufficientRole},
	} {
		t.Run(name, func(t *testing.T) {
			s.Set("admin_access", `"edit"`)
			_, err := s.Collaborators().Update(s.As(c.by), s.flow.ID, c.of, UpdateCollaboratorInput{Role: Viewer})
			wantError(t, err, c.code, "")
		})
	}
	_, err = s.Collaborators().Update(creator, s.flow.ID, s.Stranger, UpdateCollaboratorInput{Role: "boss"})
	wantError(t, err, models.CodeValidation, "role")
	wantError(t, s.Collaborators().Remove(s.As(s.Stranger), s.flow.ID, s.Bob), models.CodeInsufficientRole, "")
	wantError(t, s.Collaborators().Remove(creator, s.flow.ID, s.Ann), models.CodeNotFound, "Collaborator")
	if err := s.Collaborators().Remove(s.As(s.Stranger), s.flow.ID, s.Stranger); err != nil {
		t.Fatal("no one may leave: ", err)
	}
	wantError(t, s.Collaborators().Remove(s.As(s.Stranger), s.flow.ID, s.Stranger), models.CodeNotFound, "Workflow not found")
	wantError(t, s.Collaborators().Remove(creator, s.flow.ID, s.Stranger), models.CodeNotFound, "Collaborator")
	var log []string
	err = s.DB.Read(creator).Raw(`SELECT action || ' ' || details::text FROM audit_entries WHERE action LIKE 'collaborator.%' ORDER BY sequence`).Scan(&log).Error
	id := fmt.Sprintf("%q", s.Stranger)
	want := []string{
		`collaborator.added {"role": {"to": "viewer", "from": null}, "userId": {"to": ` + id + `, "from": null}}`,
		`collaborator.role_changed {"role": {"to": "editor", "from": "viewer"}, "userId": {"to": ` + id + `, "from": ` + id + `}}`,
		`collaborator.role_changed {"role": {"to": "viewer", "from": "editor"}, "userId": {"to": ` + id + `, "from": ` + id + `}}`,
		`collaborator.removed {"role": {"to": null, "from": "viewer"}, "userId": {"to": null, "from": ` + id + `}}`,
	}
	if err != nil || fmt.Sprint(log) != fmt.Sprint(want) {
		t.Errorf("%v\n%s\nwant\n%s", err, log, want)
	}
}

func TestSharingWhileClosed(t *testing.T) {
	s := newSharedWorld(t)
	creator := s.As(s.Ann)
	if _, err := s.share(creator, s.Stranger, Viewer); err != nil {
		t.Fatal(err)
	}
	try := map[string]func() error{
		"add": func() error { _, err := s.share(creator, s.Bob, Viewer); return err },
		"change": func() error {
			_, err := s.Collaborators().Update(creator, s.flow.ID, s.Stranger, UpdateCollaboratorInput{Role: Editor})
			return err
		},
		"remove": func() error { return s.Collaborators().Remove(creator, s.flow.ID, s.Stranger) },
		"leave":  func() error { return s.Collaborators().Remove(s.As(s.Stranger), s.flow.ID, s.Stranger) },
	}
	s.Archive(s.Room, true)
	for name, share := range try {
		t.Run("archived/"+name, func(t *testing.T) {
			err := share()
			wantError(t, err, models.CodeWorkspaceArchived, "")
			wantStatus(t, err, 403)
		})
	}
	if list, err := s.Collaborators().List(creator, s.flow.ID, models.Page{}); err != nil || len(list.Nodes) != 1 || list.Nodes[0].Standing == nil {
		t.Errorf("what is shared cannot be read: %+v, %v", list, err)
	}
	s.Archive(s.Room, false)
	s.Exec(`UPDATE organizations SET status = 'suspended' WHERE id = ?`, s.Org.ID)
	for name, share := range try {
		t.Run("suspended/"+name, func(t *testing.T) { wantError(t, share(), models.CodeOrgNotActive, "") })
	}
}

func TestCollaboratorAdditionsAreLimited(t *testing.T) {
	s := newSharedWorld(t)
	absent := models.NewID(s.clock.Now())
	ctx := models.WithAllowances(s.As(s.Ann))
	for i := range 20 {
		_, err := s.share(ctx, map[bool]models.ID{true: s.Bob, false: absent}[i%2 == 0], Viewer)
		if i%2 == 0 && err != nil || i%2 == 1 && !models.HasCode(err, models.CodeNotFound) {
			t.Fatalf("addition %d: %v", i+1, err)
		}
	}
	if left := models.TightestAllowance(ctx); left == nil || left.Limit != 20 || left.Remaining != 0 {
		t.Errorf("%+v", left)
	}
	_, err := s.share(ctx, s.Bob, Viewer)
	wantError(t, err, models.CodeRateLimitExceeded, "20 in a minute")
	if _, err := s.share(s.As(s.Owner), s.Bob, Viewer); !models.HasCode(err, models.CodeInsufficientRole) && err != nil {
		t.Errorf("another account is held back: %v", err)
	}
	s.clock.Advance(time.Minute)
	if _, err := s.share(ctx, s.Bob, Viewer); err != nil {
		t.Error(err)
	}
}

func TestListCollaborators(t *testing.T) {
	s := newSharedWorld(t)
	s.Exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, s.flow.ID)
	for _, person := range []string{"member", "stranger", "outside", "benched"} {
		s.clock.Advance(time.Second)
		if _, err := s.share(s.As(s.Ann), s.people[person], Viewer); err != nil {
			t.Fatal(err)
		}
	}
	s.Exec(`UPDATE users SET deleted_at = now() WHERE id = ?`, s.people["outside"])
	two := 2
	page, err := s.Collaborators().List(s.As(s.Ann), s.flow.ID, models.Page{Limit: &two})
	if err != nil || len(page.Nodes) != 2 || page.Nodes[0].UserID != s.people["benched"] || page.Nodes[1].UserID != s.Stranger || !page.PageInfo.HasNextPage {
		t.Fatalf("%+v, %v", page, err)
	}
	page, err = s.Collaborators().List(s.As(s.Ann), s.flow.ID, models.Page{Limit: &two, Cursor: page.Next()})
	if err != nil || len(page.Nodes) != 1 || page.Nodes[0].UserID != s.Bob || page.Next() != nil {
		t.Fatalf("%+v, %v", page, err)
	}
	seen, err := s.Collaborators().List(s.As(s.Stranger), s.flow.ID, models.Page{})
	if err != nil || len(seen.Nodes) != 3 {
		t.Fatal(seen, err)
	}
	for _, c := range seen.Nodes {
		if (c.Standing != nil) != (c.UserID == s.Stranger) {
			t.Errorf("a viewer is told how %s stands: %+v", c.UserID, c.Standing)
		}
	}
	_, err = s.Collaborators().List(s.As(s.people["orgadmin"]), s.flow.ID, models.Page{Limit: new(int)})
	wantError(t, err, models.CodeValidation, "limit")
	_, err = s.Collaborators().List(s.ByToken(s.Ann, s.Bob), s.flow.ID, models.Page{})
	wantError(t, err, models.CodeForbidden, "")
}

// Deleting a workflow ends its grants; a deleted account is granted nothing.
func TestGrantsEnd(t *testing.T) {
	s := newSharedWorld(t)
	if _, err := s.share(s.As(s.Ann), s.Stranger, Editor); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteWorkflow(s.As(s.Ann), s.flow.ID); err != nil {
		t.Fatal(err)
	}
	if n := s.Count(`SELECT count(*) FROM workflow_collaborators`); n != 0 {
		t.Errorf("%d grants are left", n)
	}
	s.flow = s.save(s.In(s.Room, s.Ann), nil)
	s.Exec(`UPDATE users SET deleted_at = now() WHERE id = ?`, s.Stranger)
	_, err := s.share(s.As(s.Ann), s.Stranger, Viewer)
	wantError(t, err, models.CodeNotFound, "Account not found")
}

func TestSharedWithMe(t *testing.T) {
	s := newSharedWorld(t)
	_, err := s.SharedWithMe(context.Background())
	wantError(t, err, models.CodeUnauthorized, "")
	var last *Workflow
	for i := range maxSharedWithMe + 1 {
		last = &Workflow{ID: models.NewID(s.clock.Now()), OwnerID: s.Ann}
		s.Exec(`INSERT INTO workflows (id, name, project_id, owner_id, visibility, version, created_at, updated_at)
			SELECT ?, ?, project_id, owner_id, 'private', 1, now(), now() FROM workflows WHERE id = ?`, last.ID, fmt.Sprint("Workflow ", i), s.flow.ID)
		s.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at)
			VALUES (?, ?, 'viewer', ?, timestamptz '2026-01-01Z' + make_interval(secs => ?), now())`, last.ID, s.Stranger, s.Ann, i)
	}
	shared, err := s.SharedWithMe(s.As(s.Stranger))
	if err != nil || len(shared) != maxSharedWithMe || shared[0].ID != last.ID || shared[0].Name != "Workflow 200" || !shared[0].CreatedAt.After(shared[1].CreatedAt) {
		t.Fatalf("%d rows, %v", len(shared), err)
	}
	shared, err = s.SharedWithMe(s.ByToken(s.Stranger, last.ID, s.flow.ID))
	if err != nil || len(shared) != 1 || shared[0].ID != last.ID {
		t.Errorf("%+v, %v", shared, err)
	}
}

// TestSharingAtOnce lets many share, change and end the same grant: each
// addition is told as one exactly once, nothing fails for another reason than
// that there was no grant, and what is left is one row or none.
func TestSharingAtOnce(t *testing.T) {
	s := newSharedWorld(t)
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		added int
	)
	add := func(role CollaboratorRole) {
		c, err := s.share(s.As(s.Ann), s.Stranger, role)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			t.Error(err)
		} else if c.Added {
			added++
		}
	}
	for i := range 8 {
		wg.Go(func() { add([]CollaboratorRole{Viewer, Editor}[i%2]) })
	}
	wg.Wait()
	if added != 1 || s.Count(`SELECT count(*) FROM workflow_collaborators`) != 1 {
		t.Errorf("%d additions were told", added)
	}
	added = 0
	removed := 0
	for i := range 10 {
		wg.Go(func() {
			if i%2 == 0 {
				add(Viewer)
				return
			}
			err := s.Collaborators().Remove(s.As(s.Ann), s.flow.ID, s.Stranger)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				removed++
			} else if !models.HasCode(err, models.CodeNotFound) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if left := s.Count(`SELECT count(*) FROM workflow_collaborators`); left != 1+added-removed {
		t.Errorf("%d grants are left after 1 + %d - %d", left, added, removed)
	}
	if told := s.Count(`SELECT count(*) FROM audit_entries WHERE action IN ('collaborator.added', 'collaborator.removed')`); told != 1+added+removed {
		t.Errorf("the audit log tells of %d changes", told)
	}
}

func TestCollaboratorCandidates(t *testing.T) {
	s := newSharedWorld(t)
	for name, id := range s.people {
		s.Exec(`UPDATE users SET display_name = ? WHERE id = ?`, "Person "+name, id)
	}
	names := func(ctx context.Context, search string) string {
		t.Helper()
		found, err := s.Collaborators().Candidates(ctx, s.flow.ID, search)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, id := range found {
			for name, of := range s.people {
				if of == id {
					text += " " + name
				}
			}
		}
		return text
	}
	for search, want := range map[string]string{"": " admin member", "PER mem": " member", "%": "", "creator": ""} {
		if got := names(s.As(s.Ann), search); got != want {
			t.Errorf("%q finds%s, want%s", search, got, want)
		}
	}
	s.grant(s.flow, s.Bob, Viewer)
	if got := names(s.As(s.Ann), ""); got != " admin" {
		t.Errorf("whom it is shared with is found again:%s", got)
	}
	s.Set("collaborators_can_invite", "false")
	s.Set("member_access_to_shared", `"view"`)
	_, err := s.Collaborators().Candidates(s.As(s.Bob), s.flow.ID, "")
	wantError(t, err, models.CodeInsufficientRole, "")
	personal := s.save(s.As(s.Ann), nil)
	if found, err := s.Collaborators().Candidates(s.As(s.Ann), personal.ID, ""); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}
