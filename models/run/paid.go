package run

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// RunsPaidBy is a query, to be read by e.id, of the executions that an
// organization's workspaces pay, or one of them, or for one person: those that
// were made from one moment on and before another. Its columns are run_id,
// created_at, user_id, workspace_id, workspace_name and model, which is what
// does the first of its work. What deleted accounts ran is not among them.
func (s *Service) RunsPaidBy(ctx context.Context, organizationID models.ID, workspaceID, userID *models.ID, from, to time.Time) *gorm.DB {
	q := s.DB.Read(ctx).Table("executions e").Select(`e.id AS run_id, e.created_at, e.account_id AS user_id, e.workspace_id, w.name AS workspace_name,
			(SELECT left(coalesce(nullif(btrim(j.input_data ->> 'model'), ''), j.job_type), 100) FROM jobs j
				WHERE j.execution_id = e.id AND j.id >= first_id(e.created_at - interval '2 seconds') AND j.id < first_id(e.created_at + interval '1 hour')
				AND shards_match(j.shard, e.shard) ORDER BY j.node_index, j.id LIMIT 1) AS model`).
		Joins(org.JoinWorkspaces("e.workspace_id")).
		Joins(account.JoinUndeleted("e.account_id")).
		Where("e.organization_id = ? AND e.created_at >= ? AND e.created_at < ?", organizationID, from, to).
		Where("e.id >= first_id(?) AND e.id < first_id(?)", sinceIDs(from.Add(-idsBefore)), sinceIDs(to.Add(idsBehind))) // leaves months out
	if workspaceID != nil {
		q = q.Where("e.workspace_id = ?", *workspaceID)
	}
	if userID != nil {
		q = q.Where("e.account_id = ?", *userID)
	}
	return q
}

// How far an execution's id may be from when it was made: that of a run by a
// timetable is known before.
const (
	idsBefore = 24 * time.Hour
	idsBehind = time.Hour
)

// sinceIDs is the moment, or the first one that ids speak of.
func sinceIDs(t time.Time) time.Time {
	if first := time.Unix(0, 0); t.Before(first) {
		return first
	}
	return t
}
