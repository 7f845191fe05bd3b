package rest

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/studio"
)

// shotRoutes change the shots of a production, and show a shared one to everyone.
func (a *API) shotRoutes() {
	const tag, all, each, scope = studioTag, productionPath + "/shots", productionPath + "/shots/{shotId}", models.ScopeExecute
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Add a shot to a production", Scope: scope, Status: 201}, a.createShot)
	handle(a, route{Method: "PUT", Path: all + "/order", Tag: tag, Summary: "Put all shots of a production into an order", Scope: scope}, a.orderShots)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a shot", Scope: scope}, a.updateShot)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a shot", Scope: scope}, a.deleteShot)
	handle(a, route{Method: "POST", Path: each + "/share", Tag: tag, Summary: "Show a shot to everyone until a time, or end that (in a school: admins of the workspace)", Scope: scope}, a.shareShot)
	handle(a, route{Method: "GET", Path: "/v1/shots/{id}", Tag: tag, Summary: "A shot that was shared", Public: true}, a.getPublicShot)
}

type shotView struct {
	ID             models.ID         `json:"id"`
	ProductionID   models.ID         `json:"productionId"`
	Position       int               `json:"position" doc:"From 1."`
	Title          string            `json:"title"`
	Action         string            `json:"action" doc:"What is seen."`
	Dialogue       string            `json:"dialogue" doc:"What is said, verbatim."`
	SpeakerID      *models.ID        `json:"speakerId"`
	VoiceID        *models.ID        `json:"voiceId"`
	CharacterIDs   []models.ID       `json:"characterIds"`
	CreatureIDs    []models.ID       `json:"creatureIds"`
	ObjectIDs      []models.ID       `json:"objectIds"`
	LocationID     *models.ID        `json:"locationId"`
	Camera         cameraView        `json:"camera"`
	Duration       *float64          `json:"duration" doc:"In seconds; null takes the speech and 0.6, without speech 4."`
	Prompt         string            `json:"prompt" doc:"In place of what is composed of the other fields; empty composes."`
	NegativePrompt string            `json:"negativePrompt"`
	ImageURL       *string           `json:"imageUrl" doc:"The last result of the image stage; so are videoUrl of the clip and audioUrl of the speech."`
	VideoURL       *string           `json:"videoUrl"`
	AudioURL       *string           `json:"audioUrl"`
	OwnImageURL    *string           `json:"ownImageUrl" doc:"In place of the image stage."`
	Status         studio.ShotStatus `json:"status" enum:"empty,rendering,ready,failed"`
	IsStale        bool              `json:"isStale" doc:"Something that it was made of has changed since."`
	Skip           bool              `json:"skip" doc:"Left out of the film."`
	Locked         bool              `json:"locked" doc:"Never made again."`
	Notes          string            `json:"notes" doc:"For people."`
	ErrorMessage   *string           `json:"errorMessage"`
	ExecutionID    *models.ID        `json:"executionId" doc:"Of the last render that touched it."`
	IsShared       bool              `json:"isShared"`
	SharedURL      *string           `json:"sharedUrl" doc:"Its public page."`
	SharedUntil    *timestamp        `json:"sharedUntil"`
	CreatedAt      timestamp         `json:"createdAt"`
	UpdatedAt      timestamp         `json:"updatedAt"`
	Version        int               `json:"version" doc:"Counts saves."`
}

type cameraView struct {
	Size     string `json:"size" enum:"extreme-wide,wide,full,medium,close,extreme-close"`
	Angle    string `json:"angle" enum:"eye,high,low,overhead"`
	Movement string `json:"movement" enum:"static,push-in,pull-out,pan-left,pan-right,tilt-up,tilt-down"`
}

func viewShot(s *studio.Shot) shotView {
	v := shotView{
		ID: s.ID, ProductionID: s.ProductionID, Position: s.Position, Title: s.Title, Action: s.Action, Dialogue: s.Dialogue,
		SpeakerID: s.SpeakerID, VoiceID: s.VoiceID, CharacterIDs: append([]models.ID{}, s.CharacterIDs...),
		CreatureIDs: append([]models.ID{}, s.CreatureIDs...), ObjectIDs: append([]models.ID{}, s.ObjectIDs...), LocationID: s.LocationID,
		Camera: cameraView(s.Camera), Duration: s.Duration, Prompt: s.Prompt, NegativePrompt: s.NegativePrompt,
		ImageURL: s.ResultURL(studio.ImageStage), VideoURL: s.ResultURL(studio.ClipStage), AudioURL: s.ResultURL(studio.SpeechStage),
		OwnImageURL: s.OwnImageURL, Status: s.Status, IsStale: s.IsStale, Skip: s.Skip, Locked: s.Locked, Notes: s.Notes,
		ErrorMessage: s.ErrorMessage, ExecutionID: s.ExecutionID, CreatedAt: timestamp(s.CreatedAt), UpdatedAt: timestamp(s.UpdatedAt),
		Version: s.Version,
	}
	if s.Share != nil {
		v.IsShared, v.SharedURL, v.SharedUntil = true, s.SharedURL, moment(&s.Share.Until)
	}
	return v
}

