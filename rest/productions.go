package rest

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"atelier/csvtext"
	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
)

const (
	productionsPath = "/v1/studio/productions"
	productionPath  = productionsPath + "/{id}"
)

// productionRoutes keep scripts with their cast and their shots.
func (a *API) productionRoutes() {
	const tag, all, each, scope = studioTag, productionsPath, productionPath, models.ScopeExecute
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the productions of the selected space, newest first", Scope: scope}, a.listProductions)
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Begin a production in the selected space", Scope: scope, Status: 201}, a.createProduction)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One production with its shots", Scope: scope}, a.getProduction)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a production", Scope: scope}, a.updateProduction)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a production with its shots; a render is cancelled, and what is shared ends", Scope: scope}, a.deleteProduction)
	handle(a, route{Method: "POST", Path: each + "/duplicate", Tag: tag, Summary: "Copy a production with its shots into the selected space, without results and shares", Scope: scope, Status: 201}, a.duplicateProduction)
	handle(a, route{Method: "POST", Path: each + "/breakdown", Tag: tag, Summary: "Make shots of a script; a provider does it as a job", Scope: scope, Status: http.StatusOK, Also: http.StatusAccepted}, a.breakDownScript)
	handle(a, route{Method: "GET", Path: each + "/export", Tag: tag, Summary: "A production as a file: JSON, a shot list, captions, or an archive with everything that was made", Scope: scope}, a.exportProduction)
	describeProductionExport(a.OpenAPI().Paths[each+"/export"].Get)
}

type productionListInput struct {
	PageQuery
	Query     queryString `query:"q" doc:"Words of the name or the description."`
	Status    queryString `query:"status" enum:"draft,rendering,ready,stale,failed" doc:"Those in this status."`
	ProjectID models.ID   `query:"projectId" doc:"Those of one project."`
	Mine      queryBool   `query:"mine" doc:"Those that the caller made."`
}

func (a *API) listProductions(ctx context.Context, in *productionListInput) (*many[productionView], error) {
	filter := &studio.ProductionFilter{Query: in.Query.Value, Status: (*studio.ProductionStatus)(in.Status.Value), Mine: in.Mine.Value}
	if in.ProjectID != (models.ID{}) {
		filter.ProjectID = &in.ProjectID
	}
	productions, err := a.query().Productions(ctx, in.first(), in.after(), filter)
	if err != nil {
		return nil, err
	}
	return page(productions, viewProduction), nil
}

type createProductionInput struct {
	Body struct {
		Name            string            `json:"name" doc:"1 to 100 characters."`
		Description     *string           `json:"description,omitempty"`
		Script          *string           `json:"script,omitempty" doc:"At most 50,000 characters."`
		Language        *string           `json:"language,omitempty" doc:"Of the speech, a BCP 47 tag; default en."`
		AspectRatio     *string           `json:"aspectRatio,omitempty" doc:"16:9 (default), 9:16, 1:1, 4:3 or 3:4."`
		Resolution      *string           `json:"resolution,omitempty" doc:"480p, 720p (default) or 1080p."`
		PipelineID      *models.ID        `json:"pipelineId,omitempty" doc:"Default: the program's narrated-storyboard."`
		PresetID        *models.ID        `json:"presetId,omitempty" doc:"The style of every picture."`
		NarratorVoiceID *models.ID        `json:"narratorVoiceId,omitempty" doc:"The voice of lines that no element speaks."`
		Music           *MusicBody        `json:"music,omitempty"`
		Captions        *string           `json:"captions,omitempty" doc:"none (default) or burned."`
		Seed            *int              `json:"seed,omitempty" doc:"0 to 2147483647; by chance when absent."`
		CastIDs         []models.ID       `json:"castIds,omitempty" doc:"Elements that may appear, in order."`
		Visibility      *space.Visibility `json:"visibility,omitempty" doc:"private or workspace; the default is the workspace's setting."`
		ProjectID       *models.ID        `json:"projectId,omitempty" doc:"Default: the default project of the selected space."`
	}
}

// MusicBody is what lies under a film.
type MusicBody struct {
	URL    string `json:"url" doc:"A sound of this install, or public https."`
	Volume *int   `json:"volume,omitempty" doc:"In percent, 0 to 100; default 30."`
}

