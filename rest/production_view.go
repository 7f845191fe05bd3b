package rest

import (
	"atelier/models"
	"atelier/models/flow"
	"atelier/models/space"
	"atelier/models/studio"
)

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
	NarratorVoiceID *models.ID              `json:"narratorVoiceId" doc:"Who speaks what nobody speaks."`
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
	ExecutionID  models.ID            `json:"executionId"`
	Status       flow.ExecutionStatus `json:"status" enum:"pending,running,completed,failed"`
	Stage        *studio.StageName    `json:"stage" enum:"image,speech,clip,cut" doc:"After which it stops; null for all."`
	CreditsUsed  models.Credits       `json:"creditsUsed"`
	ReusedShots  int                  `json:"reusedShots" doc:"Shots of which nothing was made anew."`
	CreatedAt    timestamp            `json:"createdAt"`
	CompletedAt  *timestamp           `json:"completedAt"`
	ErrorMessage *string              `json:"errorMessage"`
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
