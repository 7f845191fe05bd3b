package credit

import (
	"database/sql"
	"errors"
	"fmt"

	"atelier/models"
)

// NodeCharge is what a finished node of an execution cost.
type NodeCharge struct {
	NodeID string
	// What the node does, as its catalogue names it: the entry's description.
	What   string
	Amount models.Credits
}

func (c NodeCharge) entry(payer Payer, executionID models.ID) *Entry {
	e := entryFor(payer, executionID, "charge", &c.NodeID, c.Amount)
	e.Description = c.What
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
		if c.Amount > 0 {
			entries = append(entries, c.entry(payer, executionID))
		}
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
	if charged < 0 || charged > hold {
		return fmt.Errorf("settle execution %s: %s charged of a hold of %s", executionID, charged, hold)
	}
	if hold == 0 {
		return nil
	}
	release := entryFor(payer, executionID, "release", &wholeExecution, hold-charged)
	if payer.WorkspaceID == nil {
		return s.settleWallet(tx, payer, executionID, release, last)
	}
	if err := s.Charge(tx, payer, executionID, last...); err != nil {
		return err
	}
	added, err := recordOnce(tx, release)
	if err != nil || added == 0 {
		return err
	}
	var after ebb
	err = s.DB.Row(tx.Context(), `
		UPDATE workspace_budgets SET reserved = reserved - $1, spent = spent + $2,
			low_at = CASE WHEN low_at IS NULL AND `+nearEnd("allocated - reserved - spent + $1 - $2", "$2", "filled")+` THEN $5 ELSE low_at END
		WHERE workspace_id = $3 AND organization_id = $4
		RETURNING low_at = $5, filled, allocated - reserved - spent`,
		int64(hold), int64(charged), payer.WorkspaceID, payer.OrganizationID, tx.Now).Scan(after.budget()...)
	if err != nil {
		return err
	}
	err = s.DB.Row(tx.Context(), `
		UPDATE member_budgets SET reserved = reserved - $1, spent = spent + $2,
			low_at = CASE WHEN low_at IS NULL AND cap > 0 AND `+nearEnd("cap - reserved - spent + $1 - $2", "$2", "cap")+` THEN $5 ELSE low_at END
		WHERE workspace_id = $3 AND user_id = $4
		RETURNING low_at = $5, cap, cap - reserved - spent`,
		int64(hold), int64(charged), payer.WorkspaceID, payer.UserID, tx.Now).Scan(after.limit()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return s.tellLow(tx, payer, after)
}

// PayAtOnce is Reserve and Settle for an execution that has ended in the
// transaction that accepts it: the hold must be covered, and its entries are
// written, but what was not spent never leaves its book. It refuses as Reserve
// does; after a refusal the transaction must be rolled back.
func (s *Service) PayAtOnce(tx *models.Tx, payer Payer, executionID models.ID, hold, charged models.Credits, charges ...NodeCharge) error {
	if charged < 0 || charged > hold {
		return fmt.Errorf("pay execution %s: %s charged of a hold of %s", executionID, charged, hold)
	}
	if hold == 0 {
		return nil
	}
	entries := []*Entry{entryFor(payer, executionID, "hold", &wholeExecution, hold)}
	for _, c := range charges {
		entries = append(entries, c.entry(payer, executionID))
	}
	entries = append(entries, entryFor(payer, executionID, "release", &wholeExecution, hold-charged))
	if payer.WorkspaceID == nil {
		return payFromWallet(tx, payer, executionID, hold, entries)
	}
	return s.payFromBudget(tx, payer, executionID, hold, charged, entries)
}

// payFromBudget has a workspace spend what is charged, if its budget and the
// member's cap cover the hold, and adds all entries to the ledger.
func (s *Service) payFromBudget(tx *models.Tx, payer Payer, executionID models.ID, hold, charged models.Credits, entries []*Entry) error {
	capped, err := s.capBinds(tx.DB, payer)
	if err != nil {
		return err
	}
	rows := newEntryRows(tx, entries...)
	var covered, allowed bool
	var after ebb
	err = s.DB.Row(tx.Context(), `
		WITH budget AS (
			UPDATE workspace_budgets SET spent = spent + $14,
				low_at = CASE WHEN low_at IS NULL AND `+nearEnd("allocated - reserved - spent - $14", "$14", "filled")+` THEN $17 ELSE low_at END
			WHERE workspace_id = $1 AND organization_id = $13 AND allocated - reserved - spent >= $15
			RETURNING workspace_id, low_at = $17 AS low, filled, allocated - reserved - spent AS rest
		), share AS (
			INSERT INTO member_budgets AS m (workspace_id, user_id, spent) SELECT workspace_id, $2, $14 FROM budget
			ON CONFLICT (workspace_id, user_id) DO UPDATE SET spent = m.spent + EXCLUDED.spent,
				low_at = CASE WHEN m.low_at IS NULL AND m.cap > 0 AND `+nearEnd("m.cap - m.reserved - m.spent - $14", "$14", "m.cap")+` THEN $17 ELSE m.low_at END
				WHERE NOT $16 OR m.cap IS NULL OR m.cap - m.reserved - m.spent >= $15
			RETURNING workspace_id, low_at = $17 AS low, cap, cap - reserved - spent AS rest
		), entry AS (
			`+insertEntries+`$1, $13, NULL FROM share CROSS JOIN `+theseEntries+`
		)
		SELECT EXISTS (SELECT FROM budget), EXISTS (SELECT FROM share), b.low, b.filled, b.rest, m.low, m.cap, m.rest
		FROM (VALUES (1)) one (n) LEFT JOIN budget b ON true LEFT JOIN share m ON true`,
		rows.with(*payer.OrganizationID, int64(charged), int64(hold), capped, tx.Now)...).
		Scan(append([]any{&covered, &allowed}, append(after.budget(), after.limit()...)...)...)
	switch {
	case err != nil:
		return err
	case !covered:
		return overBudget(hold)
	case !allowed:
		return overCap(hold)
	}
	return s.tellLow(tx, payer, after)
}

// payFromWallet takes what is charged from a wallet that covers the hold, and
// adds all entries to the ledger.
func payFromWallet(tx *models.Tx, payer Payer, executionID models.ID, hold models.Credits, entries []*Entry) error {
	rows, spent := newEntryRows(tx, entries...), int64(0)
	toCome := make([]int64, len(entries)) // what is charged behind each entry
	for i := len(entries) - 1; i >= 0; i-- {
		toCome[i] = spent
		if entries[i].Kind == "charge" {
			spent += int64(entries[i].Amount)
		}
	}
	took, err := tx.Run(`
		WITH wallet AS (
			UPDATE wallets SET balance = balance - $13 WHERE user_id = $1 AND balance - reserved >= $14 RETURNING balance
		)
		`+insertEntries+`NULL, NULL, balance + ($15::bigint[])[place] FROM wallet CROSS JOIN `+theseEntries, rows.with(spent, int64(hold), toCome)...)
	if err == nil && took == 0 {
		err = insufficient(hold)
	}
	return err
}

func (s *Service) settleWallet(tx *models.Tx, payer Payer, executionID models.ID, release *Entry, last []NodeCharge) error {
	entries := make([]*Entry, 0, len(last)+1)
	for _, c := range last {
		entries = append(entries, c.entry(payer, executionID))
	}
	return bookWallet(tx, payer, executionID, append(entries, release))
}

// bookWallet adds an execution's charges and its release to the ledger, unless
// they are there, and changes the wallet by those that it added: all of them
// leave what is reserved, charges the balance too.
func bookWallet(tx *models.Tx, payer Payer, executionID models.ID, entries []*Entry) error {
	rows := newEntryRows(tx, entries...)
	wallets, err := tx.Run(`
		WITH wallet AS MATERIALIZED (
			SELECT balance FROM wallets WHERE user_id = $1 FOR UPDATE
		), entry AS (
			SELECT t.*, sum(CASE kind WHEN 'charge' THEN amount ELSE 0 END) OVER (ORDER BY place) AS spent
			FROM `+theseEntries+`
			WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.execution_id = $3 AND e.node_id = t.node_id AND e.kind = t.kind)
		), added AS (
			`+insertEntries+`NULL, NULL, balance - spent FROM entry CROSS JOIN wallet
			ON CONFLICT DO NOTHING RETURNING kind, amount
		), sum AS (
			SELECT sum(amount) AS freed, coalesce(sum(amount) FILTER (WHERE kind = 'charge'), 0) AS spent FROM added
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
