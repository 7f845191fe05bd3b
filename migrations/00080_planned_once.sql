-- Functions behind runs and saved graphs whose statements are planned once for a connection.
-- +goose Up
-- A function in SQL that is no plain expression plans its body again for each statement that calls it; one in PL/pgSQL keeps
-- its plans. A plain expression that is as immutable as its function says becomes part of the statement itself.

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION first_id(t timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM t AT TIME ZONE 'UTC') * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_graph(id_of_workflow uuid, more bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_storage(CASE WHEN w.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(w.workspace_id, w.owner_id), 0, more, 0)
  FROM workflows w WHERE w.id = id_of_workflow AND w.deleted_at IS NULL AND more <> 0;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION graphs_of(id_of_workflow uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(sum(v.bytes), 0) FROM workflow_versions v WHERE v.workflow_id = id_of_workflow)::bigint
    + (SELECT coalesce(sum(v.bytes), 0) FROM app_versions v JOIN apps a ON a.id = v.app_id WHERE a.workflow_id = id_of_workflow)::bigint;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- What a run keeps is its graph and its jobs, which are made with it: their ids are of the same time.
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
CREATE OR REPLACE FUNCTION outputs_of(kept_in text, owner uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT u.outputs FROM storage_usage u WHERE u.space = kept_in AND u.owner_id = owner), 0)
    + (SELECT coalesce(sum(o.bytes - o.counted), 0) FROM kept_outputs o WHERE o.space = kept_in AND o.owner_id = owner AND o.bytes <> o.counted)::bigint;
END $$;
-- +goose StatementEnd

DROP FUNCTION bytes_of_run(uuid);

-- +goose Down
-- +goose StatementBegin
CREATE FUNCTION bytes_of_run(run uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (SELECT coalesce(sum(pg_column_size(j.input_data) + coalesce(pg_column_size(j.output_data), 0)), 0) FROM jobs j
      WHERE j.execution_id = e.id AND j.id >= first_id(e.created_at - interval '2 seconds'))::bigint
    + pg_column_size(e.nodes) + pg_column_size(e.edges)
  FROM executions e WHERE e.id = run
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION outputs_of(kept_in text, owner uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT u.outputs FROM storage_usage u WHERE u.space = kept_in AND u.owner_id = owner), 0)
    + (SELECT coalesce(sum(o.bytes - o.counted), 0) FROM kept_outputs o WHERE o.space = kept_in AND o.owner_id = owner AND o.bytes <> o.counted)::bigint
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_outputs (execution_id, space, owner_id, bytes)
  VALUES (NEW.id, CASE WHEN NEW.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(NEW.workspace_id, NEW.account_id), bytes_of_run(NEW.id))
  ON CONFLICT (execution_id) DO UPDATE SET bytes = EXCLUDED.bytes;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION graphs_of(id_of_workflow uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (SELECT coalesce(sum(v.bytes), 0) FROM workflow_versions v WHERE v.workflow_id = id_of_workflow)::bigint
    + (SELECT coalesce(sum(v.bytes), 0) FROM app_versions v JOIN apps a ON a.id = v.app_id WHERE a.workflow_id = id_of_workflow)::bigint
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_graph(id_of_workflow uuid, more bigint) RETURNS void LANGUAGE sql AS $$
  SELECT keep_storage(CASE WHEN w.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(w.workspace_id, w.owner_id), 0, more, 0)
  FROM workflows w WHERE w.id = id_of_workflow AND w.deleted_at IS NULL AND more <> 0
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION first_id(t timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM t) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
-- +goose StatementEnd
