-- Whom one workflow is shared with, beside what its workspace's settings say.
-- +goose Up
CREATE TABLE workflow_collaborators (
  workflow_id uuid NOT NULL REFERENCES workflows (id),
  user_id uuid NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('viewer', 'editor')),
  granted_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workflow_id, user_id)
);
CREATE INDEX workflow_collaborators_granted ON workflow_collaborators (workflow_id, created_at DESC, user_id DESC);
CREATE INDEX workflow_collaborators_user ON workflow_collaborators (user_id, created_at DESC, workflow_id DESC);

-- +goose Down
DROP TABLE workflow_collaborators;
