-- Indexes by which the names that inviters typed go with a deleted account.
-- +goose Up
-- The names that inviters typed go with the account of whoever they name.
CREATE INDEX invitations_named ON invitations (email) WHERE name <> '';
CREATE INDEX invitation_sends_named ON invitation_sends (email) WHERE name <> '';

-- +goose Down
DROP INDEX invitation_sends_named, invitations_named;
