package rest

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
)

// studioTag groups what turns scripts into films.
const studioTag = "Studio"

// maxPipelineRun is of a run that brings its shots along, in bytes.
const maxPipelineRun = 5 << 20

// pipelineRoutes keep recipes for shots, and make shots without a production.
func (a *API) pipelineRoutes() {
	const tag, all, each = studioTag, "/v1/pipelines", "/v1/pipelines/{id}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List own and shared pipelines of the selected space newest first, then those of the program", Scope: scope}, a.listPipelines)
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Keep a pipeline in the selected space", Scope: scope, Status: 201}, a.createPipeline)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One pipeline", Scope: scope}, a.getPipeline)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a pipeline", Scope: scope}, a.updatePipeline)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a pipeline", Scope: scope}, a.deletePipeline)
	handle(a, route{Method: "POST", Path: each + "/duplicate", Tag: tag, Summary: "Copy a pipeline into the selected space", Scope: scope, Status: 201}, a.duplicatePipeline)
	handle(a, route{Method: "POST", Path: each + "/run", Tag: tag, Summary: "Make 1 to 40 shots of what is sent, without a production; the selected space pays", Scope: scope, Status: 202, Wait: true, MaxBody: maxPipelineRun}, a.runPipeline)
}

type pipelineView struct {
	ID               models.ID         `json:"id"`
	Name             string            `json:"name"`
	Description      string            `json:"description"`
	Stages           stagesView        `json:"stages"`
	IsFactory        bool              `json:"isFactory" doc:"It comes with the program."`
	Usable           bool              `json:"usable"`
	Reason           *string           `json:"reason" doc:"Why it cannot be used here."`
	EstimatedCredits models.Credits    `json:"estimatedCredits" doc:"Of one shot of five seconds."`
	Source           json.RawMessage   `json:"source" doc:"What it is a copy of."`
	Visibility       *space.Visibility `json:"visibility" enum:"private,workspace"`
	WorkspaceID      *models.ID        `json:"workspaceId"`
	ProjectID        *models.ID        `json:"projectId"`
	CreatedBy        *models.ID        `json:"createdBy"`
	CreatedAt        timestamp         `json:"createdAt"`
	UpdatedAt        timestamp         `json:"updatedAt"`
	Version          int               `json:"version" doc:"Counts saves."`
	Access           space.Access      `json:"access" enum:"view,edit,creator"`
}

// stagesView has its four keys always.
type stagesView struct {
	Image  *stageView `json:"image" doc:"Makes the picture of a shot."`
	Speech *stageView `json:"speech" doc:"Speaks what is said in it."`
	Clip   *stageView `json:"clip" doc:"Makes the moving picture."`
	Cut    *stageView `json:"cut" doc:"Makes one film of the clips; without it there is none."`
}

type stageView struct {
	NodeType   string         `json:"nodeType"`
	Settings   map[string]any `json:"settings"`
	PresetID   *models.ID     `json:"presetId"`
	WorkflowID *models.ID     `json:"workflowId" doc:"Of a component."`
}

func viewStage(s *studio.Stage) *stageView {
	if s == nil {
		return nil
	}
	view := &stageView{NodeType: s.NodeType, Settings: s.Settings, PresetID: s.PresetID, WorkflowID: s.WorkflowID}
	if view.Settings == nil {
		view.Settings = map[string]any{}
	}
	return view
}

func viewPipeline(p *studio.Pipeline) pipelineView {
	v := pipelineView{
		ID: p.ID, Name: p.Name, Description: p.Description,
		Stages:    stagesView{viewStage(p.Stages.Image), viewStage(p.Stages.Speech), viewStage(p.Stages.Clip), viewStage(p.Stages.Cut)},
		IsFactory: p.IsFactory, Usable: p.Usable, Reason: p.Reason, EstimatedCredits: p.EstimatedCredits, Source: p.Source,
		WorkspaceID: p.WorkspaceID, ProjectID: p.ProjectID, CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
		Version: p.Version, Access: p.Access,
	}
	if !p.IsFactory {
		v.Visibility, v.CreatedBy = &p.Visibility, &p.OwnerID
	}
	return v
}

// StagesBody are stages as they are sent; one that is absent or null is none.
type StagesBody struct {
	Image  *StageBody `json:"image,omitempty" doc:"generate-image, text-card or component."`
	Speech *StageBody `json:"speech,omitempty" doc:"text-to-speech or component."`
	Clip   *StageBody `json:"clip,omitempty" doc:"shot-clip, animate-image, generate-video or component."`
	Cut    *StageBody `json:"cut,omitempty" doc:"freecut-export."`
}

// StageBody is one stage as it is sent.
type StageBody struct {
	NodeType   string         `json:"nodeType"`
	Settings   map[string]any `json:"settings,omitempty" doc:"Of the node type, see inputSchema of GET /v1/nodes/{type}; what a shot brings wins."`
	PresetID   *models.ID     `json:"presetId,omitempty" doc:"Lies under the settings."`
	WorkflowID *models.ID     `json:"workflowId,omitempty" doc:"The workflow that a component runs; its inputs have the names of what the stage gets."`
}

func (b *StageBody) input() *studio.StageInput {
	if b == nil {
		return nil
	}
	return &studio.StageInput{NodeType: b.NodeType, Settings: b.Settings, PresetID: b.PresetID, WorkflowID: b.WorkflowID}
}

func (b StagesBody) input() studio.StagesInput {
	return studio.StagesInput{Image: b.Image.input(), Speech: b.Speech.input(), Clip: b.Clip.input(), Cut: b.Cut.input()}
}

