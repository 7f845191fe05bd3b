-- Quotas of storage, and triggers that count what each account and workspace keeps.
-- +goose Up
-- What each account keeps in its personal space, and each workspace: bytes of files, of what runs took in and put out, and
-- of saved graphs. Counted by triggers, so that no statement can keep something uncounted; what counts follows from the
-- rows alone (storage_sums), so the counters can be made anew.

-- How much may be kept; written at start from the configuration. Null is without end.
CREATE TABLE storage_quotas (
  space text PRIMARY KEY CHECK (space IN ('account', 'workspace')),
  files bigint,
  outputs bigint,
  graphs bigint,
  workflows bigint
);
INSERT INTO storage_quotas VALUES ('account', NULL, NULL, NULL, NULL), ('workspace', NULL, NULL, NULL, NULL);

CREATE TABLE storage_usage (
  space text NOT NULL REFERENCES storage_quotas (space),
  owner_id uuid NOT NULL,
  files bigint NOT NULL DEFAULT 0 CHECK (files >= 0),
  outputs bigint NOT NULL DEFAULT 0 CHECK (outputs >= 0),
  graphs bigint NOT NULL DEFAULT 0 CHECK (graphs >= 0),
  workflows bigint NOT NULL DEFAULT 0 CHECK (workflows >= 0),
  PRIMARY KEY (space, owner_id)
);

-- What each ended run keeps. The owner's counter takes it over a little later (counted), so that runs that end at once do
-- not wait for each other.
CREATE TABLE kept_outputs (
  execution_id uuid PRIMARY KEY,
  space text NOT NULL,
  owner_id uuid NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  counted bigint NOT NULL DEFAULT 0
);
CREATE INDEX kept_outputs_uncounted ON kept_outputs (space, owner_id) WHERE bytes <> counted;

ALTER TABLE media_files ADD COLUMN workspace_id uuid REFERENCES workspaces (id);
UPDATE media_files f SET workspace_id = e.workspace_id FROM executions e WHERE e.id = f.execution_id AND e.workspace_id IS NOT NULL;
ALTER TABLE workflow_versions ADD COLUMN bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(nodes::text) + octet_length(edges::text)) STORED;
ALTER TABLE app_versions ADD COLUMN bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(nodes::text) + octet_length(edges::text)) STORED;

