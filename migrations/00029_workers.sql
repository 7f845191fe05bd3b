-- Which processes do the work, for operators: each says every few seconds that it is there.
-- +goose Up
CREATE TABLE workers (
  name text PRIMARY KEY,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE workers;