func (a *API) listPipelines(ctx context.Context, in *PageQuery) (*many[pipelineView], error) {
	pipelines, err := a.query().Pipelines(ctx, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	return page(pipelines, viewPipeline), nil
}

type createPipelineInput struct {
	Body struct {
		Name        string            `json:"name" doc:"1 to 100 characters."`
		Stages      StagesBody        `json:"stages" doc:"At least one of image, speech and clip."`
		Description *string           `json:"description,omitempty"`
		Visibility  *space.Visibility `json:"visibility,omitempty" doc:"private or workspace; the default is the workspace's setting."`
		ProjectID   *models.ID        `json:"projectId,omitempty"`
	}
}

func (a *API) createPipeline(ctx context.Context, in *createPipelineInput) (*single[pipelineView], error) {
	b, stages := in.Body, in.Body.Stages.input()
	p, err := a.mutation().CreatePipeline(ctx, studio.CreatePipelineInput{
		Name: b.Name, Stages: &stages, Description: b.Description, Visibility: b.Visibility, ProjectID: b.ProjectID,
	})
	return shown(p, err, viewPipeline)
}

func (a *API) getPipeline(ctx context.Context, in *IDPath) (*single[pipelineView], error) {
	p, err := a.query().Pipeline(ctx, in.ID)
	return shown(p, err, viewPipeline)
}

type updatePipelineInput struct {
	IDPath
	Body struct {
		Name        models.Opt[string]           `json:"name,omitzero"`
		Stages      models.Opt[StagesBody]       `json:"stages,omitzero" doc:"In place of the old ones, all four."`
		Description models.Opt[string]           `json:"description,omitzero"`
		Visibility  models.Opt[space.Visibility] `json:"visibility,omitzero" doc:"private or workspace."`
		ProjectID   models.Opt[models.ID]        `json:"projectId,omitzero" nullable:"true"`
		Version     *int                         `json:"version,omitempty" doc:"The version that the change was made on; another current one is refused as stale_version."`
	}
}

func (a *API) updatePipeline(ctx context.Context, in *updatePipelineInput) (*single[pipelineView], error) {
	b := in.Body
	p, err := a.mutation().UpdatePipeline(ctx, in.ID, studio.UpdatePipelineInput{
		Name: b.Name, Stages: mapOpt(b.Stages, StagesBody.input), Description: b.Description, Visibility: b.Visibility,
		ProjectID: b.ProjectID, Version: b.Version,
	})
	return shown(p, err, viewPipeline)
}

func (a *API) deletePipeline(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeletePipeline(ctx, in.ID)
	return succeeded(err)
}

func (a *API) duplicatePipeline(ctx context.Context, in *IDPath) (*single[pipelineView], error) {
	p, err := a.mutation().DuplicatePipeline(ctx, in.ID)
	return shown(p, err, viewPipeline)
}

type runPipelineInput struct {
	IDPath
	Body struct {
		Shots       []PipelineShotBody `json:"shots" doc:"1 to 40."`
		AspectRatio *string            `json:"aspectRatio,omitempty" doc:"16:9 (default), 9:16, 1:1, 4:3 or 3:4."`
		Resolution  *string            `json:"resolution,omitempty" doc:"480p, 720p (default) or 1080p."`
		VoiceID     *models.ID         `json:"voiceId,omitempty" doc:"Of the shots that name none."`
		MusicURL    *string            `json:"musicUrl,omitempty" doc:"What lies under the film."`
		MaxCredits  *float64           `json:"maxCredits,omitempty" doc:"A run that would cost more is refused."`
	}
}

// PipelineShotBody is a shot that a run brings along.
type PipelineShotBody struct {
	Prompt       string      `json:"prompt" doc:"What is seen."`
	Dialogue     *string     `json:"dialogue,omitempty" doc:"What is said, verbatim; at most 400 characters."`
	Duration     *float64    `json:"duration,omitempty" doc:"In seconds; 1 to 30."`
	ImageURL     *string     `json:"imageUrl,omitempty" doc:"In place of the image stage."`
	CharacterIDs []models.ID `json:"characterIds,omitempty"`
	LocationID   *models.ID  `json:"locationId,omitempty"`
	VoiceID      *models.ID  `json:"voiceId,omitempty"`
}

func (b PipelineShotBody) input() *studio.PipelineShot {
	return &studio.PipelineShot{
		Prompt: b.Prompt, Dialogue: b.Dialogue, Duration: b.Duration, ImageURL: b.ImageURL, CharacterIDs: b.CharacterIDs,
		LocationID: b.LocationID, VoiceID: b.VoiceID,
	}
}

// pipelineRunView is a run of a pipeline that was accepted.
type pipelineRunView struct {
	ExecutionID      models.ID           `json:"executionId"`
	Status           run.ExecutionStatus `json:"status"`
	EstimatedCredits models.Credits      `json:"estimatedCredits"`
}

func (a *API) runPipeline(ctx context.Context, in *runPipelineInput) (*plain[pipelineRunView], error) {
	b := in.Body
	begun, err := a.mutation().RunPipeline(ctx, in.ID, studio.RunPipelineInput{
		Shots: mapAll(b.Shots, PipelineShotBody.input), AspectRatio: b.AspectRatio, Resolution: b.Resolution, VoiceID: b.VoiceID,
		MusicURL: b.MusicURL, MaxCredits: b.MaxCredits,
	})
	if err != nil {
		return nil, err
	}
	// As it was accepted, however far it has come.
	return &plain[pipelineRunView]{Body: pipelineRunView{begun.ExecutionID, run.ExecutionPending, begun.EstimatedCredits}}, nil
}
