-- +goose Up
-- What people asked for and nobody has answered; one request of a person in a workspace. The audit log keeps what became
-- of it.
CREATE TABLE credit_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  user_id uuid NOT NULL REFERENCES users (id),
  amount bigint CHECK (amount > 0),
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (workspace_id, user_id)
);
CREATE INDEX credit_requests_organization ON credit_requests (organization_id, id DESC);

-- The jobs that are held for review, for whoever has to look at them.
CREATE INDEX jobs_held ON jobs (account_id, workspace_id) WHERE status = 'pending_review';

-- +goose Down
DROP INDEX jobs_held;
DROP TABLE credit_requests;
