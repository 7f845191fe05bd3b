-- What each charge was for, disputes and markups in the ledger, and runs that no report has added up yet.
-- +goose Up

-- What each charge was for: the model that did the work, else the type of its node. A hold says what it is
-- expected to be for, as { model: thousandths }.
ALTER TABLE ledger_entries ADD COLUMN model text, ADD COLUMN parts jsonb;

-- A dispute takes credits back from a pool as a refund does, a reinstatement gives them back when the dispute is won.
-- A markup is what an approved app costs beside its nodes; markup_absorbed is the part of it that nothing covered.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check CHECK (kind IN ('signup', 'grant', 'purchase', 'refund', 'dispute',
  'reinstatement', 'allocation', 'return', 'hold', 'charge', 'markup', 'release', 'absorbed', 'markup_absorbed'));

-- Runs that a workspace pays and that no report has added up yet: those at work, and those that ended since.
CREATE TABLE usage_open (
  execution_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX usage_open_organization ON usage_open (organization_id, created_at);
CREATE INDEX usage_open_workspace ON usage_open (workspace_id, created_at);
CREATE INDEX usage_open_user ON usage_open (user_id);

-- +goose Down
DROP TABLE usage_open;
DELETE FROM ledger_entries WHERE kind IN ('dispute', 'reinstatement', 'markup', 'markup_absorbed');
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check CHECK (kind IN ('signup', 'grant', 'purchase', 'refund',
  'allocation', 'return', 'hold', 'charge', 'release', 'absorbed'));
ALTER TABLE ledger_entries DROP COLUMN parts, DROP COLUMN model;
