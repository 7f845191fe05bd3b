-- Runs that take up a failed run, and runs whose contents were deleted for good.
-- +goose Up
-- A run that takes up another one where it failed, and runs whose contents
-- were deleted for good: the bare rows stay, for the books and the reports.
ALTER TABLE executions ADD COLUMN retry_of uuid, ADD COLUMN erased_at timestamptz;
ALTER TABLE jobs ADD COLUMN erased_at timestamptz;
CREATE INDEX executions_retry_of ON executions (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX media_files_execution ON media_files (execution_id) WHERE execution_id IS NOT NULL;

-- +goose Down
DROP INDEX media_files_execution, executions_retry_of;
ALTER TABLE jobs DROP COLUMN erased_at;
ALTER TABLE executions DROP COLUMN erased_at, DROP COLUMN retry_of;
