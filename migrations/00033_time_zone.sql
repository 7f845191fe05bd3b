-- The zone in which a person wants to read times; null follows the browser.
-- +goose Up
ALTER TABLE users ADD COLUMN time_zone text CHECK (length(time_zone) <= 64);

-- +goose Down
ALTER TABLE users DROP COLUMN time_zone;
