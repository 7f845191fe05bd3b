-- Which app started a run, for what a connected app may see.
-- +goose Up
-- What a connected app may see of a person's runs: those that it started. The
-- indexes hold no other rows.
ALTER TABLE app_runs ADD COLUMN client_app_id uuid;
CREATE INDEX executions_client_app ON executions (client_app_id, account_id, id DESC) WHERE client_app_id IS NOT NULL;
CREATE INDEX jobs_client_app ON jobs (client_app_id, account_id, id DESC) WHERE client_app_id IS NOT NULL;
CREATE INDEX app_runs_client_app ON app_runs (client_app_id, account_id, app_id, id DESC) WHERE client_app_id IS NOT NULL;

-- +goose Down
DROP INDEX app_runs_client_app;
DROP INDEX jobs_client_app;
DROP INDEX executions_client_app;
ALTER TABLE app_runs DROP COLUMN client_app_id;
