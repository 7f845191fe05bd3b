package credit

import (
	"context"

	"atelier/models"
)

// Difference is a counter that is not what the ledger adds up to.
type Difference struct {
	// Counter is table.column.
	Counter string
	// ID is the organization, workspace or user; UserID the member of a workspace.
	ID     models.ID
	UserID *models.ID
	Stored models.Credits
	Ledger models.Credits
}

// Reconcile rebuilds every counter from the ledger and returns those that
// differ; nil is what it should be. It reads one snapshot, so it may run
// beside everything else.
func Reconcile(ctx context.Context, db *models.DB) (differences []Difference, err error) {
	err = db.Read(ctx).Raw(reconciliation).Scan(&differences).Error
	return differences, err
}

// reconciliation is one statement, and therefore one snapshot. An execution's
// charges count as reserved until its release entry, which may be of 0, says
// that it was settled; a wallet's count as spent at once.
const reconciliation = `
WITH runs AS (
	SELECT workspace_id, user_id, execution_id,
		coalesce(sum(amount) FILTER (WHERE kind = 'hold'), 0) AS hold,
		coalesce(sum(amount) FILTER (WHERE kind = 'charge'), 0) AS charged,
		coalesce(sum(amount) FILTER (WHERE kind = 'release'), 0) AS released,
		bool_or(kind = 'release') AS settled
	FROM ledger_entries WHERE execution_id IS NOT NULL GROUP BY workspace_id, user_id, execution_id
), member_sums AS (
	SELECT workspace_id, user_id,
		coalesce(sum(CASE WHEN settled THEN hold - charged - released ELSE hold END), 0) AS reserved,
		coalesce(sum(charged) FILTER (WHERE settled), 0) AS spent
	FROM runs WHERE workspace_id IS NOT NULL GROUP BY workspace_id, user_id
), workspace_sums AS (
	SELECT workspace_id, sum(reserved) AS reserved, sum(spent) AS spent FROM member_sums GROUP BY workspace_id
), books AS (
	SELECT book, id, sum(amount) AS amount FROM (
		SELECT to_book AS book, to_id AS id, amount FROM ledger_entries
		UNION ALL SELECT from_book, from_id, -amount FROM ledger_entries) moved
	GROUP BY book, id
), allocated AS (
	SELECT workspace_id, sum(CASE kind WHEN 'allocation' THEN amount WHEN 'return' THEN -amount ELSE 0 END) AS amount
	FROM ledger_entries WHERE workspace_id IS NOT NULL GROUP BY workspace_id
), purchased AS (
	SELECT organization_id, sum(amount) AS amount FROM ledger_entries
	WHERE kind = 'purchase' AND to_book = 'pool' GROUP BY organization_id
), compared AS (
	SELECT 'organization_pools.balance' AS counter, coalesce(p.organization_id, b.id) AS id, NULL::uuid AS user_id, p.balance AS stored, b.amount AS ledger
	FROM organization_pools p FULL JOIN (SELECT * FROM books WHERE book = 'pool') b ON b.id = p.organization_id
	UNION ALL SELECT 'organization_pools.lifetime_purchased', p.organization_id, NULL, p.lifetime_purchased, b.amount
	FROM organization_pools p LEFT JOIN purchased b USING (organization_id)
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
FROM compared WHERE coalesce(stored, 0) <> coalesce(ledger, 0)`
