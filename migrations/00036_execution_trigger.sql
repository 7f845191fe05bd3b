-- What started a run by itself; no reference, for history outlives triggers.
-- +goose Up
ALTER TABLE executions ADD COLUMN trigger_id uuid;

-- +goose Down
ALTER TABLE executions DROP COLUMN trigger_id;
