package payment

import (
	"context"

	"atelier/models/credit"
)

// Differences are the purchases of which the ledger says something else: what
// they brought to the pool, and what refunds and disputes took back, as the
// purchase and the list of its reversals have it. At most a thousand are named.
func (s *Service) Differences(ctx context.Context) (differences []credit.Difference, err error) {
	return differences, s.DB.Read(ctx).Raw(`
		WITH compared AS (
			SELECT coalesce(p.id, l.purchase_id) AS id, CASE WHEN p.confirmed_at IS NULL THEN 0 ELSE p.credits END AS bought,
				coalesce(p.refund_applied + p.dispute_applied, 0) AS taken_back, coalesce(r.applied, 0) AS reversed,
				coalesce(l.bought, 0) AS ledger_bought, coalesce(l.taken_back, 0) AS ledger_taken_back
			FROM purchases p
			`+credit.FullJoinPurchases+` l ON l.purchase_id = p.id
			LEFT JOIN (SELECT purchase_id, sum(CASE kind WHEN 'reinstatement' THEN -applied ELSE applied END) AS applied
				FROM purchase_reversals GROUP BY purchase_id) r ON r.purchase_id = p.id
		)
		SELECT 'purchases.credits' AS counter, id, bought AS stored, ledger_bought AS ledger FROM compared WHERE bought <> ledger_bought
		UNION ALL SELECT 'purchases.taken_back', id, taken_back, ledger_taken_back FROM compared WHERE taken_back <> ledger_taken_back
		UNION ALL SELECT 'purchase_reversals.applied', id, reversed, ledger_taken_back FROM compared WHERE reversed <> ledger_taken_back
		ORDER BY id, counter LIMIT ?`, credit.MaxDifferences).Scan(&differences).Error
}
