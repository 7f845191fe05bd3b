package flow

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/space"
)

// Update changes an app's texts, limit, embed domains, or whether it is active.
func (s Apps) Update(ctx context.Context, id models.ID, in UpdateAppInput) (*App, error) {
	edit, err := readAppChange(in)
	if err != nil {
		return nil, err
	}
	return s.flow.changeApp(ctx, id, func(tx *models.Tx, w *Workflow, app *App) error {
		before := *app
		edit(app)
		fields := appFields(&before, app)
		if len(fields) > 0 {
			app.UpdatedAt = tx.Now
			if err := updateApp(tx, app); err != nil {
				return err
			}
			if err := auditApp(tx, w, app, "app.updated", fields); err != nil {
				return err
			}
		}
		app.Latest, err = latestVersion(tx.DB, app)
		return err
	})
}

// Delete takes an app away for good and frees its slug.
func (s Apps) Delete(ctx context.Context, id models.ID) error {
	_, err := s.flow.changeApp(ctx, id, func(tx *models.Tx, w *Workflow, app *App) error {
		app.DeletedAt = &tx.Now
		if err := tx.Model(app).Select("deleted_at").Updates(app).Error; err != nil {
			return err
		}
		if err := dropSnapshots(tx, "app_id = ?", app.ID); err != nil {
			return err
		}
		return auditApp(tx, w, app, "app.deleted", models.Fields{"name": {From: app.Name}, "slug": {From: app.Slug}})
	})
	return err
}

// dropSnapshots empties the graphs of apps that are gone; runs have their own.
func dropSnapshots(tx *models.Tx, which string, id models.ID) error {
	return tx.Model(&AppVersion{}).Where(which, id).UpdateColumns(map[string]any{"nodes": gorm.Expr("'[]'"), "edges": gorm.Expr("'[]'")}).Error
}

// changeApp locks an app for a change by those who may edit its workflow.
func (s *Service) changeApp(ctx context.Context, id models.ID, change func(*models.Tx, *Workflow, *App) error) (app *App, err error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	missing := models.NotFound("App")
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		lock := tx.Clauses(clause.Locking{Strength: "UPDATE"})
		if app, err = models.First[App](lock.Where("id = ? AND deleted_at IS NULL", id), missing); err != nil {
			return err
		}
		w, viewer, err := s.reachWorkflow(tx.Context(), app.WorkflowID)
		if models.HasCode(err, models.CodeNotFound) {
			return missing
		}
		if err != nil {
			return err
		}
		if err := MayEdit(viewer, w, false); err != nil {
			return err
		}
		app.Manager = true
		return change(tx, w, app)
	})
	return app, err
}

// readAppChange checks the form of an update and says what it does to an app.
func readAppChange(in UpdateAppInput) (func(*App), error) {
	var edits []func(*App)
	note := func(edit func(*App)) { edits = append(edits, edit) }
	if active, ok, err := models.Required("isActive", in.IsActive); err != nil {
		return nil, err
	} else if ok {
		note(func(a *App) { a.IsActive = active })
	}
	if sent, ok, err := models.Required("allowedEmbedDomains", in.AllowedEmbedDomains); err != nil {
		return nil, err
	} else if ok {
		domains, err := cleanDomains(sent)
		if err != nil {
			return nil, err
		}
		note(func(a *App) { a.AllowedEmbedDomains = domains })
	}
	if limit, ok := in.MaxRunsPerUserPerDay.ValueOK(); ok {
		if limit != nil {
			if err := checkMaxRuns(*limit); err != nil {
				return nil, err
			}
		}
		note(func(a *App) { a.MaxRunsPerUserPerDay = limit })
	}
	texts, err := readAppTexts(in)
	return func(a *App) {
		for _, edit := range append(edits, texts...) {
			edit(a)
		}
	}, err
}

func readAppTexts(in UpdateAppInput) (edits []func(*App), err error) {
	texts := []struct {
		field string
		sent  models.Opt[string]
		clean func(string) (string, error)
		of    func(*App) *string
	}{
		{"name", in.Name, func(s string) (string, error) { return models.CleanName("name", s) }, func(a *App) *string { return &a.Name }},
		{"description", in.Description, func(s string) (string, error) { return models.CleanText("description", s, maxDescription) }, func(a *App) *string { return &a.Description }},
		{"iconUrl", in.IconURL, func(s string) (string, error) { return s, checkIcon(s) }, func(a *App) *string { return &a.IconURL }},
	}
	for _, t := range texts {
		sent, ok, err := models.Required(t.field, t.sent)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		clean, err := t.clean(sent)
		if err != nil {
			return nil, err
		}
		edits = append(edits, func(a *App) { *t.of(a) = clean })
	}
	return edits, nil
}

// updateApp writes everything that may change of an app.
func updateApp(tx *models.Tx, app *App) error {
	return tx.Model(app).Select("slug", "name", "description", "icon_url", "is_active", "allowed_embed_domains",
		"max_runs_per_user_per_day", "latest_version", "updated_at").Updates(app).Error
}

// appFields is what differs, for the audit log.
func appFields(before, after *App) models.Fields {
	fields := models.Fields{}
	NoteChange(fields, "name", before.Name, after.Name)
	NoteChange(fields, "description", before.Description, after.Description)
	NoteChange(fields, "iconUrl", before.IconURL, after.IconURL)
	NoteChange(fields, "isActive", before.IsActive, after.IsActive)
	NoteChange(fields, "allowedEmbedDomains", before.AllowedEmbedDomains, after.AllowedEmbedDomains)
	NoteChange(fields, "maxRunsPerUserPerDay", before.MaxRunsPerUserPerDay, after.MaxRunsPerUserPerDay)
	return fields
}

// auditApp writes an audit entry for an app of an organization.
func auditApp(tx *models.Tx, w *Workflow, app *App, action string, fields models.Fields) error {
	if w.OrganizationID == nil {
		return nil
	}
	return tx.Audit(*w.OrganizationID, action, models.Target{Type: "app", ID: app.ID, WorkspaceID: w.WorkspaceID}, fields)
}