// musicChange describes music that null takes away.
type musicChange struct{}

func (musicChange) Schema(r huma.Registry) *huma.Schema {
	schema := huma.SchemaFromType(r, reflect.TypeFor[MusicBody]())
	schema.Nullable = true
	return schema
}

func (b MusicBody) input() studio.MusicInput { return studio.MusicInput{URL: b.URL, Volume: b.Volume} }

func (a *API) createProduction(ctx context.Context, in *createProductionInput) (*single[productionDetail], error) {
	b := in.Body
	p, err := a.mutation().CreateProduction(ctx, studio.CreateProductionInput{
		Name: b.Name, Description: b.Description, Script: b.Script, Language: b.Language, AspectRatio: b.AspectRatio, Resolution: b.Resolution,
		PipelineID: b.PipelineID, PresetID: b.PresetID, NarratorVoiceID: b.NarratorVoiceID, Music: mapped(b.Music, MusicBody.input),
		Captions: b.Captions, Seed: b.Seed, CastIDs: b.CastIDs, Visibility: b.Visibility, ProjectID: b.ProjectID,
	})
	return shown(p, err, viewWholeProduction)
}

func (a *API) getProduction(ctx context.Context, in *IDPath) (*single[productionDetail], error) {
	p, err := a.query().Production(ctx, in.ID)
	return shown(p, err, viewWholeProduction)
}

type updateProductionInput struct {
	IDPath
	Body struct {
		Name            models.Opt[string]           `json:"name,omitzero"`
		Description     models.Opt[string]           `json:"description,omitzero"`
		Script          models.Opt[string]           `json:"script,omitzero" doc:"Shots stay as they are until the next breakdown."`
		Language        models.Opt[string]           `json:"language,omitzero"`
		AspectRatio     models.Opt[string]           `json:"aspectRatio,omitzero"`
		Resolution      models.Opt[string]           `json:"resolution,omitzero"`
		PipelineID      models.Opt[models.ID]        `json:"pipelineId,omitzero"`
		PresetID        models.Opt[models.ID]        `json:"presetId,omitzero" nullable:"true"`
		NarratorVoiceID models.Opt[models.ID]        `json:"narratorVoiceId,omitzero" nullable:"true"`
		Music           models.Opt[MusicBody]        `json:"music,omitzero"`
		Captions        models.Opt[string]           `json:"captions,omitzero"`
		Seed            models.Opt[int]              `json:"seed,omitzero"`
		CastIDs         models.Opt[[]models.ID]      `json:"castIds,omitzero" doc:"In place of the old ones."`
		Visibility      models.Opt[space.Visibility] `json:"visibility,omitzero" doc:"private or workspace."`
		ProjectID       models.Opt[models.ID]        `json:"projectId,omitzero" doc:"Moves it."`
		Version         *int                         `json:"version,omitempty" doc:"The version that the change was made on; another current one is refused as stale_version."`
	}
}

func (a *API) updateProduction(ctx context.Context, in *updateProductionInput) (*single[productionDetail], error) {
	b := in.Body
	p, err := a.mutation().UpdateProduction(ctx, in.ID, studio.UpdateProductionInput{
		Name: b.Name, Description: b.Description, Script: b.Script, Language: b.Language, AspectRatio: b.AspectRatio, Resolution: b.Resolution,
		PipelineID: b.PipelineID, PresetID: b.PresetID, NarratorVoiceID: b.NarratorVoiceID, Music: mapOpt(b.Music, MusicBody.input),
		Captions: b.Captions, Seed: b.Seed, CastIDs: b.CastIDs, Visibility: b.Visibility, ProjectID: b.ProjectID, Version: b.Version,
	})
	return shown(p, err, viewWholeProduction)
}

func (a *API) deleteProduction(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteProduction(ctx, in.ID)
	return succeeded(err)
}

func (a *API) duplicateProduction(ctx context.Context, in *IDPath) (*single[productionDetail], error) {
	p, err := a.mutation().DuplicateProduction(ctx, in.ID)
	return shown(p, err, viewWholeProduction)
}

