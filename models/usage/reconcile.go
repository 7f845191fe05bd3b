package usage

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
)

// Difference is a row of the rollups that is not what the ledger adds up to, or
// a paid run that is neither in them nor waits to be.
type Difference struct {
	// Table is usage_sums, usage_quarters or usage_open.
	Table string
	// What names the row: its grain and its ids.
	What     string
	StartsAt time.Time
	// Stored and Ledger are settled credits, or of a run that is missing 0 and 1;
	// where they are the same, another figure differs.
	Stored, Ledger models.Credits
}

func (d *Difference) columns() []any {
	return []any{&d.Table, &d.What, &d.StartsAt, (*int64)(&d.Stored), (*int64)(&d.Ledger)}
}

// maxDifferences are named.
const maxDifferences = 1_000

// Reconcile adds up all of the ledger again and returns the rows of the rollups
// that differ, at most 1,000; with repair it makes all of them right. Reports stay
// possible meanwhile; nothing is added up by others.
func (s *Service) Reconcile(ctx context.Context, repair bool) (differences []Difference, err error) {
	err = s.DB.Write(models.ForWork(ctx), func(tx *models.Tx) error {
		if _, err := tx.Run(alone); err != nil {
			return err
		}
		for _, statement := range expected {
			if _, err := tx.Run(statement); err != nil {
				return err
			}
		}
		if differences, err = models.Rows(tx.Context(), s.DB, (*Difference).columns, comparison, maxDifferences); err != nil || !repair {
			return err
		}
		for _, statement := range repairs {
			if _, err := tx.Run(statement); err != nil {
				return err
			}
		}
		return nil
	})
	return differences, err
}

// expected are tables for the transaction with what the rollups must hold. The
// first has the runs that must be in them, and those that are missing altogether,
// as of one moment.
var expected = []string{
	`CREATE TEMP TABLE due_runs ON COMMIT DROP AS
		SELECT p.execution_id, p.organization_id, p.workspace_id, p.user_id, p.created_at, p.ended
		FROM (` + credit.PaidRuns + `) p ` + account.JoinUndeleted("p.user_id") + ` WHERE NOT p.open`,
	`CREATE INDEX ON due_runs (execution_id)`,
	`ANALYZE due_runs`,
	`CREATE TEMP TABLE due_quarters ON COMMIT DROP AS WITH counted AS (SELECT * FROM due_runs WHERE ended), ` +
		credit.RunCosts + `, ` + addedUp + ` SELECT * FROM by_quarter`,
	`CREATE TEMP TABLE due_sums ON COMMIT DROP AS WITH by_quarter AS (SELECT * FROM due_quarters), ` + rollups + ` SELECT * FROM by_grain`,
	`CREATE TEMP TABLE due_scopes ON COMMIT DROP AS WITH by_quarter AS (SELECT * FROM due_quarters), ` + rollups + ` SELECT * FROM by_scope`,
	`ANALYZE due_sums`,
	`ANALYZE due_scopes`,
}

// differs compares the figures of a stored row u with those that are due, d;
// a row of zeros is none.
const differs = `(coalesce(u.runs, 0), coalesce(u.main_runs, 0), coalesce(u.settled, 0), coalesce(u.absorbed, 0), coalesce(u.markup_absorbed, 0))
	<> (coalesce(d.runs, 0), coalesce(d.main_runs, 0), coalesce(d.settled, 0), coalesce(d.absorbed, 0), coalesce(d.markup_absorbed, 0))`

const (
	sameSum   = `(organization_id, grain, starts_at, workspace_id, user_id, model)`
	sameScope = `(scope_id, starts_at, model)`
)

var comparison = `SELECT * FROM (
		SELECT 'usage_sums' AS stands_in, concat_ws(' ', grain, workspace_id, user_id, model) AS what, starts_at, coalesce(u.settled, 0), coalesce(d.settled, 0)
		FROM usage_sums u FULL JOIN due_sums d USING ` + sameSum + ` WHERE ` + differs + `
		UNION ALL
		SELECT 'usage_quarters', concat_ws(' ', scope_id, model), starts_at, coalesce(u.settled, 0), coalesce(d.settled, 0)
		FROM usage_quarters u FULL JOIN due_scopes d USING ` + sameScope + ` WHERE ` + differs + `
		UNION ALL
		SELECT 'usage_open', execution_id::text, created_at, 0, 1 FROM due_runs WHERE NOT ended
	) compared ORDER BY starts_at, stands_in, what LIMIT $1`

// repairs make the rollups what is due, row by row that differs, and let missing
// runs wait to be added up.
var repairs = []string{
	`DELETE FROM usage_sums s USING usage_sums u LEFT JOIN due_sums d USING ` + sameSum + `
		WHERE ` + differs + ` AND ` + rowOf("s", "u", "organization_id", "grain", "starts_at", "workspace_id", "user_id", "model"),
	`INSERT INTO usage_sums (organization_id, grain, starts_at, workspace_id, user_id, model, ` + sumColumns + `)
		SELECT organization_id, grain, starts_at, workspace_id, user_id, model, ` + sumColumns + ` FROM due_sums ON CONFLICT DO NOTHING`,
	`DELETE FROM usage_quarters s USING usage_quarters u LEFT JOIN due_scopes d USING ` + sameScope + `
		WHERE ` + differs + ` AND ` + rowOf("s", "u", "scope_id", "starts_at", "model"),
	`INSERT INTO usage_quarters (scope_id, starts_at, model, ` + sumColumns + `)
		SELECT scope_id, starts_at, model, ` + sumColumns + ` FROM due_scopes ON CONFLICT DO NOTHING`,
	credit.PutBack(`SELECT * FROM due_runs WHERE NOT ended`),
}

// rowOf joins a row with itself by its key.
func rowOf(a, b string, key ...string) (on string) {
	for i, column := range key {
		if i > 0 {
			on += " AND "
		}
		on += a + "." + column + " = " + b + "." + column
	}
	return on
}
