package flow

import (
	"fmt"
	"strings"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/org"
)

// maxSlug is a slug's length in bytes.
const maxSlug = 50

// insertApp creates an app under the wanted slug, or under the first free one
// derived from its name: race, race-2, race-3.
func insertApp(tx *models.Tx, app *App, wanted *string) error {
	base := org.DeriveSlug(app.Name, "app")
	for n := 1; n <= 10_000; n++ {
		app.Slug = numbered(base, n)
		if wanted != nil {
			app.Slug = *wanted
		}
		created, err := models.Affected(tx.Clauses(clause.OnConflict{
			Columns:     []clause.Column{{Name: "slug"}},
			TargetWhere: clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "deleted_at IS NULL"}}},
			DoNothing:   true,
		}).Create(app))
		if err != nil || created == 1 {
			return err
		}
		if wanted != nil {
			break
		}
	}
	return errSlugTaken(app.Slug)
}

func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	suffix := fmt.Sprintf("-%d", n)
	return strings.TrimRight(base[:min(len(base), maxSlug-len(suffix))], "-") + suffix
}

func errSlugTaken(slug string) error {
	e := models.Err(models.CodeNameTaken, "The slug %s is taken", slug)
	e.Field = "slug"
	return e
}
