-- The index of 00005 goes: imports are counted by their lane.
-- +goose Up
-- Imports are counted by their lane. No index of jobs may speak of their status: an update of an indexed column
-- touches every index of the row.
DROP INDEX jobs_imports;

-- +goose Down
CREATE INDEX jobs_imports ON jobs (account_id) WHERE job_type = 'download-video' AND status IN ('pending', 'processing');