-- +goose StatementBegin
-- Adds to what an owner keeps. Beyond the quota it raises ST001, with what is full as the constraint.
CREATE FUNCTION keep_storage(kept_in text, owner uuid, more_files bigint, more_graphs bigint, more_workflows bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  used storage_usage;
  quota storage_quotas;
BEGIN
  UPDATE storage_usage u SET files = u.files + more_files, graphs = u.graphs + more_graphs, workflows = u.workflows + more_workflows
  WHERE u.space = kept_in AND u.owner_id = owner RETURNING * INTO used;
  IF NOT FOUND THEN
    INSERT INTO storage_usage AS u (space, owner_id, files, graphs, workflows) VALUES (kept_in, owner, more_files, more_graphs, more_workflows)
    ON CONFLICT (space, owner_id) DO UPDATE
      SET files = u.files + more_files, graphs = u.graphs + more_graphs, workflows = u.workflows + more_workflows
    RETURNING * INTO used;
  END IF;
  SELECT * INTO quota FROM storage_quotas q WHERE q.space = kept_in;
  IF more_files > 0 AND used.files > quota.files THEN
    RAISE EXCEPTION 'storage is full' USING ERRCODE = 'ST001', CONSTRAINT = 'files', TABLE = kept_in, DETAIL = quota.files;
  ELSIF more_graphs > 0 AND used.graphs > quota.graphs THEN
    RAISE EXCEPTION 'storage is full' USING ERRCODE = 'ST001', CONSTRAINT = 'graphs', TABLE = kept_in, DETAIL = quota.graphs;
  ELSIF more_workflows > 0 AND used.workflows > quota.workflows THEN
    RAISE EXCEPTION 'storage is full' USING ERRCODE = 'ST001', CONSTRAINT = 'workflows', TABLE = kept_in, DETAIL = quota.workflows;
  END IF;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION place_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.workspace_id := (SELECT e.workspace_id FROM executions e WHERE e.id = NEW.execution_id);
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER media_files_placed BEFORE INSERT ON media_files FOR EACH ROW WHEN (NEW.execution_id IS NOT NULL) EXECUTE FUNCTION place_file();

-- +goose StatementBegin
CREATE FUNCTION count_file() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  f media_files := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
BEGIN
  PERFORM keep_storage(CASE WHEN f.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(f.workspace_id, f.account_id),
    CASE TG_OP WHEN 'INSERT' THEN f.size ELSE -f.size END, 0, 0);
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER media_files_counted AFTER INSERT OR DELETE ON media_files FOR EACH ROW EXECUTE FUNCTION count_file();

-- +goose StatementBegin
-- Adds to what the space of a workflow keeps; nothing for one that is deleted, whose graphs go with it.
CREATE FUNCTION keep_graph(id_of_workflow uuid, more bigint) RETURNS void LANGUAGE sql AS $$
  SELECT keep_storage(CASE WHEN w.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(w.workspace_id, w.owner_id), 0, more, 0)
  FROM workflows w WHERE w.id = id_of_workflow AND w.deleted_at IS NULL AND more <> 0
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION graphs_of(id_of_workflow uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (SELECT coalesce(sum(v.bytes), 0) FROM workflow_versions v WHERE v.workflow_id = id_of_workflow)::bigint
    + (SELECT coalesce(sum(v.bytes), 0) FROM app_versions v JOIN apps a ON a.id = v.app_id WHERE a.workflow_id = id_of_workflow)::bigint
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM keep_graph(NEW.workflow_id, NEW.bytes);
  ELSE
    PERFORM keep_graph(OLD.workflow_id, -OLD.bytes);
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER workflow_versions_counted AFTER INSERT OR DELETE ON workflow_versions FOR EACH ROW EXECUTE FUNCTION count_version();

-- +goose StatementBegin
CREATE FUNCTION count_app_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM keep_graph((SELECT workflow_id FROM apps WHERE id = OLD.app_id), -OLD.bytes);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM keep_graph((SELECT workflow_id FROM apps WHERE id = NEW.app_id), NEW.bytes);
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER app_versions_counted AFTER INSERT OR DELETE OR UPDATE OF nodes, edges ON app_versions FOR EACH ROW EXECUTE FUNCTION count_app_version();

-- +goose StatementBegin
-- A workflow that comes, goes or moves takes its graphs along. Of two spaces the counters are taken in one order, so that
-- moves to and fro do not wait for each other for ever.
CREATE FUNCTION count_workflow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  FOR change IN
    SELECT s.space, s.owner_id, sum(s.graphs)::bigint AS graphs, sum(s.n)::bigint AS n FROM (
      SELECT CASE WHEN OLD.workspace_id IS NULL THEN 'account' ELSE 'workspace' END AS space, coalesce(OLD.workspace_id, OLD.owner_id) AS owner_id,
        -graphs_of(OLD.id) AS graphs, -1 AS n WHERE TG_OP = 'UPDATE' AND OLD.deleted_at IS NULL
      UNION ALL
      SELECT CASE WHEN NEW.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(NEW.workspace_id, NEW.owner_id),
        CASE TG_OP WHEN 'UPDATE' THEN graphs_of(NEW.id) ELSE 0 END, 1 WHERE NEW.deleted_at IS NULL) s
    GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    PERFORM keep_storage(change.space, change.owner_id, 0, change.graphs, change.n);
  END LOOP;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER workflows_counted AFTER INSERT OR UPDATE OF owner_id, workspace_id, deleted_at ON workflows FOR EACH ROW EXECUTE FUNCTION count_workflow();

-- +goose StatementBegin
CREATE FUNCTION bytes_of_run(run uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (SELECT coalesce(sum(pg_column_size(j.input_data) + coalesce(pg_column_size(j.output_data), 0)), 0) FROM jobs j
      WHERE j.execution_id = e.id AND j.id >= first_id(e.created_at - interval '2 seconds'))::bigint
    + pg_column_size(e.nodes) + pg_column_size(e.edges)
  FROM executions e WHERE e.id = run
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_outputs (execution_id, space, owner_id, bytes)
  VALUES (NEW.id, CASE WHEN NEW.workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(NEW.workspace_id, NEW.account_id), bytes_of_run(NEW.id))
  ON CONFLICT (execution_id) DO UPDATE SET bytes = EXCLUDED.bytes;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- Deferred: at the end of the transaction the jobs of the run are written too.
CREATE CONSTRAINT TRIGGER executions_counted_at_once AFTER INSERT ON executions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status IN ('completed', 'failed')) EXECUTE FUNCTION count_run();
CREATE CONSTRAINT TRIGGER executions_counted AFTER UPDATE ON executions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status IN ('completed', 'failed') AND (OLD.status <> NEW.status OR OLD.erased_at IS DISTINCT FROM NEW.erased_at))
  EXECUTE FUNCTION count_run();

-- +goose StatementBegin
CREATE FUNCTION outputs_of(kept_in text, owner uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT u.outputs FROM storage_usage u WHERE u.space = kept_in AND u.owner_id = owner), 0)
    + (SELECT coalesce(sum(o.bytes - o.counted), 0) FROM kept_outputs o WHERE o.space = kept_in AND o.owner_id = owner AND o.bytes <> o.counted)::bigint
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- A run begins while there is room for what it puts out; how much that will be is known at its end.
CREATE FUNCTION room_for_run() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER executions_have_room AFTER INSERT ON executions FOR EACH ROW EXECUTE FUNCTION room_for_run();

