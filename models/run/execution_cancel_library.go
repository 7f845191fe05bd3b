package run

import (
	"context"

	"atelier/models"
)

// CancelUnfinished cancels those of some executions that have not ended, each in a
// transaction of its own: what they use is gone. It asks nothing about access.
func (s Executions) CancelUnfinished(ctx context.Context, ids []models.ID) error {
	var open []models.ID
	err := s.run.DB.Read(ctx).Model(&Execution{}).Where(models.FitsIDs("id", ids)).Where("completed_at IS NULL").Pluck("id", &open).Error
	if err != nil {
		return err
	}
	for _, id := range open {
		err := s.run.DB.Write(ctx, func(tx *models.Tx) error {
			exec, err := lockExecution(tx, id)
			if err != nil || exec.Finished() {
				return err
			}
			return s.run.cancelExecution(tx, exec)
		})
		if err != nil && !models.HasCode(err, models.CodeNotFound) {
			return err
		}
	}
	return nil
}
