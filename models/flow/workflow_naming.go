package flow

import (
	"context"

	"atelier/models"
	"atelier/models/space"
)

// maxSearched is how many of a space's workflows are looked through for ids.
const maxSearched = 1_000

// CountWorkflowsNaming counts the workflows of a space whose graphs name each of
// some ids, among the newest 1,000, in one statement. It asks nothing about access.
func (s *Service) CountWorkflowsNaming(ctx context.Context, viewer space.Owned, ids []models.ID) (map[models.ID]int, error) {
	texts := make(models.Strings, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
	where, owner := "w.workspace_id = ?", viewer.OwnerID
	if viewer.WorkspaceID == nil {
		where = "w.workspace_id IS NULL AND w.owner_id = ?"
	} else {
		owner = *viewer.WorkspaceID
	}
	var rows []struct {
		ID    models.ID
		Count int
	}
	err := s.DB.Read(ctx).Raw(`
		SELECT named.id::uuid AS id, count(*) AS count
		FROM (SELECT w.id, w.version FROM workflows w WHERE `+where+` AND w.deleted_at IS NULL ORDER BY w.id DESC LIMIT ?) newest
			JOIN workflow_versions v ON v.workflow_id = newest.id AND v.version = newest.version
			CROSS JOIN LATERAL (SELECT DISTINCT m[1] AS id FROM regexp_matches(lower(v.nodes::text), '`+uuid+`', 'g') m) named
		WHERE named.id = ANY(?) GROUP BY named.id`, owner, maxSearched, texts).Scan(&rows).Error
	counts := make(map[models.ID]int, len(rows))
	for _, row := range rows {
		counts[row.ID] = row.Count
	}
	return counts, err
}
