package credit_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"

	"pgregory.net/rapid"
)

// model is what money should be, in plain arithmetic: two workspaces of one
// organization, an owner, a member, and the member's wallet.
type model struct {
	*bank
	owner, member, operator context.Context
	organization            *org.Organization
	rooms                   [2]*org.Workspace

	granted, pool     models.Credits
	budgets           [2]modelBudget
	wallet, walletOut models.Credits // balance and reserved
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

// modelExecution is a run that is not settled; room 2 is the personal space.
type modelExecution struct {
	id            models.ID
	room, who     int
	hold, charged models.Credits
	nodes         int
}

func newModel(b *bank, t *rapid.T) *model {
	m := &model{bank: b, owner: b.Person(rapid.StringMatching(`[a-z]{20}`).Draw(t, "owner")), capsOn: true}
	m.member = b.Person(rapid.StringMatching(`[a-z]{20}`).Draw(t, "member"))
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
	for i, other := range m.open {
		if other == e {
			m.open = append(m.open[:i], m.open[i+1:]...)
			break
		}
	}
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
	budget, change := &m.budgets[room], m.Orgs.ArchiveWorkspace
	if budget.archived {
		change = m.Orgs.UnarchiveWorkspace
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
	if view.Pool != m.pool || held != m.granted {
		t.Fatalf("pool %s, expected %s; pool and allocations %s, granted %s", view.Pool, m.pool, held, m.granted)
	}
	wallet, err := m.credits.FindWallet(m.member)
	m.NoError(err)
	if wallet.Balance != m.wallet || wallet.Reserved != m.walletOut {
		t.Fatalf("wallet %+v, expected %s and %s", wallet, m.wallet, m.walletOut)
	}
	m.reconciles()
}

func TestModel(t *testing.T) {
	b := newBank(t)
	sequences, steps := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(b, t)
		sequences++
		step := func(fn func(*rapid.T)) func(*rapid.T) {
			return func(t *rapid.T) { fn(t); steps++ }
		}
		t.Repeat(map[string]func(*rapid.T){
			"": m.agrees, "grant": step(m.grantPool), "grant wallet": step(m.grantWallet),
			"allocate": step(m.allocate), "allocate again": step(m.allocate),
			"reserve": step(m.reserveSome), "reserve again": step(m.reserveSome),
			"charge": step(m.chargeSome), "settle": step(m.settleSome), "cap": step(m.capSome),
			"caps": step(m.toggleCaps), "archive": step(m.toggleArchived),
		})
	})
	if sequences < 15 || steps < 150 {
		t.Fatalf("only %d sequences with %d steps ran", sequences, steps)
	}
}
