package credit

import (
	"fmt"

	"atelier/models"
)

// NodeCharge is what a finished node of an execution cost.
type NodeCharge struct {
	NodeID string
	// What the node does, as its catalogue names it: the entry's description.
	What string
	// Model is what did the work: the model that the node names, else its type.
	Model  string
	Amount models.Credits
	// Markup is what an approved app adds, once for the execution: NodeID is empty.
	Markup bool
}

// MarkupModel is what a markup is for, where models are named.
const MarkupModel = "app markup"

// addTo adds the charge to entries, unless it is of nothing.
func (c NodeCharge) addTo(entries []*Entry, payer Payer, executionID models.ID) []*Entry {
	kind := "charge"
	if c.Markup {
		kind = "markup"
	}
	if c.Amount == 0 {
		return entries
	}
	return append(entries, c.entryOf(payer, executionID, kind, c.Amount))
}

// absorbed is what the platform pays of it.
func (c NodeCharge) absorbed(payer Payer, executionID models.ID, amount models.Credits) *Entry {
	kind := "absorbed"
	if c.Markup {
		kind = "markup_absorbed"
	}
	return c.entryOf(payer, executionID, kind, amount)
}

func (c NodeCharge) entryOf(payer Payer, executionID models.ID, kind string, amount models.Credits) *Entry {
	e := entryFor(payer, executionID, kind, &c.NodeID, amount)
	e.Description = c.What
	if c.Model != "" {
		e.Model = &c.Model
	}
	return e
}

// Charge books what finished nodes cost, once for each execution and node;
// repeating it changes nothing. A workspace's counters wait for Settle, so
// that its one row is not fought over; a wallet's balance falls at once. All
// charges of an execution together are within its hold.
func (s *Service) Charge(tx *models.Tx, payer Payer, executionID models.ID, charges ...NodeCharge) error {
	entries := make([]*Entry, 0, len(charges))
	for _, c := range charges {
		if c.Amount < 0 {
			return fmt.Errorf("charge %s for node %s of execution %s: a negative amount", c.Amount, c.NodeID, executionID)
		}
		entries = c.addTo(entries, payer, executionID)
	}
	switch {
	case len(entries) == 0:
		return nil
	case payer.WorkspaceID == nil:
		return bookWallet(tx, payer, executionID, entries)
	}
	_, err := recordOnce(tx, entries...)
	return err
}

// Settle ends an execution's hold, along with its last charges: what was
// charged in all is spent, the rest goes back. Repeating it changes nothing;
// the release entry, which may be of 0, marks that it happened.
func (s *Service) Settle(tx *models.Tx, payer Payer, executionID models.ID, hold, charged models.Credits, last ...NodeCharge) error {
	_, err := s.SettleMetered(tx, payer, executionID, hold, charged, last, nil)
	return err
}

// SettleMetered is Settle for an execution of which some charges are still due:
// those of metered nodes that cost more than was held for them, in their order, and
// the markup behind them. They are charged as far as hold and headroom cover them
// (of the budget and, where it binds, of the member's cap; of the wallet), one after
// the other, and the platform absorbs the rest. It returns what was covered of each.
// The caller holds the execution's row. Charged is without what is due.
func (s *Service) SettleMetered(tx *models.Tx, payer Payer, executionID models.ID, hold, charged models.Credits, last, due []NodeCharge) (covered []models.Credits, err error) {
	if charged < 0 || charged > hold {
		return nil, fmt.Errorf("settle execution %s: %s charged of a hold of %s", executionID, charged, hold)
	}
	covered = make([]models.Credits, len(due))
	if hold == 0 {
		return covered, nil
	}
	var sum models.Credits
	for _, c := range due {
		if c.Amount < 0 {
			return nil, fmt.Errorf("settle execution %s: %s due for node %s", executionID, c.Amount, c.NodeID)
		}
		sum += c.Amount
	}
	left := hold - charged
	if sum > left {
		extra, settled, err := s.holdMore(tx, payer, executionID, &due[0].NodeID, sum-left)
		if err != nil || settled {
			return covered, err
		}
		hold, left = hold+extra, left+extra
	}
	var entries []*Entry
	for _, c := range last {
		entries = c.addTo(entries, payer, executionID)
	}
	for i, c := range due {
		wanted := c.Amount
		covered[i] = min(wanted, left)
		left, charged = left-covered[i], charged+covered[i]
		c.Amount = covered[i]
		entries = c.addTo(entries, payer, executionID)
		if wanted > covered[i] {
			entries = append(entries, c.absorbed(payer, executionID, wanted-covered[i]))
		}
	}
	entries = append(entries, entryFor(payer, executionID, "release", &wholeExecution, hold-charged))
	if payer.WorkspaceID == nil {
		return covered, bookWallet(tx, payer, executionID, entries)
	}
	return covered, s.settleBudget(tx, payer, executionID, hold, charged, entries)
}

