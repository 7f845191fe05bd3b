-- What deleted accounts had left in results and personal presets is removed.
-- +goose Up
DELETE FROM results r WHERE NOT EXISTS (SELECT FROM executions e WHERE e.id = r.execution_id);
DELETE FROM node_presets p USING users u WHERE u.id = p.owner_id AND u.deleted_at IS NOT NULL AND p.workspace_id IS NULL;

-- +goose Down
SELECT 1;
