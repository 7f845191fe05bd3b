package flow

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// Publish publishes a workflow's current version as an app: the first
// time under a slug as version 1, later as the app's next version; what is not
// sent then stays as it was. A publication makes the app active. Refusals:
// validation_error and locked_field for the form, name_taken for the slug.
func (s Apps) Publish(ctx context.Context, workflowID models.ID, in PublishInput) (*App, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	change, err := readPublication(in)
	if err != nil {
		return nil, err
	}
	var app *App
	err = s.flow.DB.Write(ctx, func(tx *models.Tx) error {
		if err := holdSpaceOf(tx, workflowID); err != nil {
			return err
		}
		w, viewer, err := s.flow.LockWorkflow(tx, workflowID)
		if err != nil {
			return err
		}
		if err := MayEdit(viewer, w, true); err != nil {
			return err
		}
		if app, err = liveAppOf(tx, w.ID); err != nil {
			return err
		}
		if err := s.flow.sealGraph(w); err != nil {
			return err
		}
		version, err := s.flow.newVersion(tx, w, app, change)
		if err != nil {
			return err
		}
		if err := s.flow.checkBound(tx, w); err != nil {
			return err
		}
		if app, err = saveApp(tx, w, app, change); err != nil {
			return err
		}
		version.AppID, version.Version = app.ID, app.LatestVersion
		version.EstimatedCost = s.flow.EstimateCost(tx.Context(), w)
		if err := tx.Create(version).Error; err != nil {
			return err
		}
		app.Latest, app.Manager = version, true
		return auditApp(tx, w, app, "app.published", models.Fields{"name": {To: app.Name}, "slug": {To: app.Slug}, "version": {To: app.LatestVersion}})
	})
	return app, err
}

// publication is a PublishInput whose form was checked; nil fields stay.
type publication struct {
	slug, description, iconURL, thumbnail *string
	name                                  string
	maxRuns                               *int
	domains                               models.Strings
	items                                 json.RawMessage
	form                                  []nodegraph.Item
}

func readPublication(in PublishInput) (c publication, err error) {
	if c.name, err = models.CleanName("name", in.Name); err != nil {
		return c, err
	}
	c.slug, c.thumbnail, c.maxRuns = in.Slug, in.ThumbnailNodeID, in.MaxRunsPerUserPerDay
	if err := org.CheckSlug(in.Slug); err != nil {
		return c, err
	}
	if in.Description != nil {
		text, err := models.CleanText("description", *in.Description, maxDescription)
		if err != nil {
			return c, err
		}
		c.description = &text
	}
	if in.IconURL != nil {
		if err := checkIcon(*in.IconURL); err != nil {
			return c, err
		}
		c.iconURL = in.IconURL
	}
	if in.MaxRunsPerUserPerDay != nil {
		if err := checkMaxRuns(*in.MaxRunsPerUserPerDay); err != nil {
			return c, err
		}
	}
	if in.AllowedEmbedDomains != nil {
		if c.domains, err = cleanDomains(in.AllowedEmbedDomains); err != nil {
			return c, err
		}
	}
	return c, c.readForm(in.PresentationSettings)
}

// readForm reads the sent form. A publication of other forms than the contract's
// types is a validation_error; empty lists of allowed values allow everything.
func (c *publication) readForm(settings *PresentationSettings) (err error) {
	if settings == nil {
		return nil
	}
	items := settings.InputItems
	if items == nil {
		items = []json.RawMessage{}
	}
	if c.items, err = json.Marshal(items); err != nil {
		return models.Invalid("presentationSettings.inputItems", "must be a list of items")
	}
	if c.form, err = nodegraph.ReadItems(c.items); err != nil {
		return models.Invalid("presentationSettings.inputItems", "has an item of the wrong form: %s", jsonFault(err))
	}
	return nil
}

// jsonFault says which member of an item has the wrong type.
func jsonFault(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return wrong.Field + " must not be a " + wrong.Value
	}
	return "not JSON"
}

func checkIcon(address string) error {
	u, err := url.Parse(address)
	if address != "" && (err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || len(address) > 2_000) {
		return models.Invalid("iconUrl", "must be a web address")
	}
	return nil
}

func checkMaxRuns(n int) error {
	if n < 1 || n > 1_000_000 {
		return models.Invalid("maxRunsPerUserPerDay", "must be at least 1, or null for no limit")
	}
	return nil
}

// liveAppOf is the app that a workflow is published as, or nil.
func liveAppOf(tx *models.Tx, workflowID models.ID) (*App, error) {
	var app App
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("workflow_id = ? AND deleted_at IS NULL", workflowID).Take(&app).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &app, err
}

// newVersion is the snapshot of the workflow with its form; without a sent form
// the one of the version before is taken over.
func (s *Service) newVersion(tx *models.Tx, w *Workflow, app *App, c publication) (*AppVersion, error) {
	v := &AppVersion{
		ID: tx.NewID(), Nodes: w.Nodes, Edges: w.Edges, InputItems: c.items, ThumbnailNodeID: c.thumbnail,
		CreatedAt: tx.Now,
	}
	form := c.form
	if app != nil && (c.items == nil || c.thumbnail == nil) {
		last, err := latestVersion(tx.DB, app)
		if err != nil {
			return nil, err
		}
		if c.items == nil {
			v.InputItems = last.InputItems
			if form, err = nodegraph.ReadItems(last.InputItems); err != nil {
				return nil, err
			}
		}
		if c.thumbnail == nil && last.ThumbnailNodeID != nil && w.Nodes.Find(*last.ThumbnailNodeID) != nil {
			v.ThumbnailNodeID = last.ThumbnailNodeID
		}
	}
	if v.InputItems == nil {
		v.InputItems = json.RawMessage("[]")
	}
	if v.ThumbnailNodeID != nil && w.Nodes.Find(*v.ThumbnailNodeID) == nil {
		return nil, models.Invalid("thumbnailNodeId", "names no node: %q", *v.ThumbnailNodeID)
	}
	return v, nodegraph.CheckItems(s.Catalogue, form, w.Nodes, w.Edges)
}

// saveApp creates the app, or moves it to its next version.
func saveApp(tx *models.Tx, w *Workflow, app *App, c publication) (*App, error) {
	if app == nil {
		app = &App{
			ID: tx.NewID(), WorkflowID: w.ID, OwnerID: tx.Actor.UserID, WorkspaceID: w.WorkspaceID,
			IsActive: true, LatestVersion: 1, AllowedEmbedDomains: models.Strings{}, CreatedAt: tx.Now, UpdatedAt: tx.Now,
		}
		c.apply(app)
		return app, insertApp(tx, app, c.slug)
	}
	c.apply(app)
	set(&app.Slug, c.slug)
	app.IsActive, app.UpdatedAt = true, tx.Now
	app.LatestVersion++
	return app, updateApp(tx, app)
}

func (c *publication) apply(app *App) {
	app.Name = c.name
	set(&app.Description, c.description)
	set(&app.IconURL, c.iconURL)
	if c.maxRuns != nil {
		app.MaxRunsPerUserPerDay = c.maxRuns
	}
	if c.domains != nil {
		app.AllowedEmbedDomains = c.domains
	}
}
