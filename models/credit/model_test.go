package credit_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"

	"pgregory.net/rapid"
)

// model is what money should be, in plain arithmetic: two workspaces of one
// organization, an owner, a member who comes and goes, the member's wallet, and
// purchases.
type model struct {
	*bank
	owner, member, operator context.Context
	organization            *org.Organization
	rooms                   [2]*org.Workspace

	granted, pool     models.Credits // granted and bought, less what was taken back
	purchased         models.Credits // ever
	purchases         []*modelPurchase
	gone              bool // the member is in neither workspace
	suspended         [2]bool
	budgets           [2]modelBudget
	wallet, walletOut models.Credits    // balance and reserved
	absorbed          [2]models.Credits // of nodes, of markup
	capsOn            bool
	open              []*modelExecution
}

type modelBudget struct {
	allocated, reserved, spent models.Credits
	archived                   bool
	members                    [2]struct {
		cap             *models.Credits
		reserved, spent models.Credits
	}
}

// modelPurchase is a purchase with what was asked back, and taken for a dispute.
type modelPurchase struct {
	credit.Bought
	left, disputed models.Credits
}

// modelExecution is a run that is not settled; room 2 is the personal space.
type modelExecution struct {
	id            models.ID
	room, who     int
	hold, charged models.Credits
	nodes         int
}

func newModel(b *bank) *model {
	// Names are new in each sequence, so that a failing one can be made again.
	m := &model{bank: b, owner: b.Person("owner-" + b.newID().String()), capsOn: true}
	m.member = b.Person("member-" + b.newID().String())
	actor := models.ActorFrom(m.owner)
	actor.Operator = true
	m.operator = models.WithActor(m.owner, actor)
	m.organization = b.School(m.owner, "Model")
	for i := range m.rooms {
		m.rooms[i] = b.Workspace(m.owner, m.organization, "Room")
		b.Assign(m.member, m.rooms[i], org.WorkspaceRoleMember)
	}
	return m
}

func (m *model) people() [2]context.Context { return [2]context.Context{m.owner, m.member} }

func (m *model) payer(e *modelExecution) credit.Payer {
	if e.room == 2 {
		return personal(m.member)
	}
	return inWorkspace(m.people()[e.who], m.rooms[e.room])
}

func amountOf(t *rapid.T, name string) models.Credits {
	return models.Credits(rapid.Int64Range(1, 30_000).Draw(t, name))
}

func (m *model) grantPool(t *rapid.T) {
	amount := amountOf(t, "amount")
	m.grant(m.operator, m.organization, amount)
	m.pool += amount
	m.granted += amount
}

func (m *model) buy(t *rapid.T) {
	p := &modelPurchase{Bought: credit.Bought{PurchaseID: m.newID(), OrganizationID: m.organization.ID, Label: "Pack"}, left: amountOf(t, "credits")}
	m.NoError(m.write(func(tx *models.Tx) error { return m.credits.AddPurchase(tx, p.Bought, p.left) }))
	m.pool, m.granted, m.purchased = m.pool+p.left, m.granted+p.left, m.purchased+p.left
	m.purchases = append(m.purchases, p)
}

// takeBack refunds or disputes part of a purchase, or all that is left of it:
// what the pool does not hold is not owed.
func (m *model) takeBack(t *rapid.T) {
	if len(m.purchases) == 0 {
		t.Skip("nothing was bought")
	}
	p := rapid.SampledFrom(m.purchases).Draw(t, "purchase")
	asked, why := min(p.left, amountOf(t, "asked")), rapid.SampledFrom([]credit.Reversing{credit.Refund, credit.Dispute}).Draw(t, "why")
	if asked == 0 {
		t.Skip("all of it went back")
	}
	var applied models.Credits
	m.NoError(m.write(func(tx *models.Tx) (err error) {
		applied, err = m.credits.TakeBack(tx, p.Bought, why, asked)
		return err
	}))
	if want := min(asked, m.pool); applied != want {
		t.Fatalf("a %s of %s took %s of a pool of %s", why, asked, applied, m.pool)
	}
	p.left -= asked
	if why == credit.Dispute {
		p.disputed += applied
	}
	m.pool, m.granted = m.pool-applied, m.granted-applied
}

