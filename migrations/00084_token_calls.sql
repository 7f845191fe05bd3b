-- Personal tokens may expire, say from where they were used last, and keep their last calls for their owner.
-- +goose Up
ALTER TABLE api_tokens ADD COLUMN expires_at timestamptz, ADD COLUMN last_used_ip text NOT NULL DEFAULT '';

CREATE TABLE token_calls (
  token_id uuid NOT NULL REFERENCES api_tokens (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  called_at timestamptz NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status int NOT NULL,
  duration_us bigint NOT NULL,
  ip text NOT NULL,
  PRIMARY KEY (token_id, id)
);
CREATE INDEX token_calls_called ON token_calls (called_at);
COMMENT ON TABLE token_calls IS 'A row is a call that a personal token made, as its owner sees it. Grows with calls, up to a hundred for each token. Ends when a hundred newer ones are known, after 30 days, or when the owner''s account is deleted.';

-- +goose Down
DROP TABLE token_calls;
ALTER TABLE api_tokens DROP COLUMN expires_at, DROP COLUMN last_used_ip;
