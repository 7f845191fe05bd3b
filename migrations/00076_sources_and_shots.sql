-- Positions of shots from 1, and the source of a copied workflow.
-- +goose Up

-- Shots of a production are counted from 1, here as in every answer.
UPDATE shots SET position = position + 1;

-- What a copied workflow is a copy of, as other copies say it.
ALTER TABLE workflows ADD COLUMN source jsonb;
UPDATE workflows w SET source = jsonb_build_object('postId', p.id, 'title', p.title, 'license', p.license, 'author',
  CASE WHEN o.kind = 'school' THEN o.name ELSE u.display_name END)
FROM community_posts p JOIN users u ON u.id = p.author_id LEFT JOIN organizations o ON o.id = p.organization_id
WHERE p.id = w.post_id;

-- +goose Down
ALTER TABLE workflows DROP COLUMN source;
UPDATE shots SET position = position - 1;