// reinstate gives again what a dispute took, when it was won.
func (m *model) reinstate(t *rapid.T) {
	for _, p := range m.purchases {
		if amount := p.disputed; amount > 0 {
			m.NoError(m.write(func(tx *models.Tx) error { return m.credits.GiveAgain(tx, p.Bought, amount) }))
			p.left, p.disputed = p.left+amount, 0
			m.pool, m.granted = m.pool+amount, m.granted+amount
			return
		}
	}
	t.Skip("nothing is disputed")
}

// comeOrGo removes the member from the organization, or lists them again: what
// they spent and hold stays, and so does their cap.
func (m *model) comeOrGo(*rapid.T) {
	if m.gone {
		// Assign lists people beside the use cases, which ask for suspensions that outlived leaving.
		m.Exec(`DELETE FROM kept_suspensions WHERE user_id = ?`, orgtest.ID(m.member))
		for i, room := range m.rooms {
			m.Assign(m.member, room, org.WorkspaceRoleMember)
			m.suspended[i] = false
		}
	} else {
		m.NoError(m.Orgs.Members().Remove(m.owner, m.organization.ID, orgtest.ID(m.member)))
	}
	m.gone = !m.gone
}

// suspend suspends the member in a workspace, or lifts it: their runs go on.
func (m *model) suspend(t *rapid.T) {
	room := rapid.IntRange(0, 1).Draw(t, "room")
	status := org.MemberSuspended
	if m.suspended[room] {
		status = org.MemberActive
	}
	_, err := m.Orgs.WorkspaceMembers().Update(m.owner, m.rooms[room].ID, orgtest.ID(m.member), org.UpdateWorkspaceMemberInput{Status: models.Some(status)})
	switch {
	case m.budgets[room].archived:
		m.Refused(err, models.CodeWorkspaceArchived, 403)
	case m.gone && status == org.MemberSuspended: // a suspension that outlived leaving can be lifted
		m.Refused(err, models.CodeNotFound, 404)
	default:
		m.NoError(err)
		m.suspended[room] = !m.suspended[room]
	}
}

// errPowerCut ends a transaction as a power cut before its commit would.
var errPowerCut = errors.New("power cut")

// crash is cut off in the middle of reserving, charging or settling: nothing of
// it has happened.
func (m *model) crash(t *rapid.T) {
	payer, at := personal(m.member), rapid.SampledFrom([]string{"reserve", "charge", "settle", "at once"}).Draw(t, "in")
	if room := rapid.IntRange(0, 2).Draw(t, "room"); room < 2 {
		payer = inWorkspace(m.owner, m.rooms[room])
	}
	execution, hold := m.newID(), models.Credits(1)
	if len(m.open) > 0 && (at == "charge" || at == "settle") {
		e := m.draw(t)
		payer, execution, hold = m.payer(e), e.id, e.hold
	} else if at != "at once" {
		at = "reserve"
	}
	err := m.write(func(tx *models.Tx) (err error) {
		switch at {
		case "reserve":
			err = m.credits.Reserve(tx, payer, execution, hold)
		case "at once":
			err = m.credits.PayAtOnce(tx, payer, execution, credit.Bill{Hold: hold, Charged: hold, Charges: []credit.NodeCharge{{NodeID: "n", Amount: hold}}})
		case "charge":
			err = m.credits.Charge(tx, payer, execution, credit.NodeCharge{NodeID: "cut off", Amount: 1})
		case "settle":
			err = m.credits.Settle(tx, payer, execution, hold, 0)
		}
		return errors.Join(err, errPowerCut)
	})
	if !errors.Is(err, errPowerCut) {
		t.Fatal(err)
	}
}

