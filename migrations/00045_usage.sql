-- The sums that usage reports are read from.
-- +goose Up

-- What ended runs of workspaces cost, added up by who, where, with which model and when: by quarter of an hour, so that
-- the days of every time zone are sums of rows, and again by day and by month (UTC) for the inside of long ranges.
-- main_runs counts each run once, with the model that did most of its work. Rows are kept as long as their
-- organization, so that there is no month to drop: the table is not partitioned.
CREATE TABLE usage_sums (
  organization_id uuid NOT NULL,
  grain text NOT NULL CHECK (grain IN ('quarter', 'day', 'month')),
  starts_at timestamptz NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  model text NOT NULL,
  runs bigint NOT NULL,
  main_runs bigint NOT NULL,
  settled bigint NOT NULL,
  absorbed bigint NOT NULL,
  markup_absorbed bigint NOT NULL,
  PRIMARY KEY (organization_id, grain, starts_at, workspace_id, user_id, model)
);
CREATE INDEX usage_sums_user ON usage_sums (user_id, organization_id, grain, starts_at);

-- The same without members, of each workspace and of each organization: at most a row for each model and quarter of an hour,
-- and one of all models together, whose model is empty.
CREATE TABLE usage_quarters (
  scope_id uuid NOT NULL, -- a workspace, or an organization
  starts_at timestamptz NOT NULL,
  model text NOT NULL,
  runs bigint NOT NULL,
  main_runs bigint NOT NULL,
  settled bigint NOT NULL,
  absorbed bigint NOT NULL,
  markup_absorbed bigint NOT NULL,
  PRIMARY KEY (scope_id, model, starts_at)
);

-- Where history of deleted members was removed; nothing says whose.
CREATE TABLE usage_gaps (
  workspace_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  first_day date NOT NULL, -- UTC
  last_day date NOT NULL,
  PRIMARY KEY (workspace_id, first_day, last_day)
);
CREATE INDEX usage_gaps_organization ON usage_gaps (organization_id);

-- An organization's single runs, newest first.
CREATE INDEX executions_organization ON executions (organization_id, id DESC) WHERE organization_id IS NOT NULL;

-- Charges from before say what did the work.
UPDATE ledger_entries e SET model = left(coalesce(nullif(btrim(j.input_data ->> 'model'), ''), j.job_type), 100)
FROM executions x JOIN jobs j ON j.execution_id = x.id AND j.id >= first_id(x.created_at - interval '2 seconds')
WHERE e.execution_id = x.id AND e.node_id = j.node_id AND e.kind IN ('charge', 'absorbed') AND e.model IS NULL;

-- So do the holds of runs that are at work.
UPDATE ledger_entries e SET parts = (
    SELECT jsonb_object_agg(model, cost) FROM (
      SELECT left(coalesce(nullif(btrim(j.input_data ->> 'model'), ''), j.job_type), 100) AS model, sum(j.cost)::bigint AS cost
      FROM jobs j WHERE j.execution_id = x.id AND j.id >= first_id(x.created_at - interval '2 seconds') AND j.cost > 0 GROUP BY 1) planned)
FROM executions x
WHERE e.execution_id = x.id AND e.kind = 'hold' AND e.parts IS NULL
  AND NOT EXISTS (SELECT FROM ledger_entries r WHERE r.execution_id = e.execution_id AND r.node_id = '' AND r.kind = 'release');

-- The runs of before wait to be added up, ended or not; of members who are gone a gap is left.
INSERT INTO usage_open (execution_id, organization_id, workspace_id, user_id, created_at)
SELECT e.execution_id, e.organization_id, e.workspace_id, e.user_id, e.created_at
FROM ledger_entries e JOIN users u ON u.id = e.user_id AND u.deleted_at IS NULL
WHERE e.kind = 'hold' AND e.node_id = '' AND e.workspace_id IS NOT NULL ON CONFLICT DO NOTHING;

INSERT INTO usage_gaps (workspace_id, organization_id, first_day, last_day)
SELECT e.workspace_id, e.organization_id, (min(e.created_at) AT TIME ZONE 'UTC')::date, (max(e.created_at) AT TIME ZONE 'UTC')::date
FROM ledger_entries e JOIN users u ON u.id = e.user_id AND u.deleted_at IS NOT NULL
WHERE e.kind = 'hold' AND e.node_id = '' AND e.workspace_id IS NOT NULL GROUP BY e.workspace_id, e.organization_id, e.user_id ON CONFLICT DO NOTHING;

-- +goose Down
DROP INDEX executions_organization;
DROP TABLE usage_gaps;
DROP TABLE usage_quarters;
DROP TABLE usage_sums;
