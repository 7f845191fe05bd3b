-- Notifications, what of them is mailed, and requests for credits.
-- +goose Up

-- What people are told: written in the transaction of what it tells of.
CREATE TABLE notifications (
  id uuid PRIMARY KEY,
  recipient_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind <> ''),
  -- What the recipient must be in the organization or workspace to see it still.
  needs text NOT NULL CHECK (needs IN ('nothing', 'member', 'teacher', 'admin', 'owner')),
  organization_id uuid,
  workspace_id uuid,
  subject_id uuid,
  facts jsonb NOT NULL CHECK (octet_length(facts::text) <= 8192),
  -- How many times it happened: what bundles counts on until it is read.
  count int NOT NULL DEFAULT 1 CHECK (count >= 1),
  bundles boolean NOT NULL DEFAULT false,
  -- The same is told once: an unread bundle has the key of its kind.
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  happened_at timestamptz NOT NULL,
  read_at timestamptz,
  mail_at timestamptz,
  mailed_at timestamptz,
  UNIQUE (recipient_id, key),
  CHECK (needs = 'nothing' OR organization_id IS NOT NULL)
);
CREATE INDEX notifications_all ON notifications (recipient_id, happened_at DESC, id DESC);
CREATE INDEX notifications_unread ON notifications (recipient_id, happened_at DESC, id DESC) WHERE read_at IS NULL;
CREATE INDEX notifications_mail ON notifications (recipient_id, mail_at DESC) WHERE mail_at IS NOT NULL;
CREATE INDEX notifications_subject ON notifications (subject_id) WHERE subject_id IS NOT NULL AND read_at IS NULL;
CREATE INDEX notifications_age ON notifications (happened_at);

-- What somebody chose of what comes by mail; without a row the kind's own default holds.
CREATE TABLE notification_choices (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind text NOT NULL,
  mail boolean NOT NULL,
  PRIMARY KEY (user_id, kind)
);

-- Requests for credits, until they are answered and for a while after.
CREATE TABLE credit_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  requester_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  amount bigint CHECK (amount > 0),
  reason text NOT NULL CHECK (length(reason) <= 500),
  created_at timestamptz NOT NULL,
  answer text CHECK (answer IN ('given', 'declined', 'withdrawn')),
  answered_at timestamptz,
  answered_by uuid,
  CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX credit_requests_open ON credit_requests (workspace_id, requester_id) WHERE answered_at IS NULL;
CREATE INDEX credit_requests_organization ON credit_requests (organization_id, id) WHERE answered_at IS NULL;
CREATE INDEX credit_requests_age ON credit_requests (created_at);

-- What was left when a budget was filled last, and since when it, or a limit, is
-- near its end: that is told once until it is filled again.
ALTER TABLE workspace_budgets ADD COLUMN filled bigint NOT NULL DEFAULT 0, ADD COLUMN low_at timestamptz;
UPDATE workspace_budgets SET filled = allocated - reserved - spent;
ALTER TABLE member_budgets ADD COLUMN low_at timestamptz;

-- +goose Down
ALTER TABLE member_budgets DROP COLUMN low_at;
ALTER TABLE workspace_budgets DROP COLUMN low_at, DROP COLUMN filled;
DROP TABLE credit_requests;
DROP TABLE notification_choices;
DROP TABLE notifications;
