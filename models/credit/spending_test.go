package credit_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestSpending(t *testing.T) {
	b := newBank(t)
	ada, bob, operator := b.Person("ada"), b.Person("bob"), b.Operator()
	o := b.Team(ada, "North")
	room := b.Workspace(ada, o, "Room")
	b.Assign(bob, room, org.WorkspaceRoleMember)
	b.fund(ada, operator, room, 100*models.Credit)
	b.grant(operator, o, 50*models.Credit)
	spend := func(amount models.Credits) {
		p, id := credit.Payer{UserID: orgtest.ID(bob), WorkspaceID: &room.ID, OrganizationID: &o.ID}, b.newID()
		b.NoError(b.reserve(p, id, amount))
		b.NoError(b.charge(p, id, "n", amount))
		b.NoError(b.settle(p, id, amount, amount))
	}
	read := func(days int) *credit.Spending {
		t.Helper()
		s, err := b.credits.FindSpending(ada, o.ID, days)
		b.NoError(err)
		return s
	}
	spend(10 * models.Credit)
	if s := read(30); s.Total != 10*models.Credit || len(s.Days) != 30 || s.Days[29].Credits != 10*models.Credit || s.RunwayDays != nil {
		t.Fatalf("the first day: total %v, %d days, runway %v", s.Total, len(s.Days), s.RunwayDays)
	}
	b.Clock.Advance(6 * 24 * time.Hour)
	spend(4 * models.Credit)
	s := read(30)
	// 14 credits in 7 days, 50 in the pool and 86 in the room: 68 days.
	if s.Total != 14*models.Credit || s.Days[23].Credits != 10*models.Credit || s.RunwayDays == nil || *s.RunwayDays != 68 {
		t.Fatalf("a week: total %v, runway %v", s.Total, s.RunwayDays)
	}
	if s := read(6); s.Total != 4*models.Credit || s.Previous != 10*models.Credit || len(s.Days) != 6 {
		t.Fatalf("six days: total %v, before %v", s.Total, s.Previous)
	}
	if s := read(1); s.Total != 4*models.Credit || s.Previous != 0 || s.RunwayDays != nil {
		t.Fatalf("today: total %v", s.Total)
	}
	same := func(when string) {
		t.Helper()
		if again := read(30); again.Total != s.Total || !slices.EqualFunc(again.Days, s.Days, func(a, b *credit.SpendingDay) bool { return *a == *b }) {
			t.Fatalf("%s: total %v", when, again.Total)
		}
	}
	b.NoError(b.credits.FoldSpending(context.Background()))
	same("with days added up and today's by the ledger")
	b.Clock.Advance(2 * time.Hour)
	b.NoError(b.credits.FoldSpending(context.Background()))
	same("with all added up")
	var hours int
	b.NoError(b.DB.Pool.QueryRow(context.Background(), `SELECT count(*) FROM spending_hours`).Scan(&hours))
	if hours != 4 {
		t.Errorf("%d hours of team and workspace", hours)
	}
	b.Exec(`UPDATE spending_hours SET credits = 1 WHERE starts_at = (SELECT min(starts_at) FROM spending_hours)`)
	b.Exec(`DELETE FROM spending_hours WHERE starts_at = (SELECT max(starts_at) FROM spending_hours)`)
	b.Exec(`INSERT INTO spending_hours VALUES (gen_random_uuid(), $1, 5, 0)`, b.Clock.Now())
	if wrong, err := b.credits.RebuildSpending(context.Background()); err != nil || wrong != 5 {
		t.Errorf("%d hours were wrong: %v", wrong, err)
	}
	same("made right")
	spend(1 * models.Credit)
	if again := read(30); again.Total != s.Total+1*models.Credit {
		t.Errorf("and one more: total %v", again.Total)
	}
	for _, days := range []int{0, -1, 367} {
		_, err := b.credits.FindSpending(ada, o.ID, days)
		b.Refused(err, models.CodeValidation, 400)
	}
	_, err := b.credits.FindSpending(bob, o.ID, 30)
	b.Refused(err, models.CodeInsufficientRole, 403)
}

