-- Sign-in through identity providers.
-- +goose Up
CREATE TABLE external_identities (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  origin text NOT NULL CHECK (origin IN ('sso', 'oidc')),
  provider text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX external_identities_subject ON external_identities (origin, provider, subject);
CREATE UNIQUE INDEX external_identities_user ON external_identities (user_id);

-- Assertions that were used, until their validity ends.
CREATE TABLE used_assertions (
  provider text NOT NULL,
  jti_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (provider, jti_hash)
);
CREATE INDEX used_assertions_expiry ON used_assertions (expires_at);

-- One-time tokens that become a session.
CREATE TABLE sso_tokens (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  origin text NOT NULL CHECK (origin IN ('sso', 'oidc')),
  provider text NOT NULL,
  browser_hash bytea, -- of the browser that began, when one did
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sso_tokens_expiry ON sso_tokens (expires_at);
CREATE INDEX sso_tokens_user ON sso_tokens (user_id);

-- How sign-ins through each provider ended, for operators. code is ok or the refusal's.
CREATE TABLE external_sign_ins (
  origin text NOT NULL,
  provider text NOT NULL,
  code text NOT NULL,
  day date NOT NULL,
  count bigint NOT NULL,
  last_at timestamptz NOT NULL,
  clock_offset_ms bigint, -- of the last one: the provider's clock less ours
  PRIMARY KEY (origin, provider, code, day)
);
CREATE INDEX external_sign_ins_age ON external_sign_ins (last_at);

-- +goose Down
DROP TABLE external_sign_ins;
DROP TABLE sso_tokens;
DROP TABLE used_assertions;
DROP TABLE external_identities;
