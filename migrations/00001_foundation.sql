-- The tables of the beginning: people, organizations, credits, workflows, runs, queues, events, the audit log.
-- +goose Up
-- Ids are UUIDv7 made by the program, so tables partitioned by id are partitioned by month.

-- +goose StatementBegin
CREATE FUNCTION first_id(t timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM t) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Makes the partition of one month; false when it exists already.
CREATE FUNCTION ensure_month(parent text, month timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz := date_trunc('month', month AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  next timestamptz := (date_trunc('month', month AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
  name text := parent || '_' || to_char(first AT TIME ZONE 'UTC', 'YYYYMM');
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', name, parent, first_id(first), first_id(next));
  RETURN true;
END $$;
-- +goose StatementEnd

-- People

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (email <> ''),
  address text NOT NULL,
  display_name text NOT NULL,
  avatar_url text,
  password_hash text,
  email_verified_at timestamptz,
  last_workspace_id uuid,
  banned_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX users_email_live ON users (email) WHERE deleted_at IS NULL;

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  origin text NOT NULL CHECK (origin IN ('password', 'sso', 'oidc')),
  provider text,
  user_agent text NOT NULL DEFAULT '',
  ip text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE email_tokens (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX email_tokens_user ON email_tokens (user_id, purpose);
CREATE INDEX email_tokens_expiry ON email_tokens (expires_at);

CREATE TABLE api_tokens (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  name text NOT NULL,
  prefix text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  rate_limit int NOT NULL CHECK (rate_limit BETWEEN 1 AND 120),
  workspace_id uuid,
  workflow_ids uuid[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_tokens_user ON api_tokens (user_id) WHERE revoked_at IS NULL;

-- Organizations

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('school', 'team')),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,50}$'),
  status text NOT NULL CHECK (status IN ('pending', 'active', 'suspended')),
  settings jsonb NOT NULL DEFAULT '{}',
  suspension_reason text,
  terms_accepted_at timestamptz,
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CHECK (kind <> 'school' OR terms_accepted_at IS NOT NULL)
);
CREATE UNIQUE INDEX organizations_slug_live ON organizations (slug) WHERE deleted_at IS NULL;
CREATE INDEX organizations_status ON organizations (status, id) WHERE deleted_at IS NULL;

CREATE TABLE organization_members (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  status text NOT NULL CHECK (status IN ('active', 'suspended')),
  joined_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  CHECK (role <> 'owner' OR status = 'active')
);
CREATE UNIQUE INDEX organization_members_one_owner ON organization_members (organization_id) WHERE role = 'owner';
CREATE INDEX organization_members_user ON organization_members (user_id);
CREATE INDEX organization_members_joined ON organization_members (organization_id, joined_at DESC, user_id DESC);

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  name text NOT NULL,
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,50}$'),
  description text NOT NULL DEFAULT '',
  settings jsonb NOT NULL DEFAULT '{}',
  archived_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (id, organization_id)
);
CREATE UNIQUE INDEX workspaces_organization_slug ON workspaces (organization_id, slug);
CREATE INDEX workspaces_organization ON workspaces (organization_id, id DESC);

CREATE TABLE workspace_members (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'member')),
  status text NOT NULL CHECK (status IN ('active', 'suspended')),
  joined_by_code boolean NOT NULL DEFAULT false,
  added_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, organization_id) REFERENCES workspaces (id, organization_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX workspace_members_member ON workspace_members (organization_id, user_id);
CREATE INDEX workspace_members_user ON workspace_members (user_id);
CREATE INDEX workspace_members_added ON workspace_members (workspace_id, added_at DESC, user_id DESC);

CREATE TABLE join_codes (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
  code text NOT NULL UNIQUE CHECK (length(code) = 8),
  enabled boolean NOT NULL,
  closes_at timestamptz,
  rotated_at timestamptz NOT NULL,
  rotated_by uuid NOT NULL REFERENCES users (id)
);

-- Credits: amounts are thousandths. ledger_entries is the truth, appended only;
-- the counters are what it adds up to, each guarded by a check.

CREATE TABLE ledger_entries (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('signup', 'grant', 'purchase', 'refund', 'allocation', 'return', 'hold', 'charge', 'release', 'absorbed')),
  from_book text NOT NULL,
  from_id uuid,
  to_book text NOT NULL,
  to_id uuid,
  amount bigint NOT NULL CHECK (amount > 0 OR (kind = 'release' AND amount = 0)),
  organization_id uuid,
  workspace_id uuid,
  user_id uuid,
  execution_id uuid,
  node_id text,
  description text NOT NULL DEFAULT '',
  actor_id uuid,
  balance_after bigint,
  created_at timestamptz NOT NULL,
  CHECK (from_book IN ('issued', 'pool', 'headroom', 'held', 'spent', 'wallet', 'wallet_held', 'wallet_spent', 'absorbed')),
  CHECK (to_book IN ('issued', 'pool', 'headroom', 'held', 'spent', 'wallet', 'wallet_held', 'wallet_spent', 'absorbed'))
);
CREATE UNIQUE INDEX ledger_entries_once ON ledger_entries (execution_id, node_id, kind) WHERE execution_id IS NOT NULL;
CREATE INDEX ledger_entries_organization ON ledger_entries (organization_id, id DESC) WHERE organization_id IS NOT NULL;
CREATE INDEX ledger_entries_workspace ON ledger_entries (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE INDEX ledger_entries_personal ON ledger_entries (user_id, id DESC) WHERE workspace_id IS NULL AND user_id IS NOT NULL;

CREATE TABLE organization_pools (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  balance bigint NOT NULL DEFAULT 0 CONSTRAINT organization_pools_not_negative CHECK (balance >= 0),
  lifetime_purchased bigint NOT NULL DEFAULT 0 CHECK (lifetime_purchased >= 0)
);

CREATE TABLE workspace_budgets (
  workspace_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  allocated bigint NOT NULL DEFAULT 0 CHECK (allocated >= 0),
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  FOREIGN KEY (workspace_id, organization_id) REFERENCES workspaces (id, organization_id),
  CONSTRAINT workspace_budgets_within CHECK (reserved + spent <= allocated)
);
CREATE INDEX workspace_budgets_organization ON workspace_budgets (organization_id);

CREATE TABLE member_budgets (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  user_id uuid NOT NULL REFERENCES users (id),
  cap bigint CHECK (cap >= 0),
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX member_budgets_user ON member_budgets (user_id);

CREATE TABLE wallets (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  balance bigint NOT NULL DEFAULT 0,
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  CONSTRAINT wallets_within CHECK (reserved <= balance)
);

-- Workflows and apps

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  user_id uuid REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  is_default boolean NOT NULL DEFAULT false,
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CHECK ((user_id IS NULL) <> (workspace_id IS NULL))
);
CREATE UNIQUE INDEX projects_one_default_personal ON projects (user_id) WHERE is_default AND user_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX projects_one_default_workspace ON projects (workspace_id) WHERE is_default AND workspace_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX projects_user ON projects (user_id, id DESC) WHERE user_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX projects_workspace ON projects (workspace_id, id DESC) WHERE workspace_id IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE workflows (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  project_id uuid NOT NULL REFERENCES projects (id),
  owner_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  organization_id uuid REFERENCES organizations (id),
  visibility text NOT NULL CHECK (visibility IN ('private', 'workspace')),
  version int NOT NULL CHECK (version >= 1),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CHECK ((workspace_id IS NULL) = (organization_id IS NULL))
);
CREATE INDEX workflows_personal ON workflows (owner_id, id DESC) WHERE workspace_id IS NULL AND deleted_at IS NULL;
CREATE INDEX workflows_workspace ON workflows (workspace_id, id DESC) WHERE workspace_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX workflows_project ON workflows (project_id) WHERE deleted_at IS NULL;

CREATE TABLE workflow_versions (
  workflow_id uuid NOT NULL REFERENCES workflows (id),
  version int NOT NULL,
  nodes jsonb NOT NULL,
  edges jsonb NOT NULL,
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workflow_id, version)
);

