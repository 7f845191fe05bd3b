-- The minutes at which schedules fired, or should have. The keys are why a minute never fires twice, whoever sees it.
-- +goose Up
CREATE TABLE schedule_fires (
  trigger_id uuid NOT NULL REFERENCES workflow_triggers (id) ON DELETE CASCADE,
  fire_minute timestamptz NOT NULL,
  -- The minute as the clock of the schedule's zone shows it, with the zone: a minute that is shown twice fires once.
  local_label text NOT NULL,
  -- due: its run is about to start; everything else stays as it is.
  outcome text NOT NULL CHECK (outcome IN ('due', 'started', 'skipped_running', 'skipped_paused', 'failed', 'missed')),
  -- The run that it started, the failed entry that it left, or the run that still went on.
  execution_id uuid,
  error_code text,
  -- Of missed minutes in a row, how many there were, up to a bound, and the last of them.
  minutes integer NOT NULL DEFAULT 1 CHECK (minutes >= 1),
  last_minute timestamptz NOT NULL,
  -- Of a due one: when whoever took it on has had time enough, and how often it was tried in vain.
  try_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- When it was seen, and when it was settled.
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  PRIMARY KEY (trigger_id, fire_minute),
  UNIQUE (trigger_id, local_label),
  CHECK ((outcome = 'due') = (try_at IS NOT NULL)),
  CHECK ((outcome = 'due') = (settled_at IS NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX schedule_fires_due ON schedule_fires (try_at) WHERE outcome = 'due';
CREATE INDEX schedule_fires_age ON schedule_fires USING brin (created_at);

-- +goose Down
DROP TABLE schedule_fires;
