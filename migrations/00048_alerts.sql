-- How far budgets and pools are used, read from their counters, and the cap of new members.
-- +goose Up

-- How far budgets, pools and limits are used is read from their counters alone; of a pool that is measured by what
-- it held when credits last came in.
ALTER TABLE organization_pools ADD COLUMN filled bigint NOT NULL DEFAULT 0;
UPDATE organization_pools p SET filled = greatest(p.balance, (
  SELECT e.balance_after FROM ledger_entries e
  WHERE e.organization_id = p.organization_id AND e.to_book = 'pool' AND e.from_book = 'issued' AND e.balance_after IS NOT NULL
  ORDER BY e.id DESC LIMIT 1));

-- default_cap is the cap that new members get.
ALTER TABLE workspace_budgets DROP COLUMN filled, DROP COLUMN low_at, ADD COLUMN default_cap bigint CHECK (default_cap >= 0);
ALTER TABLE member_budgets DROP COLUMN low_at;

-- What was told of budgets near their end, and what people chose for it, is of the kind that took its place.
UPDATE notifications SET kind = 'budget_alert' WHERE kind = 'budget_low';
UPDATE notification_choices SET kind = 'budget_alert' WHERE kind = 'budget_low';

-- +goose Down
DELETE FROM notifications WHERE kind IN ('budget_half', 'automation_stopped') OR kind = 'budget_alert' AND workspace_id IS NULL;
DELETE FROM notification_choices WHERE kind IN ('budget_half', 'automation_stopped');
UPDATE notifications SET kind = 'budget_low' WHERE kind = 'budget_alert';
UPDATE notification_choices SET kind = 'budget_low' WHERE kind = 'budget_alert';
ALTER TABLE member_budgets ADD COLUMN low_at timestamptz;
ALTER TABLE workspace_budgets DROP COLUMN default_cap, ADD COLUMN filled bigint NOT NULL DEFAULT 0, ADD COLUMN low_at timestamptz;
UPDATE workspace_budgets SET filled = allocated - reserved - spent;
ALTER TABLE organization_pools DROP COLUMN filled;
