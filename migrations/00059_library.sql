-- The library: private files, elements and their pictures, consents, presets, voices.
-- +goose Up
-- Private files are served at signed addresses that end.
ALTER TABLE media_files ADD COLUMN private boolean NOT NULL DEFAULT false;

-- Contents of private files whose row is gone: they leave the bucket at once, unless another file has the same content.
CREATE TABLE content_removals (
  sha256 bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- +goose StatementBegin
CREATE FUNCTION remove_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_removals (sha256) VALUES (OLD.sha256) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER media_files_private_gone AFTER DELETE ON media_files FOR EACH ROW WHEN (OLD.private) EXECUTE FUNCTION remove_content();

-- Things that look the same in every picture: characters, objects, creatures, locations and faces.
CREATE TABLE elements (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('character', 'object', 'creature', 'location', 'face')),
  owner_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  organization_id uuid REFERENCES organizations (id),
  project_id uuid REFERENCES projects (id),
  visibility text NOT NULL,
  name text NOT NULL,
  handle text NOT NULL,
  description text NOT NULL DEFAULT '',
  prompt text NOT NULL DEFAULT '',
  negative_prompt text NOT NULL DEFAULT '',
  attributes jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  seed int NOT NULL,
  palette text[] NOT NULL DEFAULT '{}',
  status text NOT NULL,
  voice_id uuid,
  face_id uuid,
  depicts_person boolean NOT NULL DEFAULT false,
  consent jsonb,
  training jsonb,
  source jsonb,
  use_count int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
-- +goose StatementBegin
-- What an element is found by: every word of its name, handle, description and tags.
CREATE FUNCTION element_words(name text, handle text, description text, tags text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN name || ' ' || handle || ' ' || description || ' ' || array_to_string(tags, ' ');
-- +goose StatementEnd
ALTER TABLE elements ADD COLUMN search tsvector GENERATED ALWAYS AS (search_index(element_words(name, handle, description, tags), NULL)) STORED;
CREATE INDEX elements_search ON elements USING gin (search) WITH (fastupdate = off);
CREATE UNIQUE INDEX elements_handle_workspace ON elements (workspace_id, handle) WHERE workspace_id IS NOT NULL;
CREATE UNIQUE INDEX elements_handle_personal ON elements (owner_id, handle) WHERE workspace_id IS NULL;
CREATE INDEX elements_workspace ON elements (workspace_id, kind, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX elements_owner ON elements (owner_id, kind, id DESC);
CREATE INDEX elements_organization ON elements (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX elements_face ON elements (face_id) WHERE face_id IS NOT NULL;
CREATE INDEX elements_depicted ON elements (((consent ->> 'userId')::uuid)) WHERE consent IS NOT NULL;
CREATE INDEX elements_consent_end ON elements ((consent ->> 'validUntil')) WHERE consent ->> 'validUntil' IS NOT NULL;

CREATE TABLE element_images (
  id uuid PRIMARY KEY,
  element_id uuid NOT NULL REFERENCES elements (id) ON DELETE CASCADE,
  file_id uuid NOT NULL,
  role text NOT NULL,
  caption text NOT NULL DEFAULT '',
  is_primary boolean NOT NULL DEFAULT false,
  palette text[] NOT NULL DEFAULT '{}',
  job_id uuid,
  created_at timestamptz NOT NULL
);
CREATE INDEX element_images_element ON element_images (element_id, id);
CREATE UNIQUE INDEX element_images_primary ON element_images (element_id) WHERE is_primary;
CREATE INDEX element_images_file ON element_images (file_id);

-- Which execution used which element, and how.
CREATE TABLE element_uses (
  element_id uuid NOT NULL,
  execution_id uuid NOT NULL,
  job_id uuid,
  user_id uuid NOT NULL,
  workflow_id uuid,
  how text,
  counted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (element_id, execution_id)
);
CREATE INDEX element_uses_execution ON element_uses (execution_id);
CREATE INDEX element_uses_uncounted ON element_uses (element_id, execution_id) WHERE NOT counted;
CREATE INDEX element_uses_element ON element_uses (element_id, execution_id DESC);

-- Deleted organizations, of which the library still keeps something.
CREATE TABLE library_removals (
  organization_id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL
);

-- Executions whose results are to be erased with an element that they used.
CREATE TABLE result_erasures (
  execution_id uuid PRIMARY KEY,
  element_id uuid NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX result_erasures_element ON result_erasures (element_id);

-- What was agreed about a person who is depicted or heard. Rows are only added; the newest counts.
CREATE TABLE consents (
  id uuid PRIMARY KEY,
  about_kind text NOT NULL CHECK (about_kind IN ('element', 'voice')),
  about_id uuid NOT NULL,
  workspace_id uuid,
  organization_id uuid,
  subject text NOT NULL CHECK (subject IN ('self', 'member', 'adult', 'minor')),
  status text NOT NULL CHECK (status IN ('given', 'awaiting', 'withdrawn')),
  awaits text[] NOT NULL DEFAULT '{}',
  user_id uuid,
  basis text,
  basis_by uuid,
  valid_until timestamptz,
  providers boolean NOT NULL,
  statement text NOT NULL,
  given_by uuid NOT NULL,
  created_at timestamptz NOT NULL
);
-- Whose runs under way are still to be ended because what they use is gone.
CREATE TABLE element_cancels (
  element_id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL
);

CREATE INDEX consents_about ON consents (about_id, id DESC);
CREATE INDEX consents_user ON consents (user_id, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX consents_workspace ON consents (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;

-- Settings of one node type that are worth keeping.
CREATE TABLE node_presets (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  organization_id uuid REFERENCES organizations (id),
  project_id uuid REFERENCES projects (id),
  visibility text NOT NULL,
  node_type text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  settings jsonb NOT NULL,
  tags text[] NOT NULL DEFAULT '{}',
  image_url text,
  source jsonb,
  use_count int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX node_presets_workspace ON node_presets (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX node_presets_owner ON node_presets (owner_id, id DESC);

-- Who speaks: voices that were designed or cloned.
CREATE TABLE voices (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  organization_id uuid REFERENCES organizations (id),
  visibility text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  source text NOT NULL CHECK (source IN ('designed', 'cloned')),
  provider text NOT NULL,
  base_voice text NOT NULL DEFAULT '',
  language text,
  gender text,
  settings jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL,
  error_message text,
  cloning jsonb,
  preview_file_id uuid,
  sample_file_id uuid,
  recording_file_id uuid,
  consent jsonb,
  post_source jsonb,
  use_count int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX voices_workspace ON voices (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX voices_organization ON voices (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX voices_owner ON voices (owner_id, id DESC);
CREATE INDEX voices_consent_end ON voices ((consent ->> 'validUntil')) WHERE consent ->> 'validUntil' IS NOT NULL;
CREATE INDEX voices_depicted ON voices (((consent ->> 'userId')::uuid)) WHERE consent IS NOT NULL;

-- Jobs that end in the library: pictures of an element, a training, a clone, a preview.
CREATE TABLE library_jobs (
  job_id uuid PRIMARY KEY,
  execution_id uuid NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('generate', 'train', 'clone', 'preview')),
  element_id uuid,
  voice_id uuid,
  created_at timestamptz NOT NULL
);
CREATE INDEX library_jobs_execution ON library_jobs (execution_id);
CREATE INDEX library_jobs_element ON library_jobs (element_id) WHERE element_id IS NOT NULL;
CREATE INDEX library_jobs_voice ON library_jobs (voice_id) WHERE voice_id IS NOT NULL;

-- What a job may use of the library, as it was when the run was accepted.
CREATE TABLE job_refs (
  job_id uuid PRIMARY KEY,
  execution_id uuid NOT NULL,
  account_id uuid NOT NULL,
  refs jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX job_refs_execution ON job_refs (execution_id);

-- Why another area began an execution of a single node; empty for runs.
ALTER TABLE executions ADD COLUMN purpose text NOT NULL DEFAULT '';

-- What is still to be deleted at a provider.
CREATE TABLE provider_removals (
  id uuid PRIMARY KEY,
  provider text NOT NULL,
  what text NOT NULL,
  ref text NOT NULL,
  due_at timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL
);
CREATE INDEX provider_removals_due ON provider_removals (due_at);

-- +goose Down
DROP TABLE element_cancels, library_removals, result_erasures, provider_removals, job_refs, library_jobs, voices, node_presets, consents, element_uses, element_images, elements;
DROP FUNCTION element_words;
DROP TRIGGER media_files_private_gone ON media_files;
DROP FUNCTION remove_content();
DROP TABLE content_removals;
ALTER TABLE executions DROP COLUMN purpose;
ALTER TABLE media_files DROP COLUMN private;
