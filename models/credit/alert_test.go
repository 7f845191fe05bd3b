package credit_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestLevel(t *testing.T) {
	for _, c := range []struct {
		part, whole models.Credits
		level       int
	}{
		{0, 0, 0}, {1, 0, 0}, {0, 100, 0}, {49_999, 100_000, 0}, {50_000, 100_000, 50}, {79_999, 100_000, 50}, {80_000, 100_000, 80},
		{94_999, 100_000, 80}, {95_000, 100_000, 95}, {99_999, 100_000, 95}, {100_000, 100_000, 100}, {101_000, 100_000, 100},
		{1, 3, 0}, {2, 3, 50}, {3, 3, 100}, {-5, 100, 0}, {models.MaxCredits, models.MaxCredits, 100},
	} {
		if got := credit.Level(c.part, c.whole); got != c.level {
			t.Errorf("%d of %d is at %d, expected %d", c.part, c.whole, got, c.level)
		}
	}
}

// pays are the ways in which a run is paid.
var pays = map[string]func(*bank, credit.Payer, models.Credits) error{
	"at once": func(b *bank, p credit.Payer, amount models.Credits) error {
		return b.payAtOnce(p, b.newID(), amount, amount)
	},
	"with a hold": func(b *bank, p credit.Payer, amount models.Credits) error {
		id := b.newID()
		if err := b.reserve(p, id, 2*amount); err != nil {
			if err = b.reserve(p, id, amount); err != nil {
				return err
			}
			b.NoError(b.charge(p, id, "n", amount))
			return b.settle(p, id, amount, amount)
		}
		b.NoError(b.charge(p, id, "n", amount))
		return b.settle(p, id, 2*amount, amount)
	},
}

// forget has no one told anything.
func (b *bank) forget() { b.Exec(`DELETE FROM notifications`) }

// alerts are what a person was told of budgets, pools and limits.
func (b *bank) expectAlerts(name string, who context.Context, sentences ...string) {
	b.Helper()
	b.Exec(`DELETE FROM notifications WHERE kind NOT IN ('budget_half', 'budget_alert', 'limit_low')`)
	b.expectTold(name, who, sentences...)
}

func spent(level int, spent, of string) string {
	return fmt.Sprintf("The budget of Room has reached %d percent: %s of %s credits are spent.", level, spent, of)
}

func usedUp(of string) string {
	return "The budget of Room is used up: all " + of + " credits are spent, so nothing that costs something starts there."
}

// Each level of a budget is told once when it is crossed, the highest alone when one
// run crosses several; an allocation arms what is above the new level again, and
// taking credits back crosses too.
func TestBudgetAlerts(t *testing.T) {
	for name, pay := range pays {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			ada, head, pupil, other, room := b.classroom()
			operator := b.Operator()
			outsider, visiting := b.Person("outsider"), b.Person("visiting")
			b.Enroll(visiting, &org.Organization{ID: room.OrganizationID}, org.Admin)
			b.Assign(visiting, room, org.WorkspaceRoleMember)
			b.grant(operator, &org.Organization{ID: room.OrganizationID}, 1_000*models.Credit)
			allocate := func(amount models.Credits) {
				t.Helper()
				_, err := b.credits.AllocateCredits(ada, room.OrganizationID, room.ID, amount*models.Credit)
				b.NoError(err)
			}
			spend := func(who context.Context, amount models.Credits) {
				t.Helper()
				b.NoError(pay(b, inWorkspace(who, room), amount*models.Credit))
			}
			allocate(100)
			b.forget()
			for _, c := range []struct {
				name  string
				do    func()
				tells []string
			}{
				{"below", func() { spend(other, 49) }, nil},
				{"half", func() { spend(other, 1) }, []string{spent(50, "50", "100")}},
				{"nothing new", func() { spend(pupil, 29) }, nil},
				{"three at once", func() { spend(pupil, 20) }, []string{spent(95, "99", "100")}},
				{"the last", func() { spend(pupil, 1) }, []string{usedUp("100")}},
				{"filled to 80", func() { allocate(25) }, nil},
				{"above again", func() { spend(other, 20) }, []string{spent(95, "120", "125")}},
				{"filled to 60", func() { allocate(75) }, nil},
				{"taken back", func() { allocate(-60) }, []string{spent(80, "120", "140")}},
				{"taken back to the last", func() { allocate(-20) }, []string{usedUp("120")}},
			} {
				b.forget()
				c.do()
				for name, who := range map[string]context.Context{"the owner": ada, "the teacher": head, "an admin of the organization who is a plain member": visiting} {
					b.expectAlerts(c.name+": "+name, who, c.tells...)
				}
				for name, who := range map[string]context.Context{"a pupil": pupil, "an outsider": outsider} {
					b.expectAlerts(c.name+": "+name, who)
				}
			}
			b.reconciles()
		})
	}
}