func TestTrends(t *testing.T) {
	b := newBank(t)
	ada, bob, operator := b.Person("ada"), b.Person("bob"), b.Operator()
	o := b.Team(ada, "North")
	room, quiet, old := b.Workspace(ada, o, "Room"), b.Workspace(ada, o, "Quiet"), b.Workspace(ada, o, "Old")
	b.Assign(bob, room, org.WorkspaceRoleMember)
	b.fund(ada, operator, room, 100*models.Credit)
	b.fund(ada, operator, old, 50*models.Credit)
	spend := func(in *org.Workspace, amount models.Credits) {
		p, id := credit.Payer{UserID: orgtest.ID(ada), WorkspaceID: &in.ID, OrganizationID: &o.ID}, b.newID()
		b.NoError(b.reserve(p, id, amount))
		b.NoError(b.charge(p, id, "n", amount))
		b.NoError(b.settle(p, id, amount, amount))
	}
	read := func() map[models.ID]*credit.SpendingTrend {
		t.Helper()
		trends, err := b.credits.TrendsByWorkspace(ada, []models.ID{room.ID, quiet.ID, old.ID, o.ID})
		b.NoError(err)
		if len(trends) != 3 || len(trends[quiet.ID].Days) != 30 || trends[quiet.ID].RunwayDays != nil {
			t.Fatalf("trends of %d, the quiet one %+v", len(trends), trends[quiet.ID])
		}
		return trends
	}
	spend(room, 10*models.Credit)
	spend(old, 7*models.Credit)
	if got := read()[room.ID]; got.Days[29] != 10*models.Credit || got.PerDay != nil || got.RunwayDays != nil {
		t.Fatalf("the first day: %+v", got)
	}
	b.Clock.Advance(6 * 24 * time.Hour)
	spend(room, 4*models.Credit)
	_, err := b.Orgs.Workspaces().Archive(ada, old.ID)
	b.NoError(err)
	trends := read()
	// 14 credits in 7 days are 2 a day; 86 are left.
	got := trends[room.ID]
	if got.Days[23] != 10*models.Credit || got.Days[29] != 4*models.Credit || got.PerDay == nil || *got.PerDay != 2*models.Credit || *got.RunwayDays != 43 {
		t.Fatalf("a week: %+v", got)
	}
	if got := trends[old.ID]; got.Days[23] != 7*models.Credit || got.RunwayDays != nil {
		t.Fatalf("nothing runs in an archived workspace: %+v", got)
	}
	b.Clock.Advance(24 * 24 * time.Hour)
	if got := read()[room.ID]; got.Days[0] != 0 || got.Days[5] != 4*models.Credit {
		t.Fatalf("a month later: %v", got.Days)
	}
	// What an admin is shown, and a member is not.
	view, err := b.credits.FindWorkspaceBudget(bob, room.ID)
	b.NoError(err)
	if view.WorkspaceID != room.ID || view.Allocated != nil {
		t.Fatalf("%+v", view)
	}
}

func TestReturnCredits(t *testing.T) {
	b := newBank(t)
	ada, admin, operator := b.Person("ada"), b.Person("admin"), b.Operator()
	o := b.Team(ada, "North")
	b.Enroll(admin, o, org.Admin)
	room, hall := b.Workspace(ada, o, "Room"), b.Workspace(ada, o, "Hall")
	b.fund(ada, operator, room, 30*models.Credit)
	b.fund(ada, operator, hall, 5*models.Credit)
	p, run := credit.Payer{UserID: orgtest.ID(ada), WorkspaceID: &room.ID, OrganizationID: &o.ID}, b.newID()
	b.NoError(b.reserve(p, run, 2*models.Credit))
	_, err := b.Orgs.Workspaces().Archive(ada, hall.ID)
	b.NoError(err)

	_, err = b.credits.ReturnCredits(admin, o.ID)
	b.Refused(err, models.CodeInsufficientRole, 403)
	after, err := b.credits.ReturnCredits(ada, o.ID)
	b.NoError(err)
	if after.Pool != 33*models.Credit {
		t.Fatalf("pool %v", after.Pool)
	}
	held, err := b.credits.ListAllocations(ada, o.ID)
	b.NoError(err)
	for _, w := range held {
		if w.Headroom() != 0 || w.Reserved > 0 && w.WorkspaceID != room.ID {
			t.Fatalf("workspace %+v", w)
		}
	}
	again, err := b.credits.ReturnCredits(ada, o.ID)
	b.NoError(err)
	if again.Pool != after.Pool {
		t.Fatalf("a second time the pool is %v", again.Pool)
	}
	b.reconciles()
}