CREATE TABLE apps (
  id uuid PRIMARY KEY,
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,50}$'),
  workflow_id uuid NOT NULL REFERENCES workflows (id),
  owner_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  icon_url text NOT NULL DEFAULT '',
  is_active boolean NOT NULL,
  allowed_embed_domains text[] NOT NULL DEFAULT '{}',
  max_runs_per_user_per_day int CHECK (max_runs_per_user_per_day >= 1),
  latest_version int NOT NULL CHECK (latest_version >= 1),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX apps_slug_live ON apps (slug) WHERE deleted_at IS NULL;
CREATE INDEX apps_owner ON apps (owner_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX apps_workspace ON apps (workspace_id, id DESC) WHERE workspace_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX apps_workflow_live ON apps (workflow_id) WHERE deleted_at IS NULL;

CREATE TABLE app_versions (
  id uuid PRIMARY KEY,
  app_id uuid NOT NULL REFERENCES apps (id),
  version int NOT NULL,
  nodes jsonb NOT NULL,
  edges jsonb NOT NULL,
  input_items jsonb NOT NULL,
  thumbnail_node_id text,
  estimated_cost bigint NOT NULL CHECK (estimated_cost >= 0),
  created_at timestamptz NOT NULL,
  UNIQUE (app_id, version)
);

-- One row per account and day: the daily limit is one conditional update.
CREATE TABLE app_daily_runs (
  app_id uuid NOT NULL REFERENCES apps (id),
  user_id uuid NOT NULL REFERENCES users (id),
  day date NOT NULL,
  count int NOT NULL,
  PRIMARY KEY (app_id, user_id, day)
);

-- Runs

CREATE TABLE executions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  organization_id uuid,
  workspace_id uuid,
  workflow_id uuid,
  workflow_version int,
  app_id uuid,
  trigger text NOT NULL CHECK (trigger IN ('editor', 'api', 'app', 'webhook', 'schedule')),
  status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  nodes jsonb NOT NULL,
  edges jsonb NOT NULL,
  total_nodes int NOT NULL,
  completed_nodes int NOT NULL DEFAULT 0,
  failed_nodes int NOT NULL DEFAULT 0,
  open_nodes int NOT NULL,
  hold bigint NOT NULL CHECK (hold >= 0),
  charged bigint NOT NULL DEFAULT 0 CHECK (charged >= 0 AND charged <= hold),
  settled_at timestamptz,
  error_code text,
  error_message text,
  source text NOT NULL,
  revision bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  completed_at timestamptz
) PARTITION BY RANGE (id);
CREATE INDEX executions_account ON executions (account_id, id DESC);
CREATE INDEX executions_workflow ON executions (workflow_id, id DESC);
CREATE INDEX executions_workspace ON executions (workspace_id, id DESC) WHERE workspace_id IS NOT NULL;
CREATE TABLE executions_default PARTITION OF executions DEFAULT;

CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  execution_id uuid NOT NULL REFERENCES executions (id),
  workspace_id uuid,
  node_id text NOT NULL,
  node_index int NOT NULL,
  job_type text NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'pending', 'processing', 'completed', 'failed', 'cancelled', 'skipped', 'pending_review')),
  progress int NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  input_data jsonb NOT NULL,
  output_data jsonb,
  state jsonb,
  error_message text,
  error_hint text,
  cost bigint NOT NULL CHECK (cost >= 0),
  credit_status text CHECK (credit_status IN ('reserved', 'committed', 'released')),
  credits_charged bigint,
  source text NOT NULL,
  client_app_id uuid,
  waits_for int NOT NULL DEFAULT 0,
  attempts int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  completed_at timestamptz,
  UNIQUE (execution_id, node_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX jobs_account ON jobs (account_id, id DESC);
CREATE TABLE jobs_default PARTITION OF jobs DEFAULT;

CREATE TABLE app_runs (
  id uuid PRIMARY KEY,
  app_id uuid NOT NULL REFERENCES apps (id),
  account_id uuid NOT NULL REFERENCES users (id),
  workspace_id uuid REFERENCES workspaces (id),
  version int,
  execution_id uuid UNIQUE,
  thumbnail_url text,
  archived_at timestamptz,
  created_at timestamptz NOT NULL,
  started_at timestamptz
);
CREATE INDEX app_runs_account ON app_runs (account_id, app_id, id DESC);
CREATE INDEX app_runs_app ON app_runs (app_id, id DESC);

CREATE TABLE media_files (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES users (id),
  execution_id uuid,
  key text NOT NULL UNIQUE,
  sha256 bytea NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  width int,
  height int,
  duration double precision,
  created_at timestamptz NOT NULL
);
CREATE INDEX media_files_account ON media_files (account_id, id DESC);
CREATE INDEX media_files_content ON media_files (sha256);

-- Work that waits, for node jobs and deliveries alike

CREATE TABLE lane_owners (kind text NOT NULL, owner_id uuid NOT NULL, PRIMARY KEY (kind, owner_id));

CREATE TABLE lanes (
  kind text NOT NULL,
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  next_due_at timestamptz,
  rest_until timestamptz,
  rest_level int NOT NULL DEFAULT 0,
  silent_streak int NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, id)
);
CREATE INDEX lanes_due ON lanes (kind, next_due_at) WHERE next_due_at IS NOT NULL;
CREATE INDEX lanes_owner ON lanes (kind, owner_id);

