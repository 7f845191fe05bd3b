package credit

// Fragments for the statements of higher areas.

// OpenRuns begins the FROM of a statement with the runs that workspaces pay and
// that no report has added up yet, as o, with the columns of OpenRun.
const OpenRuns = "FROM usage_open o"

// PaidRuns is every run that workspaces paid, as a query with the columns of
// OpenRun and whether it has ended and whether it waits to be added up.
const PaidRuns = `SELECT e.execution_id, e.organization_id, e.workspace_id, e.user_id, e.created_at,
		EXISTS (SELECT FROM ledger_entries r WHERE r.execution_id = e.execution_id AND r.node_id = '' AND r.kind = 'release') AS ended,
		EXISTS (SELECT FROM usage_open o WHERE o.execution_id = e.execution_id) AS open
	FROM ledger_entries e WHERE e.kind = 'hold' AND e.node_id = '' AND e.workspace_id IS NOT NULL`

// TakeEnded are common table expressions that take at most $1 runs that have
// ended out of the open ones, as ended; runs that another transaction holds
// are left to it.
const TakeEnded = `ended AS MATERIALIZED (
		SELECT o.execution_id, o.organization_id, o.workspace_id, o.user_id, o.created_at FROM usage_open o
		WHERE EXISTS (SELECT FROM ledger_entries r WHERE r.execution_id = o.execution_id AND r.node_id = '' AND r.kind = 'release')
		ORDER BY o.execution_id LIMIT $1 FOR UPDATE OF o SKIP LOCKED
	), taken AS (
		DELETE FROM usage_open WHERE execution_id IN (SELECT execution_id FROM ended)
	)`

// TakeAllOf takes the open runs of the account $1, as taken.
const TakeAllOf = `taken AS (
		DELETE FROM usage_open WHERE user_id = $1 RETURNING organization_id, workspace_id, created_at
	)`

// PutBack lets runs that a query finds, with the columns of OpenRun, wait to be
// added up.
func PutBack(query string) string {
	return `INSERT INTO usage_open (execution_id, organization_id, workspace_id, user_id, created_at)
		SELECT execution_id, organization_id, workspace_id, user_id, created_at FROM (` + query + `) runs ON CONFLICT DO NOTHING`
}

// otherWork is the model of what nothing names one for.
const otherWork = "other"

// RunCosts are common table expressions about the runs that an expression before
// them, counted, has, by execution_id: cost holds what each run cost by model so far, one
// row with first for its most expensive model. A run that has not ended is in
// flight with the greater of its hold, by the models that it is expected to be
// for, and of what it was charged. What an entry names no model for belongs to
// the run's most expensive one.
const RunCosts = `entry AS (
	SELECT e.execution_id, e.kind, nullif(left(e.model, 200), '') AS model, e.amount, e.parts
	FROM counted JOIN ledger_entries e ON e.execution_id = counted.execution_id
), run AS (
	SELECT execution_id, bool_or(kind = 'release') AS ended,
		coalesce(sum(amount) FILTER (WHERE kind = 'hold'), 0) AS hold,
		coalesce(sum(amount) FILTER (WHERE kind IN ('charge', 'markup', 'absorbed')), 0) AS booked,
		coalesce((array_agg(parts) FILTER (WHERE kind = 'hold' AND jsonb_typeof(parts) = 'object'))[1], '{}') AS parts
	FROM entry GROUP BY execution_id
), share AS (
	SELECT e.execution_id, e.model,
		coalesce(sum(e.amount) FILTER (WHERE r.ended AND kind <> 'markup_absorbed'), 0) AS settled,
		coalesce(sum(e.amount) FILTER (WHERE NOT r.ended AND kind <> 'markup_absorbed'), 0) AS in_flight,
		coalesce(sum(e.amount) FILTER (WHERE r.ended AND kind = 'absorbed'), 0) AS absorbed,
		coalesce(sum(e.amount) FILTER (WHERE r.ended AND kind = 'markup_absorbed'), 0) AS markup_absorbed
	FROM entry e JOIN run r USING (execution_id)
	WHERE e.kind IN ('charge', 'markup', 'absorbed', 'markup_absorbed') AND (r.ended OR r.booked > r.hold)
	GROUP BY e.execution_id, e.model
	UNION ALL
	SELECT r.execution_id, nullif(left(p.key, 200), ''), 0, p.value::bigint, 0, 0 FROM run r CROSS JOIN jsonb_each_text(r.parts) p
	WHERE NOT r.ended AND r.booked <= r.hold
	UNION ALL
	SELECT r.execution_id, NULL, 0, r.hold - coalesce((SELECT sum(p.value::bigint) FROM jsonb_each_text(r.parts) p), 0), 0, 0 FROM run r
	WHERE NOT r.ended AND r.booked <= r.hold
		AND r.hold <> coalesce((SELECT sum(p.value::bigint) FROM jsonb_each_text(r.parts) p), 0)
), named AS (
	SELECT execution_id, settled, in_flight, absorbed, markup_absorbed, coalesce(model,
		first_value(model) OVER (PARTITION BY execution_id ORDER BY model IS NULL, settled + in_flight DESC, model), '` + otherWork + `') AS model
	FROM share
), merged AS (
	SELECT execution_id, model, sum(settled)::bigint AS settled, sum(in_flight)::bigint AS in_flight,
		sum(absorbed)::bigint AS absorbed, sum(markup_absorbed)::bigint AS markup_absorbed
	FROM named GROUP BY execution_id, model
), cost AS (
	SELECT *, row_number() OVER (PARTITION BY execution_id ORDER BY settled + in_flight DESC, model) = 1 AS first FROM merged
)`
