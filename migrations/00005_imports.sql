-- How many video imports an account has under way is counted from the jobs.
-- +goose Up
CREATE INDEX jobs_imports ON jobs (account_id) WHERE job_type = 'download-video' AND status IN ('pending', 'processing');

-- +goose Down
DROP INDEX jobs_imports;
