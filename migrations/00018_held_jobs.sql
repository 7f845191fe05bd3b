-- +goose Up
-- The jobs that are held for review, for whoever has to look at them.
CREATE INDEX jobs_held ON jobs (account_id, workspace_id) WHERE status = 'pending_review';

-- +goose Down
DROP INDEX jobs_held;