type breakdownInput struct {
	IDPath
	Body *struct {
		Script         *string  `json:"script,omitempty" doc:"The production's own when absent; at most 50,000 characters."`
		SecondsPerShot *float64 `json:"secondsPerShot,omitempty" doc:"2 to 15; default 6."`
		MaxShots       *int     `json:"maxShots,omitempty" doc:"1 to 40; default 40."`
		Replace        *bool    `json:"replace,omitempty" doc:"Lets the shots that are there give way, except locked ones."`
		Provider       *string  `json:"provider,omitempty" doc:"local (default), or openai where it is set up."`
		Model          *string  `json:"model,omitempty"`
	}
}

// breakdownView is a production with its new shots, or the job that makes them.
type breakdownView struct {
	Data      *productionDetail `json:"data,omitempty"`
	Unmatched *[]unmatchedView  `json:"unmatched,omitempty" doc:"Names of the script for which the space has no element."`
	JobID     *models.ID        `json:"jobId,omitempty" doc:"With 202: the job of a provider, at whose end the shots are there."`
}

type unmatchedView struct {
	Name  string `json:"name"`
	Kind  string `json:"kind" enum:"character,location,element"`
	Count int    `json:"count" doc:"How often the script has it."`
}

func (a *API) breakDownScript(ctx context.Context, in *breakdownInput) (*plain[breakdownView], error) {
	wish := studio.BreakDownInput{}
	if b := in.Body; b != nil {
		wish = studio.BreakDownInput{
			Script: b.Script, SecondsPerShot: b.SecondsPerShot, MaxShots: b.MaxShots, Replace: b.Replace, Provider: b.Provider, Model: b.Model,
		}
	}
	made, err := a.mutation().BreakDownScript(ctx, in.ID, wish)
	if err != nil {
		return nil, err
	}
	if made.Job != nil {
		return &plain[breakdownView]{Status: http.StatusAccepted, Body: breakdownView{JobID: &made.Job.ID}}, nil
	}
	production := viewWholeProduction(made.Production)
	unmatched := mapAll(made.Unmatched, func(n *studio.UnmatchedName) unmatchedView { return unmatchedView{n.Name, n.Kind, n.Count} })
	return &plain[breakdownView]{Body: breakdownView{Data: &production, Unmatched: &unmatched}}, nil
}

type productionView struct {
	ID              models.ID               `json:"id"`
	Name            string                  `json:"name"`
	Description     string                  `json:"description"`
	Script          string                  `json:"script" doc:"As written."`
	Language        string                  `json:"language" doc:"Of the speech, a BCP 47 tag."`
	AspectRatio     string                  `json:"aspectRatio" enum:"16:9,9:16,1:1,4:3,3:4"`
	Resolution      string                  `json:"resolution" enum:"480p,720p,1080p"`
	PipelineID      models.ID               `json:"pipelineId"`
	PresetID        *models.ID              `json:"presetId" doc:"The style of every picture."`
	NarratorVoiceID *models.ID              `json:"narratorVoiceId" doc:"The voice of lines that no element speaks."`
	Music           *musicView              `json:"music" doc:"Lies under the film."`
	Captions        string                  `json:"captions" enum:"none,burned"`
	Seed            int                     `json:"seed"`
	CastIDs         []models.ID             `json:"castIds" doc:"Elements that may appear, in order."`
	ShotCount       int                     `json:"shotCount" doc:"Of shots that are not skipped, as is the duration."`
	Duration        float64                 `json:"duration" doc:"In seconds; estimated where nothing is rendered."`
	Status          studio.ProductionStatus `json:"status" enum:"draft,rendering,ready,stale,failed" doc:"stale: there is a film, and something changed since."`
	VideoURL        *string                 `json:"videoUrl" doc:"The last film."`
	ThumbnailURL    *string                 `json:"thumbnailUrl"`
	CaptionsURL     *string                 `json:"captionsUrl" doc:"WebVTT."`
	LatestRender    *renderView             `json:"latestRender"`
	Visibility      space.Visibility        `json:"visibility" enum:"private,workspace"`
	WorkspaceID     *models.ID              `json:"workspaceId"`
	ProjectID       models.ID               `json:"projectId"`
	CreatedBy       models.ID               `json:"createdBy"`
	CreatedAt       timestamp               `json:"createdAt"`
	UpdatedAt       timestamp               `json:"updatedAt"`
	Version         int                     `json:"version" doc:"Counts saves."`
	Access          space.Access            `json:"access" enum:"view,edit,creator"`
}

