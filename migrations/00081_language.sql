-- The language that a person chose for the console.
-- +goose Up
ALTER TABLE users ADD COLUMN language text CHECK (length(language) <= 16);

-- +goose Down
ALTER TABLE users DROP COLUMN language;
