package run

import (
	"cmp"
	"context"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// AppRun is a run of an app by one person; without an execution it is a draft.
type AppRun struct {
	ID          models.ID `gorm:"primaryKey"`
	AppID       models.ID
	AccountID   models.ID
	WorkspaceID *models.ID
	Version     *int
	ExecutionID *models.ID
	// ClientAppID is the connected app that made it.
	ClientAppID  *models.ID
	ThumbnailURL *string
	ArchivedAt   *time.Time
	CreatedAt    time.Time
	StartedAt    *time.Time

	// App and Execution are read along when the run is shown; a draft has no execution.
	App       *flow.App  `gorm:"-"`
	Execution *Execution `gorm:"-"`
}

func (AppRun) TableName() string { return "app_runs" }

// Archived tells whether the run is in the archive.
func (r *AppRun) Archived() bool { return r.ArchivedAt != nil }

// AppInput starts a run: Inputs first, InputOverrides over them field by field.
type AppInput struct {
	InputOverrides map[string]any
	Inputs         map[string]any
	Version        *int
	RunID          *models.ID
}

// CreateDraft makes a run of an app that is started later, by Start with
// its id.
func (s AppRuns) CreateDraft(ctx context.Context, slug string) (*AppRun, error) {
	actor := models.ActorFrom(ctx)
	if err := space.RequireSomeWorkflows(actor); err != nil {
		return nil, err
	}
	var run *AppRun
	err := s.run.DB.Write(ctx, func(tx *models.Tx) error {
		app, err := s.run.Flows.Apps().FindToRun(tx.Context(), slug)
		if err != nil {
			return err
		}
		if _, err := s.run.PayerFor(tx, nil); err != nil {
			return err
		}
		run = &AppRun{ID: tx.NewID(), AppID: app.ID, AccountID: actor.UserID, ClientAppID: actor.OfApp(), WorkspaceID: actor.WorkspaceID, CreatedAt: tx.Now, App: app}
		return tx.Create(run).Error
	})
	return run, err
}

// Start starts a run of an app as the caller; the selected space pays (contract 1,
// "Published app endpoints"; open points, "Who pays"). The daily limit, the
// draft, the execution and its credits are taken in one transaction. Refusals,
// in this order: not_found; validation_error and locked_field for version,
// inputs and overrides; a space that is closed to runs; not_found and
// run_already_started for the draft; rate_limit_exceeded; the money.
func (s AppRuns) Start(ctx context.Context, slug string, in AppInput) (*AppRun, error) {
	if err := s.run.Pace.Admit(ctx); err != nil {
		return nil, err
	}
	actor := models.ActorFrom(ctx)
	if err := space.RequireSomeWorkflows(actor); err != nil {
		return nil, err
	}
	if in.Version != nil && *in.Version < 1 {
		return nil, models.Invalid("version", "must be at least 1")
	}
	var run *AppRun
	var app *flow.App
	ask := func(tx *models.Tx) (request *Request, err error) {
		if app, err = s.run.Flows.Apps().FindToRun(tx.Context(), slug); err != nil {
			return nil, err
		}
		if request, err = s.run.appRequest(tx, app, in); err != nil {
			return nil, err
		}
		if run, err = takeRun(tx, app, in.RunID); err != nil {
			return nil, err
		}
		run.App, run.Version = app, orLatest(in.Version, app)
		run.begin(tx, request)
		return request, nil
	}
	start := &Start{Ask: ask, Kind: appStarts, Of: &run, Alone: func(tx *models.Tx) (*Execution, error) {
		request, err := ask(tx)
		if err != nil {
			return nil, err
		}
		return s.run.startRun(tx, run, request, in.RunID != nil)
	}}
	accept := s.run.Accept
	if in.RunID != nil { // the draft is locked and changed
		accept = s.run.acceptAlone
	}
	exec, err := accept(ctx, start)
	if err == nil {
		run.Execution = exec
	}
	if app != nil {
		err = cmp.Or(err, s.run.tellDailyRuns(ctx, app))
	}
	return run, err
}

func orLatest(version *int, app *flow.App) *int {
	if version == nil {
		return &app.LatestVersion
	}
	return version
}

// appRequest lays the caller's values over a published version and finds out
// who pays.
func (s *Service) appRequest(tx *models.Tx, app *flow.App, in AppInput) (*Request, error) {
	version, err := versionToRun(tx, app, in.Version)
	if err != nil {
		return nil, err
	}
	exposed, err := version.Inputs()
	if err != nil {
		return nil, err
	}
	all, err := nodegraph.ApplyInputs(s.Flows.Catalogue, version.Nodes, version.Edges, exposed, in.Inputs, in.InputOverrides)
	if err != nil {
		return nil, err
	}
	payer, err := s.PayerFor(tx, nil)
	if err != nil {
		return nil, err
	}
	return &Request{
		Payer: payer, WorkflowID: &app.WorkflowID, AppID: &app.ID, Markup: app.Markup, AuthorID: app.OwnerID, HomeID: app.WorkspaceID,
		Trigger: "app", Source: clientOr(tx.Actor, "app"),
		Nodes: all, Edges: version.Edges, Free: nodegraph.FreeMotions(version.Nodes, all, version.Edges),
		Inputs: exposed, Saved: &Authored{Nodes: version.Nodes, inputs: exposed}, MainNode: version.ThumbnailNodeID,
	}, nil
}

// versionToRun is the wanted version of an app, else the latest.
func versionToRun(tx *models.Tx, app *flow.App, number *int) (*flow.AppVersion, error) {
	if number == nil || *number == app.LatestVersion {
		return app.Latest, nil
	}
	missing := models.Invalid("version", "%d was never published", *number)
	if *number > app.LatestVersion {
		return nil, missing // it may be more than the database can count to
	}
	return flow.AppVersionOf(tx.DB, app, *number, missing)
}

// takeRun is the run to start: a new one, or the caller's draft.
func takeRun(tx *models.Tx, app *flow.App, draftID *models.ID) (*AppRun, error) {
	if draftID == nil {
		return &AppRun{ID: tx.NewID(), AppID: app.ID, AccountID: tx.Actor.UserID, ClientAppID: tx.Actor.OfApp(), CreatedAt: tx.Now}, nil
	}
	run, err := models.First[AppRun](ofApp(tx.DB, tx.Actor).Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("id = ? AND app_id = ? AND account_id = ?", *draftID, app.ID, tx.Actor.UserID), models.NotFound("Run"))
	if err != nil {
		return nil, err
	}
	if run.ExecutionID != nil {
		return nil, models.Err(models.CodeRunAlreadyStarted, "The run was started already")
	}
	return run, nil
}

// clientOr is the source of a run: what X-Service-Client says, else standard.
func clientOr(actor models.Actor, standard string) string {
	if actor.Client != "" {
		return actor.Client
	}
	return standard
}

// startRun starts a run of an app that was begun: a new one, or the caller's draft.
func (s *Service) startRun(tx *models.Tx, run *AppRun, request *Request, draft bool) (*Execution, error) {
	if err := countAndWrite(tx, run, draft); err != nil {
		return nil, err
	}
	return s.AcceptRun(tx, *request)
}

// begin ties a run of an app, and its execution that is asked for.
func (r *AppRun) begin(tx *models.Tx, request *Request) {
	request.ID = tx.NewRunID(request.Payer.Space())
	r.ExecutionID, r.WorkspaceID = &request.ID, request.Payer.WorkspaceID
	r.StartedAt, r.ArchivedAt = &tx.Now, nil
}
