-- Up to which month organizations were told what they spent.
-- +goose Up
CREATE TABLE usage_months (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  month date NOT NULL -- its first day
);
COMMENT ON TABLE usage_months IS 'A row is the last month of which an organization was told what it spent. Grows with organizations. Ends never.';

-- +goose Down
DROP TABLE usage_months;
