package studio

import (
	"atelier/models"
)

// markStale says of films that were made of things that they are no longer what they would be:
// elements, presets, voices, pipelines and workflows that were changed or deleted. Read by
// itself a production is judged again.
func markStale(tx *models.Tx, ids ...models.ID) error {
	return tx.Exec(`
		UPDATE productions SET status = ? WHERE id IN (
			SELECT id FROM productions WHERE uses && ? AND status = ? ORDER BY id FOR UPDATE)`, Stale, models.IDs(ids), Ready).Error
}
