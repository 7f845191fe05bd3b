-- Sign-ups that wait for their address, and invitations.
-- +goose Up
-- Tokens exist as SHA-256 alone. What waits for its mail has none yet: the
-- token is made when the mail is, and known to the mail alone.

-- Sign-ups of installs with mail: the account comes to be when its address is confirmed.
CREATE TABLE sign_ups (
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (email <> ''),
  address text NOT NULL,
  display_name text NOT NULL,
  password_hash text NOT NULL,
  token_hash bytea UNIQUE CHECK (octet_length(token_hash) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ups_email ON sign_ups (email);
CREATE INDEX sign_ups_expiry ON sign_ups (expires_at);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  workspace_id uuid,
  email text NOT NULL CHECK (email <> ''),
  address text NOT NULL,
  org_role text NOT NULL CHECK (org_role IN ('admin', 'member')),
  workspace_role text CHECK (workspace_role IN ('admin', 'member')),
  token_hash bytea UNIQUE CHECK (octet_length(token_hash) = 32),
  send_id uuid NOT NULL,
  invited_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  accepted_by uuid REFERENCES users (id),
  revoked_at timestamptz,
  FOREIGN KEY (workspace_id, organization_id) REFERENCES workspaces (id, organization_id),
  CHECK ((workspace_id IS NULL) = (workspace_role IS NULL)),
  CHECK ((accepted_at IS NULL) = (accepted_by IS NULL)),
  CHECK (accepted_at IS NULL OR revoked_at IS NULL)
);
CREATE UNIQUE INDEX invitations_one_open ON invitations (organization_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_organization ON invitations (organization_id, id DESC);
CREATE INDEX invitations_workspace ON invitations (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX invitations_email ON invitations (email) WHERE accepted_at IS NULL AND revoked_at IS NULL;

-- One call that invites, and what became of each of its addresses.
CREATE TABLE invitation_batches (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  workspace_id uuid,
  org_role text NOT NULL CHECK (org_role IN ('admin', 'member')),
  workspace_role text CHECK (workspace_role IN ('admin', 'member')),
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  FOREIGN KEY (workspace_id, organization_id) REFERENCES workspaces (id, organization_id)
);
CREATE INDEX invitation_batches_organization ON invitation_batches (organization_id, id DESC);

CREATE TABLE invitation_sends (
  id uuid PRIMARY KEY,
  batch_id uuid NOT NULL REFERENCES invitation_batches (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  invitation_id uuid REFERENCES invitations (id),
  email text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'sent', 'link_only', 'failed')),
  error text,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK ((status = 'queued') = (finished_at IS NULL)),
  CHECK (invitation_id IS NOT NULL OR status = 'failed')
);
CREATE INDEX invitation_sends_batch ON invitation_sends (batch_id, id);
CREATE INDEX invitation_sends_invitation ON invitation_sends (invitation_id);

-- +goose Down
DROP TABLE invitation_sends, invitation_batches, invitations, sign_ups;
