-- Charges of metered nodes, and markups of apps.
-- +goose Up

-- A run may be charged more than was held for it at first: what its metered nodes really cost, as far as
-- hold and headroom cover it, which is held too then; absorbed is what the platform paid of it. due are charges of metered nodes
-- that cost more than was held for them, until the run is settled: [{ node, what, model, amount }].
-- markup is what an approved app adds to the cost of its nodes, in hundredths of a percent, of a run as it
-- was when that began; markup_charged is in charged, markup_absorbed is what nothing covered.
ALTER TABLE executions
  ADD COLUMN due jsonb,
  ADD COLUMN absorbed bigint NOT NULL DEFAULT 0 CHECK (absorbed >= 0),
  ADD COLUMN markup integer NOT NULL DEFAULT 0 CHECK (markup BETWEEN 0 AND 10000),
  ADD COLUMN markup_charged bigint NOT NULL DEFAULT 0 CHECK (markup_charged >= 0),
  ADD COLUMN markup_absorbed bigint NOT NULL DEFAULT 0 CHECK (markup_absorbed >= 0);
ALTER TABLE jobs ADD COLUMN credits_absorbed bigint;
ALTER TABLE apps ADD COLUMN markup integer NOT NULL DEFAULT 0 CHECK (markup BETWEEN 0 AND 10000);

-- The overview adds up days; markup is spent as charges are.
DROP INDEX ledger_entries_spending;
CREATE INDEX ledger_entries_spending ON ledger_entries (organization_id, created_at) INCLUDE (kind, amount)
  WHERE organization_id IS NOT NULL AND kind IN ('charge', 'markup', 'absorbed');

-- +goose Down
DROP INDEX ledger_entries_spending;
CREATE INDEX ledger_entries_spending ON ledger_entries (organization_id, created_at) INCLUDE (kind, amount)
  WHERE organization_id IS NOT NULL AND kind IN ('charge', 'absorbed');
ALTER TABLE apps DROP COLUMN markup;
ALTER TABLE jobs DROP COLUMN credits_absorbed;
ALTER TABLE executions DROP COLUMN due, DROP COLUMN absorbed, DROP COLUMN markup, DROP COLUMN markup_charged, DROP COLUMN markup_absorbed;
