-- Organizations that ask their members for a second factor.
-- +goose Up
ALTER TABLE organizations ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE organizations DROP COLUMN require_second_factor;