// deleteOrganization is refused while a workspace is open or holds credits;
// otherwise it happens, and is taken back, so that the story goes on.
func (m *model) deleteOrganization(*rapid.T) {
	err := m.write(func(tx *models.Tx) error {
		ctx := models.WithActor(tx.Context(), models.ActorFrom(m.owner))
		return errors.Join(m.Orgs.DeleteOrganization(ctx, m.organization.ID), errPowerCut)
	})
	left, active := models.Credits(0), false
	for _, b := range m.budgets {
		left, active = left+b.allocated-b.spent, active || !b.archived
	}
	switch {
	case active:
		m.Refused(err, models.CodeHasActiveWorkspaces, 409)
	case left > 0:
		m.Refused(err, models.CodeUnreturnedAllocations, 409)
	case models.HasCode(err, models.CodeHasActiveWorkspaces) || models.HasCode(err, models.CodeUnreturnedAllocations):
		m.Fatalf("the organization holds nothing and cannot be deleted: %v", err)
	}
}

func (m *model) grantWallet(t *rapid.T) {
	amount, user := amountOf(t, "amount"), orgtest.ID(m.member)
	_, err := m.credits.GrantCredits(m.operator, credit.GrantInput{UserID: &user, Amount: amount, Reason: "Model"})
	m.NoError(err)
	m.wallet += amount
}

func (m *model) allocate(t *rapid.T) {
	room, delta := rapid.IntRange(0, 1).Draw(t, "room"), amountOf(t, "delta")
	if rapid.Bool().Draw(t, "back") {
		delta = -delta
	}
	budget := &m.budgets[room]
	_, err := m.credits.AllocateCredits(m.owner, m.organization.ID, m.rooms[room].ID, delta)
	switch {
	case delta > 0 && budget.archived:
		m.Refused(err, models.CodeWorkspaceArchived, 403)
	case delta > m.pool || budget.allocated+delta < budget.reserved+budget.spent:
		m.Refused(err, models.CodeValidation, 400)
	default:
		m.NoError(err)
		m.pool -= delta
		budget.allocated += delta
	}
}

func (m *model) reserveSome(t *rapid.T) {
	e := &modelExecution{id: m.newID(), room: rapid.IntRange(0, 2).Draw(t, "room"), who: rapid.IntRange(0, 1).Draw(t, "who"), hold: amountOf(t, "hold")}
	if e.room == 2 {
		e.who = 1
	} else if m.gone { // who is in no workspace starts nothing there
		e.who = 0
	}
	atOnce := rapid.Bool().Draw(t, "at once")
	if atOnce {
		e.charged = models.Credits(rapid.Int64Range(0, int64(e.hold)).Draw(t, "charged"))
	}
	var err error
	if atOnce {
		err = m.payAtOnce(m.payer(e), e.id, e.hold, e.charged)
	} else {
		err = m.reserve(m.payer(e), e.id, e.hold)
	}
	if e.room == 2 {
		if m.wallet-m.walletOut < e.hold {
			m.Refused(err, models.CodeInsufficientCredits, 402)
			return
		}
		m.wallet -= e.charged
		if !atOnce {
			m.walletOut += e.hold
		}
	} else {
		budget := &m.budgets[e.room]
		share := &budget.members[e.who]
		switch {
		case budget.allocated-budget.reserved-budget.spent < e.hold:
			m.Refused(err, models.CodeBudgetExceeded, 402)
			return
		case m.capsOn && e.who == 1 && share.cap != nil && *share.cap < share.reserved+share.spent+e.hold:
			m.Refused(err, models.CodeMemberCapExceeded, 402)
			return
		}
		if !atOnce {
			budget.reserved += e.hold
			share.reserved += e.hold
		}
		budget.spent += e.charged
		share.spent += e.charged
	}
	m.NoError(err)
	if !atOnce {
		m.open = append(m.open, e)
	}
}

