package usage

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
)

// forget removes the runs of an account that is deleted, those at work too, and
// leaves a gap in each workspace where there were some (contract 3, "Usage report
// rules"). What they cost stays in the ledger.
func forget(tx *models.Tx, user *account.User) error {
	if _, err := tx.Run(alone); err != nil {
		return err
	}
	_, err := tx.Run(`WITH `+credit.TakeAllOf+`, gone AS (
			DELETE FROM usage_sums WHERE user_id = $1 RETURNING *
		), less AS (
			SELECT scope_id, starts_at, s.model, `+summed+` FROM gone q `+scopes+`
			WHERE grain = 'quarter' GROUP BY scope_id, starts_at, s.model
		), changed AS (
			UPDATE usage_quarters u SET runs = u.runs - less.runs, main_runs = u.main_runs - less.main_runs, settled = u.settled - less.settled,
				absorbed = u.absorbed - less.absorbed, markup_absorbed = u.markup_absorbed - less.markup_absorbed
			FROM less WHERE u.scope_id = less.scope_id AND u.starts_at = less.starts_at AND u.model = less.model
		)
		INSERT INTO usage_gaps (workspace_id, organization_id, first_day, last_day)
		SELECT workspace_id, organization_id, (min(at) AT TIME ZONE 'UTC')::date, (max(at) AT TIME ZONE 'UTC')::date FROM (
			SELECT workspace_id, organization_id, starts_at AS at FROM gone WHERE grain = 'quarter'
			UNION ALL SELECT workspace_id, organization_id, created_at FROM taken) were
		GROUP BY workspace_id, organization_id ON CONFLICT DO NOTHING`, user.ID)
	return err
}
