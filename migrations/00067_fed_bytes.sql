-- A bound on what feeds the nodes of a run.
-- +goose Up
-- How many bytes have fed the nodes of a run so far, each value counted as often as it fed one:
-- a run is bounded by it.
ALTER TABLE executions ADD COLUMN fed_bytes bigint NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE executions DROP COLUMN fed_bytes;
