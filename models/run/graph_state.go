package run

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
)

// State is where executions stand that another area shows.
type State struct {
	ID           models.ID
	Status       ExecutionStatus
	Charged      models.Credits
	CompletedAt  *time.Time
	ErrorMessage *string
}

// States reads where some executions stand, in one statement. It asks nothing about access.
func (s Executions) States(ctx context.Context, ids []models.ID) (map[models.ID]*State, error) {
	states := make(map[models.ID]*State, len(ids))
	if len(ids) == 0 {
		return states, nil
	}
	var found []*State
	err := s.run.DB.Read(ctx).Model(&Execution{}).Select("id", "status", "charged", "completed_at", "error_message").Where(models.FitsIDs("id", ids)).Find(&found).Error
	for _, state := range found {
		states[state.ID] = state
	}
	return states, err
}

// Cancelled tells whether the execution was cancelled as a whole, or ended by a job of it that was.
func (e *Execution) Cancelled() bool { return e.ErrorCode != nil && *e.ErrorCode == codeCancelled }

// ThingsUsed are the elements, presets and voices that a job may use.
func (s Jobs) ThingsUsed(q *gorm.DB, jobID models.ID) ([]models.ID, error) {
	refs, err := readRefs(q, jobID)
	if err != nil {
		return nil, err
	}
	ids := []models.ID{}
	for _, text := range refs.things() {
		if id, err := models.ParseID("id", text); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
