-- Pictures of people, acts of operators, and the removal of what deleted accounts ran.
-- +goose Up
-- The small picture that a person uploaded, made anew by the program. Its key is the part of its address that nobody guesses.
CREATE TABLE user_pictures (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  key text NOT NULL UNIQUE,
  content bytea NOT NULL CHECK (octet_length(content) <= 131072),
  created_at timestamptz NOT NULL
);

-- What operators did to people: no organization's log has it.
CREATE TABLE operator_acts (
  id uuid PRIMARY KEY,
  actor_id uuid NOT NULL,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_id uuid NOT NULL,
  target_name text NOT NULL,
  reason text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL
);
CREATE INDEX operator_acts_target ON operator_acts (target_id, id DESC);

-- Accounts that were deleted and whose runs are still to be removed.
CREATE TABLE account_erasures (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  created_at timestamptz NOT NULL
);

-- A link that an operator handed over proves no address.
ALTER TABLE email_tokens DROP CONSTRAINT email_tokens_purpose_check;
ALTER TABLE email_tokens ADD CONSTRAINT email_tokens_purpose_check CHECK (purpose IN ('verify', 'reset', 'handed'));

-- People and organizations are found by a part of their name or address, by operators alone.
CREATE INDEX users_newest ON users (id DESC) WHERE deleted_at IS NULL;

-- +goose Down
DROP INDEX users_newest;
DELETE FROM email_tokens WHERE purpose = 'handed';
ALTER TABLE email_tokens DROP CONSTRAINT email_tokens_purpose_check;
ALTER TABLE email_tokens ADD CONSTRAINT email_tokens_purpose_check CHECK (purpose IN ('verify', 'reset'));
DROP TABLE account_erasures, operator_acts, user_pictures;
