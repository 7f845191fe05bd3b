-- An index of the jobs that are held for review.
-- +goose Up
CREATE INDEX jobs_held ON jobs (account_id, workspace_id) WHERE status = 'pending_review';

-- +goose Down
DROP INDEX jobs_held;
