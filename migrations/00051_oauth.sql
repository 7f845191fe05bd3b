-- Apps of others that act for people, what people allow them, and their tokens.
-- +goose Up
CREATE TABLE oauth_apps (
  id uuid PRIMARY KEY, -- the client_id as well
  owner_id uuid REFERENCES users (id), -- null: it registered itself
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL DEFAULT '{}', -- all that it may ask for; empty: anything
  allowed_origins text[] NOT NULL DEFAULT '{}',
  secret_hash bytea, -- null: a public client
  secret_created_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  last_used_at timestamptz,
  deleted_at timestamptz,
  ending boolean NOT NULL DEFAULT false -- deleted, while people still have grants to be ended
);
CREATE INDEX oauth_apps_owner ON oauth_apps (owner_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX oauth_apps_unused ON oauth_apps (created_at) WHERE owner_id IS NULL AND last_used_at IS NULL;
CREATE INDEX oauth_apps_rarely_used ON oauth_apps (last_used_at) WHERE owner_id IS NULL AND deleted_at IS NULL;
CREATE INDEX oauth_apps_ending ON oauth_apps (id) WHERE ending;
CREATE INDEX oauth_apps_deleted ON oauth_apps (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX oauth_apps_origins ON oauth_apps USING gin (allowed_origins) WHERE deleted_at IS NULL;

-- What a person allowed an app; one that was taken back stays as history.
CREATE TABLE oauth_grants (
  id uuid PRIMARY KEY,
  app_id uuid NOT NULL REFERENCES oauth_apps (id),
  user_id uuid NOT NULL REFERENCES users (id),
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX oauth_grants_live ON oauth_grants (user_id, app_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_grants_app ON oauth_grants (app_id, id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_grants_of_app ON oauth_grants (app_id); -- for the foreign key
CREATE INDEX oauth_grants_revoked ON oauth_grants (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE oauth_codes (
  code_hash bytea PRIMARY KEY,
  grant_id uuid NOT NULL REFERENCES oauth_grants (id),
  app_id uuid NOT NULL,
  redirect_uri text NOT NULL, -- as it was asked for; empty where the app has one and none was named
  scopes text[] NOT NULL,
  code_challenge text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oauth_codes_expiry ON oauth_codes (expires_at);
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id); -- for the foreign key

CREATE TABLE oauth_tokens (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL,
  grant_id uuid NOT NULL REFERENCES oauth_grants (id),
  app_id uuid NOT NULL,
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL, -- that it was exchanged for
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX oauth_tokens_hash ON oauth_tokens (token_hash);
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id, id DESC);
CREATE INDEX oauth_tokens_code ON oauth_tokens (code_hash);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at);
CREATE INDEX oauth_tokens_revoked ON oauth_tokens (revoked_at) WHERE revoked_at IS NOT NULL;

-- Which app's work an execution is, for what that app may see.
ALTER TABLE executions ADD COLUMN client_app_id uuid;

-- +goose Down
ALTER TABLE executions DROP COLUMN client_app_id;
DROP TABLE oauth_tokens;
DROP TABLE oauth_codes;
DROP TABLE oauth_grants;
DROP TABLE oauth_apps;
