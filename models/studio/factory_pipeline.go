package studio

import (
	"atelier/models"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// The node types of stages.
const (
	pictureType   = "generate-image"
	cardType      = "text-card"
	speechType    = "text-to-speech"
	shotType      = "shot-clip"
	animateType   = "animate-image"
	filmType      = "generate-video"
	soundType     = "add-audio" // puts what is said under clips that have no sound
	cutType       = "freecut-export"
	componentType = nodegraph.ComponentType
)

// StandardPipeline is what a production has that names none.
var StandardPipeline = library.FactoryID(pipelineNoun, "narrated-storyboard")

func of(nodeType string) *Stage { return &Stage{NodeType: nodeType, Settings: map[string]any{}} }

// factoryPipelines are those of the program, in the order in which they are listed.
var factoryPipelines = func() []*Pipeline {
	all := []*Pipeline{
		{
			Name: "narrated-storyboard", Description: "A picture of each shot, what is said in it, and a camera that moves over the picture, cut into a film.",
			Stages: Stages{Image: of(pictureType), Speech: of(speechType), Clip: of(shotType), Cut: of(cutType)},
		},
		{
			Name: "storyboard", Description: "A picture of each shot, and nothing else: to look at, and to print.",
			Stages: Stages{Image: of(pictureType)},
		},
		{
			Name: "text-cards", Description: "The words of each shot on a card, spoken, cut into a film.",
			Stages: Stages{Image: of(cardType), Speech: of(speechType), Clip: of(shotType), Cut: of(cutType)},
		},
		{
			Name: "film", Description: "A picture of each shot, brought to life by a video model of a provider, spoken, cut into a film.",
			Stages: Stages{Image: of(pictureType), Speech: of(speechType), Clip: of(filmType), Cut: of(cutType)},
		},
	}
	for _, p := range all {
		p.ID, p.Version, p.IsFactory, p.Access = library.FactoryID(pipelineNoun, p.Name), 1, true, space.CanView
		p.CreatedAt, p.UpdatedAt = library.FactoryTime, library.FactoryTime
	}
	return all
}()

// factoryPipeline is a copy of the one with an id; nil for none.
func factoryPipeline(id models.ID) *Pipeline {
	for _, p := range factoryPipelines {
		if p.ID == id {
			shown := *p
			return &shown
		}
	}
	return nil
}
