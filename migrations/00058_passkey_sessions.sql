-- Sessions that a passkey alone began.
-- +goose Up
ALTER TABLE sessions DROP CONSTRAINT sessions_origin_check;
ALTER TABLE sessions ADD CONSTRAINT sessions_origin_check CHECK (origin IN ('password', 'passkey', 'sso', 'oidc'));

-- +goose Down
UPDATE sessions SET origin = 'password' WHERE origin = 'passkey';
ALTER TABLE sessions DROP CONSTRAINT sessions_origin_check;
ALTER TABLE sessions ADD CONSTRAINT sessions_origin_check CHECK (origin IN ('password', 'sso', 'oidc'));
