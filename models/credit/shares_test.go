package credit_test

import (
	"context"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
)

// shares is MemberShares, which must not fail.
func (b *bank) shares(ctx context.Context, view *credit.BudgetView, first *int) []*credit.MemberShare {
	b.Helper()
	shares, err := b.credits.MemberShares(ctx, view, first)
	b.NoError(err)
	return shares
}

// uncapped is CountUncapped, which must not fail; ctx may see the members.
func (b *bank) uncapped(ctx context.Context, view *credit.BudgetView) int {
	b.Helper()
	n, err := b.credits.CountUncapped(ctx, view)
	b.NoError(err)
	return *n
}

func namesOf(shares []*credit.MemberShare) string {
	names := make([]string, len(shares))
	for i, share := range shares {
		names[i] = share.DisplayName
	}
	return strings.Join(names, " ")
}

// Shares are by name, and those who spent most where there are more than were asked for; who is at the cap
// counts only where a cap can bind.
func TestMemberShares(t *testing.T) {
	b := newBank(t)
	ada := b.Person("ada")
	room := b.Workspace(ada, b.School(ada, "North"), "Room")
	people := map[string]context.Context{}
	for _, p := range []struct {
		name  string
		cap   *models.Credits
		spent models.Credits
		held  models.Credits
		role  org.WorkspaceRole
	}{
		{"full", new(2 * models.Credit), models.Credit, models.Credit, org.WorkspaceRoleMember},
		{"half", new(2 * models.Credit), models.Credit, 0, org.WorkspaceRoleMember},
		{"gone", new(9 * models.Credit), 9 * models.Credit, 0, org.WorkspaceRoleMember},
		{"free", nil, 9 * models.Credit, 0, org.WorkspaceRoleMember},
		{"idle", nil, 0, 0, org.WorkspaceRoleMember},
		{"none", new(models.Credits(0)), 0, 0, org.WorkspaceRoleMember},
		{"tutor", nil, 3 * models.Credit, 0, org.WorkspaceRoleAdmin},
	} {
		who := b.Person(p.name)
		people[p.name] = who
		b.Assign(who, room, p.role)
		id := models.ActorFrom(who).UserID
		b.Exec(`INSERT INTO member_budgets (workspace_id, user_id, cap, spent, reserved) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (workspace_id, user_id) DO UPDATE SET cap = EXCLUDED.cap, spent = EXCLUDED.spent, reserved = EXCLUDED.reserved`, room.ID, id, p.cap, p.spent, p.held)
	}
	b.Exec(`DELETE FROM organization_members WHERE user_id = ?`, models.ActorFrom(people["gone"]).UserID)
	find := func(ctx context.Context) *credit.BudgetView {
		view, err := b.credits.FindWorkspaceBudget(ctx, room.ID)
		b.NoError(err)
		return view
	}
	for _, c := range []struct {
		first *int
		want  string
		code  models.Code
	}{
		{nil, "free full gone half idle none tutor", ""},
		{new(7), "free full gone half idle none tutor", ""},
		{new(100), "free full gone half idle none tutor", ""},
		{new(6), "free gone tutor full half idle", ""},
		{new(1), "free", ""},
		{new(0), "", models.CodeValidation},
		{new(-1), "", models.CodeValidation},
	} {
		shares, err := b.credits.MemberShares(ada, find(ada), c.first)
		if got := namesOf(shares); got != c.want || (c.code != "") != models.HasCode(err, c.code) {
			t.Errorf("the first %v are %q, %v", c.first, got, err)
		}
	}
	counts := func(atCap, uncapped int, names string) {
		t.Helper()
		view := find(ada)
		n, err := b.credits.CountAtCap(ada, view)
		b.NoError(err)
		at, err := b.credits.ListAtCap(ada, view, 50)
		b.NoError(err)
		if *n != atCap || namesOf(at) != names || b.uncapped(ada, view) != uncapped {
			t.Errorf("%d at their caps (%s), %d without one", *n, namesOf(at), b.uncapped(ada, view))
		}
	}
	counts(2, 2, "full none")
	at, err := b.credits.ListAtCap(ada, find(ada), 1)
	if b.NoError(err); namesOf(at) != "full" {
		t.Errorf("the first at the cap is %s", namesOf(at))
	}
	for _, first := range []int{0, -1, models.MaxPageSize + 1} {
		_, err = b.credits.ListAtCap(ada, find(ada), first)
		b.Refused(err, models.CodeValidation, 400)
	}

	view := find(people["full"])
	n, err := b.credits.CountAtCap(people["full"], view)
	b.NoError(err)
	at, err = b.credits.ListAtCap(people["full"], view, 1)
	b.NoError(err)
	m, err := b.credits.CountUncapped(people["full"], view)
	if b.NoError(err); n != nil || m != nil || at != nil || b.shares(people["full"], view, nil) != nil {
		t.Error("a plain member sees the shares of others")
	}

	_, err = b.Orgs.Workspaces().Update(ada, room.ID, org.UpdateWorkspaceInput{Settings: map[string]any{"member_caps_enabled": false}})
	b.NoError(err)
	counts(0, 5, "")
}
