package rest

import (
	"context"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// generatedKinds are the elements that node types make pictures of, by the type: their
// routes make an element, where the node in a workflow yields pictures alone.
var generatedKinds = map[string]library.Kind{
	"generate-character": library.Character, "generate-object": library.Object,
	"generate-creature": library.Creature, "generate-location": library.Location,
}

// generateRoutes have pictures made of elements. There is none for faces: a face is a person's.
func (a *API) generateRoutes() {
	for _, kind := range []library.Kind{library.Character, library.Object, library.Creature, library.Location} {
		handle(a, route{
			Method: "POST", Path: "/v1/generate-" + string(kind), Tag: libraryTag, Scope: models.ScopeExecute, Status: 202,
			Summary: "Make pictures of a " + string(kind) + ", which is new or named by its id",
		}, a.generateElement(kind))
	}
}

type generateInput struct {
	Body struct {
		Description   string            `json:"description" doc:"What it looks like, 1 to 4000 characters."`
		Name          *string           `json:"name,omitempty" doc:"Of a new one; absent: the first words of the description."`
		CharacterID   *models.ID        `json:"characterId,omitempty" doc:"Adds pictures to this character, of generate-character."`
		ObjectID      *models.ID        `json:"objectId,omitempty"`
		CreatureID    *models.ID        `json:"creatureId,omitempty"`
		LocationID    *models.ID        `json:"locationId,omitempty"`
		FaceID        *models.ID        `json:"faceId,omitempty" doc:"Whose face a character has."`
		Attributes    map[string]any    `json:"attributes,omitempty"`
		PresetID      *models.ID        `json:"presetId,omitempty"`
		Views         []string          `json:"views,omitempty" doc:"1 to 6; absent: the first three that the kind has."`
		Background    *string           `json:"background,omitempty" doc:"transparent, plain or scene."`
		Seed          *int              `json:"seed,omitempty"`
		Provider      *string           `json:"provider,omitempty"`
		Model         *string           `json:"model,omitempty"`
		Tags          []string          `json:"tags,omitempty"`
		Visibility    *space.Visibility `json:"visibility,omitempty" doc:"private or workspace; the default is the workspace's setting."`
		ProjectID     *models.ID        `json:"projectId,omitempty"`
		HoldForReview bool              `json:"holdForReview,omitempty" doc:"Keeps the pictures back until the job is approved."`
	}
}

// generateView is the job that was started, with the id of its element by its kind.
type generateView struct {
	JobID       models.ID  `json:"jobId"`
	CharacterID *models.ID `json:"characterId,omitempty"`
	ObjectID    *models.ID `json:"objectId,omitempty"`
	CreatureID  *models.ID `json:"creatureId,omitempty"`
	LocationID  *models.ID `json:"locationId,omitempty"`
}

// idOf is the field that names an element of a kind.
func (v *generateView) idOf(kind library.Kind) **models.ID {
	switch kind {
	case library.Character:
		return &v.CharacterID
	case library.Object:
		return &v.ObjectID
	case library.Creature:
		return &v.CreatureID
	}
	return &v.LocationID
}

func (a *API) generateElement(kind library.Kind) func(context.Context, *generateInput) (*plain[generateView], error) {
	return func(ctx context.Context, in *generateInput) (*plain[generateView], error) {
		b := in.Body
		named := generateView{CharacterID: b.CharacterID, ObjectID: b.ObjectID, CreatureID: b.CreatureID, LocationID: b.LocationID}
		begun, err := a.mutation().GenerateElement(ctx, library.GenerateElementInput{
			Kind: kind, ID: *named.idOf(kind), Description: b.Description, Name: b.Name, Attributes: b.Attributes, PresetID: b.PresetID,
			FaceID: b.FaceID, Views: b.Views, Background: b.Background, Seed: b.Seed, Provider: b.Provider, Model: b.Model, Tags: b.Tags,
			Visibility: b.Visibility, ProjectID: b.ProjectID, HoldForReview: b.HoldForReview,
		})
		if err != nil {
			return nil, err
		}
		view := generateView{JobID: begun.Job.ID}
		*view.idOf(kind) = &begun.Element.ID
		return &plain[generateView]{Body: view}, nil
	}
}
