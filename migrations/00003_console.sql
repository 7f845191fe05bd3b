-- What the console searches, filters and adds up.
-- +goose Up
CREATE INDEX organization_members_standing ON organization_members (organization_id, role, status);
CREATE INDEX ledger_entries_spending ON ledger_entries (organization_id, created_at) INCLUDE (kind, amount)
  WHERE organization_id IS NOT NULL AND kind IN ('charge', 'absorbed');
CREATE INDEX audit_entries_actor ON audit_entries (organization_id, actor_id, id DESC);
CREATE INDEX audit_entries_workspace ON audit_entries (organization_id, workspace_id, id DESC) WHERE workspace_id IS NOT NULL;

-- +goose Down
DROP INDEX audit_entries_workspace, audit_entries_actor, ledger_entries_spending, organization_members_standing;
