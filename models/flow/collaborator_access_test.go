package flow

import (
	"context"
	"fmt"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// sharedWorld is a world with a person of every standing around one workflow
// of ann's.
type sharedWorld struct {
	*world
	flow   *Workflow
	people map[string]models.ID
}

func newSharedWorld(t *testing.T) *sharedWorld {
	t.Helper()
	w := newWorld(t, org.Team)
	s := &sharedWorld{world: w, people: map[string]models.ID{"creator": w.ann, "member": w.bob, "owner": w.owner, "stranger": w.stranger}}
	for _, name := range []string{"admin", "orgadmin", "benched", "suspended", "outside"} {
		s.people[name] = w.addUser(0)
	}
	lobby := w.addRoom("Lobby")
	w.join(w.room, s.people["admin"], "admin")
	w.join(w.room, s.people["benched"], "member")
	w.join(w.room, s.people["suspended"], "member")
	w.join(lobby, s.people["outside"], "member")
	w.join(lobby, s.people["orgadmin"], "member")
	w.exec(`UPDATE organization_members SET role = 'admin' WHERE user_id = ?`, s.people["orgadmin"])
	w.exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, s.people["benched"])
	w.exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, s.people["suspended"])
	s.flow = w.save(w.in(w.room, w.ann), nodegraph.Nodes{text("a", "x")})
	return s
}

