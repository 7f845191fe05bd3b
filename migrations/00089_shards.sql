-- The shard of a run, for an install that spreads its runs over several database servers.
-- +goose Up
-- A shard is a number from 0 to 4095: twelve bits of the id of the space that pays for the run, which the ids of the run, of
-- its jobs and of its result carry too. On one server nothing needs it: the conditions on it are true there and cost nothing,
-- for they are taken out when a statement is planned. `atelier distribute` fills what is missing, and makes them mean something.
ALTER TABLE executions ADD COLUMN shard int;
ALTER TABLE jobs ADD COLUMN shard int;
ALTER TABLE results ADD COLUMN shard int;

-- +goose StatementBegin
CREATE FUNCTION shard_of(id uuid) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (get_byte(uuid_send(id), 8) & 15) * 256 + get_byte(uuid_send(id), 9)
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- An id with the shard of a space.
CREATE FUNCTION id_in_space(id uuid, space uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT encode(set_byte(set_byte(uuid_send(id), 8, (get_byte(uuid_send(id), 8) & 240) | (get_byte(uuid_send(space), 8) & 15)),
    9, get_byte(uuid_send(space), 9)), 'hex')::uuid
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Whether rows of a space lie on a shard.
CREATE FUNCTION shard_fits_space(shard int, space uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT true $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Whether the run, the job or the result with an id may lie on a shard.
CREATE FUNCTION shard_fits_id(shard int, id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT true $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Whether rows of one run lie on these shards.
CREATE FUNCTION shards_match(one int, other int) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT true $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Refuses a run where its space has no room for what runs put out: beyond the quota it raises ST001.
CREATE FUNCTION check_room(workspace uuid, account uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kept_in text := CASE WHEN workspace IS NULL THEN 'account' ELSE 'workspace' END;
  most bigint := (SELECT q.outputs FROM storage_quotas q WHERE q.space = kept_in);
BEGIN
  IF most IS NOT NULL AND outputs_of(kept_in, coalesce(workspace, account)) >= most THEN
    RAISE EXCEPTION 'storage is full' USING ERRCODE = 'ST001', CONSTRAINT = 'outputs', TABLE = kept_in, DETAIL = most;
  END IF;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION room_for_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_room(NEW.workspace_id, NEW.account_id);
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- What an ended run keeps. The counter of its space takes it over a little later: a chore does so each minute, and one run in
-- fifty meanwhile, so that some fifty runs are added up when a space is asked for what it keeps, however many end in a minute. A run
-- takes nothing over that another has locked, so it waits for no one.
CREATE FUNCTION keep_outputs(run uuid, workspace uuid, account uuid, kept bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kept_in text := CASE WHEN workspace IS NULL THEN 'account' ELSE 'workspace' END;
  owner uuid := coalesce(workspace, account);
BEGIN
  INSERT INTO kept_outputs (execution_id, space, owner_id, bytes) VALUES (run, kept_in, owner, kept)
  ON CONFLICT (execution_id) DO UPDATE SET bytes = EXCLUDED.bytes;
  IF random() >= 0.02 THEN
    RETURN;
  END IF;
  PERFORM 1 FROM storage_usage u WHERE u.space = kept_in AND u.owner_id = owner FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  WITH due AS MATERIALIZED (
    SELECT o.execution_id, o.bytes, o.bytes - o.counted AS more FROM kept_outputs o
    WHERE o.space = kept_in AND o.owner_id = owner AND o.bytes <> o.counted LIMIT 1000 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE kept_outputs o SET counted = due.bytes FROM due WHERE o.execution_id = due.execution_id
  )
  UPDATE storage_usage u SET outputs = u.outputs + (SELECT coalesce(sum(due.more), 0) FROM due)::bigint
  WHERE u.space = kept_in AND u.owner_id = owner;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_outputs(NEW.id, NEW.workspace_id, NEW.account_id,
    (SELECT coalesce(sum(pg_column_size(j.input_data) + coalesce(pg_column_size(j.output_data), 0)), 0) FROM jobs j WHERE j.execution_id = NEW.id
      AND j.id >= first_id(NEW.created_at - interval '2 seconds') AND j.id < first_id(NEW.created_at + interval '1 hour'))::bigint
      + pg_column_size(NEW.nodes) + pg_column_size(NEW.edges));
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- The workspace of a file is that of its run.
CREATE OR REPLACE FUNCTION place_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := (SELECT e.workspace_id FROM executions e WHERE e.id = NEW.execution_id AND shard_fits_id(e.shard, NEW.execution_id));
  RETURN NEW;
END $$;
-- +goose StatementEnd

-- What is told of a job goes with it from now on, and need not be looked for each time that notifications are read.
DELETE FROM notifications n WHERE n.kind = 'job_held' AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = n.subject_id AND j.erased_at IS NULL);
DROP INDEX notifications_subject;
CREATE INDEX notifications_subject ON notifications (subject_id) WHERE subject_id IS NOT NULL;

-- +goose Down
DROP INDEX notifications_subject;
CREATE INDEX notifications_subject ON notifications (subject_id) WHERE subject_id IS NOT NULL AND read_at IS NULL;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION place_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := (SELECT e.workspace_id FROM executions e WHERE e.id = NEW.execution_id);
  RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_outputs (execution_id, space, owner_id, bytes)
  VALUES (NEW.id, CASE WHEN NEW.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(NEW.workspace_id, NEW.account_id),
    (SELECT coalesce(sum(pg_column_size(j.input_data) + coalesce(pg_column_size(j.output_data), 0)), 0) FROM jobs j WHERE j.execution_id = NEW.id
      AND j.id >= first_id(NEW.created_at - interval '2 seconds') AND j.id < first_id(NEW.created_at + interval '1 hour'))::bigint
      + pg_column_size(NEW.nodes) + pg_column_size(NEW.edges))
  ON CONFLICT (execution_id) DO UPDATE SET bytes = EXCLUDED.bytes;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION room_for_run() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept_in text := CASE WHEN NEW.workspace_id IS NULL THEN 'account' ELSE 'workspace' END;
  most bigint := (SELECT q.outputs FROM storage_quotas q WHERE q.space = kept_in);
BEGIN
  IF most IS NOT NULL AND outputs_of(kept_in, coalesce(NEW.workspace_id, NEW.account_id)) >= most THEN
    RAISE EXCEPTION 'storage is full' USING ERRCODE = 'ST001', CONSTRAINT = 'outputs', TABLE = kept_in, DETAIL = most;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd

DROP FUNCTION keep_outputs(uuid, uuid, uuid, bigint);
DROP FUNCTION check_room(uuid, uuid);
DROP FUNCTION shards_match(int, int);
DROP FUNCTION shard_fits_id(int, uuid);
DROP FUNCTION shard_fits_space(int, uuid);
DROP FUNCTION id_in_space(uuid, uuid);
DROP FUNCTION shard_of(uuid);
ALTER TABLE results DROP COLUMN shard;
ALTER TABLE jobs DROP COLUMN shard;
ALTER TABLE executions DROP COLUMN shard;
