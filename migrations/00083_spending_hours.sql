-- What organizations and workspaces spent, by the hour.
-- +goose Up
CREATE TABLE spending_hours (
  scope_id uuid NOT NULL, -- a workspace, or an organization
  starts_at timestamptz NOT NULL,
  credits bigint NOT NULL, -- what runs were charged
  absorbed bigint NOT NULL, -- what the platform paid for them
  PRIMARY KEY (scope_id, starts_at)
);
COMMENT ON TABLE spending_hours IS 'A row is what a workspace or an organization spent in an hour. Grows with hours in which runs cost something. Ends never, except rows that a repair finds wrong.';

-- Until when spending_hours goes; no row before the first time.
CREATE TABLE spending_folded (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  ends_at timestamptz NOT NULL
);
COMMENT ON TABLE spending_folded IS 'A row is until when what was spent is added up by the hour. Grows with nothing: there is one row at most. Ends never.';

DROP INDEX ledger_entries_spending;

-- +goose Down
CREATE INDEX ledger_entries_spending ON ledger_entries (organization_id, created_at) INCLUDE (kind, amount)
  WHERE organization_id IS NOT NULL AND kind IN ('charge', 'markup', 'absorbed');
DROP TABLE spending_folded;
DROP TABLE spending_hours;
