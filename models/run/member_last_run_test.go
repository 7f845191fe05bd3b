package run

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// Admins see when each member last ran something in this workspace, others do not.
func TestMembersLastRuns(t *testing.T) {
	w := orgtest.New(t)
	(&Service{DB: w.DB, Accounts: w.Accounts, Orgs: w.Orgs, Flows: &flow.Service{DB: w.DB}}).RegisterHooks()
	ada, head, pupil, lazy := w.Person("ada"), w.Person("head"), w.Person("pupil"), w.Person("lazy")
	o := w.School(ada, "North")
	room, other := w.Workspace(ada, o, "Room"), w.Workspace(ada, o, "Other")
	w.Assign(head, room, org.WorkspaceRoleAdmin)
	for _, person := range []context.Context{pupil, lazy} {
		w.Assign(person, room, org.WorkspaceRoleMember)
		w.Assign(person, other, org.WorkspaceRoleMember)
	}
	began := w.Clock.Now()
	run := func(n int, who context.Context, where *models.ID) {
		w.Exec(`INSERT INTO executions (id, account_id, workspace_id, trigger, status, nodes, edges, total_nodes, open_nodes, hold, source, created_at, shard)
			VALUES (('00000000-0000-7000-8000-00000000000' || ?::int)::uuid, ?, ?, 'editor', 'completed', '[]', '[]', 0, 0, 0, 'web', ?, shard_of(?))`,
			n, orgtest.ID(who), where, began.Add(time.Duration(n)*time.Hour), models.SpaceOf(where, orgtest.ID(who)))
	}
	run(1, pupil, &room.ID)
	run(2, pupil, &room.ID)
	run(3, pupil, &other.ID)
	run(4, pupil, nil)
	run(5, lazy, &other.ID)
	shown := func(ctx context.Context) map[models.ID]*time.Time {
		page, err := w.Orgs.WorkspaceMembers().List(ctx, room.ID, org.ListedFilter{}, models.Page{})
		w.NoError(err)
		found := map[models.ID]*time.Time{}
		for _, row := range page.Nodes {
			found[row.UserID] = row.LastRunAt
		}
		return found
	}
	found := shown(head)
	if at := found[orgtest.ID(pupil)]; at == nil || !at.Equal(began.Add(2*time.Hour)) {
		t.Errorf("the pupil's last run %v", at)
	}
	if at := found[orgtest.ID(lazy)]; at != nil {
		t.Errorf("a run in another workspace counts: %v", at)
	}
	if at := shown(pupil)[orgtest.ID(pupil)]; at != nil {
		t.Errorf("a plain member sees %v", at)
	}
	row, err := w.Orgs.WorkspaceMembers().Find(head, room.ID, orgtest.ID(pupil))
	w.NoError(err)
	if row.LastRunAt == nil || !row.LastRunAt.Equal(began.Add(2*time.Hour)) {
		t.Errorf("on the page of the person %v", row.LastRunAt)
	}
}
