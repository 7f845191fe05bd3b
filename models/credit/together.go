package credit

import (
	"fmt"
	"slices"

	"atelier/models"
)

// Payment is what one of several new executions is held for, or has cost.
type Payment struct {
	Payer       Payer
	ActorID     *models.ID // who started it, nil for no one
	ExecutionID models.ID
	Bill
	// Ended tells that it has ended and pays at once, as PayAtOnce does; else its hold is
	// reserved, and then charged.
	Ended bool
}

// PayTogether is Reserve and Charge, or PayAtOnce, for several executions: one statement for all
// wallets and one for all budgets. It returns which payments are of a wallet, a budget or a member's share
// that does not cover all of them together; then the transaction must be rolled back. A single one
// of these may be covered: only Reserve or PayAtOnce of it alone tells, and why not.
func (s *Service) PayTogether(tx *models.Tx, payments []Payment) (refused []int, err error) {
	wallets, budgets := &entryColumns{}, &entryColumns{}
	var needs needs
	for i, p := range payments {
		switch {
		case p.Charged < 0 || p.Charged > p.Hold:
			return nil, fmt.Errorf("pay execution %s: %s charged of a hold of %s", p.ExecutionID, p.Charged, p.Hold)
		case p.Hold == 0:
			continue
		}
		columns := wallets
		if p.Payer.WorkspaceID != nil {
			columns = budgets
		}
		columns.addPayment(tx, &p)
		if err := s.addNeed(tx, &needs, i, p); err != nil {
			return nil, err
		}
	}
	if len(needs.wallets) > 0 {
		if refused, err = s.payFromWallets(tx, needs.wallets, wallets); err != nil || len(refused) > 0 {
			return refused, err
		}
	}
	if len(needs.shares) > 0 {
		return s.payFromBudgets(tx, needs.shares, budgets)
	}
	return nil, nil
}

// need is what payments ask of one wallet, or of one member's share of a budget.
type need struct {
	payer                    Payer
	capped                   bool
	covered, reserved, spent int64
	payments                 []int
}

// needs are those of several payments.
type needs struct{ wallets, shares []*need }

// addNeed adds what a payment asks.
func (s *Service) addNeed(tx *models.Tx, all *needs, i int, p Payment) error {
	list := &all.wallets
	if p.Payer.WorkspaceID != nil {
		list = &all.shares
	}
	at := slices.IndexFunc(*list, func(n *need) bool { return n.payer.UserID == p.Payer.UserID && n.payer.Space() == p.Payer.Space() })
	if at < 0 {
		n := &need{payer: p.Payer}
		if p.Payer.WorkspaceID != nil {
			var err error
			if n.capped, err = s.capBinds(tx.Context(), p.Payer); err != nil {
				return err
			}
		}
		at, *list = len(*list), append(*list, n)
	}
	n := (*list)[at]
	n.payments = append(n.payments, i)
	n.covered += int64(p.Hold)
	switch {
	case p.Ended:
		n.spent += int64(p.Charged)
	case p.Payer.WorkspaceID == nil:
		n.reserved += int64(p.Hold - p.Charged)
		n.spent += int64(p.Charged)
	default:
		n.reserved += int64(p.Hold)
	}
	return nil
}

// refusedOf are the payments of needs that were not met.
func refusedOf(all []*need, met func(*need) bool) (refused []int) {
	for _, n := range all {
		if !met(n) {
			refused = append(refused, n.payments...)
		}
	}
	return refused
}

// entryColumns are entries of several executions, by column.
type entryColumns struct {
	ids, executions, users, books, actors []*models.ID
	workspaces, organizations             []*models.ID
	kinds, froms, tos, nodes              []string
	descriptions                          []string
	amounts                               []int64
	models, parts                         []*string
	// spent is what an entry takes from a wallet; behind says that it notes what is left in it.
	spent  []int64
	behind []bool
}

