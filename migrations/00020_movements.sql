-- Indexes for an organization's ledger as people read it.
-- +goose Up
-- The ledger of an organization as people read it: one row for each run, which is its hold, found by kind and by person,
-- and the pool behind each row.
CREATE INDEX ledger_entries_movements ON ledger_entries (organization_id, kind, id DESC)
  WHERE organization_id IS NOT NULL AND (execution_id IS NULL OR kind = 'hold');
CREATE INDEX ledger_entries_person ON ledger_entries (organization_id, (coalesce(user_id, actor_id)), id DESC)
  WHERE organization_id IS NOT NULL AND (execution_id IS NULL OR kind = 'hold');
CREATE INDEX ledger_entries_pool ON ledger_entries (organization_id, id DESC)
  WHERE organization_id IS NOT NULL AND balance_after IS NOT NULL;

-- +goose Down
DROP INDEX ledger_entries_movements;
DROP INDEX ledger_entries_person;
DROP INDEX ledger_entries_pool;
