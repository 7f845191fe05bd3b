-- What operators set for the whole install, who changed what of it, and links that change an account's address.
-- +goose Up

-- One row at most: what an install says of itself.
CREATE TABLE install_settings (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  terms text NOT NULL DEFAULT '',
  privacy text NOT NULL DEFAULT '',
  payment_instructions text NOT NULL DEFAULT '',
  contact text NOT NULL DEFAULT '',
  accent text NOT NULL DEFAULT '' CHECK (accent ~ '^(#[0-9a-f]{6})?$'),
  logo_key text,
  logo bytea CHECK (octet_length(logo) <= 131072),
  version int NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL
);

-- Who changed which of them; the newest hundred.
CREATE TABLE install_changes (
  id uuid PRIMARY KEY,
  actor_id uuid NOT NULL,
  actor_name text NOT NULL,
  fields text[] NOT NULL,
  created_at timestamptz NOT NULL
);

COMMENT ON TABLE install_settings IS 'A row is what operators set for the install: terms, privacy, how to pay, whom to ask, logo and colour. Grows with nothing: there is one at most. Ends never.';
COMMENT ON TABLE install_changes IS 'A row is a change of the settings of the install. Grows with such changes. Ends when a hundred newer ones are there.';

ALTER TABLE email_tokens ADD COLUMN new_email text;
ALTER TABLE email_tokens DROP CONSTRAINT email_tokens_purpose_check;
ALTER TABLE email_tokens ADD CONSTRAINT email_tokens_purpose_check CHECK (purpose IN ('verify', 'reset', 'handed', 'change'));
ALTER TABLE email_tokens ADD CONSTRAINT email_tokens_new CHECK ((purpose = 'change') = (new_email IS NOT NULL));

-- +goose Down
DELETE FROM email_tokens WHERE purpose = 'change';
ALTER TABLE email_tokens DROP CONSTRAINT email_tokens_new;
ALTER TABLE email_tokens DROP CONSTRAINT email_tokens_purpose_check;
ALTER TABLE email_tokens ADD CONSTRAINT email_tokens_purpose_check CHECK (purpose IN ('verify', 'reset', 'handed'));
ALTER TABLE email_tokens DROP COLUMN new_email;
DROP TABLE install_changes, install_settings;