// addPayment adds the entries of a payment.
func (c *entryColumns) addPayment(tx *models.Tx, p *Payment) {
	entries := []*Entry{holdFor(p.Payer, p.ExecutionID, p.Hold, p.Parts)}
	for _, charge := range p.Charges {
		entries = charge.addTo(entries, p.Payer, p.ExecutionID)
	}
	if p.Ended {
		entries = append(entries, entryFor(p.Payer, p.ExecutionID, "release", &wholeExecution, p.Hold-p.Charged))
	}
	_, _, _, book := p.Payer.books()
	for _, e := range entries {
		id, spent := tx.NewID(), int64(0)
		if e.spends() {
			spent = int64(e.Amount)
		}
		c.ids, c.executions, c.users = append(c.ids, &id), append(c.executions, &p.ExecutionID), append(c.users, &p.Payer.UserID)
		c.books, c.actors = append(c.books, book), append(c.actors, p.ActorID)
		c.workspaces, c.organizations = append(c.workspaces, e.WorkspaceID), append(c.organizations, e.OrganizationID)
		c.kinds, c.nodes, c.descriptions = append(c.kinds, e.Kind), append(c.nodes, *e.NodeID), append(c.descriptions, e.Description)
		c.froms, c.tos = append(c.froms, string(e.FromBook)), append(c.tos, string(e.ToBook))
		c.amounts, c.models = append(c.amounts, int64(e.Amount)), append(c.models, e.Model)
		c.spent, c.behind = append(c.spent, spent), append(c.behind, p.Ended || spent > 0)
		var parts *string
		if e.Parts != nil {
			parts = new(string(*e.Parts))
		}
		c.parts = append(c.parts, parts)
	}
}

// insertTogether adds the entries of the statement to the ledger, those whose book was found;
// what is behind a movement and the condition follow.
const insertTogether = `INSERT INTO ledger_entries (id, kind, from_book, from_id, to_book, to_id, amount, user_id, execution_id, node_id,
		description, actor_id, created_at, model, parts, workspace_id, organization_id, balance_after)
	SELECT t.id, kind, from_book, book, to_book, book, amount, t.user_id, execution_id, node_id,
		description, actor_id, $1::timestamptz, model, parts::jsonb, t.workspace_id, t.organization_id, `

// theseTogether are the rows of the statement.
const theseTogether = `unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::text[], $10::text[], $11::text[],
		$12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[], $17::bigint[], $18::boolean[])
	WITH ORDINALITY AS t(id, execution_id, user_id, book, actor_id, workspace_id, organization_id, kind, from_book, to_book,
		node_id, description, amount, model, parts, spent, behind, place)`

// with are the statement's values, the others from $19 on.
func (c *entryColumns) with(tx *models.Tx, others ...any) []any {
	return append([]any{
		tx.Now, c.ids, c.executions, c.users, c.books, c.actors, c.workspaces, c.organizations, c.kinds, c.froms, c.tos,
		c.nodes, c.descriptions, c.amounts, c.models, c.parts, c.spent, c.behind,
	}, others...)
}

// payFromWallets meets needs from wallets. They are locked in one order, for others take several too.
func (s *Service) payFromWallets(tx *models.Tx, all []*need, entries *entryColumns) (refused []int, err error) {
	var users []models.ID
	var covered, reserved, spent []int64
	for _, n := range all {
		users = append(users, n.payer.UserID)
		covered, reserved, spent = append(covered, n.covered), append(reserved, n.reserved), append(spent, n.spent)
	}
	paid, err := models.Rows(tx.Context(), s.DB, func(id *models.ID) []any { return []any{id} }, `
		WITH wallet AS MATERIALIZED (
			SELECT user_id, balance, reserved FROM wallets WHERE user_id = ANY($19::uuid[]) ORDER BY user_id FOR NO KEY UPDATE
		), need AS (
			SELECT * FROM unnest($19::uuid[], $20::bigint[], $21::bigint[], $22::bigint[]) AS n(user_id, covered, reserved, spent)
		), taken AS (
			UPDATE wallets w SET balance = w.balance - n.spent, reserved = w.reserved + n.reserved
			FROM wallet h JOIN need n ON n.user_id = h.user_id
			WHERE w.user_id = h.user_id AND h.balance - h.reserved >= n.covered
			RETURNING w.user_id, w.balance + n.spent AS balance
		), entry AS (
			`+insertTogether+`CASE WHEN behind THEN balance - sum(spent) OVER (PARTITION BY t.user_id ORDER BY place) END
			FROM taken JOIN `+theseTogether+` ON t.user_id = taken.user_id
		)
		SELECT user_id FROM taken`, entries.with(tx, users, covered, reserved, spent)...)
	if err != nil {
		return nil, err
	}
	return refusedOf(all, func(n *need) bool { return slices.Contains(paid, n.payer.UserID) }), nil
}

// paidShare is a member's share that met a need, with what is used of it and of its budget.
type paidShare struct {
	workspaceID, userID models.ID
	after               gauges
}

