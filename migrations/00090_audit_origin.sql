-- With what and from where a change was made that the audit log tells of.
-- +goose Up
ALTER TABLE audit_entries
  ADD COLUMN device text, -- in words, "Chrome on Windows"
  ADD COLUMN place text; -- a network, without the part that says which machine

-- +goose Down
ALTER TABLE audit_entries DROP COLUMN place, DROP COLUMN device;
