package credit

import (
	"context"
	"fmt"

	"atelier/models"
)

// Difference is a counter that is not what the ledger adds up to, or the first
// line of the ledger that does not follow from those before it.
type Difference struct {
	// Counter is table.column.
	Counter string
	// ID is the organization, workspace, user, execution or purchase; UserID the
	// member of a workspace.
	ID     models.ID
	UserID *models.ID
	// What names a sum that has no id.
	What   string
	Stored models.Credits
	Ledger models.Credits
	// Entry is the line of the ledger, of a running balance that does not follow.
	Entry *models.ID
}

// Of is whose counter it is.
func (d Difference) Of() string {
	if d.What != "" {
		return d.What
	}
	return d.ID.String()
}

// String is the difference as a line for logs.
func (d Difference) String() string {
	line := fmt.Sprintf("%s of %s", d.Counter, d.Of())
	if d.UserID != nil {
		line += fmt.Sprintf(" and %s", *d.UserID)
	}
	if d.Entry != nil {
		line += fmt.Sprintf(" in line %s", *d.Entry)
	}
	return line + fmt.Sprintf(": %s is stored, the ledger says %s", d.Stored, d.Ledger)
}

// MaxDifferences is how many differences of one kind are named at most.
const MaxDifferences = 1000

// Reconcile rebuilds every counter from the ledger and returns those that
// differ, and the first line of each pool and wallet whose running balance does
// not follow from the lines before; nil is what it should be. It reads one
// snapshot, so it may run beside everything else, and changes nothing.
func Reconcile(ctx context.Context, db *models.DB) (differences []Difference, err error) {
	err = db.Snapshot(ctx, func(ctx context.Context) error {
		differences, err = (&Service{DB: db}).Differences(ctx)
		return err
	})
	return differences, err
}

// Differences is Reconcile within a snapshot that the context is in.
func (s *Service) Differences(ctx context.Context) (differences []Difference, err error) {
	if err := s.DB.Read(ctx).Raw(reconciliation, MaxDifferences).Scan(&differences).Error; err != nil {
		return nil, err
	}
	broken, err := s.brokenLines(ctx)
	return append(differences, broken...), err
}

// CountEntries is how many lines the ledger has.
func (s *Service) CountEntries(ctx context.Context) (n int64, err error) {
	return n, s.DB.Read(ctx).Model(&Entry{}).Count(&n).Error
}

// FullJoinRuns and FullJoinPurchases are for the statements of higher areas.
const (
	FullJoinRuns      = "FULL JOIN " + runsInLedger
	FullJoinPurchases = "FULL JOIN " + purchasesInLedger
)

// runsInLedger are executions with what the ledger says of each. hold is all that
// was held, at first and for what was beyond that; charged holds the markup.
// Unsettled ones have no release.
const runsInLedger = `(SELECT workspace_id, user_id, execution_id,
		coalesce(sum(amount) FILTER (WHERE kind = 'hold'), 0) AS hold,
		coalesce(sum(amount) FILTER (WHERE kind IN ('charge', 'markup')), 0) AS charged,
		coalesce(sum(amount) FILTER (WHERE kind = 'markup'), 0) AS markup,
		coalesce(sum(amount) FILTER (WHERE kind = 'absorbed'), 0) AS absorbed,
		coalesce(sum(amount) FILTER (WHERE kind = 'markup_absorbed'), 0) AS markup_absorbed,
		coalesce(sum(amount) FILTER (WHERE kind = 'release'), 0) AS released,
		bool_or(kind = 'release') AS settled
	FROM ledger_entries WHERE execution_id IS NOT NULL GROUP BY workspace_id, user_id, execution_id)`

// purchasesInLedger are purchases with what the ledger says of each: what they
// brought and what refunds and disputes took and did not give again.
const purchasesInLedger = `(SELECT purchase_id,
		coalesce(sum(amount) FILTER (WHERE kind = 'purchase'), 0) AS bought,
		coalesce(sum(CASE kind WHEN 'reinstatement' THEN -amount ELSE amount END) FILTER (WHERE kind IN ('refund', 'dispute', 'reinstatement')), 0) AS taken_back
	FROM ledger_entries WHERE purchase_id IS NOT NULL GROUP BY purchase_id)`