// payTogether starts several executions in one transaction, some of which have ended. What does
// not cover all of its own refuses these, and nothing has happened.
func (m *model) payTogether(t *rapid.T) {
	var all []*modelExecution
	var payments []credit.Payment
	var needed [3][2]models.Credits // by room and person
	for range rapid.IntRange(1, 6).Draw(t, "executions") {
		e := &modelExecution{id: m.newID(), room: rapid.IntRange(0, 2).Draw(t, "room"), who: rapid.IntRange(0, 1).Draw(t, "who"), hold: amountOf(t, "hold") / 4}
		if e.room == 2 {
			e.who = 1
		} else if m.gone {
			e.who = 0
		}
		if rapid.Bool().Draw(t, "near the end") { // the first that it covers, the second in part
			e.hold = m.free(e)*2/3 + models.Credits(rapid.Int64Range(0, 2).Draw(t, "more"))
		}
		e.charged = models.Credits(rapid.Int64Range(0, int64(e.hold)).Draw(t, "charged"))
		p := credit.Payment{Payer: m.payer(e), ExecutionID: e.id, Ended: rapid.Bool().Draw(t, "ended")}
		p.Hold, p.Charged = e.hold, e.charged
		if e.charged > 0 {
			p.Charges = []credit.NodeCharge{{NodeID: "together", Amount: e.charged - e.charged/3}}
			if e.charged/3 > 0 {
				p.Charges = append(p.Charges, credit.NodeCharge{NodeID: "also", Amount: e.charged / 3})
			}
		}
		needed[e.room][e.who] += e.hold
		all, payments = append(all, e), append(payments, p)
	}
	refuses := func(e *modelExecution) bool {
		if e.hold == 0 {
			return false
		}
		if e.room == 2 {
			return m.wallet-m.walletOut < needed[2][1]
		}
		budget := &m.budgets[e.room]
		share := budget.members[e.who]
		return budget.allocated-budget.reserved-budget.spent < needed[e.room][0]+needed[e.room][1] ||
			m.capsOn && e.who == 1 && share.cap != nil && *share.cap < share.reserved+share.spent+needed[e.room][1]
	}
	var want []int
	for _, wallets := range []bool{true, false} { // they are asked first
		for i, e := range all {
			if (e.room == 2) == wallets && refuses(e) {
				want = append(want, i)
			}
		}
		if len(want) > 0 {
			break
		}
	}
	var refused []int
	err := m.write(func(tx *models.Tx) (err error) {
		refused, err = m.credits.PayTogether(tx, payments)
		if err == nil && len(refused) > 0 {
			return errPowerCut
		}
		return err
	})
	if slices.Sort(refused); !slices.Equal(refused, want) {
		t.Fatalf("%v of %+v were refused, expected %v", refused, payments, want)
	}
	if len(want) > 0 {
		if !errors.Is(err, errPowerCut) {
			t.Fatal(err)
		}
		return
	}
	m.NoError(err)
	for i, e := range all {
		ended := payments[i].Ended
		if !ended && e.hold > 0 {
			m.open = append(m.open, e)
		}
		if e.room == 2 {
			m.wallet -= e.charged
			if !ended {
				m.walletOut += e.hold - e.charged
			}
			continue
		}
		budget := &m.budgets[e.room]
		share := &budget.members[e.who]
		if ended {
			budget.spent, share.spent = budget.spent+e.charged, share.spent+e.charged
		} else {
			budget.reserved, share.reserved = budget.reserved+e.hold, share.reserved+e.hold
		}
	}
}

func (m *model) chargeSome(t *rapid.T) {
	e := m.draw(t)
	left := e.hold - e.charged
	if left == 0 {
		return
	}
	amount := models.Credits(rapid.Int64Range(1, int64(left)).Draw(t, "amount"))
	e.nodes++
	for range rapid.IntRange(1, 2).Draw(t, "times") {
		m.NoError(m.charge(m.payer(e), e.id, string(rune('a'+e.nodes)), amount))
	}
	e.charged += amount
	if e.room == 2 {
		m.wallet -= amount
		m.walletOut -= amount
	}
}

func (m *model) settleSome(t *rapid.T) {
	e := m.draw(t)
	for range rapid.IntRange(1, 2).Draw(t, "times") {
		m.NoError(m.settle(m.payer(e), e.id, e.hold, e.charged))
	}
	m.close(e)
	if e.room == 2 {
		m.walletOut -= e.hold - e.charged
		return
	}
	budget := &m.budgets[e.room]
	budget.reserved -= e.hold
	budget.spent += e.charged
	budget.members[e.who].reserved -= e.hold
	budget.members[e.who].spent += e.charged
}

