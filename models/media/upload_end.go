package media

import (
	"context"

	"atelier/models"
)

// EndUpload takes back an account's own upload: no one finds it at its address any
// more, and its content leaves the bucket unless another file has it. Results of
// runs and files of others are left as they are.
func (m *Store) EndUpload(tx *models.Tx, account models.ID, file *File) error {
	if file.AccountID != account || file.ExecutionID != nil || file.Private {
		return nil
	}
	gone, err := models.Affected(tx.Where("id = ? AND account_id = ? AND execution_id IS NULL AND NOT private", file.ID, account).Delete(&File{}))
	if err != nil || gone == 0 {
		return err
	}
	tx.After(func(ctx context.Context) { _, _ = m.removeOrphan(ctx, file.SHA256) }) // else SweepMedia does
	return nil
}
