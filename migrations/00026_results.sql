-- The main result of each completed run, for galleries.
-- +goose Up
-- What each completed run made, one row for each: its main result, so that galleries are read by an index and without the
-- jobs. A row goes with the contents of its run.
CREATE TABLE results (
  execution_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid,
  node_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('image', 'video', 'audio', 'text', 'file')),
  -- Of the file; null for a text, of which excerpt is the beginning.
  address text,
  excerpt text,
  -- When its run was put into the archive; it is left out of its owner's list then.
  archived_at timestamptz,
  -- When it was shared with the workspace, and its place among what is shared there.
  shared_at timestamptz,
  share_id uuid,
  created_at timestamptz NOT NULL,
  CHECK ((address IS NULL) <> (excerpt IS NULL)),
  CHECK ((shared_at IS NULL) = (share_id IS NULL)),
  CHECK (shared_at IS NULL OR workspace_id IS NOT NULL)
);
CREATE INDEX results_personal ON results (account_id, execution_id DESC, kind) WHERE workspace_id IS NULL AND archived_at IS NULL;
CREATE INDEX results_own ON results (workspace_id, account_id, execution_id DESC, kind) WHERE workspace_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX results_workspace ON results (workspace_id, execution_id DESC, kind) WHERE workspace_id IS NOT NULL;
CREATE INDEX results_shared ON results (workspace_id, share_id DESC, kind) WHERE share_id IS NOT NULL;

-- What a run is about, in the words that it was given.
ALTER TABLE executions ADD COLUMN subject text;

-- Runs from before: the node that the app's publisher named, else the last one that nothing follows, files before texts.
INSERT INTO results (execution_id, account_id, workspace_id, node_id, kind, address, excerpt, archived_at, created_at)
SELECT DISTINCT ON (e.id) e.id, e.account_id, e.workspace_id, j.node_id,
  CASE
    WHEN o.address IS NULL THEN 'text'
    WHEN o.address ~* '\.(png|jpe?g|gif|webp|avif|heic|bmp)(\?|$)' THEN 'image'
    WHEN o.address ~* '\.(mp4|webm|mov|mkv|ogv)(\?|$)' THEN 'video'
    WHEN o.address ~* '\.(mp3|wav|ogg|flac|m4a|aac)(\?|$)' THEN 'audio'
    ELSE 'file'
  END,
  o.address, CASE WHEN o.address IS NULL THEN left(o.text, 280) END, r.archived_at, coalesce(e.completed_at, e.created_at)
FROM executions e
  JOIN jobs j ON j.execution_id = e.id AND j.id >= first_id(e.created_at - interval '2 seconds') AND j.status = 'completed'
  CROSS JOIN LATERAL (SELECT
    nullif(coalesce(nullif(j.output_data ->> 'url', ''), nullif(j.output_data ->> 'imageUrl', ''), nullif(j.output_data ->> 'videoUrl', ''),
      nullif(j.output_data ->> 'audioUrl', ''), j.output_data ->> 'resultUrl'), '') AS address,
    nullif(btrim(j.output_data ->> 'text'), '') AS text) o
  LEFT JOIN app_runs r ON r.execution_id = e.id
  LEFT JOIN app_versions v ON v.app_id = r.app_id AND v.version = r.version
WHERE e.status = 'completed' AND e.erased_at IS NULL AND coalesce(length(o.address), 0) <= 8192 AND (o.address IS NOT NULL OR o.text IS NOT NULL)
  AND (v.thumbnail_node_id IS NULL OR v.thumbnail_node_id = j.node_id)
ORDER BY e.id, j.node_id NOT IN (SELECT edge ->> 'source' FROM jsonb_array_elements(e.edges) edge WHERE edge ->> 'source' IS NOT NULL) DESC,
  o.address IS NOT NULL DESC, j.node_index DESC;

-- +goose Down
ALTER TABLE executions DROP COLUMN subject;
DROP TABLE results;
