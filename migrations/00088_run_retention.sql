-- For how many whole months an organization keeps its runs, null for as long as the install does, and before when they are erased.
-- +goose Up
ALTER TABLE organizations
  ADD COLUMN keep_runs_months smallint CHECK (keep_runs_months BETWEEN 2 AND 120),
  ADD COLUMN runs_erased_before timestamptz;
CREATE INDEX organizations_keep_runs ON organizations (id) WHERE keep_runs_months IS NOT NULL;

-- +goose Down
DROP INDEX organizations_keep_runs;
ALTER TABLE organizations DROP COLUMN runs_erased_before, DROP COLUMN keep_runs_months;
