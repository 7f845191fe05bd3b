package credit_test

import (
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// TestMovements reads the ledger with each run in one line.
func TestMovements(t *testing.T) {
	b := newBank(t)
	ada, bob, operator := b.Person("ada"), b.Person("bob"), b.Operator()
	o := b.School(ada, "North")
	room, other := b.Workspace(ada, o, "Room"), b.Workspace(ada, o, "Other")
	b.Assign(bob, room, org.WorkspaceRoleMember)
	b.fund(ada, operator, room, 50_000) // granted and allocated
	b.Clock.Advance(48 * time.Hour)
	whole := b.newID()
	b.NoError(b.reserve(inWorkspace(bob, room), whole, 10_000))
	b.NoError(b.charge(inWorkspace(bob, room), whole, "a", 3_000))
	b.NoError(b.charge(inWorkspace(bob, room), whole, "b", 1_000))
	b.NoError(b.settle(inWorkspace(bob, room), whole, 10_000, 4_000))
	atWork := b.newID()
	b.NoError(b.reserve(inWorkspace(ada, room), atWork, 5_000))
	b.NoError(b.charge(inWorkspace(ada, room), atWork, "a", 2_000))

	kind := func(k string) credit.MovementFilter { return credit.MovementFilter{Kind: &k} }
	person, now := orgtest.ID(bob), b.Clock.Now()
	past := now.Add(-24 * time.Hour)
	for name, c := range map[string]struct {
		filter credit.MovementFilter
		kinds  []string
	}{
		"everything":  {credit.MovementFilter{}, []string{"run", "run", "allocation", "grant"}},
		"runs":        {kind("run"), []string{"run", "run"}},
		"allocations": {kind("allocation"), []string{"allocation"}},
		"added":       {kind("added"), []string{"grant"}},
		"a workspace": {credit.MovementFilter{WorkspaceID: &room.ID}, []string{"run", "run", "allocation"}},
		"another one": {credit.MovementFilter{WorkspaceID: &other.ID}, nil},
		"a person":    {credit.MovementFilter{UserID: &person}, []string{"run"}},
		"lately":      {credit.MovementFilter{From: &past}, []string{"run", "run"}},
		"before that": {credit.MovementFilter{To: &past}, []string{"allocation", "grant"}},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := b.credits.ListMovements(ada, o.ID, c.filter, models.Page{})
			b.NoError(err)
			var kinds []string
			for _, m := range found.Nodes {
				kinds = append(kinds, m.Kind)
			}
			if total, err := found.TotalCount(); err != nil || total != len(c.kinds) || len(kinds) != len(c.kinds) {
				t.Fatalf("%v of %d, %v; expected %v", kinds, total, err, c.kinds)
			}
			for i := range kinds {
				if kinds[i] != c.kinds[i] {
					t.Fatalf("%v, expected %v", kinds, c.kinds)
				}
			}
		})
	}
	all, err := b.credits.ListMovements(ada, o.ID, credit.MovementFilter{}, models.Page{})
	b.NoError(err)
	open, done, given, granted := all.Nodes[0], all.Nodes[1], all.Nodes[2], all.Nodes[3]
	if open.Amount != 2_000 || open.Reserved != 3_000 || done.Amount != 4_000 || done.Reserved != 0 || *done.ByID != person || *done.ExecutionID != whole {
		t.Errorf("a run at work %+v, one that is done %+v", open, done)
	}
	if *open.PoolAfter != *given.PoolAfter || *granted.PoolAfter-given.Amount != *given.PoolAfter {
		t.Errorf("pools %v, %v, %v", *open.PoolAfter, *given.PoolAfter, *granted.PoolAfter)
	}
	_, err = b.credits.ListMovements(ada, o.ID, kind("hold"), models.Page{})
	b.Refused(err, models.CodeValidation, 400)
	_, err = b.credits.ListMovements(bob, o.ID, credit.MovementFilter{}, models.Page{})
	b.Refused(err, models.CodeInsufficientRole, 403)
}