// settleMetered ends an execution whose last node may cost more than is held, with a
// markup behind it: what hold, budget, cap or wallet do not cover is absorbed.
func (m *model) settleMetered(t *rapid.T) {
	e := m.draw(t)
	due := [2]models.Credits{models.Credits(rapid.Int64Range(0, 60_000).Draw(t, "due")), models.Credits(rapid.Int64Range(0, 6_000).Draw(t, "markup"))}
	left := e.hold - e.charged + m.free(e)
	var want [2]models.Credits
	for i := range due {
		want[i] = min(due[i], left)
		left -= want[i]
		m.absorbed[i] += due[i] - want[i]
	}
	for i := range rapid.IntRange(1, 2).Draw(t, "times") {
		covered, err := m.settleDue(e, due)
		m.NoError(err)
		if i == 0 && (covered[0] != want[0] || covered[1] != want[1]) {
			t.Fatalf("%v of %v is covered, expected %v", covered, due, want)
		}
	}
	charged := e.charged + want[0] + want[1]
	m.close(e)
	if e.room == 2 {
		m.walletOut -= e.hold - e.charged
		m.wallet -= want[0] + want[1]
		return
	}
	budget := &m.budgets[e.room]
	budget.reserved -= e.hold
	budget.spent += charged
	budget.members[e.who].reserved -= e.hold
	budget.members[e.who].spent += charged
}

// free is what a run may still be held for.
func (m *model) free(e *modelExecution) models.Credits {
	if e.room == 2 {
		return m.wallet - m.walletOut
	}
	budget := &m.budgets[e.room]
	free := budget.allocated - budget.reserved - budget.spent
	if share := budget.members[e.who]; m.capsOn && e.who == 1 && share.cap != nil {
		free = max(0, min(free, *share.cap-share.reserved-share.spent))
	}
	return free
}

func (m *model) settleDue(e *modelExecution, due [2]models.Credits) ([]models.Credits, error) {
	return m.bank.settleMetered(m.payer(e), e.id, e.hold, e.charged, due[0], due[1])
}

func (m *model) close(e *modelExecution) {
	m.open = slices.DeleteFunc(m.open, func(other *modelExecution) bool { return other == e })
}

// draw picks an execution that is not settled, or skips the step.
func (m *model) draw(t *rapid.T) *modelExecution {
	if len(m.open) == 0 {
		t.Skip("nothing runs")
	}
	return rapid.SampledFrom(m.open).Draw(t, "execution")
}

func (m *model) capSome(t *rapid.T) {
	room := rapid.IntRange(0, 1).Draw(t, "room")
	var limit *models.Credits
	if rapid.Bool().Draw(t, "limited") {
		limit = new(amountOf(t, "cap"))
	}
	m.setCap(m.rooms[room], m.member, limit)
	m.budgets[room].members[1].cap = limit
}

func (m *model) toggleCaps(*rapid.T) {
	m.capsOn = !m.capsOn
	_, err := m.Orgs.UpdateOrganization(m.owner, m.organization.ID, org.UpdateOrganizationInput{Settings: map[string]any{"member_caps_enabled": m.capsOn}})
	m.NoError(err)
}

func (m *model) toggleArchived(t *rapid.T) {
	room := rapid.IntRange(0, 1).Draw(t, "room")
	budget, change := &m.budgets[room], m.Orgs.Workspaces().Archive
	if budget.archived {
		change = m.Orgs.Workspaces().Unarchive
	}
	_, err := change(m.owner, m.rooms[room].ID)
	m.NoError(err)
	budget.archived = !budget.archived
}