// CameraBody is how a shot is looked at; what is absent is the usual.
type CameraBody struct {
	Size     *string `json:"size,omitempty" doc:"extreme-wide, wide, full, medium (default), close or extreme-close."`
	Angle    *string `json:"angle,omitempty" doc:"eye (default), high, low or overhead."`
	Movement *string `json:"movement,omitempty" doc:"static (default), push-in, pull-out, pan-left, pan-right, tilt-up or tilt-down."`
}

func (b CameraBody) input() studio.CameraInput {
	return studio.CameraInput{Size: b.Size, Angle: b.Angle, Movement: b.Movement}
}

type createShotInput struct {
	IDPath
	Body *struct {
		Position       *int        `json:"position,omitempty" doc:"From 1; default last."`
		Title          *string     `json:"title,omitempty"`
		Action         *string     `json:"action,omitempty" doc:"At most 2,000 characters."`
		Dialogue       *string     `json:"dialogue,omitempty" doc:"At most 400 characters."`
		SpeakerID      *models.ID  `json:"speakerId,omitempty" doc:"The element that says it."`
		VoiceID        *models.ID  `json:"voiceId,omitempty" doc:"Default: the speaker's, else the narrator's."`
		CharacterIDs   []models.ID `json:"characterIds,omitempty"`
		CreatureIDs    []models.ID `json:"creatureIds,omitempty"`
		ObjectIDs      []models.ID `json:"objectIds,omitempty"`
		LocationID     *models.ID  `json:"locationId,omitempty"`
		Camera         *CameraBody `json:"camera,omitempty"`
		Duration       *float64    `json:"duration,omitempty" doc:"1 to 30 seconds."`
		Prompt         *string     `json:"prompt,omitempty"`
		NegativePrompt *string     `json:"negativePrompt,omitempty"`
		OwnImageURL    *string     `json:"ownImageUrl,omitempty" doc:"A picture of this install, or public https."`
		Skip           *bool       `json:"skip,omitempty"`
		Locked         *bool       `json:"locked,omitempty"`
		Notes          *string     `json:"notes,omitempty"`
	}
}

func (a *API) createShot(ctx context.Context, in *createShotInput) (*single[shotView], error) {
	wish := studio.CreateShotInput{}
	if b := in.Body; b != nil {
		wish = studio.CreateShotInput{
			Position: b.Position, Title: b.Title, Action: b.Action, Dialogue: b.Dialogue, SpeakerID: b.SpeakerID, VoiceID: b.VoiceID,
			CharacterIDs: b.CharacterIDs, CreatureIDs: b.CreatureIDs, ObjectIDs: b.ObjectIDs, LocationID: b.LocationID,
			Camera: mapped(b.Camera, CameraBody.input), Duration: b.Duration, Prompt: b.Prompt, NegativePrompt: b.NegativePrompt,
			OwnImageURL: b.OwnImageURL, Skip: b.Skip, Locked: b.Locked, Notes: b.Notes,
		}
	}
	s, err := a.mutation().CreateShot(ctx, in.ID, wish)
	return shown(s, err, viewShot)
}

// ShotPath is the path of the routes on one shot of a production.
type ShotPath struct {
	IDPath
	ShotID models.ID `path:"shotId"`
}

type updateShotInput struct {
	ShotPath
	Body struct {
		Title          models.Opt[string]      `json:"title,omitzero"`
		Action         models.Opt[string]      `json:"action,omitzero"`
		Dialogue       models.Opt[string]      `json:"dialogue,omitzero"`
		SpeakerID      models.Opt[models.ID]   `json:"speakerId,omitzero" nullable:"true"`
		VoiceID        models.Opt[models.ID]   `json:"voiceId,omitzero" nullable:"true"`
		CharacterIDs   models.Opt[[]models.ID] `json:"characterIds,omitzero"`
		CreatureIDs    models.Opt[[]models.ID] `json:"creatureIds,omitzero"`
		ObjectIDs      models.Opt[[]models.ID] `json:"objectIds,omitzero"`
		LocationID     models.Opt[models.ID]   `json:"locationId,omitzero" nullable:"true"`
		Camera         models.Opt[CameraBody]  `json:"camera,omitzero" doc:"As a whole: what is absent of it is the usual."`
		Duration       models.Opt[float64]     `json:"duration,omitzero" nullable:"true"`
		Prompt         models.Opt[string]      `json:"prompt,omitzero"`
		NegativePrompt models.Opt[string]      `json:"negativePrompt,omitzero"`
		OwnImageURL    models.Opt[string]      `json:"ownImageUrl,omitzero" nullable:"true"`
		Skip           models.Opt[bool]        `json:"skip,omitzero"`
		Locked         models.Opt[bool]        `json:"locked,omitzero"`
		Notes          models.Opt[string]      `json:"notes,omitzero"`
		Version        *int                    `json:"version,omitempty" doc:"The version that the change was made on; another current one is refused as stale_version."`
	}
}