func TestSetMemberCaps(t *testing.T) {
	b := newBank(t)
	ada, bob, eve := b.Person("ada"), b.Person("bob"), b.Person("eve")
	o := b.School(ada, "North")
	room := b.Workspace(ada, o, "Room")
	for _, who := range []context.Context{ada, bob, eve} {
		if who == ada {
			b.Insert(&org.WorkspaceMember{WorkspaceID: room.ID, UserID: orgtest.ID(ada), OrganizationID: o.ID, Role: org.WorkspaceRoleAdmin, Status: org.MemberActive, AddedAt: b.Clock.Now(), UpdatedAt: b.Clock.Now()})
			continue
		}
		b.Assign(who, room, org.WorkspaceRoleMember)
	}
	ids := []models.ID{orgtest.ID(bob), orgtest.ID(eve)}
	rows, err := b.credits.SetMemberCaps(ada, room.ID, ids, new(5*models.Credit))
	b.NoError(err)
	if len(rows) != 2 || *rows[0].CreditCap != 5*models.Credit || *rows[1].CreditCap != 5*models.Credit {
		t.Fatalf("rows %+v", rows)
	}
	_, err = b.credits.SetMemberCaps(ada, room.ID, append(ids, orgtest.ID(ada)), new(9*models.Credit))
	b.Refused(err, models.CodeValidation, 400) // no cap binds the owner, so no one gets one
	row, err := b.Orgs.WorkspaceMembers().Find(ada, room.ID, orgtest.ID(bob))
	b.NoError(err)
	if *row.CreditCap != 5*models.Credit {
		t.Fatalf("half of a refused change stayed: %v", *row.CreditCap)
	}
	_, err = b.credits.SetMemberCaps(ada, room.ID, ids, nil)
	b.NoError(err)
	_, err = b.credits.SetMemberCaps(ada, room.ID, nil, nil)
	b.Refused(err, models.CodeValidation, 400)
	_, err = b.credits.SetMemberCaps(bob, room.ID, ids, nil)
	b.Refused(err, models.CodeInsufficientRole, 403)
}

// What members spent stands beside them in the lists of the organization and of a workspace.
func TestMembersSpending(t *testing.T) {
	b := newBank(t)
	ada, pupil, operator := b.Person("ada"), b.Person("pupil"), b.Operator()
	o := b.School(ada, "North")
	rooms := []*org.Workspace{b.Workspace(ada, o, "Room"), b.Workspace(ada, o, "Other")}
	for n, room := range rooms {
		b.fund(ada, operator, room, 100*models.Credit)
		b.Assign(pupil, room, org.WorkspaceRoleMember)
		b.Insert(&credit.MemberBudget{WorkspaceID: room.ID, UserID: orgtest.ID(pupil), Reserved: models.Credit, Spent: models.Credits(n+2) * models.Credit})
	}
	member, err := b.Orgs.Members().Find(ada, o.ID, orgtest.ID(pupil))
	b.NoError(err)
	if member.Spent != 5*models.Credit || member.Workspaces != 2 {
		t.Errorf("the organization shows %+v", member)
	}
	listed, err := b.Orgs.WorkspaceMembers().Find(ada, rooms[0].ID, orgtest.ID(pupil))
	b.NoError(err)
	if *listed.Spent != 2*models.Credit || *listed.Reserved != models.Credit || listed.CreditCap != nil {
		t.Errorf("the workspace shows %+v", listed)
	}
	b.Assign(b.Person("lazy"), rooms[0], org.WorkspaceRoleMember)
	page, err := b.Orgs.WorkspaceMembers().List(ada, rooms[0].ID, org.ListedFilter{}, models.Page{})
	b.NoError(err)
	for _, m := range page.Nodes {
		if m.UserID != orgtest.ID(pupil) && (*m.Spent != 0 || *m.Reserved != 0 || m.CreditCap != nil) {
			t.Errorf("somebody who spent nothing %+v", m)
		}
	}
}