// isSettled tells whether the execution is settled already.
const isSettled = `EXISTS (SELECT FROM ledger_entries WHERE execution_id = $3 AND node_id = '' AND kind = 'release')`

// theseAtMost are the rows of the statement with amounts that the rest of free covers.
const theseAtMost = `(SELECT t.id, kind, from_book, to_book, node_id, description, least(t.amount, free.rest) AS amount, model, parts
		FROM free CROSS JOIN ` + theseEntries + `) covered WHERE amount > 0 ON CONFLICT DO NOTHING RETURNING amount`

// holdMore holds up to an amount beyond an execution's first hold, as much as is free,
// and records it, so that whatever else is reserved meanwhile, neither budget nor cap
// is exceeded: the row is locked first, by a statement of its own, for one that has to
// wait sees what is free as it was before. One that is settled already takes nothing.
func (s *Service) holdMore(tx *models.Tx, payer Payer, executionID models.ID, node *string, amount models.Credits) (extra models.Credits, settled bool, err error) {
	rows := newEntryRows(tx, entryFor(payer, executionID, "hold", node, amount))
	if payer.WorkspaceID == nil {
		if _, err := tx.Run(`SELECT FROM wallets WHERE user_id = $1 FOR UPDATE`, payer.UserID); err != nil {
			return 0, false, err
		}
		err = s.DB.Row(tx.Context(), `
			WITH free AS MATERIALIZED (
				SELECT balance - reserved AS rest FROM wallets WHERE user_id = $1 AND NOT `+isSettled+` FOR UPDATE
			), entry AS (
				`+insertEntries+`NULL, NULL, NULL FROM `+theseAtMost+`
			), taken AS (
				UPDATE wallets SET reserved = reserved + entry.amount FROM entry WHERE user_id = $1
			)
			SELECT coalesce((SELECT amount FROM entry), 0), `+isSettled, rows.with()...).Scan(&extra, &settled)
		return extra, settled, err
	}
	capped, err := s.capBinds(tx.Context(), payer)
	if err == nil {
		_, err = tx.Run(`SELECT FROM workspace_budgets WHERE workspace_id = $1 FOR UPDATE`, *payer.WorkspaceID)
	}
	if err != nil {
		return 0, false, err
	}
	err = s.DB.Row(tx.Context(), `
		WITH budget AS MATERIALIZED (
			SELECT workspace_id, allocated - reserved - spent AS rest FROM workspace_budgets
			WHERE workspace_id = $1 AND organization_id = $15 AND NOT `+isSettled+` FOR UPDATE
		), share AS MATERIALIZED (
			SELECT m.cap - m.reserved - m.spent AS rest FROM budget b JOIN member_budgets m ON m.workspace_id = b.workspace_id AND m.user_id = $2
			FOR UPDATE OF m
		), free AS MATERIALIZED (
			SELECT least(b.rest, CASE WHEN $16 THEN s.rest END) AS rest FROM budget b LEFT JOIN share s ON true
		), entry AS (
			`+insertEntries+`$1, $15, NULL FROM `+theseAtMost+`
		), taken AS (
			UPDATE workspace_budgets b SET reserved = b.reserved + entry.amount FROM entry WHERE b.workspace_id = $1
		), shared AS (
			UPDATE member_budgets m SET reserved = m.reserved + entry.amount FROM entry WHERE m.workspace_id = $1 AND m.user_id = $2
		)
		SELECT coalesce((SELECT amount FROM entry), 0), `+isSettled, rows.with(*payer.OrganizationID, capped)...).Scan(&extra, &settled)
	return extra, settled, err
}

