-- The studio: pipelines, productions, shots, renders and shares.
-- +goose Up

-- What makes a shot: a recipe of up to four stages.
CREATE TABLE pipelines (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  organization_id uuid REFERENCES organizations (id),
  project_id uuid REFERENCES projects (id),
  visibility text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  stages jsonb NOT NULL,
  source jsonb,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX pipelines_workspace ON pipelines (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX pipelines_owner ON pipelines (owner_id, id DESC);

-- A script, its cast, its shots and its film.
CREATE TABLE productions (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  organization_id uuid REFERENCES organizations (id),
  project_id uuid NOT NULL REFERENCES projects (id),
  visibility text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  script text NOT NULL DEFAULT '',
  language text NOT NULL,
  aspect_ratio text NOT NULL,
  resolution text NOT NULL,
  pipeline_id uuid NOT NULL,
  preset_id uuid,
  narrator_voice_id uuid,
  music jsonb,
  captions text NOT NULL,
  seed int NOT NULL,
  cast_ids uuid[] NOT NULL DEFAULT '{}',
  -- How many shots are not skipped, and how long they last, in seconds.
  shot_count int NOT NULL DEFAULT 0,
  duration double precision NOT NULL DEFAULT 0,
  status text NOT NULL CHECK (status IN ('draft', 'rendering', 'ready', 'stale', 'failed')),
  -- The last film, and the fingerprint of what it was cut from.
  film_fingerprint text NOT NULL DEFAULT '',
  video_url text,
  thumbnail_url text,
  captions_url text,
  -- The elements, presets, voices, pipelines and workflows that the last render was made of.
  uses uuid[] NOT NULL DEFAULT '{}',
  search tsvector GENERATED ALWAYS AS (search_index(name || ' ' || description, NULL)) STORED,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX productions_workspace ON productions (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX productions_owner ON productions (owner_id, id DESC);
CREATE INDEX productions_project ON productions (project_id);
CREATE INDEX productions_uses ON productions USING gin (uses) WITH (fastupdate = off);
CREATE INDEX productions_search ON productions USING gin (search) WITH (fastupdate = off);

-- One continuous take of a production.
CREATE TABLE shots (
  id uuid PRIMARY KEY,
  production_id uuid NOT NULL REFERENCES productions (id) ON DELETE CASCADE,
  position int NOT NULL,
  title text NOT NULL DEFAULT '',
  action text NOT NULL DEFAULT '',
  dialogue text NOT NULL DEFAULT '',
  speaker_id uuid,
  voice_id uuid,
  character_ids uuid[] NOT NULL DEFAULT '{}',
  creature_ids uuid[] NOT NULL DEFAULT '{}',
  object_ids uuid[] NOT NULL DEFAULT '{}',
  location_id uuid,
  camera jsonb NOT NULL,
  duration double precision,
  prompt text NOT NULL DEFAULT '',
  negative_prompt text NOT NULL DEFAULT '',
  own_image_url text,
  skip boolean NOT NULL DEFAULT false,
  locked boolean NOT NULL DEFAULT false,
  notes text NOT NULL DEFAULT '',
  -- Of the last render that touched it.
  status text NOT NULL CHECK (status IN ('empty', 'rendering', 'ready', 'failed')),
  error_message text,
  execution_id uuid,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX shots_production ON shots (production_id, position, id);

-- The last result of each stage of a shot, and the fingerprint of what it was made of.
CREATE TABLE shot_results (
  shot_id uuid NOT NULL REFERENCES shots (id) ON DELETE CASCADE,
  stage text NOT NULL CHECK (stage IN ('image', 'speech', 'clip')),
  fingerprint text NOT NULL,
  url text NOT NULL,
  width int,
  height int,
  -- In seconds; null of pictures.
  duration double precision,
  job_id uuid NOT NULL,
  credits bigint NOT NULL,
  -- The elements and voices that it shows or lets hear.
  things uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (shot_id, stage)
);

-- Executions that render a production. fingerprints: of what each node of the graph is made.
CREATE TABLE production_renders (
  execution_id uuid PRIMARY KEY,
  production_id uuid NOT NULL REFERENCES productions (id) ON DELETE CASCADE,
  -- The stage after which it stops; null for all.
  stage text,
  fingerprints jsonb NOT NULL,
  reused_shots int NOT NULL,
  estimated_credits bigint NOT NULL,
  ended_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX production_renders_production ON production_renders (production_id, execution_id DESC);
CREATE UNIQUE INDEX production_renders_open ON production_renders (production_id) WHERE ended_at IS NULL;

-- Shots that somebody shared with everybody, with copies of what they show.
CREATE TABLE shot_shares (
  shot_id uuid PRIMARY KEY REFERENCES shots (id) ON DELETE CASCADE,
  until timestamptz NOT NULL,
  title text NOT NULL,
  dialogue text NOT NULL,
  image_file_id uuid,
  video_file_id uuid,
  audio_file_id uuid,
  width int,
  height int,
  duration double precision,
  -- The elements and voices that it shows or lets hear and that depict a person.
  things uuid[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL
);
CREATE INDEX shot_shares_until ON shot_shares (until);
CREATE INDEX shot_shares_things ON shot_shares USING gin (things) WITH (fastupdate = off);

-- Renders of productions that were deleted, which are still to be cancelled.
CREATE TABLE render_cancels (
  execution_id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL
);

-- Jobs of providers that break a script down, and what is to become of their shots.
CREATE TABLE breakdown_jobs (
  job_id uuid PRIMARY KEY,
  production_id uuid NOT NULL REFERENCES productions (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id),
  replaces boolean NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX breakdown_jobs_production ON breakdown_jobs (production_id);

-- Organizations that were deleted, of which the studio still keeps something.
CREATE TABLE studio_removals (
  organization_id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE studio_removals, breakdown_jobs, render_cancels, shot_shares, production_renders, shot_results, shots, productions, pipelines;
