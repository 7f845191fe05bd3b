package flow

import (
	"time"

	"atelier/models"
)

// importType is the node that brings a whole video here.
const importType = "download-video"

const (
	// mostImports run at once for an account (contract 1, "Limits").
	mostImports = 4
	// importWindow is how far back imports are looked for; none is under way for longer.
	importWindow = 24 * time.Hour
	// importPause is after how long a refused client may ask again.
	importPause = 10 * time.Second
)

// admitImport refuses an import beyond those that an account may have under
// way with too_many_downloads. They are counted from the jobs themselves,
// behind a lock that is held until the new one is committed; those that
// workflows have under way count too.
func admitImport(tx *models.Tx, account models.ID) error {
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "imports:"+account.String()).Error; err != nil {
		return err
	}
	var running int
	err := tx.Raw(`SELECT count(*) FROM jobs WHERE account_id = ? AND job_type = 'download-video' AND id >= ? AND status IN ('pending', 'processing')`,
		account, models.FirstID(tx.Now.Add(-importWindow))).Scan(&running).Error
	if err != nil {
		return err
	}
	models.RecordAllowance(tx.Context(), models.Allowance{Limit: mostImports, Remaining: max(mostImports-running-1, 0), Reset: importPause})
	if running < mostImports {
		return nil
	}
	refusal := models.Err(models.CodeTooManyDownloads, "At most %d videos can be imported at once. Try again when one of them has ended.", mostImports)
	refusal.RetryAfter = importPause
	return refusal
}