func (a *API) updateShot(ctx context.Context, in *updateShotInput) (*single[shotView], error) {
	b := in.Body
	s, err := a.mutation().UpdateShot(ctx, in.ID, in.ShotID, studio.UpdateShotInput{
		Title: b.Title, Action: b.Action, Dialogue: b.Dialogue, SpeakerID: b.SpeakerID, VoiceID: b.VoiceID, CharacterIDs: b.CharacterIDs,
		CreatureIDs: b.CreatureIDs, ObjectIDs: b.ObjectIDs, LocationID: b.LocationID, Camera: mapOpt(b.Camera, CameraBody.input),
		Duration: b.Duration, Prompt: b.Prompt, NegativePrompt: b.NegativePrompt, OwnImageURL: b.OwnImageURL, Skip: b.Skip,
		Locked: b.Locked, Notes: b.Notes, Version: b.Version,
	})
	return shown(s, err, viewShot)
}

func (a *API) deleteShot(ctx context.Context, in *ShotPath) (*success, error) {
	_, err := a.mutation().DeleteShot(ctx, in.ID, in.ShotID)
	return succeeded(err)
}

type orderShotsInput struct {
	IDPath
	Body struct {
		ShotIDs []models.ID `json:"shotIds" doc:"Exactly all shots of the production."`
	}
}

func (a *API) orderShots(ctx context.Context, in *orderShotsInput) (*single[productionDetail], error) {
	p, err := a.mutation().OrderShots(ctx, in.ID, in.Body.ShotIDs)
	return shown(p, err, viewWholeProduction)
}

type shareShotInput struct {
	ShotPath
	Body struct {
		Shared bool       `json:"shared" doc:"false ends it at once."`
		Until  *time.Time `json:"until,omitempty" doc:"At most 366 days away; default in 30 days."`
	}
}

func (a *API) shareShot(ctx context.Context, in *shareShotInput) (*single[shotView], error) {
	s, err := a.mutation().ShareShot(ctx, in.ID, in.ShotID, studio.ShareShotInput{Shared: in.Body.Shared, Until: in.Body.Until})
	return shown(s, err, viewShot)
}

// publicShotView is what everyone sees of a shot that was shared.
type publicShotView struct {
	ID           models.ID `json:"id"`
	Title        string    `json:"title"`
	Production   string    `json:"production" doc:"Its name."`
	Dialogue     string    `json:"dialogue"`
	By           string    `json:"by" doc:"Who made it; of a school the school."`
	ImageURL     *string   `json:"imageUrl"`
	VideoURL     *string   `json:"videoUrl"`
	AudioURL     *string   `json:"audioUrl"`
	URLExpiresAt timestamp `json:"urlExpiresAt" doc:"When the addresses end; read the shot again for new ones."`
	Width        *int      `json:"width"`
	Height       *int      `json:"height"`
	Duration     *float64  `json:"duration" doc:"In seconds."`
	SharedUntil  timestamp `json:"sharedUntil"`
	UpdatedAt    timestamp `json:"updatedAt"`
}

func viewPublicShot(s *studio.PublicShot) publicShotView {
	return publicShotView{
		ID: s.ID, Title: s.Title, Production: s.Production, Dialogue: s.Dialogue, By: s.By, ImageURL: s.ImageURL, VideoURL: s.VideoURL,
		AudioURL: s.AudioURL, URLExpiresAt: timestamp(s.URLExpiresAt), Width: s.Width, Height: s.Height, Duration: s.Duration,
		SharedUntil: timestamp(s.SharedUntil), UpdatedAt: timestamp(s.UpdatedAt),
	}
}

func (a *API) getPublicShot(ctx context.Context, in *IDPath) (*single[publicShotView], error) {
	s, err := a.query().PublicShot(ctx, in.ID)
	return shown(s, err, viewPublicShot)
}
