package rest

import (
	"context"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/studio"
)

// renderRoutes turn productions into films.
func (a *API) renderRoutes() {
	const tag, each, scope = studioTag, productionPath, models.ScopeExecute
	handle(a, route{Method: "POST", Path: each + "/estimate", Tag: tag, Summary: "What a render would cost, and why it would be refused; nothing is started or held", Scope: scope}, a.estimateRender)
	handle(a, route{Method: "POST", Path: each + "/render", Tag: tag, Summary: "Make what is stale or missing, and cut the film; the production's space pays", Scope: scope, Status: 202, Wait: true}, a.renderProduction)
	handle(a, route{Method: "GET", Path: each + "/renders", Tag: tag, Summary: "The renders of a production, newest first", Scope: scope}, a.listRenders)
}

// RenderBody says what to render.
type RenderBody struct {
	PipelineID *models.ID  `json:"pipelineId,omitempty" doc:"In place of the production's, for this render."`
	ShotIDs    []models.ID `json:"shotIds,omitempty" doc:"Those to make; all that are not skipped when absent."`
	Stage      *string     `json:"stage,omitempty" enum:"image,speech,clip,cut" doc:"Stops after this stage."`
	Force      *bool       `json:"force,omitempty" doc:"Also makes what has not changed; locked shots keep what they have."`
	MaxCredits *float64    `json:"maxCredits,omitempty" doc:"A render that would cost more is refused."`
}

type renderInput struct {
	IDPath
	Body *RenderBody
}

func (in *renderInput) wish() studio.RenderInput {
	b := in.Body
	if b == nil {
		return studio.RenderInput{}
	}
	return studio.RenderInput{
		PipelineID: b.PipelineID, ShotIDs: b.ShotIDs, Stage: (*studio.StageName)(b.Stage), Force: b.Force, MaxCredits: b.MaxCredits,
	}
}

type estimateView struct {
	Credits models.Credits     `json:"credits"`
	Seconds float64            `json:"seconds" doc:"How long the film would be."`
	Shots   []shotEstimateView `json:"shots"`
	Refused []refusalView      `json:"refused" doc:"Why a render would be refused; empty when it would begin."`
}

type shotEstimateView struct {
	ShotID  models.ID      `json:"shotId"`
	Credits models.Credits `json:"credits"`
	Reuse   bool           `json:"reuse" doc:"Nothing of it is made again."`
}

type refusalView struct {
	Code    string  `json:"code"`
	Field   *string `json:"field"`
	Message string  `json:"message"`
}

func viewEstimate(e *studio.Estimate) estimateView {
	return estimateView{
		Credits: e.Credits, Seconds: e.Seconds,
		Shots:   mapAll(e.Shots, func(s *studio.ShotEstimate) shotEstimateView { return shotEstimateView{s.ShotID, s.Credits, s.Reuse} }),
		Refused: mapAll(e.Refused, func(r *studio.Refusal) refusalView { return refusalView{r.Code, r.Field, r.Message} }),
	}
}

func (a *API) estimateRender(ctx context.Context, in *renderInput) (*single[estimateView], error) {
	e, err := a.query().ProductionEstimate(ctx, in.ID, in.wish())
	return shown(e, err, viewEstimate)
}

// begunView is a render that was accepted.
type begunView struct {
	ExecutionID      models.ID           `json:"executionId"`
	Status           run.ExecutionStatus `json:"status"`
	EstimatedCredits models.Credits      `json:"estimatedCredits"`
	ReusedShots      int                 `json:"reusedShots" doc:"Shots of which nothing is made again."`
}

func (a *API) renderProduction(ctx context.Context, in *renderInput) (*plain[begunView], error) {
	begun, err := a.mutation().RenderProduction(ctx, in.ID, in.wish())
	if err != nil {
		return nil, err
	}
	// As it was accepted, however far it has come.
	return &plain[begunView]{Body: begunView{begun.ExecutionID, run.ExecutionPending, begun.EstimatedCredits, begun.ReusedShots}}, nil
}

type rendersInput struct {
	IDPath
	PageQuery
}

func (a *API) listRenders(ctx context.Context, in *rendersInput) (*many[renderView], error) {
	renders, err := a.query().ProductionRenders(ctx, in.ID, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	return page(renders, viewRender), nil
}
