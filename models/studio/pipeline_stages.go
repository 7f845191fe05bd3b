package studio

import (
	"encoding/json"
	"slices"
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// stageTypes are the node types that fit a stage.
var stageTypes = map[StageName][]string{
	ImageStage:  {pictureType, cardType, componentType},
	SpeechStage: {speechType, componentType},
	ClipStage:   {shotType, animateType, filmType, componentType},
	CutStage:    {cutType},
}

// StageNames are the stages in the order in which they are done.
var StageNames = []StageName{ImageStage, SpeechStage, ClipStage, CutStage}

// At is the stage of a name; nil for none.
func (s *Stages) At(name StageName) *Stage { return *s.at(name) }

// Set puts a stage into its place.
func (s *Stages) Set(name StageName, stage *Stage) { *s.at(name) = stage }

func (s *Stages) at(name StageName) **Stage {
	switch name {
	case ImageStage:
		return &s.Image
	case SpeechStage:
		return &s.Speech
	case ClipStage:
		return &s.Clip
	}
	return &s.Cut
}

func (in StagesInput) at(name StageName) *StageInput {
	return map[StageName]*StageInput{ImageStage: in.Image, SpeechStage: in.Speech, ClipStage: in.Clip, CutStage: in.Cut}[name]
}

// stageCheck checks what a person sends as stages of a pipeline in a space. What the pipeline
// named before stays allowed.
type stageCheck struct {
	s      *Service
	q      *gorm.DB
	space  *space.Viewer
	before Stages
}

// checkStages are stages whose form was checked, and what they name; else a validation_error
// such as of stages.clip.nodeType.
func (c *stageCheck) checkStages(in StagesInput) (checked Stages, err error) {
	for _, name := range StageNames {
		sent := in.at(name)
		if sent == nil {
			continue
		}
		if *checked.at(name), err = c.stage(name, *sent); err != nil {
			return checked, err
		}
	}
	return checked, checked.checkFlow()
}

// checkFlow refuses stages whose input nothing yields.
func (s *Stages) checkFlow() error {
	switch {
	case s.Image == nil && s.Speech == nil && s.Clip == nil:
		return models.Invalid("stages", "must have at least one of image, speech and clip")
	case s.Clip != nil && s.Image == nil && (s.Clip.NodeType == shotType || s.Clip.NodeType == animateType):
		return models.Invalid("stages.clip.nodeType", "moves over a picture, and there is no stage image that yields one")
	case s.Cut != nil && s.Clip == nil:
		return models.Invalid("stages.cut.nodeType", "cuts clips, and there is no stage clip that yields them")
	}
	return nil
}

func (c *stageCheck) stage(name StageName, in StageInput) (*Stage, error) {
	at := "stages." + string(name) + "."
	if !slices.Contains(stageTypes[name], in.NodeType) {
		return nil, models.Invalid(at+"nodeType", "must be one of %s", strings.Join(stageTypes[name], ", "))
	}
	stage := &Stage{NodeType: in.NodeType, Settings: map[string]any{}, PresetID: in.PresetID, WorkflowID: in.WorkflowID}
	if in.NodeType == componentType {
		return stage, c.component(name, at, in)
	}
	if in.WorkflowID != nil {
		return nil, models.Invalid(at+"workflowId", "is for components alone")
	}
	kind, known := c.s.Flows.Catalogue.Find(in.NodeType)
	if !known {
		return nil, models.Invalid(at+"nodeType", "is no node type of this install")
	}
	if len(in.Settings) > 0 {
		kept, err := library.CleanSettings(kind, at+"settings", in.Settings)
		if err != nil {
			return nil, err
		}
		stage.Settings = kept
	}
	if reason := kind.Unusable(stage.Settings); reason != "" && kind.Offered() {
		return nil, models.Invalid(at+"settings", "cannot be used: %s", reason)
	}
	return stage, c.preset(name, at, kind, in.PresetID)
}

// preset refuses one that is out of reach, or of another node type.
func (c *stageCheck) preset(name StageName, at string, kind *kit.Node, id *models.ID) error {
	if id == nil {
		return nil
	}
	found, err := c.s.Library.Presets().In(c.q, c.space, *id)
	if err != nil {
		return err
	}
	p := found[*id]
	if was := c.before.At(name); p == nil && was != nil && was.PresetID != nil && *was.PresetID == *id {
		return nil
	}
	switch {
	case p == nil:
		return models.Invalid(at+"presetId", "names no preset that this pipeline may use")
	case p.NodeType != kind.Type:
		return models.Invalid(at+"presetId", "names a preset of %s, not of %s", p.NodeType, kind.Type)
	}
	return nil
}

// component refuses a workflow that is out of reach, or that does not yield what the stage must.
func (c *stageCheck) component(name StageName, at string, in StageInput) error {
	switch {
	case len(in.Settings) > 0:
		return models.Invalid(at+"settings", "must be empty for a component: set them in its workflow")
	case in.PresetID != nil:
		return models.Invalid(at+"presetId", "must be empty for a component: set it in its workflow")
	case in.WorkflowID == nil:
		return models.Invalid(at+"workflowId", "is required for a component")
	}
	found, err := c.s.Flows.GraphsByID(c.q.Statement.Context, *in.WorkflowID)
	if err != nil {
		return err
	}
	w := found[*in.WorkflowID]
	if was := c.before.At(name); w == nil && was != nil && was.WorkflowID != nil && *was.WorkflowID == *in.WorkflowID {
		return nil
	}
	if w == nil {
		return models.Invalid(at+"workflowId", "names no workflow that you may see")
	}
	if why := unfit(c.s.Flows.Catalogue, name, w); why != "" {
		return models.Invalid(at+"workflowId", "%s", why)
	}
	return nil
}

// MarshalJSON writes settings as an object, too, where there are none.
func (s Stage) MarshalJSON() ([]byte, error) {
	type plain Stage
	if s.Settings == nil {
		s.Settings = map[string]any{}
	}
	return json.Marshal(plain(s))
}
