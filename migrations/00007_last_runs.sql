-- The list of a workspace's members says when each of them last ran something there.
-- +goose Up
CREATE INDEX executions_member ON executions (workspace_id, account_id, id DESC) WHERE workspace_id IS NOT NULL;

-- +goose Down
DROP INDEX executions_member;
