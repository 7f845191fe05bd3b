-- What starts a workflow by itself: an address that is called, or a timetable. A row goes with its workflow.
-- +goose Up
CREATE TABLE workflow_triggers (
  id uuid PRIMARY KEY,
  workflow_id uuid NOT NULL REFERENCES workflows (id),
  type text NOT NULL CHECK (type IN ('webhook', 'schedule')),
  -- The node that it belongs to; null for one that was made by hand.
  node_id text,
  is_active boolean NOT NULL,
  config jsonb NOT NULL,
  -- The token in a webhook's address: found by its hash, shown to its owner from what is sealed.
  token_hash bytea,
  token_sealed text,
  run_count bigint NOT NULL DEFAULT 0 CHECK (run_count >= 0),
  -- Who runs: automated runs count as this account's, and are refused when it may not run the workflow any more.
  created_by uuid NOT NULL REFERENCES users (id),
  -- Whether a signed-in person made it: its runs are that person's own then, and may send with plain credentials.
  by_session boolean NOT NULL,
  last_fired_at timestamptz,
  -- What became of the last call or minute: the execution, or why there is none.
  last_execution_id uuid,
  last_error text,
  -- Of schedules: the next minute that may fire, null while it is paused, parked or used up, and why it is parked.
  next_fire_at timestamptz,
  parked_reason text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (type = 'webhook' OR token_hash IS NULL),
  CHECK (type = 'schedule' OR (next_fire_at IS NULL AND parked_reason IS NULL)),
  CHECK (next_fire_at IS NULL OR (is_active AND parked_reason IS NULL))
);
CREATE INDEX workflow_triggers_workflow ON workflow_triggers (workflow_id, id);
CREATE UNIQUE INDEX workflow_triggers_node ON workflow_triggers (workflow_id, node_id) WHERE node_id IS NOT NULL;
CREATE UNIQUE INDEX workflow_triggers_token ON workflow_triggers (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX workflow_triggers_due ON workflow_triggers (next_fire_at) WHERE next_fire_at IS NOT NULL;
CREATE INDEX workflow_triggers_creator ON workflow_triggers (created_by);

-- +goose Down
DROP TABLE workflow_triggers;
