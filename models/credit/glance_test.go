package credit_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// A list of workspaces says what may be spent in each, and what waits for those who run it.
func TestGlances(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, other, outsider, operator := b.Person("ada"), b.Person("head"), b.Person("pupil"), b.Person("other"), b.Person("outsider"), b.Operator()
	room := b.Workspace(ada, b.School(ada, "North"), "Room")
	b.Assign(head, room, org.WorkspaceRoleAdmin)
	b.Assign(pupil, room, org.WorkspaceRoleMember)
	b.Assign(other, room, org.WorkspaceRoleMember)
	b.fund(ada, operator, room, 50_000)
	limit := models.Credits(2_000)
	b.setCap(room, pupil, &limit)
	b.NoError(b.reserve(inWorkspace(pupil, room), b.newID(), 500))
	b.NoError(b.credits.RequestCredits(pupil, room.ID, credit.RequestInput{Reason: "More"}))
	b.NoError(b.credits.RequestCredits(head, room.ID, credit.RequestInput{Reason: "For all"}))

	glance := func(ctx context.Context) *credit.Glance {
		t.Helper()
		w, err := b.Orgs.Workspaces().FindFor(ctx, orgtest.ID(ctx), room.ID)
		b.NoError(err)
		found, err := b.credits.Glances(ctx, []*org.Workspace{w})
		b.NoError(err)
		return found[room.ID]
	}
	for name, tc := range map[string]struct {
		who  context.Context
		want credit.Glance
	}{
		"the owner":           {ada, credit.Glance{Left: 49_500, Requests: 2}},
		"who asked too":       {head, credit.Glance{Left: 49_500, Requests: 1}},
		"who has a cap":       {pupil, credit.Glance{Left: 1_500}},
		"who shares with all": {other, credit.Glance{Left: 49_500}},
	} {
		if got := glance(tc.who); got == nil || *got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
	b.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(other))
	for _, who := range []context.Context{other, outsider} {
		if got := glance(who); got != nil {
			t.Errorf("who cannot enter sees %+v", got)
		}
	}
	limit = 100 // less than what is reserved
	b.setCap(room, pupil, &limit)
	if got := glance(pupil); got.Left != 0 {
		t.Errorf("a cap that is overdrawn leaves %v", got.Left)
	}
}