// payFromBudgets meets needs from budgets and members' shares of them, locked in one order: all
// budgets before all shares.
func (s *Service) payFromBudgets(tx *models.Tx, all []*need, entries *entryColumns) (refused []int, err error) {
	var workspaces, organizations, users []models.ID
	var capped []bool
	var covered, reserved, spent []int64
	for _, n := range all {
		workspaces, organizations = append(workspaces, *n.payer.WorkspaceID), append(organizations, *n.payer.OrganizationID)
		users, capped = append(users, n.payer.UserID), append(capped, n.capped)
		covered, reserved, spent = append(covered, n.covered), append(reserved, n.reserved), append(spent, n.spent)
	}
	paid, err := models.Rows(tx.Context(), s.DB, func(p *paidShare) []any {
		return append([]any{&p.workspaceID, &p.userID}, append(p.after.budget.dest(), p.after.limit.dest()...)...)
	}, `
		WITH budget AS MATERIALIZED (
			SELECT workspace_id, organization_id, allocated - reserved - spent AS free FROM workspace_budgets
			WHERE workspace_id = ANY($19::uuid[]) ORDER BY workspace_id FOR NO KEY UPDATE
		), need AS MATERIALIZED (
			SELECT * FROM unnest($19::uuid[], $20::uuid[], $21::uuid[], $22::boolean[], $23::bigint[], $24::bigint[], $25::bigint[])
				AS n(workspace_id, organization_id, user_id, capped, covered, reserved, spent)
		), whole AS (
			SELECT b.workspace_id, sum(n.reserved)::bigint AS reserved, sum(n.spent)::bigint AS spent
			FROM budget b JOIN need n ON n.workspace_id = b.workspace_id AND n.organization_id = b.organization_id
			GROUP BY b.workspace_id, b.free HAVING b.free >= sum(n.covered)
		), share AS (
			INSERT INTO member_budgets AS m (workspace_id, user_id, reserved, spent)
			SELECT n.workspace_id, n.user_id, n.reserved, n.spent FROM need n JOIN whole ON whole.workspace_id = n.workspace_id
			ORDER BY n.workspace_id, n.user_id
			ON CONFLICT (workspace_id, user_id) DO UPDATE SET reserved = m.reserved + EXCLUDED.reserved, spent = m.spent + EXCLUDED.spent
				WHERE m.cap IS NULL OR EXISTS (
					SELECT FROM need n WHERE n.workspace_id = m.workspace_id AND n.user_id = m.user_id AND (NOT n.capped OR m.cap - m.reserved - m.spent >= n.covered))
			RETURNING workspace_id, user_id, spent, cap
		), taken AS (
			UPDATE workspace_budgets b SET reserved = b.reserved + whole.reserved, spent = b.spent + whole.spent
			FROM whole WHERE b.workspace_id = whole.workspace_id
			RETURNING b.workspace_id, b.spent, b.allocated
		), entry AS (
			`+insertTogether+`NULL FROM share JOIN `+theseTogether+` ON t.workspace_id = share.workspace_id AND t.user_id = share.user_id
		), open AS (
			INSERT INTO usage_open (execution_id, organization_id, workspace_id, user_id, created_at)
			SELECT execution_id, organization_id, workspace_id, user_id, $1 FROM `+theseTogether+` WHERE kind = 'hold'
		)
		SELECT s.workspace_id, s.user_id, b.spent, b.allocated, s.spent, s.cap FROM share s JOIN taken b ON b.workspace_id = s.workspace_id`,
		entries.with(tx, workspaces, organizations, users, capped, covered, reserved, spent)...)
	if err != nil {
		return nil, err
	}
	shareOf := func(n *need) int {
		return slices.IndexFunc(paid, func(p paidShare) bool { return p.workspaceID == *n.payer.WorkspaceID && p.userID == n.payer.UserID })
	}
	if refused = refusedOf(all, func(n *need) bool { return shareOf(n) >= 0 }); len(refused) > 0 {
		return refused, nil
	}
	return nil, s.tellShares(tx, all, func(n *need) gauges { return paid[shareOf(n)].after })
}

// tellShares tells what met needs have used up, of each budget and each share once.
func (s *Service) tellShares(tx *models.Tx, all []*need, after func(*need) gauges) error {
	spent := map[models.ID]models.Credits{}
	for _, n := range all {
		spent[*n.payer.WorkspaceID] += models.Credits(n.spent)
	}
	for _, n := range all {
		if err := s.tellSpent(tx, n.payer, models.Credits(n.spent), gauges{limit: after(n).limit}); err != nil {
			return err
		}
		if err := s.tellSpent(tx, n.payer, spent[*n.payer.WorkspaceID], gauges{budget: after(n).budget}); err != nil {
			return err
		}
		spent[*n.payer.WorkspaceID] = 0
	}
	return nil
}
