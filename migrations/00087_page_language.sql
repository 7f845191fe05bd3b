-- The language of the page on which a person signed in last: mails to those who chose none are in it.
-- +goose Up
ALTER TABLE users ADD COLUMN page_language text CHECK (length(page_language) <= 16);

-- +goose Down
ALTER TABLE users DROP COLUMN page_language;
