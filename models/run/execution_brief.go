package run

import (
	"context"
	"time"

	"atelier/models"
)

// ExecutionBrief is how a run went in a few words: the one that a trigger started last, or the entry
// that says why it started none.
type ExecutionBrief struct {
	ID           models.ID
	AccountID    models.ID
	Status       ExecutionStatus
	ErrorCode    *string
	ErrorMessage *string
	CreatedAt    time.Time
}

// Briefs reads runs that authorized triggers name; nil for those that are gone.
func (s Executions) Briefs(ctx context.Context, ids []models.ID) (map[models.ID]*ExecutionBrief, error) {
	var rows []*ExecutionBrief
	err := s.run.DB.Read(ctx).Model(&Execution{}).Select("id", "account_id", "status", "error_code", "error_message", "created_at").
		Where(models.FitsIDs("id", ids)).Where("erased_at IS NULL").Scan(&rows).Error
	byID := make(map[models.ID]*ExecutionBrief, len(ids))
	for _, id := range ids {
		byID[id] = nil
	}
	for _, row := range rows {
		byID[row.ID] = row
	}
	return byID, err
}