// ProductionShown is embedded under an exported name, for the document shows no other.
type ProductionShown = productionView

// productionDetail is a production that is read by itself.
type productionDetail struct {
	ProductionShown
	Shots []shotView `json:"shots" doc:"In their order."`
}

type musicView struct {
	URL    string `json:"url"`
	Volume int    `json:"volume" doc:"In percent."`
}

type renderView struct {
	ExecutionID  models.ID           `json:"executionId"`
	Status       run.ExecutionStatus `json:"status" enum:"pending,running,completed,failed"`
	Stage        *studio.StageName   `json:"stage" enum:"image,speech,clip,cut" doc:"After which it stops; null for all."`
	CreditsUsed  models.Credits      `json:"creditsUsed"`
	ReusedShots  int                 `json:"reusedShots" doc:"Shots of which nothing was made again."`
	CreatedAt    timestamp           `json:"createdAt"`
	CompletedAt  *timestamp          `json:"completedAt"`
	ErrorMessage *string             `json:"errorMessage"`
}

func viewRender(r *studio.Render) renderView {
	return renderView{
		ExecutionID: r.ExecutionID, Status: r.Status, Stage: r.Stage, CreditsUsed: r.CreditsUsed, ReusedShots: r.ReusedShots,
		CreatedAt: timestamp(r.CreatedAt), CompletedAt: moment(r.CompletedAt), ErrorMessage: r.ErrorMessage,
	}
}

func viewProduction(p *studio.Production) productionView {
	v := productionView{
		ID: p.ID, Name: p.Name, Description: p.Description, Script: p.Script, Language: p.Language, AspectRatio: p.AspectRatio,
		Resolution: p.Resolution, PipelineID: p.PipelineID, PresetID: p.PresetID, NarratorVoiceID: p.NarratorVoiceID,
		Captions: p.Captions, Seed: p.Seed, CastIDs: append([]models.ID{}, p.CastIDs...), ShotCount: p.ShotCount, Duration: p.Duration,
		Status: p.Status, VideoURL: p.VideoURL, ThumbnailURL: p.ThumbnailURL, CaptionsURL: p.CaptionsURL, Visibility: p.Visibility,
		WorkspaceID: p.WorkspaceID, ProjectID: *p.ProjectID, CreatedBy: p.OwnerID, CreatedAt: timestamp(p.CreatedAt),
		UpdatedAt: timestamp(p.UpdatedAt), Version: p.Version, Access: p.Access,
	}
	if p.Music != nil {
		v.Music = &musicView{URL: p.Music.URL, Volume: p.Music.Volume}
	}
	if p.LatestRender != nil {
		latest := viewRender(p.LatestRender)
		v.LatestRender = &latest
	}
	return v
}

func viewWholeProduction(p *studio.Production) productionDetail {
	return productionDetail{ProductionShown: viewProduction(p), Shots: mapAll(p.Shots, viewShot)}
}

type exportProductionInput struct {
	IDPath
	Format queryString `query:"format" enum:"json,csv,srt,vtt,zip" doc:"json when absent."`
}

func (a *API) exportProduction(ctx context.Context, in *exportProductionInput) (*archived, error) {
	format := "json"
	if in.Format.Value != nil {
		format = *in.Format.Value
	}
	x, err := a.Resolver.Studio.ExportProduction(ctx, in.ID, format)
	if err != nil {
		return nil, err
	}
	return fileOf(x.ContentType(), x.Name(), x.Write), nil
}

// describeProductionExport writes into the document which files there are.
func describeProductionExport(op *huma.Operation) {
	text := func(about string) *huma.MediaType {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: about}}
	}
	op.Responses["200"] = &huma.Response{
		Description: "The file",
		Content: map[string]*huma.MediaType{
			applicationJSON:        {Schema: &huma.Schema{Type: huma.TypeObject, Description: "The production with its shots.", AdditionalProperties: true}},
			csvtext.Type:           text("The shot list."),
			"application/x-subrip": text("Captions of the film."),
			"text/vtt":             text("Captions of the film."),
			zipType: {Schema: &huma.Schema{
				Type: huma.TypeString, Format: "binary", Description: "All of these, with the pictures, sounds, clips and the film.",
			}},
		},
	}
}
