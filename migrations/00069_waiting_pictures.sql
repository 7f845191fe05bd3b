-- Pictures that wait for consent, wrong reports, and the standing of the caller of a remembered answer.
-- +goose Up

-- A picture that came to what depicts a person after an admin had agreed waits for the next word.
ALTER TABLE element_images ADD COLUMN awaits_consent boolean NOT NULL DEFAULT false;

-- A report of a post that a moderator found nothing wrong with.
ALTER TABLE community_marks ADD COLUMN wrong boolean NOT NULL DEFAULT false;

-- As what the caller of a remembered answer stood where: asked once more before it is repeated.
ALTER TABLE idempotency_keys ADD COLUMN standing text[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE idempotency_keys DROP COLUMN standing;
ALTER TABLE community_marks DROP COLUMN wrong;
ALTER TABLE element_images DROP COLUMN awaits_consent;
