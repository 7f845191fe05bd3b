-- The size of what a node yielded, so that what a node works on is bounded before it is read.
-- +goose Up

-- How large what a node yielded is as JSON, in bytes: what a node works on is
-- bounded before it is read. 0 for what was written before.
ALTER TABLE jobs ADD COLUMN output_size integer NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE jobs DROP COLUMN output_size;
