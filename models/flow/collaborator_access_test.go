package flow

import (
	"context"
	"fmt"
	"testing"

	"atelier/models"
	"atelier/models/space"
)

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
			s.Set("admin_access", fmt.Sprintf("%q", c.admin))
			s.Set("member_access_to_shared", fmt.Sprintf("%q", c.member))
			s.Set("collaborators_can_invite", fmt.Sprint(c.invite))
			s.Exec(`UPDATE workflows SET visibility = ? WHERE id = ?`, c.visibility, s.flow.ID)
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
	found, err := s.FindWorkflowAccess(s.As(id), s.flow.ID)
	if person == "benched" || person == "suspended" {
		wantError(t, err, models.CodeMemberSuspended, "")
		return
	}
	want := c.wantAccess(person, grant)
	if want == "" {
		wantError(t, err, models.CodeNotFound, "Workflow not found")
		wantError(t, s.checkMayShare(s.As(id), s.flow.ID), models.CodeNotFound, "Workflow not found")
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
	if err := s.checkMayShare(s.As(id), s.flow.ID); found.Can.Share != (err == nil) {
		t.Errorf("%s with %q: sharing says %v, the permission %v", person, grant, err, found.Can.Share)
	}
	s.checkListed(t, person, id, want)
}

// checkListed compares the list of the room, which outsiders cannot select.
func (s *sharedWorld) checkListed(t *testing.T, person string, id models.ID, want space.Access) {
	t.Helper()
	outside := person == "stranger" || person == "outside"
	if outside {
		shared, err := s.SharedWithMe(s.As(id))
		if err != nil || len(shared) != 1 || shared[0].Access() != want {
			t.Errorf("%s is shared %+v (%v), want one with %s", person, shared, err, want)
		}
		return
	}
	listed, err := s.ListWorkflows(s.In(s.Room, id), nil, models.Page{})
	if err != nil || len(listed.Nodes) != 1 || listed.Nodes[0].Access != want {
		t.Errorf("%s lists %+v (%v), want one with %s", person, listed, err, want)
	}
	if shared, err := s.SharedWithMe(s.As(id)); err != nil || len(shared) != 0 {
		t.Errorf("%s finds work of an own workspace among what is shared: %+v, %v", person, shared, err)
	}
}

// checkToldStandings compares what the creator is told about everyone.
func (s *sharedWorld) checkToldStandings(t *testing.T, c settings, grant CollaboratorRole) {
	t.Helper()
	list, err := s.Collaborators().List(s.As(s.Ann), s.flow.ID, models.Page{})
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

// A person who leaves the workspace keeps the grant, as an outsider, until it
// is taken away; a person who joins is held back by nothing.
func TestGrantsFollowMembership(t *testing.T) {
	s := newSharedWorld(t)
	s.Exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, s.flow.ID)
	s.grant(s.flow, s.Bob, Editor)
	access := func() space.Access {
		w, err := s.FindWorkflowAccess(s.As(s.Bob), s.flow.ID)
		if err != nil {
			t.Fatal(err)
		}
		return w.Access
	}
	if got := access(); got != space.CanEdit {
		t.Errorf("a member has %s", got)
	}
	s.Exec(`DELETE FROM workspace_members WHERE user_id = ?`, s.Bob)
	if got := access(); got != space.CanView {
		t.Errorf("a former member has %s", got)
	}
	s.Exec(`DELETE FROM organization_members WHERE user_id = ?`, s.Bob)
	if got := access(); got != space.CanView {
		t.Errorf("somebody who left the organization has %s", got)
	}
	s.Join(s.Room, s.Bob, "member")
	if got := access(); got != space.CanEdit {
		t.Errorf("somebody who came back has %s", got)
	}
}

// Grants stay when a workflow moves, and what they come to follows the space.
func TestGrantsMoveAlong(t *testing.T) {
	s := newSharedWorld(t)
	other := s.AddRoom("Other room")
	s.Join(other, s.Ann, "member")
	s.grant(s.flow, s.Bob, Editor)
	there, err := s.Spaces.ListProjects(s.In(other, s.Ann), models.Page{})
	if err != nil {
		t.Fatal(err)
	}
	mine := s.save(s.As(s.Ann), nil)
	for _, to := range []struct {
		project models.ID
		want    space.Access
	}{{there.Nodes[0].ID, space.CanView}, {mine.ProjectID, space.CanEdit}, {s.flow.ProjectID, space.CanEdit}} {
		if _, err := s.UpdateWorkflow(s.As(s.Ann), s.flow.ID, UpdateWorkflowInput{ProjectID: models.Some(to.project)}); err != nil {
			t.Fatal(err)
		}
		if found, err := s.FindWorkflowAccess(s.As(s.Bob), s.flow.ID); err != nil || found.Access != to.want {
			t.Errorf("%+v, %v, want %s", found, err, to.want)
		}
	}
}

// A grant lets its editor manage the workflow's app, and no more than that.
func TestAppsOfSharedWorkflows(t *testing.T) {
	s := newSharedWorld(t)
	s.Exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, s.flow.ID)
	app, err := s.Apps().Publish(s.As(s.Ann), s.flow.ID, PublishInput{Name: "Shared"})
	if err != nil {
		t.Fatal(err)
	}
	rename := func(ctx context.Context) error {
		_, err := s.Apps().Update(ctx, app.ID, UpdateAppInput{Name: models.Some("Renamed")})
		return err
	}
	for _, c := range []struct {
		role   CollaboratorRole
		code   models.Code
		listed int
	}{{"", models.CodeNotFound, 0}, {Viewer, models.CodeInsufficientRole, 0}, {Editor, "", 1}} {
		s.grant(s.flow, s.Bob, c.role)
		err := rename(s.As(s.Bob))
		if c.code == "" && err != nil || c.code != "" && !models.HasCode(err, c.code) {
			t.Errorf("with %q: %v, want %s", c.role, err, c.code)
		}
		if list, err := s.Apps().List(s.In(s.Room, s.Bob), models.Page{}); err != nil || len(list.Nodes) != c.listed {
			t.Errorf("with %q: %+v, %v", c.role, list, err)
		}
	}
	s.grant(s.flow, s.Stranger, Editor)
	wantError(t, rename(s.As(s.Stranger)), models.CodeInsufficientRole, "")
}
