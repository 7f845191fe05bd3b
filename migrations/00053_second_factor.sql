-- Second factors of password accounts, and when a session was confirmed last.
-- +goose Up
ALTER TABLE users ADD COLUMN second_factor_at timestamptz; -- since when there is one: a code generator or a passkey
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz; -- null: when it began

CREATE TABLE totp_secrets (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  secret text NOT NULL, -- sealed
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz, -- null: not in use yet
  last_step bigint NOT NULL DEFAULT 0 -- the newest step whose code was used
);
CREATE INDEX totp_secrets_unconfirmed ON totp_secrets (created_at) WHERE confirmed_at IS NULL;

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id),
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  credential_id bytea NOT NULL,
  credential jsonb NOT NULL, -- public key, counters and flags
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  suspected_at timestamptz -- its counter went back: it may have been copied, and is accepted no more
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Challenges that a passkey answered, until they expire: each is answered once. Those that nobody
-- answered are kept nowhere, for they can be computed again from their ids.
CREATE TABLE passkey_challenges (
  id uuid PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- Sign-ins whose password was right and whose second step is awaited.
CREATE TABLE second_steps (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  of_password bytea NOT NULL, -- which one was right: a changed password ends the step
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX second_steps_expiry ON second_steps (expires_at);
CREATE INDEX second_steps_user ON second_steps (user_id);

-- +goose Down
DROP TABLE second_steps;
DROP TABLE passkey_challenges;
DROP TABLE passkeys;
DROP TABLE recovery_codes;
DROP TABLE totp_secrets;
ALTER TABLE sessions DROP COLUMN confirmed_at;
ALTER TABLE users DROP COLUMN second_factor_at;