// settleBudget adds an execution's last entries to the ledger, unless they are
// there, and with its release has the workspace and the member spend what was
// charged: one statement.
func (s *Service) settleBudget(tx *models.Tx, payer Payer, executionID models.ID, hold, charged models.Credits, entries []*Entry) error {
	var settles, found bool
	var after gauges
	err := s.DB.Row(tx.Context(), `
		WITH added AS (
			`+insertEntries+`$1, $15, NULL FROM `+theseEntries+` ON CONFLICT DO NOTHING RETURNING kind
		), budget AS (
			UPDATE workspace_budgets SET reserved = reserved - $16, spent = spent + $17
			WHERE workspace_id = $1 AND organization_id = $15 AND EXISTS (SELECT FROM added WHERE kind = 'release')
			RETURNING workspace_id, spent, allocated
		), share AS (
			UPDATE member_budgets m SET reserved = m.reserved - $16, spent = m.spent + $17
			FROM budget WHERE m.workspace_id = budget.workspace_id AND m.user_id = $2
			RETURNING m.spent, m.cap
		)
		SELECT EXISTS (SELECT FROM added WHERE kind = 'release'), EXISTS (SELECT FROM budget), b.spent, b.allocated, m.spent, m.cap
		FROM (VALUES (1)) one (n) LEFT JOIN budget b ON true LEFT JOIN share m ON true`,
		newEntryRows(tx, entries...).with(*payer.OrganizationID, int64(hold), int64(charged))...).
		Scan(append([]any{&settles, &found}, append(after.budget.dest(), after.limit.dest()...)...)...)
	switch {
	case err != nil:
		return err
	case settles && !found:
		return fmt.Errorf("execution %s is to be paid from a budget that is not there", executionID)
	}
	return s.tellSpent(tx, payer, charged, after)
}

// Bill is what an execution was to be held for, and what it has cost.
type Bill struct {
	Hold  models.Credits
	Parts []Part // of the hold; see Reserve
	// Charged is what the charges come to.
	Charged models.Credits
	Charges []NodeCharge
}

// PayAtOnce is Reserve and Settle for an execution that has ended in the
// transaction that accepts it: the hold must be covered, and its entries are
// written, but what was not spent never leaves its book. It refuses as Reserve
// does; after a refusal the transaction must be rolled back.
func (s *Service) PayAtOnce(tx *models.Tx, payer Payer, executionID models.ID, bill Bill) error {
	hold, charged := bill.Hold, bill.Charged
	if charged < 0 || charged > hold {
		return fmt.Errorf("pay execution %s: %s charged of a hold of %s", executionID, charged, hold)
	}
	if hold == 0 {
		return nil
	}
	entries := []*Entry{holdFor(payer, executionID, hold, bill.Parts)}
	for _, c := range bill.Charges {
		entries = c.addTo(entries, payer, executionID)
	}
	entries = append(entries, entryFor(payer, executionID, "release", &wholeExecution, hold-charged))
	if payer.WorkspaceID == nil {
		return payFromWallet(tx, hold, entries)
	}
	return s.payFromBudget(tx, payer, hold, charged, entries)
}

