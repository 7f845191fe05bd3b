-- What a report hid waits for a decision, also once whoever reported it is gone.
-- +goose Up
ALTER TABLE community_posts ADD COLUMN undecided boolean NOT NULL DEFAULT false;
UPDATE community_posts SET undecided = true WHERE status = 'hidden' AND open_reports > 0;
CREATE INDEX community_posts_awaiting ON community_posts (id DESC) WHERE status = 'pending_review' OR open_reports > 0 OR undecided;

-- +goose Down
DROP INDEX community_posts_awaiting;
ALTER TABLE community_posts DROP COLUMN undecided;
