-- +goose Up
-- No index of jobs may speak of their status: an update of an indexed column touches every index of the row.
DROP INDEX jobs_imports;
CREATE INDEX jobs_imports ON jobs (account_id, id DESC) WHERE job_type = 'download-video';

-- +goose Down
DROP INDEX jobs_imports;
CREATE INDEX jobs_imports ON jobs (account_id) WHERE job_type = 'download-video' AND status IN ('pending', 'processing');