// payFromBudget has a workspace spend what is charged, if its budget and the
// member's cap cover the hold, and adds all entries to the ledger.
func (s *Service) payFromBudget(tx *models.Tx, payer Payer, hold, charged models.Credits, entries []*Entry) error {
	capped, err := s.capBinds(tx.Context(), payer)
	if err != nil {
		return err
	}
	rows := newEntryRows(tx, entries...)
	var covered, allowed bool
	var after gauges
	err = s.DB.Row(tx.Context(), `
		WITH budget AS (
			UPDATE workspace_budgets SET spent = spent + $16
			WHERE workspace_id = $1 AND organization_id = $15 AND allocated - reserved - spent >= $17
			RETURNING workspace_id, spent, allocated
		), share AS (
			INSERT INTO member_budgets AS m (workspace_id, user_id, spent) SELECT workspace_id, $2, $16 FROM budget
			ON CONFLICT (workspace_id, user_id) DO UPDATE SET spent = m.spent + EXCLUDED.spent
				WHERE NOT $18 OR m.cap IS NULL OR m.cap - m.reserved - m.spent >= $17
			RETURNING workspace_id, spent, cap
		), entry AS (
			`+insertEntries+`$1, $15, NULL FROM share CROSS JOIN `+theseEntries+`
		), open AS (
			`+openRun+`FROM share
		)
		SELECT EXISTS (SELECT FROM budget), EXISTS (SELECT FROM share), b.spent, b.allocated, m.spent, m.cap
		FROM (VALUES (1)) one (n) LEFT JOIN budget b ON true LEFT JOIN share m ON true`,
		rows.with(*payer.OrganizationID, int64(charged), int64(hold), capped)...).
		Scan(append([]any{&covered, &allowed}, append(after.budget.dest(), after.limit.dest()...)...)...)
	switch {
	case err != nil:
		return err
	case !covered:
		return overBudget(hold)
	case !allowed:
		return overCap(hold)
	}
	return s.tellSpent(tx, payer, charged, after)
}

// payFromWallet takes what is charged from a wallet that covers the hold, and
// adds all entries to the ledger.
func payFromWallet(tx *models.Tx, hold models.Credits, entries []*Entry) error {
	rows, spent := newEntryRows(tx, entries...), int64(0)
	toCome := make([]int64, len(entries)) // what is charged behind each entry
	for i := len(entries) - 1; i >= 0; i-- {
		toCome[i] = spent
		if entries[i].spends() {
			spent += int64(entries[i].Amount)
		}
	}
	took, err := tx.Run(`
		WITH wallet AS (
			UPDATE wallets SET balance = balance - $15 WHERE user_id = $1 AND balance - reserved >= $16 RETURNING balance
		)
		`+insertEntries+`NULL, NULL, balance + ($17::bigint[])[place] FROM wallet CROSS JOIN `+theseEntries, rows.with(spent, int64(hold), toCome)...)
	if err == nil && took == 0 {
		err = insufficient(hold)
	}
	return err
}

// bookWallet adds an execution's charges and its release to the ledger, unless
// they are there, and changes the wallet by those that it added: all of them leave
// what is reserved, charges and markup the balance too; what is absorbed neither.
func bookWallet(tx *models.Tx, payer Payer, executionID models.ID, entries []*Entry) error {
	rows := newEntryRows(tx, entries...)
	wallets, err := tx.Run(`
		WITH wallet AS MATERIALIZED (
			SELECT balance FROM wallets WHERE user_id = $1 FOR UPDATE
		), entry AS (
			SELECT t.*, sum(CASE WHEN kind IN ('charge', 'markup') THEN amount ELSE 0 END) OVER (ORDER BY place) AS spent
			FROM `+theseEntries+`
			WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.execution_id = $3 AND e.node_id = t.node_id AND e.kind = t.kind)
		), added AS (
			`+insertEntries+`NULL, NULL, balance - spent FROM entry CROSS JOIN wallet
			ON CONFLICT DO NOTHING RETURNING kind, amount
		), sum AS (
			SELECT sum(amount) AS freed, coalesce(sum(amount) FILTER (WHERE kind IN ('charge', 'markup')), 0) AS spent
			FROM added WHERE kind IN ('charge', 'markup', 'release')
		), changed AS (
			UPDATE wallets SET balance = balance - sum.spent, reserved = reserved - sum.freed FROM sum
			WHERE user_id = $1 AND sum.freed > 0
		)
		SELECT FROM wallet`, rows.with()...)
	if err == nil && wallets == 0 {
		err = fmt.Errorf("execution %s is to be paid from a wallet that is not there", executionID)
	}
	return err
}
