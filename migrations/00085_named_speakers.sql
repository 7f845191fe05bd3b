-- The name of a speaker for whom the library has no one.
-- +goose Up
ALTER TABLE shots ADD COLUMN speaker_name text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE shots DROP COLUMN speaker_name;
