-- Credentials that outbound nodes send with.
-- +goose Up
-- A header name and a key that outbound nodes send with; a row goes with its account.
CREATE TABLE credentials (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES users (id),
  name text NOT NULL,
  header_name text NOT NULL,
  -- Sealed for this row and its account.
  key_sealed text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('plain', 'locked')),
  -- The only address that a locked one is sent to, and whether to those below it, too.
  locked_url text,
  allow_subpaths boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((kind = 'locked') = (locked_url IS NOT NULL)),
  CHECK (kind = 'locked' OR NOT allow_subpaths)
);
CREATE INDEX credentials_account ON credentials (account_id, id DESC);

-- The nodes of current graphs that send with a credential of their workflow's creator.
CREATE TABLE credential_nodes (
  workflow_id uuid NOT NULL REFERENCES workflows (id),
  node_id text NOT NULL,
  credential_id uuid NOT NULL REFERENCES credentials (id) ON DELETE CASCADE,
  -- What the creator, signed in, let the node send with and where to; null when somebody else wrote it.
  approved bytea,
  PRIMARY KEY (workflow_id, node_id)
);
CREATE INDEX credential_nodes_credential ON credential_nodes (credential_id, workflow_id, node_id);

-- Whether somebody signed in started the run personally, or had it started by a timetable of their own.
ALTER TABLE executions ADD COLUMN personal boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE executions DROP COLUMN personal;
DROP TABLE credential_nodes;
DROP TABLE credentials;
