package flow

import (
	"atelier/models"
	"atelier/models/org"
)

// insertApp creates an app under the wanted slug, or under the first free one
// derived from its name: race, race-2, race-3.
func insertApp(tx *models.Tx, app *App, wanted *string) error {
	return org.InsertWithSlug(tx, app, &app.Slug, wanted, org.DeriveSlug(app.Name, "app"),
		tx.Model(&App{}).Where("deleted_at IS NULL"))
}