// Everything taken back at once crosses like one taking back; an archived workspace
// needs no one.
func TestReturnedCreditsAlert(t *testing.T) {
	b := newBank(t)
	ada, _, pupil, _, room := b.classroom()
	operator := b.Operator()
	closed := b.Workspace(ada, &org.Organization{ID: room.OrganizationID}, "Closed")
	b.Assign(pupil, closed, org.WorkspaceRoleMember)
	for _, w := range []*org.Workspace{room, closed} {
		b.fund(ada, operator, w, 100*models.Credit)
		b.NoError(b.payAtOnce(inWorkspace(pupil, w), b.newID(), 10*models.Credit, 10*models.Credit))
	}
	_, err := b.Orgs.Workspaces().Archive(ada, closed.ID)
	b.NoError(err)
	b.forget()
	_, err = b.credits.ReturnCredits(ada, room.OrganizationID)
	b.NoError(err)
	b.expectAlerts("the owner", ada, usedUp("10"))
	b.reconciles()
}

// A pool is measured by what it held when credits last came in.
func TestPoolAlerts(t *testing.T) {
	b := newBank(t)
	ada, head, _, _, room := b.classroom()
	operator := b.Operator()
	o := &org.Organization{ID: room.OrganizationID}
	allocate := func(amount models.Credits) func() {
		return func() {
			t.Helper()
			_, err := b.credits.AllocateCredits(ada, o.ID, room.ID, amount*models.Credit)
			b.NoError(err)
		}
	}
	grant := func(amount models.Credits) func() { return func() { b.grant(operator, o, amount*models.Credit) } }
	left := func(level int, left, of string) []string {
		return []string{fmt.Sprintf("The pool of North has reached %d percent: %s of the %s credits that it held are left.", level, left, of)}
	}
	for _, c := range []struct {
		name          string
		do            func()
		filled, level int
		tells         []string
	}{
		{"filled", grant(100), 100, 0, nil},
		{"below", allocate(49), 100, 0, nil},
		{"half", allocate(1), 100, 50, left(50, "50", "100")},
		{"two at once", allocate(46), 100, 95, left(95, "4", "100")},
		{"taken back", allocate(-20), 100, 50, nil},
		{"again", allocate(5), 100, 80, left(80, "19", "100")},
		{"came in", grant(21), 40, 0, nil},
		{"all", allocate(40), 40, 100, []string{"The pool of North is empty: all 40 credits that it held are gone, so nothing more can be allocated."}},
		{"more taken back than came in", allocate(-100), 100, 0, nil},
		{"half again", allocate(50), 100, 50, left(50, "50", "100")},
	} {
		b.forget()
		c.do()
		view, err := b.credits.FindOrganizationCredits(ada, o.ID)
		b.NoError(err)
		if view.Level != c.level || view.Filled != models.Credits(c.filled)*models.Credit {
			t.Errorf("%s: the pool was filled with %s and is at %d, expected %d and %d", c.name, view.Filled, view.Level, c.filled, c.level)
		}
		b.expectAlerts(c.name+": the owner", ada, c.tells...)
		b.expectAlerts(c.name+": the teacher", head)
	}
}

// A member is told of their own limit at 80 and 100 percent, and again once it was
// raised.
func TestLimitAlerts(t *testing.T) {
	for name, pay := range pays {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			ada, head, pupil, other, room := b.classroom()
			b.fund(ada, b.Operator(), room, 1_000*models.Credit)
			limit := func(amount models.Credits) func() {
				return func() {
					_, err := b.credits.UpdateWorkspaceMember(head, room.ID, orgtest.ID(pupil), credit.UpdateWorkspaceMemberInput{CreditCap: models.Some(amount * models.Credit)})
					b.NoError(err)
				}
			}
			spend := func(amount models.Credits) func() {
				return func() { b.NoError(pay(b, inWorkspace(pupil, room), amount*models.Credit)) }
			}
			near := func(left, of string) []string {
				return []string{"Your limit in Room is near its end: " + left + " of " + of + " credits left. Ask there for more."}
			}
			all := func(of string) []string {
				return []string{"You have used all " + of + " credits of your limit in Room. Ask there for more."}
			}
			for _, c := range []struct {
				name  string
				do    func()
				tells []string
			}{
				{"a limit", limit(20), nil},
				{"half", spend(15), nil},
				{"80", spend(1), near("4", "20")},
				{"95", spend(3), nil},
				{"all", spend(1), all("20")},
				{"raised", limit(40), nil},
				{"80 again", spend(12), near("8", "40")},
				{"lowered", limit(35), nil},
				{"lowered beneath what is spent", limit(10), all("10")},
				{"no limit", func() {
					_, err := b.credits.UpdateWorkspaceMember(head, room.ID, orgtest.ID(pupil), credit.UpdateWorkspaceMemberInput{CreditCap: models.Null[models.Credits]()})
					b.NoError(err)
				}, nil},
				{"a limit again", limit(40), near("8", "40")},
				{"caps are off", func() {
					_, err := b.Orgs.Workspaces().Update(head, room.ID, org.UpdateWorkspaceInput{Settings: map[string]any{"member_caps_enabled": false}})
					b.NoError(err)
					spend(8)()
				}, nil},
			} {
				b.forget()
				c.do()
				b.expectAlerts(c.name+": the pupil", pupil, c.tells...)
				b.expectAlerts(c.name+": another pupil", other)
			}
		})
	}
}