CREATE TABLE lane_items (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  lane_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  priority int NOT NULL DEFAULT 0,
  attempt int NOT NULL DEFAULT 0,
  fence bigint NOT NULL DEFAULT 0,
  lease_until timestamptz,
  lease_owner text
);
CREATE INDEX lane_items_due ON lane_items (kind, lane_id, due_at, id) WHERE lease_until IS NULL;
CREATE INDEX lane_items_lane_flying ON lane_items (kind, lane_id) WHERE lease_until IS NOT NULL;
CREATE INDEX lane_items_owner_flying ON lane_items (kind, owner_id) WHERE lease_until IS NOT NULL;
CREATE INDEX lane_items_urgent ON lane_items (kind, lane_id, due_at) WHERE priority > 0;

-- Webhook endpoints and deliveries

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES users (id),
  app_id uuid,
  url text NOT NULL,
  url_key text NOT NULL,
  description text NOT NULL DEFAULT '',
  events text[] NOT NULL,
  is_active boolean NOT NULL,
  disabled_reason text CHECK (disabled_reason IN ('consecutive_failures')),
  disabled_at timestamptz,
  consecutive_failures int NOT NULL DEFAULT 0,
  secret text,
  secret_created_at timestamptz,
  previous_secret text,
  previous_secret_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX webhook_endpoints_account_url ON webhook_endpoints (account_id, url_key);

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  account_id uuid NOT NULL,
  event text NOT NULL CHECK (event IN ('job.completed', 'job.failed', 'ping')),
  job_id uuid,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  response_status int,
  response_body bytea,
  duration_ms int,
  error text,
  next_attempt_at timestamptz,
  request_body bytea,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK (status <> 'delivered' OR request_body IS NULL)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_endpoint_status ON webhook_deliveries (endpoint_id, status, id DESC);
CREATE TABLE webhook_deliveries_default PARTITION OF webhook_deliveries DEFAULT;

CREATE TABLE webhook_attempts (
  id uuid PRIMARY KEY,
  delivery_id uuid NOT NULL,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  number int NOT NULL,
  response_status int,
  response_body bytea,
  error text,
  address text,
  duration_ms int NOT NULL,
  dns_ms int NOT NULL DEFAULT 0,
  connect_ms int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, id);
CREATE INDEX webhook_attempts_endpoint ON webhook_attempts (endpoint_id);
CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT;

-- What accompanies changes

CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  workspace_id uuid,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id uuid,
  details jsonb NOT NULL,
  actor_id uuid,
  actor_name text,
  created_at timestamptz NOT NULL,
  sequence bigint NOT NULL,
  hash text NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX audit_entries_organization ON audit_entries (organization_id, id DESC);
CREATE INDEX audit_entries_chain ON audit_entries (organization_id, sequence);
CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;

CREATE TABLE audit_heads (organization_id uuid PRIMARY KEY, sequence bigint NOT NULL, hash text NOT NULL);

CREATE TABLE rate_windows (
  name text NOT NULL,
  key text NOT NULL,
  started_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  count int NOT NULL,
  PRIMARY KEY (name, key, started_at)
);
CREATE INDEX rate_windows_ends ON rate_windows (ends_at);

CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status int NOT NULL,
  answer bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- +goose StatementBegin
DO $$
DECLARE parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['executions', 'jobs', 'webhook_deliveries', 'webhook_attempts', 'audit_entries'] LOOP
    FOR month IN -4..3 LOOP
      PERFORM ensure_month(parent, now() + month * interval '1 month');
    END LOOP;
  END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP TABLE idempotency_keys, rate_windows, audit_heads, audit_entries, webhook_attempts, webhook_deliveries,
  webhook_endpoints, lane_items, lanes, lane_owners, media_files, app_runs, jobs, executions, app_daily_runs,
  app_versions, apps, workflow_versions, workflows, projects, wallets, member_budgets, workspace_budgets,
  organization_pools, ledger_entries, join_codes, workspace_members, workspaces, organization_members,
  organizations, api_tokens, email_tokens, sessions, users;
DROP FUNCTION ensure_month(text, timestamptz);
DROP FUNCTION first_id(timestamptz);
