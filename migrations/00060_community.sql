-- The community: posts and their marks.
-- +goose Up

-- Snapshots of library things, workflows and apps, for an audience to look at and copy.
CREATE TABLE community_posts (
  id uuid PRIMARY KEY,
  author_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  organization_id uuid REFERENCES organizations (id),
  kind text NOT NULL,
  source_id uuid NOT NULL,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  category text NOT NULL,
  tags text[] NOT NULL DEFAULT '{}',
  license text NOT NULL,
  audience text NOT NULL CHECK (audience IN ('workspace', 'organization', 'everyone')),
  status text NOT NULL CHECK (status IN ('pending_review', 'visible', 'rejected', 'hidden')),
  reason text,
  content jsonb NOT NULL,
  -- The pictures of the snapshot are private files; the one that is shown is an ordinary copy while the post is visible.
  picture_ids uuid[] NOT NULL DEFAULT '{}',
  shown_file_id uuid,
  image_url text,
  remix_of uuid,
  -- How many marks there are of each kind.
  uses int NOT NULL DEFAULT 0,
  likes int NOT NULL DEFAULT 0,
  popularity bigint NOT NULL GENERATED ALWAYS AS (uses + likes) STORED,
  open_reports int NOT NULL DEFAULT 0,
  search tsvector GENERATED ALWAYS AS (search_index(title || ' ' || description, NULL)) STORED,
  version int NOT NULL DEFAULT 1,
  published_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX community_posts_author ON community_posts (author_id, id DESC);
CREATE INDEX community_posts_workspace ON community_posts (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX community_posts_organization ON community_posts (organization_id, id DESC) WHERE organization_id IS NOT NULL;
CREATE INDEX community_posts_everyone ON community_posts (id DESC) WHERE audience = 'everyone' AND status = 'visible';
CREATE INDEX community_posts_popular ON community_posts (popularity DESC, id DESC) WHERE status = 'visible';
CREATE INDEX community_posts_search ON community_posts USING gin (search) WITH (fastupdate = off);

-- Who likes, copied or reported a post: each once.
CREATE TABLE community_marks (
  post_id uuid NOT NULL REFERENCES community_posts (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id),
  kind text NOT NULL CHECK (kind IN ('like', 'use', 'report')),
  reason text,
  details text,
  settled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (post_id, kind, user_id)
);
CREATE INDEX community_marks_user ON community_marks (user_id);

-- The post that a workflow is a copy of.
ALTER TABLE workflows ADD COLUMN post_id uuid;

-- +goose Down
ALTER TABLE workflows DROP COLUMN post_id;
DROP TABLE community_marks, community_posts;