// Fifty runs that end at once tell each level once, while credits are given and
// taken back.
func TestRacedAlertIsToldOnce(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, _, room := b.classroom()
	b.fund(ada, b.Operator(), room, 100*models.Credit)
	var race sync.WaitGroup
	ids := make([]models.ID, 50)
	for i := range ids {
		ids[i] = b.newID()
		b.NoError(b.reserve(inWorkspace(pupil, room), ids[i], 2*models.Credit))
	}
	b.forget()
	for _, id := range ids {
		race.Go(func() {
			if err := b.settle(inWorkspace(pupil, room), id, 2*models.Credit, 2*models.Credit); err != nil {
				t.Error(err)
			}
		})
	}
	race.Wait()
	b.expectAlerts("the teacher", head, spent(50, "50", "100"), spent(80, "80", "100"), spent(95, "96", "100"), usedUp("100"))
}

// Whatever the order of runs, allocations and what is taken back, who runs a
// workspace is told exactly of the levels that each of them lifted it to.
func TestAlertsOfAnyOrder(t *testing.T) {
	b := newBank(t)
	rapid.Check(t, func(t *rapid.T) {
		ada := b.Person(rapid.StringMatching(`[a-z]{20}`).Draw(t, "owner"))
		o := b.School(ada, "North")
		room := b.Workspace(ada, o, "Room")
		b.grant(b.operatorOf(ada), o, 1_000_000*models.Credit)
		b.forget()
		var used, allocated models.Credits
		var expected []string
		level, steps := 0, rapid.IntRange(4, 12).Draw(t, "steps")
		for range steps {
			amount := models.Credits(rapid.Int64Range(1, 40_000).Draw(t, "amount"))
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				_, err := b.credits.AllocateCredits(ada, o.ID, room.ID, amount)
				b.NoError(err)
				allocated += amount
			case 1:
				if amount = min(amount, allocated-used); amount == 0 {
					continue
				}
				_, err := b.credits.AllocateCredits(ada, o.ID, room.ID, -amount)
				b.NoError(err)
				allocated -= amount
			default:
				if amount = min(amount, allocated-used); amount == 0 {
					continue
				}
				for _, pay := range pays {
					b.NoError(pay(b, inWorkspace(ada, room), amount))
					break // one of them, whichever comes first
				}
				used += amount
			}
			after := 0
			for _, l := range []int{50, 80, 95, 100} {
				if allocated > 0 && float64(used) >= float64(allocated)*float64(l)/100 {
					after = l
				}
			}
			if after > level && after == 100 {
				expected = append(expected, usedUp(allocated.String()))
			} else if after > level {
				expected = append(expected, spent(after, used.String(), allocated.String()))
			}
			level = after
		}
		b.expectAlerts("the owner", ada, expected...)
	})
	if b.Failed() {
		t.Fail()
	}
}

func (b *bank) operatorOf(ctx context.Context) context.Context {
	actor := models.ActorFrom(ctx)
	actor.Operator = true
	return models.WithActor(ctx, actor)
}

// What comes by mail: 80 percent and more, half of it for those who chose that.
func TestAlertsByMail(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, _, room := b.classroom()
	b.fund(ada, b.Operator(), room, 100*models.Credit)
	b.Orgs.Notices = &notice.Service{DB: b.DB, Mail: true}
	mailed := func(who context.Context) (kinds []string) {
		b.NoError(b.DB.Read(who).Table("notifications").Where("recipient_id = ? AND mail_at IS NOT NULL", orgtest.ID(who)).Order("id").Pluck("kind", &kinds).Error)
		return kinds
	}
	_, err := b.Orgs.Notices.Choose(head, []notice.Kind{notice.BudgetHalf})
	b.NoError(err)
	b.forget()
	for range 2 {
		b.NoError(b.payAtOnce(inWorkspace(pupil, room), b.newID(), 50*models.Credit, 50*models.Credit))
	}
	if got := fmt.Sprint(mailed(ada), mailed(head), mailed(pupil)); got != "[budget_alert] [budget_half] []" {
		t.Errorf("mailed %s", got)
	}
}