// agrees compares every figure with the model and with the ledger.
func (m *model) agrees(t *rapid.T) {
	view, err := m.credits.FindOrganizationCredits(m.owner, m.organization.ID)
	m.NoError(err)
	rows, err := m.credits.ListAllocations(m.owner, m.organization.ID)
	m.NoError(err)
	held := view.Pool
	for _, a := range rows {
		i := 0
		if a.WorkspaceID == m.rooms[1].ID {
			i = 1
		}
		want := m.budgets[i]
		if a.Allocated != want.allocated || a.Reserved != want.reserved || a.Spent != want.spent || a.Archived != want.archived {
			t.Fatalf("workspace %d is %+v, expected %+v", i, a, want)
		}
		held += a.Allocated
		var shares [2]credit.MemberBudget
		var reserved, spent models.Credits
		for who, ctx := range m.people() {
			m.NoError(m.DB.Read(ctx).Where("workspace_id = ? AND user_id = ?", a.WorkspaceID, orgtest.ID(ctx)).Limit(1).Find(&shares[who]).Error)
			if shares[who].Reserved != want.members[who].reserved || shares[who].Spent != want.members[who].spent {
				t.Fatalf("share of %d in %d is %+v, expected %+v", who, i, shares[who], want.members[who])
			}
			reserved, spent = reserved+shares[who].Reserved, spent+shares[who].Spent
		}
		if reserved != a.Reserved || spent != a.Spent {
			t.Fatalf("members add up to %s and %s, the workspace holds %s and %s", reserved, spent, a.Reserved, a.Spent)
		}
	}
	if view.Pool != m.pool || held != m.granted || view.LifetimePurchased != m.purchased {
		t.Fatalf("pool %s, expected %s; pool and allocations %s, granted %s; purchased %s, expected %s",
			view.Pool, m.pool, held, m.granted, view.LifetimePurchased, m.purchased)
	}
	wallet, err := m.credits.FindWallet(m.member)
	m.NoError(err)
	if wallet.Balance != m.wallet || wallet.Reserved != m.walletOut {
		t.Fatalf("wallet %+v, expected %s and %s", wallet, m.wallet, m.walletOut)
	}
	var absorbed [2]models.Credits
	m.NoError(m.DB.Read(m.owner).Raw(`SELECT coalesce(sum(amount) FILTER (WHERE kind = 'absorbed'), 0), coalesce(sum(amount) FILTER (WHERE kind = 'markup_absorbed'), 0)
		FROM ledger_entries WHERE organization_id = ? OR user_id = ? AND workspace_id IS NULL`, m.organization.ID, orgtest.ID(m.member)).Row().Scan(&absorbed[0], &absorbed[1]))
	if absorbed != m.absorbed {
		t.Fatalf("absorbed %v, expected %v", absorbed, m.absorbed)
	}
	m.reconciles()
}

func TestModel(t *testing.T) {
	b := newBank(t)
	sequences, steps := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(b)
		sequences++
		step := func(fn func(*rapid.T)) func(*rapid.T) {
			return func(t *rapid.T) { fn(t); steps++ }
		}
		t.Repeat(map[string]func(*rapid.T){
			"": m.agrees, "grant": step(m.grantPool), "grant wallet": step(m.grantWallet),
			"allocate": step(m.allocate), "allocate again": step(m.allocate),
			"reserve": step(m.reserveSome), "reserve again": step(m.reserveSome), "pay together": step(m.payTogether), "pay together again": step(m.payTogether),
			"charge": step(m.chargeSome), "settle": step(m.settleSome), "settle metered": step(m.settleMetered), "cap": step(m.capSome),
			"caps": step(m.toggleCaps), "archive": step(m.toggleArchived),
			"buy": step(m.buy), "take back": step(m.takeBack), "reinstate": step(m.reinstate),
			"come or go": step(m.comeOrGo), "suspend": step(m.suspend), "crash": step(m.crash), "delete": step(m.deleteOrganization),
		})
	})
	t.Logf("%d sequences with %d steps", sequences, steps)
	if sequences < 15 || steps < 100 { // how many steps a sequence has is drawn: 280 to 710 in all, seldom less
		t.Fatalf("only %d sequences with %d steps ran", sequences, steps)
	}
}
