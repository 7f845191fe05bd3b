package flow

import (
	"context"
	"math"

	"gorm.io/gorm/clause"

	"atelier/models"
)

// SetMarkup approves what an app adds to the cost of its nodes, 0 to 100 percent with
// at most two decimals (platform operator, confirmed within the hour). It counts for runs that begin behind it; the
// price of the app includes it. An organization whose workspace the app is of finds it in
// its audit log.
func (s Apps) SetMarkup(ctx context.Context, id models.ID, percent models.Credits) (app *App, err error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	const hundredth = models.Credit / 100
	if percent < 0 || percent > 100*models.Credit || percent%hundredth != 0 {
		return nil, models.Invalid("percent", "must be a number from 0 to 100 with at most two decimals")
	}
	err = s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		app, err = models.First[App](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ? AND deleted_at IS NULL", id), models.NotFound("App"))
		if err != nil {
			return err
		}
		if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
			return err
		}
		before := app.MarkupPercent()
		if app.Markup = int(percent / hundredth); before != app.MarkupPercent() {
			if err := tx.Model(app).Select("markup").Updates(app).Error; err != nil {
				return err
			}
			if err := s.flow.auditMarkup(tx, app, before); err != nil {
				return err
			}
		}
		app.Latest, err = latestVersion(tx.DB, app)
		return err
	})
	return app, err
}

// auditMarkup tells the organization of the app's workspace.
func (s *Service) auditMarkup(tx *models.Tx, app *App, before float64) error {
	w, err := models.First[Workflow](tx.Select("id", "organization_id", "workspace_id").Where("id = ?", app.WorkflowID), models.NotFound("App"))
	if err != nil {
		return err
	}
	return auditApp(tx, w, app, "app.markup_changed", models.Fields{"markupPercent": {From: before, To: app.MarkupPercent()}})
}

// MarkupPercent is what the app adds to the cost of its nodes.
func (a *App) MarkupPercent() float64 { return float64(a.Markup) / 100 }

// Price is what one run of the app costs, with its markup.
func (a *App) Price() models.Credits {
	return a.Latest.EstimatedCost + MarkupOf(a.Latest.EstimatedCost, a.Markup)
}

// MarkupOf is what a markup, in hundredths of a percent, adds to what nodes cost, rounded up.
func MarkupOf(base models.Credits, markup int) models.Credits {
	return models.Credits(math.Ceil(float64(base) * float64(markup) / 10_000))
}
