-- The name beside an invited address.
-- +goose Up
-- The name that stood beside an address where somebody was invited: shown to the inviter, on slips and in the mail,
-- and offered to the invited person as a name. '' where none was given.
ALTER TABLE invitations ADD COLUMN name text NOT NULL DEFAULT '' CHECK (char_length(name) <= 100);
ALTER TABLE invitation_sends ADD COLUMN name text NOT NULL DEFAULT '' CHECK (char_length(name) <= 100);

-- +goose Down
ALTER TABLE invitation_sends DROP COLUMN name;
ALTER TABLE invitations DROP COLUMN name;