// reconciliation compares all counters. An execution's charges count as reserved
// until its release entry, which may be of 0, says that it was settled; a
// wallet's count as spent at once.
const reconciliation = `
WITH member_sums AS (
	SELECT workspace_id, user_id,
		coalesce(sum(CASE WHEN settled THEN hold - charged - released ELSE hold END), 0) AS reserved,
		coalesce(sum(charged) FILTER (WHERE settled), 0) AS spent
	FROM ` + runsInLedger + ` runs WHERE workspace_id IS NOT NULL GROUP BY workspace_id, user_id
), workspace_sums AS (
	SELECT workspace_id, sum(reserved) AS reserved, sum(spent) AS spent FROM member_sums GROUP BY workspace_id
), books AS (
	SELECT book, id, sum(amount) AS amount FROM (
		SELECT to_book AS book, to_id AS id, amount FROM ledger_entries
		UNION ALL SELECT from_book, from_id, -amount FROM ledger_entries) moved
	WHERE book IN ('pool', 'wallet', 'wallet_held')
	GROUP BY book, id
), allocated AS (
	SELECT workspace_id, sum(CASE kind WHEN 'allocation' THEN amount WHEN 'return' THEN -amount ELSE 0 END) AS amount
	FROM ledger_entries WHERE workspace_id IS NOT NULL AND execution_id IS NULL GROUP BY workspace_id
), purchased AS (
	SELECT organization_id, sum(amount) AS amount FROM ledger_entries
	WHERE kind = 'purchase' AND to_book = 'pool' GROUP BY organization_id
), compared AS (
	SELECT 'organization_pools.balance' AS counter, coalesce(p.organization_id, b.id) AS id, NULL::uuid AS user_id, p.balance AS stored, b.amount AS ledger
	FROM organization_pools p FULL JOIN (SELECT * FROM books WHERE book = 'pool') b ON b.id = p.organization_id
	UNION ALL SELECT 'organization_pools.lifetime_purchased', coalesce(p.organization_id, b.organization_id), NULL, p.lifetime_purchased, b.amount
	FROM organization_pools p FULL JOIN purchased b USING (organization_id)
	UNION ALL SELECT 'workspace_budgets.allocated', coalesce(w.workspace_id, b.workspace_id), NULL, w.allocated, b.amount
	FROM workspace_budgets w FULL JOIN allocated b ON b.workspace_id = w.workspace_id
	UNION ALL SELECT 'workspace_budgets.reserved', coalesce(w.workspace_id, b.workspace_id), NULL, w.reserved, b.reserved
	FROM workspace_budgets w FULL JOIN workspace_sums b ON b.workspace_id = w.workspace_id
	UNION ALL SELECT 'workspace_budgets.spent', coalesce(w.workspace_id, b.workspace_id), NULL, w.spent, b.spent
	FROM workspace_budgets w FULL JOIN workspace_sums b ON b.workspace_id = w.workspace_id
	UNION ALL SELECT 'member_budgets.reserved', coalesce(m.workspace_id, b.workspace_id), coalesce(m.user_id, b.user_id), m.reserved, b.reserved
	FROM member_budgets m FULL JOIN member_sums b ON b.workspace_id = m.workspace_id AND b.user_id = m.user_id
	UNION ALL SELECT 'member_budgets.spent', coalesce(m.workspace_id, b.workspace_id), coalesce(m.user_id, b.user_id), m.spent, b.spent
	FROM member_budgets m FULL JOIN member_sums b ON b.workspace_id = m.workspace_id AND b.user_id = m.user_id
	UNION ALL SELECT 'wallets.balance', coalesce(w.user_id, b.id), NULL, w.balance, b.amount
	FROM wallets w FULL JOIN (SELECT id, sum(amount) AS amount FROM books WHERE book IN ('wallet', 'wallet_held') GROUP BY id) b ON b.id = w.user_id
	UNION ALL SELECT 'wallets.reserved', coalesce(w.user_id, b.id), NULL, w.reserved, b.amount
	FROM wallets w FULL JOIN (SELECT * FROM books WHERE book = 'wallet_held') b ON b.id = w.user_id
)
SELECT counter, id, user_id, coalesce(stored, 0) AS stored, coalesce(ledger, 0) AS ledger
FROM compared WHERE coalesce(stored, 0) <> coalesce(ledger, 0) ORDER BY counter, id, user_id LIMIT ?`
