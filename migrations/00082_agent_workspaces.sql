-- What the sessions of agents selected.
-- +goose Up
CREATE TABLE agent_workspaces (
    user_id      uuid        NOT NULL REFERENCES users (id),
    session_hash bytea       NOT NULL,
    workspace_id uuid        NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    selected_at  timestamptz NOT NULL,
    PRIMARY KEY (user_id, session_hash)
);
CREATE INDEX agent_workspaces_selected_at ON agent_workspaces (selected_at);
CREATE INDEX agent_workspaces_workspace_id ON agent_workspaces (workspace_id);

COMMENT ON TABLE agent_workspaces IS 'A row is the workspace that one session of an agent selected for what it does next. Grows with sessions of agents that select one, up to a hundred for each account. Ends 30 days after the selection, when newer ones reach the bound, or when the account is deleted.';

-- +goose Down
DROP TABLE agent_workspaces;
