package studio

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// stageKind is what may make a stage of a pipeline, in the words of its pages.
type stageKind struct {
	About string
	Hint  string   // the same as a sentence
	Types []string // those that fit
	// given are the fields that each shot fills in.
	given []string
}

// stageKinds are those of the stages by their names.
var stageKinds = map[string]stageKind{
	"image": {
		mark("makes the picture of each shot"), mark("Makes the picture of each shot."), []string{"generate-image", "text-card", nodeform.RunsWorkflow},
		[]string{"prompt", "negativePrompt", "aspectRatio", "seed", "text"},
	},
	"speech": {mark("speaks what is said"), mark("Speaks what is said."), []string{"text-to-speech", nodeform.RunsWorkflow}, []string{"text"}},
	"clip": {
		mark("makes the picture move, with its sound"), mark("Makes the picture move, with its sound."),
		[]string{"shot-clip", "animate-image", "generate-video", nodeform.RunsWorkflow},
		[]string{"imageUrl", "audioUrl", "prompt", "duration", "movement", "caption", "aspectRatio", "resolution", "seed"},
	},
	"cut": {
		mark("cuts the clips into a film, with the music under it"), mark("Cuts the clips into a film, with the music under it."),
		[]string{"freecut-export"}, []string{"clips", "audio", "captions", "width", "height"},
	},
}

// stage is a stage of a pipeline with what can be chosen for it.
type stage struct {
	nodeform.Stage
	stageKind
	Controls []nodeform.Control
	Presets  []ui.Option
	Flows    []ui.Option
}

// stagesOf are the stages of a pipeline. Types that the address or the form names take the place of those that are set.
func stagesOf(rows query.PipelineStageRows, values url.Values, k nodeform.Kinds) []stage {
	var out []stage
	for _, set := range nodeform.StagesOf(rows) {
		s := stage{Stage: set, stageKind: stageKinds[set.Name]}
		if values.Has(s.Name) && values.Get(s.Name) != s.Type {
			s.Type, s.Settings, s.Preset, s.Workflow = values.Get(s.Name), nil, "", ""
			if !slices.Contains(s.Types, s.Type) {
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
	if s.Type == "" || s.Type == nodeform.RunsWorkflow {
		return nil
	}
	for _, c := range nodeform.SettingControls(s.Type, s.Settings, k) {
		if c.Thing != "" || slices.Contains(s.given, c.Field) {
			continue
		}
		c.Name = s.Name + "-" + c.Name
		out = append(out, c)
	}
	return out
}

// typeOptions are what may make a stage, as far as this install offers it.
func (s stage) typeOptions(ctx context.Context, k nodeform.Kinds) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "Nothing"), Selected: s.Type == ""}}
	for _, kind := range s.Types {
		if _, offered := k[kind]; offered || kind == s.Type || kind == nodeform.RunsWorkflow {
			out = append(out, ui.Option{Value: kind, Text: stageType(ctx, kind, k), Selected: kind == s.Type})
		}
	}
	return out
}

func stageType(ctx context.Context, kind string, k nodeform.Kinds) string {
	if kind == nodeform.RunsWorkflow {
		return t(ctx, "A workflow of this space")
	}
	return k.Label(kind)
}

// words say what a stage does.
func (s stage) words(ctx context.Context, k nodeform.Kinds) string {
	return s.Words(ctx, k, chosenText(s.Presets, s.Preset), chosenText(s.Flows, s.Workflow))
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
func (s stage) read(ctx context.Context, values url.Values) (*query.PipelineStageInput, error) {
	if s.Type == "" {
		return nil, nil
	}
	in := &query.PipelineStageInput{NodeType: s.Type, PresetId: frame.Given(values, s.Name+"-preset"), WorkflowId: frame.Given(values, s.Name+"-workflow")}
	settings, err := nodeform.ReadSettings(ctx, s.Controls, s.Settings, values)
	if err != nil {
		return nil, err
	}
	if len(settings) > 0 {
		in.Settings = &settings
	}
	return in, nil
}

// stageRefusal makes a refusal of a part of a stage one of its form field.
func stageRefusal(ctx context.Context, err error) error {
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
		for _, s := range nodeform.StagesOf(query.PipelineStageRows{}) {
			if s.Name == name {
				out.Message = frame.AboutField(ctx, t(ctx, s.Title), e)
			}
		}
	}
	return &out
}
