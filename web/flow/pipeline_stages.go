package flow

import (
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// stageKind is one of the four stages of a pipeline, in the words of its pages.
type stageKind struct {
	Name, Title, About string
	Types              []string // those that fit
	// given are the fields that each shot fills in.
	given []string
}

var stageKinds = []stageKind{
	{
		"image", "Picture", "makes the picture of each shot", []string{"generate-image", "text-card", "component"},
		[]string{"prompt", "negativePrompt", "aspectRatio", "seed", "text"},
	},
	{"speech", "Speech", "speaks what is said", []string{"text-to-speech", "component"}, []string{"text"}},
	{
		"clip", "Clip", "makes the picture move, with its sound", []string{"shot-clip", "animate-image", "generate-video", "component"},
		[]string{"imageUrl", "audioUrl", "prompt", "duration", "movement", "caption", "aspectRatio", "resolution", "seed"},
	},
	{"cut", "Cut", "cuts the clips into a film, with the music under it", []string{"freecut-export"}, []string{"clips", "audio", "captions", "width", "height"}},
}

// runsWorkflow is the type of a stage that runs a workflow of the space.
const runsWorkflow = "component"

// stage is a stage of a pipeline with what it is made of; without a type there is none.
type stage struct {
	stageKind
	Type     string
	Settings map[string]any
	Preset   string
	Workflow string
	Controls []nodeform.Control
	Presets  []ui.Option
	Flows    []ui.Option
}

// rowOf is a stage of a pipeline by its name.
func rowOf(p query.PipelineStageRows, name string) *query.StageRow {
	switch name {
	case "image":
		return p.Image
	case "speech":
		return p.Speech
	case "clip":
		return p.Clip
	}
	return p.Cut
}

// stagesOf are the stages of a pipeline. Types that the address or the form names take the place of those that are set.
func stagesOf(rows query.PipelineStageRows, values url.Values, k nodeform.Kinds) []stage {
	var out []stage
	for _, kind := range stageKinds {
		s := stage{stageKind: kind}
		if row := rowOf(rows, kind.Name); row != nil {
			s.Type, s.Settings, s.Preset, s.Workflow = row.NodeType, row.Settings, frame.Value(row.PresetId), frame.Value(row.WorkflowId)
		}
		if values.Has(kind.Name) && values.Get(kind.Name) != s.Type {
			s.Type, s.Settings, s.Preset, s.Workflow = values.Get(kind.Name), nil, "", ""
			if !slices.Contains(kind.Types, s.Type) {
				s.Type = ""
			}
		}
		s.Controls = stageControls(s, k)
		out = append(out, s)
	}
	var all []*nodeform.Control
	for i := range out {
		all = append(all, nodeform.Pointers(out[i].Controls)...)
	}
	nodeform.Withhold(all)
	return out
}

// stageControls are the fields of a stage that no shot fills in. What they may name of the library is chosen elsewhere.
func stageControls(s stage, k nodeform.Kinds) []nodeform.Control {
	var out []nodeform.Control
	if s.Type == "" || s.Type == runsWorkflow {
		return nil
	}
	for _, c := range presetControls(s.Type, s.Settings, k) {
		if c.Thing != "" || slices.Contains(s.given, c.Field) {
			continue
		}
		c.Name = s.Name + "-" + c.Name
		out = append(out, c)
	}
	return out
}

// typeOptions are what may make a stage, as far as this install offers it.
func (s stage) typeOptions(k nodeform.Kinds) []ui.Option {
	out := []ui.Option{{Value: "", Text: "Nothing", Selected: s.Type == ""}}
	for _, t := range s.Types {
		if _, offered := k[t]; offered || t == s.Type || t == runsWorkflow {
			out = append(out, ui.Option{Value: t, Text: stageType(t, k), Selected: t == s.Type})
		}
	}
	return out
}

func stageType(t string, k nodeform.Kinds) string {
	if t == runsWorkflow {
		return "A workflow of this space"
	}
	return k.Label(t)
}

// words say what a stage does: its node, its preset or its workflow, and what is set.
func (s stage) words(k nodeform.Kinds) string {
	switch {
	case s.Type == "":
		return "Nothing."
	case s.Type == runsWorkflow:
		return "Runs the workflow " + frame.Or(chosenText(s.Flows, s.Workflow), "that is set, which you may not see") + "."
	}
	out := k.Label(s.Type)
	if s.Preset != "" {
		out += ", in the style of the preset " + frame.Or(chosenText(s.Presets, s.Preset), "that is set, which you may not see")
	}
	var set []string
	for _, name := range frame.SortedKeys(s.Settings) {
		set = append(set, nodeform.NameInWords(name)+": "+frame.Brief(frame.ValueText(s.Settings[name])))
	}
	if len(set) > 0 {
		out += ". " + strings.Join(set, "; ")
	}
	return out + "."
}

func chosenText(options []ui.Option, value string) string {
	for _, o := range options {
		if o.Value == value && value != "" {
			return o.Text
		}
	}
	return ""
}

// read is a stage as a form sends it; nil for none.
func (s stage) read(values url.Values) (*query.PipelineStageInput, error) {
	if s.Type == "" {
		return nil, nil
	}
	in := &query.PipelineStageInput{NodeType: s.Type, PresetId: frame.Given(values, s.Name+"-preset"), WorkflowId: frame.Given(values, s.Name+"-workflow")}
	settings, err := readPreset(s.Controls, s.Settings, values)
	if err != nil {
		return nil, err
	}
	if len(settings) > 0 {
		in.Settings = &settings
	}
	return in, nil
}

// stageRefusal makes a refusal of a part of a stage one of its form field.
func stageRefusal(err error) error {
	e, known := frame.Refused(err)
	if !known {
		return err
	}
	rest, ok := strings.CutPrefix(e.Field, "stages.")
	if !ok {
		return err
	}
	out := *e
	name, field, _ := strings.Cut(rest, ".")
	switch {
	case strings.HasPrefix(field, "settings."):
		field, _, _ = strings.Cut(strings.TrimPrefix(field, "settings."), "[")
		out.Field = name + "-in-" + field
	case field == "presetId":
		out.Field = name + "-preset"
	case field == "workflowId":
		out.Field = name + "-workflow"
	default:
		out.Field = name
		for _, kind := range stageKinds {
			if kind.Name == name {
				out.Message = frame.About(kind.Title, e.Message)
			}
		}
	}
	return &out
}
