-- The suspensions of people whose rows went: they outlive leaving and removal, and only lifting ends them.
-- +goose Up
CREATE TABLE kept_suspensions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  workspace_id uuid,
  role text NOT NULL CHECK (role IN ('admin', 'member')),
  joined_at timestamptz NOT NULL,
  kept_at timestamptz NOT NULL,
  FOREIGN KEY (workspace_id, organization_id) REFERENCES workspaces (id, organization_id),
  UNIQUE NULLS NOT DISTINCT (user_id, organization_id, workspace_id)
);
CREATE INDEX kept_suspensions_space ON kept_suspensions (organization_id, workspace_id, kept_at DESC, user_id DESC);

-- +goose Down
DROP TABLE kept_suspensions;
