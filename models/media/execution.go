package media

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
)

// Files of executions belong to the execution's account, and go with its rows.

// RemoveOfExecution gives up the addresses of an execution's files.
func RemoveOfExecution(tx *models.Tx, accountID, executionID models.ID) error {
	return tx.Exec(`DELETE FROM media_files WHERE execution_id = ? AND account_id = ?`, executionID, accountID).Error
}

// MoveToExecution makes an execution's files those of another one of the same account.
func MoveToExecution(tx *models.Tx, accountID, from, to models.ID) error {
	return tx.Exec(`UPDATE media_files SET execution_id = ? WHERE execution_id = ? AND account_id = ?`, to, from, accountID).Error
}

// RemoveOfAccount gives up the addresses of an account's files except for private ones, which go
// with what shows them.
func RemoveOfAccount(tx *models.Tx, accountID models.ID) error {
	return tx.Exec(`DELETE FROM media_files WHERE account_id = ? AND NOT private`, accountID).Error
}

// CountOfAccount counts an account's files.
func CountOfAccount(q *gorm.DB, accountID models.ID) (n int, err error) {
	err = q.Raw(`SELECT count(*) FROM media_files WHERE account_id = ?`, accountID).Row().Scan(&n)
	return n, err
}

// RemoveOfRuns gives up the addresses of the files of all executions that began from a time until another.
func RemoveOfRuns(ctx context.Context, db *models.DB, from, until time.Time) error {
	return db.SweepRows(ctx, "media_files", `execution_id >= first_id($1) AND execution_id < first_id($2)`, from, until)
}
