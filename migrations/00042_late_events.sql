-- How long the events that a process sends wait for the service itself, and when it said so.
-- +goose Up
ALTER TABLE workers ADD COLUMN late_ms int NOT NULL DEFAULT 0, ADD COLUMN late_at timestamptz;

-- +goose Down
ALTER TABLE workers DROP COLUMN late_at, DROP COLUMN late_ms;
