-- Proven addresses, where sessions were last seen, and the fingerprints of keys.
-- +goose Up
-- When it was proven that an address is the person's: by a mailed link or by
-- the operators' code. On an install without mail an address counts as verified
-- without that, which makes nobody an operator.
ALTER TABLE users ADD COLUMN address_proven_at timestamptz;

-- Where and when a session was last seen, to the minute.
ALTER TABLE sessions ADD COLUMN seen_at timestamptz, ADD COLUMN seen_ip text NOT NULL DEFAULT '';

-- The keys that this database is used with, as fingerprints.
CREATE TABLE key_fingerprints (
  name text PRIMARY KEY,
  fingerprint text NOT NULL,
  set_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE key_fingerprints;
ALTER TABLE sessions DROP COLUMN seen_ip, DROP COLUMN seen_at;
ALTER TABLE users DROP COLUMN address_proven_at;