// grant writes a grant; an empty role takes it away.
func (s *sharedWorld) grant(of *Workflow, user models.ID, role CollaboratorRole) {
	s.t.Helper()
	s.exec(`DELETE FROM workflow_collaborators WHERE workflow_id = ? AND user_id = ?`, of.ID, user)
	if role != "" {
		s.exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, ?, ?, now(), now())`,
			of.ID, user, role, of.OwnerID)
	}
}

// settings is one choice of the settings that sharing depends on.
type settings struct {
	visibility    space.Visibility
	admin, member space.Access
	invite        bool
}

func (c settings) String() string {
	return fmt.Sprintf("%s, admins %s, members %s, collaborators invite: %v", c.visibility, c.admin, c.member, c.invite)
}

// every choice of the settings.
func everySetting() (all []settings) {
	for _, v := range []space.Visibility{space.Private, space.WorkspaceShared} {
		for _, admin := range []space.Access{space.CanView, space.CanEdit} {
			for _, member := range []space.Access{space.CanView, space.CanEdit} {
				all = append(all, settings{v, admin, member, false}, settings{v, admin, member, true})
			}
		}
	}
	return all
}

// wantAccess is the contract's rule, said without the code's own words: the
// rank 0 is nothing, 1 view, 2 edit.
func (c settings) wantAccess(person string, grant CollaboratorRole) space.Access {
	rank := map[CollaboratorRole]int{Viewer: 1, Editor: 2}[grant]
	work := map[space.Access]int{space.CanView: 1, space.CanEdit: 2}
	switch person {
	case "creator":
		return space.IsCreator
	case "stranger", "outside":
		rank = min(rank, 1)
	default:
		if c.visibility == space.WorkspaceShared {
			rank = max(rank, work[c.member])
		}
		if person != "member" {
			rank = max(rank, work[c.admin])
		}
	}
	return []space.Access{"", space.CanView, space.CanEdit}[rank]
}

// wantCan is which of change visibility, share and run are allowed.
func (c settings) wantCan(person string, access space.Access) [3]bool {
	admin := person == "admin" || person == "owner" || person == "orgadmin"
	manages := person == "creator" || admin && c.admin == space.CanEdit
	edits := access == space.CanEdit || access == space.IsCreator
	return [3]bool{manages, manages || edits && c.invite, edits}
}

// TestWorkflowAccessMatrix tries every standing with every grant under every
// setting: what reading says, what the lists hold, and what the one who shares the
// workflow is told about the grant.
func TestWorkflowAccessMatrix(t *testing.T) {
	s := newSharedWorld(t)
	for _, c := range everySetting() {
		t.Run(c.String(), func(t *testing.T) {
			s.setting("admin_access", fmt.Sprintf("%q", c.admin))
			s.setting("member_access_to_shared", fmt.Sprintf("%q", c.member))
			s.setting("collaborators_can_invite", fmt.Sprint(c.invite))
			s.exec(`UPDATE workflows SET visibility = ? WHERE id = ?`, c.visibility, s.flow.ID)
			for _, grant := range []CollaboratorRole{"", Viewer, Editor} {
				for person, id := range s.people {
					if person != "creator" {
						s.grant(s.flow, id, grant)
					}
					s.checkStanding(t, c, person, id, grant)
				}
				s.checkToldStandings(t, c, grant)
			}
		})
	}
}

func (s *sharedWorld) checkStanding(t *testing.T, c settings, person string, id models.ID, grant CollaboratorRole) {
	t.Helper()
	found, err := s.FindWorkflowAccess(s.as(id), s.flow.ID)
	if person == "benched" || person == "suspended" {
		wantError(t, err, models.CodeMemberSuspended, "")
		return
	}
	want := c.wantAccess(person, grant)
	if want == "" {
		wantError(t, err, models.CodeNotFound, "Workflow not found")
		wantError(t, s.checkMayShare(s.as(id), s.flow.ID), models.CodeNotFound, "Workflow not found")
		return
	}
	if err != nil || found.Access != want {
		t.Errorf("%s with %q: %+v (%v), want %s", person, grant, found, err, want)
		return
	}
	if can := [3]bool{found.Can.ChangeVisibility, found.Can.Share, found.Can.Run}; can != c.wantCan(person, want) {
		t.Errorf("%s with %q may change visibility, share, run: %v, want %v", person, grant, can, c.wantCan(person, want))
	}
	if found.Can.Run != (found.WhyNotRun == nil) {
		t.Errorf("%s with %q: %v but %+v", person, grant, found.Can.Run, found.WhyNotRun)
	}
	if err := s.checkMayShare(s.as(id), s.flow.ID); found.Can.Share != (err == nil) {
		t.Errorf("%s with %q: sharing says %v, the permission %v", person, grant, err, found.Can.Share)
	}
	s.checkListed(t, person, id, want)
}

// checkListed compares the list of the room, which outsiders cannot select.
func (s *sharedWorld) checkListed(t *testing.T, person string, id models.ID, want space.Access) {
	t.Helper()
	outside := person == "stranger" || person == "outside"
	if outside {
		shared, err := s.SharedWithMe(s.as(id))
		if err != nil || len(shared) != 1 || shared[0].Access() != want {
			t.Errorf("%s is shared %+v (%v), want one with %s", person, shared, err, want)
		}
		return
	}
	listed, err := s.ListWorkflows(s.in(s.room, id), nil, models.Page{})
	if err != nil || len(listed.Nodes) != 1 || listed.Nodes[0].Access != want {
		t.Errorf("%s lists %+v (%v), want one with %s", person, listed, err, want)
	}
	if shared, err := s.SharedWithMe(s.as(id)); err != nil || len(shared) != 0 {
		t.Errorf("%s finds work of an own workspace among what is shared: %+v, %v", person, shared, err)
	}
}

// checkToldStandings compares what the creator is told about everyone.
func (s *sharedWorld) checkToldStandings(t *testing.T, c settings, grant CollaboratorRole) {
	t.Helper()
	list, err := s.ListCollaborators(s.as(s.ann), s.flow.ID, models.Page{})
	if err != nil || grant != "" && len(list.Nodes) != len(s.people)-1 {
		t.Fatalf("%d collaborators, %v", len(list.Nodes), err)
	}
	names := map[models.ID]string{}
	for name, id := range s.people {
		names[id] = name
	}
	for _, row := range list.Nodes {
		person, access := names[row.UserID], space.Access("")
		if row.Standing.Access != nil {
			access = *row.Standing.Access
		}
		want := CollaboratorStanding{
			Outside: person == "stranger" || person == "outside", Suspended: person == "benched" || person == "suspended",
		}
		wanted := space.Access("")
		if !want.Suspended {
			wanted = c.wantAccess(person, grant)
			want.CanRun = wanted == space.CanEdit
		}
		got := *row.Standing
		got.Access = nil
		if got != want || access != wanted {
			t.Errorf("%s with %q stands as %+v with %q, want %+v with %q", person, grant, got, access, want, wanted)
		}
	}
}

// An outsider with an editor grant looks, and does nothing else.
func TestOutsidersOnlyLook(t *testing.T) {
	s := newSharedWorld(t)
	s.grant(s.flow, s.stranger, Editor)
	ctx := s.as(s.stranger)
	if w, err := s.FindWorkflow(ctx, s.flow.ID); err != nil || len(w.Nodes) != 1 {
		t.Fatalf("%+v, %v", w, err)
	}
	own := s.save(ctx, nil)
	for name, try := range map[string]func() error{
		"save": func() error {
			_, err := s.UpdateWorkflow(ctx, s.flow.ID, UpdateWorkflowInput{Name: models.Some("Mine")})
			return err
		},
		"run":     func() error { _, err := s.RunWorkflow(ctx, s.flow.ID, RunInput{}); return err },
		"publish": func() error { _, err := s.PublishWorkflow(ctx, s.flow.ID, PublishInput{Name: "Mine"}); return err },
		"delete":  func() error { return s.DeleteWorkflow(ctx, s.flow.ID) },
		"visibility": func() error {
			_, err := s.UpdateWorkflow(ctx, s.flow.ID, UpdateWorkflowInput{Visibility: models.Some(space.Private)})
			return err
		},
		"take away": func() error {
			_, err := s.UpdateWorkflow(ctx, s.flow.ID, UpdateWorkflowInput{ProjectID: models.Some(own.ProjectID)})
			return err
		},
		"share": func() error {
			_, err := s.AddCollaborator(ctx, s.flow.ID, AddCollaboratorInput{UserID: &s.bob, Role: Viewer})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, try(), models.CodeInsufficientRole, "") })
	}
	s.exec(`UPDATE organizations SET status = 'suspended' WHERE id = ?`, s.org.ID)
	wantError(t, s.RemoveCollaborator(ctx, s.flow.ID, s.stranger), models.CodeOrgNotActive, "")
	s.exec(`UPDATE organizations SET deleted_at = now() WHERE id = ?`, s.org.ID)
	_, err := s.FindWorkflow(ctx, s.flow.ID)
	wantError(t, err, models.CodeNotFound, "Workflow not found")
	if shared, err := s.SharedWithMe(ctx); err != nil || len(shared) != 0 {
		t.Errorf("%+v, %v", shared, err)
	}
}

// A personal workflow can be shared: an editor saves and runs it, and pays.
func TestPersonalWorkflowsAreShared(t *testing.T) {
	w := newWorld(t, org.Team)
	s := &sharedWorld{world: w}
	mine := w.save(w.as(w.ann), nodegraph.Nodes{node("p", "generate-image", nodegraph.Data{"prompt": "sky"})})
	editor, viewer := w.addUser(10*models.Credit), w.addUser(10*models.Credit)
	s.grant(mine, editor, Editor)
	s.grant(mine, viewer, Viewer)
	if found, err := w.FindWorkflow(w.as(editor), mine.ID); err != nil || found.Access != space.CanEdit || found.Can != (WorkflowPermissions{Edit: true, Run: true, Publish: true}) {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := w.UpdateWorkflow(w.as(editor), mine.ID, UpdateWorkflowInput{Description: models.Some("Ours")}); err != nil {
		t.Error(err)
	}
	exec, err := w.RunWorkflow(w.as(editor), mine.ID, RunInput{})
	if err != nil || exec.AccountID != editor || exec.WorkspaceID != nil {
		t.Fatalf("%+v, %v", exec, err)
	}
	if reserved := w.count(`SELECT reserved FROM wallets WHERE user_id = ?`, editor); models.Credits(reserved) != exec.Hold {
		t.Errorf("the editor's wallet reserved %d, want %d", reserved, exec.Hold)
	}
	_, err = w.RunWorkflow(w.as(viewer), mine.ID, RunInput{})
	wantError(t, err, models.CodeInsufficientRole, "look at")
	theirs := w.save(w.as(editor), nil)
	_, err = w.UpdateWorkflow(w.as(editor), mine.ID, UpdateWorkflowInput{ProjectID: models.Some(theirs.ProjectID)})
	wantError(t, err, models.CodeInsufficientRole, "")
	if shared, err := w.SharedWithMe(w.as(editor)); err != nil || len(shared) != 1 || shared[0].Access() != space.CanEdit || shared[0].GrantedBy != w.ann {
		t.Errorf("%+v, %v", shared, err)
	}
	listed, err := w.ListWorkflows(w.as(editor), nil, models.Page{})
	if err != nil || len(listed.Nodes) != 1 || listed.Nodes[0].ID != theirs.ID {
		t.Errorf("the own space lists %+v, %v", listed, err)
	}
}

// A person who leaves the workspace keeps the grant, as an outsider, until it
// is taken away; a person who joins is held back by nothing.
func TestGrantsFollowMembership(t *testing.T) {
	s := newSharedWorld(t)
	s.exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, s.flow.ID)
	s.grant(s.flow, s.bob, Editor)
	access := func() space.Access {
		w, err := s.FindWorkflowAccess(s.as(s.bob), s.flow.ID)
		if err != nil {
			t.Fatal(err)
		}
		return w.Access
	}
	if got := access(); got != space.CanEdit {
		t.Errorf("a member has %s", got)
	}
	s.exec(`DELETE FROM workspace_members WHERE user_id = ?`, s.bob)
	if got := access(); got != space.CanView {
		t.Errorf("a former member has %s", got)
	}
	s.exec(`DELETE FROM organization_members WHERE user_id = ?`, s.bob)
	if got := access(); got != space.CanView {
		t.Errorf("somebody who left the organization has %s", got)
	}
	s.join(s.room, s.bob, "member")
	if got := access(); got != space.CanEdit {
		t.Errorf("somebody who came back has %s", got)
	}
}

// Grants stay when a workflow moves, and what they come to follows the space.
func TestGrantsMoveAlong(t *testing.T) {
	s := newSharedWorld(t)
	other := s.addRoom("Other room")
	s.join(other, s.ann, "member")
	s.grant(s.flow, s.bob, Editor)
	there, err := s.Spaces.ListProjects(s.in(other, s.ann), models.Page{})
	if err != nil {
		t.Fatal(err)
	}
	mine := s.save(s.as(s.ann), nil)
	for _, to := range []struct {
		project models.ID
		want    space.Access
	}{{there.Nodes[0].ID, space.CanView}, {mine.ProjectID, space.CanEdit}, {s.flow.ProjectID, space.CanEdit}} {
		if _, err := s.UpdateWorkflow(s.as(s.ann), s.flow.ID, UpdateWorkflowInput{ProjectID: models.Some(to.project)}); err != nil {
			t.Fatal(err)
		}
		if found, err := s.FindWorkflowAccess(s.as(s.bob), s.flow.ID); err != nil || found.Access != to.want {
			t.Errorf("%+v, %v, want %s", found, err, to.want)
		}
	}
}

// A grant lets its editor manage the workflow's app, and no more than that.
func TestAppsOfSharedWorkflows(t *testing.T) {
	s := newSharedWorld(t)
	s.exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, s.flow.ID)
	app, err := s.PublishWorkflow(s.as(s.ann), s.flow.ID, PublishInput{Name: "Shared"})
	if err != nil {
		t.Fatal(err)
	}
	rename := func(ctx context.Context) error {
		_, err := s.UpdateApp(ctx, app.ID, UpdateAppInput{Name: models.Some("Renamed")})
		return err
	}
	for _, c := range []struct {
		role   CollaboratorRole
		code   models.Code
		listed int
	}{{"", models.CodeNotFound, 0}, {Viewer, models.CodeInsufficientRole, 0}, {Editor, "", 1}} {
		s.grant(s.flow, s.bob, c.role)
		err := rename(s.as(s.bob))
		if c.code == "" && err != nil || c.code != "" && !models.HasCode(err, c.code) {
			t.Errorf("with %q: %v, want %s", c.role, err, c.code)
		}
		if list, err := s.ListApps(s.in(s.room, s.bob), models.Page{}); err != nil || len(list.Nodes) != c.listed {
			t.Errorf("with %q: %+v, %v", c.role, list, err)
		}
	}
	s.grant(s.flow, s.stranger, Editor)
	wantError(t, rename(s.as(s.stranger)), models.CodeInsufficientRole, "")
}

// An editor of a person's personal workflow lists its app in the personal space, and runs of it are called by its name
// as long as it is shared.
func TestPersonalWorkflowOfAnother(t *testing.T) {
	s := newSharedWorld(t)
	personal := s.save(s.as(s.ann), nodegraph.Nodes{text("a", "x")})
	s.exec(`UPDATE workflows SET name = 'Mine' WHERE id = ?`, personal.ID)
	s.grant(personal, s.bob, Editor)
	if _, err := s.PublishWorkflow(s.as(s.bob), personal.ID, PublishInput{Name: "Shared"}); err != nil {
		t.Fatal(err)
	}
	run, err := s.RunWorkflow(s.as(s.bob), personal.ID, RunInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role   CollaboratorRole
		listed int
		title  string
	}{{Editor, 1, "Mine"}, {Viewer, 0, "Mine"}, {"", 0, "Text"}} {
		s.grant(personal, s.bob, c.role)
		if list, err := s.ListApps(s.as(s.bob), models.Page{}); err != nil || len(list.Nodes) != c.listed {
			t.Errorf("with %q: %+v, %v", c.role, list, err)
		}
		if titles, err := s.Titles(s.as(s.bob), []models.ID{run.ID}); err != nil || titles[run.ID] != (Title{c.title, c.role == ""}) {
			t.Errorf("with %q the run is called %+v, %v", c.role, titles[run.ID], err)
		}
	}
	if list, err := s.ListApps(s.as(s.ann), models.Page{}); err != nil || len(list.Nodes) != 1 {
		t.Errorf("its owner: %+v, %v", list, err)
	}
}
