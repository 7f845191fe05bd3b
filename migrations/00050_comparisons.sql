-- Comparisons of the counters of credits with the ledger.
-- +goose Up

-- Each time that the counters of money were compared with the ledger: what the figures of all processes say of it.
CREATE TABLE ledger_comparisons (
  id uuid PRIMARY KEY,
  entries bigint NOT NULL,
  differences int NOT NULL,
  first text NOT NULL,
  created_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE ledger_comparisons;
