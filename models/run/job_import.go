package run

import (
	"time"

	"atelier/models"
	"atelier/nodes/kit"
)

// importType is the node that brings a whole video here.
const importType = "download-video"

const (
	// maxImports run at once for an account (contract 1, "Limits").
	maxImports = 4
	// importPause is after how long a refused client may ask again.
	importPause = 10 * time.Second
)

// admitImport refuses an import beyond those that an account may have under
// way with too_many_downloads. They are counted from what waits and runs in the
// imports' own pool, behind a lock that is held until the new one is committed;
// those of workflows and components count too. They themselves are never
// refused: they wait in the pool for one of the account's slots.
func admitImport(tx *models.Tx, account models.ID) error {
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "imports:"+account.String()).Error; err != nil {
		return err
	}
	running, err := Pools[kit.Import].Kind.Count(tx, account)
	if err != nil {
		return err
	}
	models.RecordAllowance(tx.Context(), models.Allowance{Limit: maxImports, Remaining: max(maxImports-running-1, 0), Reset: importPause})
	if running < maxImports {
		return nil
	}
	refusal := models.Err(models.CodeTooManyDownloads, "At most %d videos can be imported at once. Try again when one of them has ended.", maxImports)
	refusal.RetryAfter = importPause
	return refusal
}
