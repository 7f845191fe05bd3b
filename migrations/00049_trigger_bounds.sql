-- How many schedules of an account wait for their minutes is bounded, and counted each time that one begins to wait.
-- +goose Up
DROP INDEX workflow_triggers_creator;
CREATE INDEX workflow_triggers_creator ON workflow_triggers (created_by, next_fire_at);

-- A schedule that fires is written twice: when it is taken, and when its run has begun. The second is to touch no index.
ALTER TABLE workflow_triggers SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Trigger nodes beyond the number that a graph may have are parked, whatever their type.
ALTER TABLE workflow_triggers DROP CONSTRAINT workflow_triggers_check1;
ALTER TABLE workflow_triggers ADD CONSTRAINT workflow_triggers_check1 CHECK (type = 'schedule' OR next_fire_at IS NULL);

-- What a receiver's answer said in its head, as far as it helps: the status line and a few fields, never cookies.
ALTER TABLE webhook_attempts ADD COLUMN response_header text;

-- +goose Down
ALTER TABLE webhook_attempts DROP COLUMN response_header;
UPDATE workflow_triggers SET parked_reason = NULL WHERE type <> 'schedule';
ALTER TABLE workflow_triggers DROP CONSTRAINT workflow_triggers_check1;
ALTER TABLE workflow_triggers ADD CONSTRAINT workflow_triggers_check1 CHECK (type = 'schedule' OR (next_fire_at IS NULL AND parked_reason IS NULL));
ALTER TABLE workflow_triggers RESET (fillfactor, autovacuum_vacuum_scale_factor);
DROP INDEX workflow_triggers_creator;
CREATE INDEX workflow_triggers_creator ON workflow_triggers (created_by);