-- +goose StatementBegin
-- Lets the counters take over what runs have put out since; how many runs that were.
CREATE FUNCTION count_outputs(most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  runs int := 0;
  change record;
BEGIN
  FOR change IN
    WITH due AS (
      SELECT o.execution_id, o.space, o.owner_id, o.bytes, o.bytes - o.counted AS more FROM kept_outputs o
      WHERE o.bytes <> o.counted LIMIT most FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE kept_outputs o SET counted = due.bytes FROM due WHERE o.execution_id = due.execution_id
    ) SELECT due.space, due.owner_id, sum(due.more)::bigint AS more, count(*)::int AS n FROM due GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    runs := runs + change.n;
    UPDATE storage_usage u SET outputs = u.outputs + change.more WHERE u.space = change.space AND u.owner_id = change.owner_id;
    IF NOT FOUND THEN
      INSERT INTO storage_usage AS u (space, owner_id, outputs) VALUES (change.space, change.owner_id, change.more)
      ON CONFLICT (space, owner_id) DO UPDATE SET outputs = u.outputs + change.more;
    END IF;
  END LOOP;
  RETURN runs;
END $$;
-- +goose StatementEnd

-- What the counters add up to.
CREATE VIEW storage_sums AS
SELECT space, owner_id, sum(files)::bigint AS files, sum(outputs)::bigint AS outputs, sum(graphs)::bigint AS graphs, sum(workflows)::bigint AS workflows
FROM (
  SELECT CASE WHEN workspace_id IS NULL THEN 'account' ELSE 'workspace' END AS space, coalesce(workspace_id, account_id) AS owner_id,
    size AS files, 0 AS outputs, 0 AS graphs, 0 AS workflows FROM media_files
  UNION ALL
  SELECT space, owner_id, 0, counted, 0, 0 FROM kept_outputs
  UNION ALL
  SELECT CASE WHEN workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(workspace_id, owner_id),
    0, 0, graphs_of(id), 1 FROM workflows WHERE deleted_at IS NULL
) parts GROUP BY 1, 2;

INSERT INTO kept_outputs (execution_id, space, owner_id, bytes)
SELECT id, CASE WHEN workspace_id IS NULL THEN 'account' ELSE 'workspace' END, coalesce(workspace_id, account_id), bytes_of_run(id)
FROM executions WHERE status IN ('completed', 'failed');
INSERT INTO storage_usage SELECT * FROM storage_sums;
SELECT count_outputs(2147483647);

-- +goose Down
DROP VIEW storage_sums;
DROP TRIGGER executions_have_room ON executions;
DROP TRIGGER executions_counted ON executions;
DROP TRIGGER executions_counted_at_once ON executions;
DROP TRIGGER workflows_counted ON workflows;
DROP TRIGGER app_versions_counted ON app_versions;
DROP TRIGGER workflow_versions_counted ON workflow_versions;
DROP TRIGGER media_files_counted ON media_files;
DROP TRIGGER media_files_placed ON media_files;
DROP FUNCTION count_outputs(int), room_for_run(), outputs_of(text, uuid), count_run(), bytes_of_run(uuid), count_workflow(), count_app_version(),
  count_version(), graphs_of(uuid), keep_graph(uuid, bigint), count_file(), place_file(), keep_storage(text, uuid, bigint, bigint, bigint);
ALTER TABLE app_versions DROP COLUMN bytes;
ALTER TABLE workflow_versions DROP COLUMN bytes;
ALTER TABLE media_files DROP COLUMN workspace_id;
DROP TABLE kept_outputs, storage_usage, storage_quotas;
