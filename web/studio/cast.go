package studio

import (
	"context"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// member is an element of the space as a production names it.
type member struct {
	ID, Name, Handle string
	// Kind is the path of its kind in the library.
	Kind string
	Src  string
}

// cast is what productions of a space may name: the elements by kind, and all of them by id.
type cast struct {
	Characters, Creatures, Objects, Locations []member
	byID                                      map[string]member
}

func (c Pages) castOf(choices query.StudioChoices) cast {
	out := cast{byID: map[string]member{}}
	read := func(kind string, names []query.CastName) (list []member) {
		for _, n := range names {
			one := member{ID: n.Id, Name: n.Name, Handle: n.Handle, Kind: kind, Src: c.ShownMedia(n.ImageUrl)}
			out.byID[n.Id] = one
			list = append(list, one)
		}
		return list
	}
	out.Characters, out.Creatures = read("characters", choices.Characters.Nodes), read("creatures", choices.Creatures.Nodes)
	out.Objects, out.Locations = read("objects", choices.Objects.Nodes), read("locations", choices.Locations.Nodes)
	return out
}

// all are the elements in the order of their kinds.
func (c cast) all() []member { return slices.Concat(c.Characters, c.Creatures, c.Objects, c.Locations) }

// name of an element; of one that the viewer may not see, or that is gone, the word for it.
func (c cast) name(id *string, unseen string) string {
	if id == nil {
		return ""
	}
	if one, ok := c.byID[*id]; ok {
		return one.Name
	}
	return unseen
}

// usedIn are the elements that a production names: its cast, and everyone else whom its shots name.
func (v loaded) usedIn() (known []member, unknown int) {
	var ids []string
	add := func(more ...string) {
		for _, id := range more {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	add(v.CastIds...)
	for _, s := range v.Shots {
		add(s.CharacterIds...)
		add(s.CreatureIds...)
		add(s.ObjectIds...)
		for _, id := range []*string{s.SpeakerId, s.LocationId} {
			if id != nil {
				add(*id)
			}
		}
	}
	for _, id := range ids {
		if one, ok := v.Cast.byID[id]; ok {
			known = append(known, one)
		} else {
			unknown++
		}
	}
	return known, unknown
}

// seenIn are the names of who and what is in a shot.
func (v loaded) seenIn(s query.ShotRow) []string {
	var out []string
	for _, id := range slices.Concat(s.CharacterIds, s.CreatureIds, s.ObjectIds) {
		if one, ok := v.Cast.byID[id]; ok {
			out = append(out, one.Name)
		}
	}
	return out
}

// options are elements to choose one of, with what is chosen now and a word for none.
func options(ctx context.Context, none string, chosen string, lists ...[]member) []ui.Option {
	out := []ui.Option{{Value: "", Text: none}}
	for _, one := range slices.Concat(lists...) {
		out = append(out, ui.Option{Value: one.ID, Text: one.Name + " (@" + one.Handle + ")"})
	}
	return with(out, chosen, t(ctx, "The one that is set now"))
}

// voiceOptions are the voices to choose from.
func (v loaded) voiceOptions(ctx context.Context, none, chosen string) []ui.Option {
	out := []ui.Option{{Value: "", Text: none}}
	for _, one := range v.Choices.Voices.Nodes {
		name := frame.VoiceChoice(ctx, one.Name, one.Language, one.Source)
		out = append(out, ui.Option{Value: one.Id, Text: name, Disabled: !one.Usable && one.Id != chosen})
	}
	return with(out, chosen, t(ctx, "The one that is set now"))
}

// presetOptions are the styles of pictures to choose from, one's own first.
func (v loaded) presetOptions(ctx context.Context, chosen string) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "None")}}
	for _, one := range append(slices.Clip(v.Choices.NodePresets.Nodes), v.Choices.FactoryNodePresets.Nodes...) {
		out = append(out, ui.Option{Value: one.Id, Text: frame.PresetNamed(ctx, one.Name, one.IsFactory)})
	}
	return with(out, chosen, t(ctx, "The one that is set now"))
}

// pipelineOptions are the pipelines to choose from, with what each is for.
func pipelineOptions(ctx context.Context, found []query.PipelineChoice, chosen string) []ui.Option {
	var out []ui.Option
	for _, one := range found {
		text := pipelineNamed(ctx, one.Name, one.IsFactory)
		if !one.Usable {
			text = t(ctx, "%s (not here)", text)
		}
		out = append(out, ui.Option{Value: one.Id, Text: text, Disabled: !one.Usable && one.Id != chosen})
	}
	if chosen == "" {
		return out
	}
	return with(out, chosen, t(ctx, "The one that is set now"))
}

// pipelineName is what the pipeline of a production is called.
func (v loaded) pipelineName(ctx context.Context) string {
	for _, one := range v.Choices.Pipelines.Nodes {
		if one.Id == v.PipelineId {
			return pipelineNamed(ctx, one.Name, one.IsFactory)
		}
	}
	return t(ctx, "A pipeline that you may not see")
}

// presetName is what the style of a production is called.
func (v loaded) presetName(ctx context.Context) string {
	if v.PresetId == nil {
		return tc(ctx, "style or title", "none")
	}
	return ui.OptionText(v.presetOptions(ctx, *v.PresetId), *v.PresetId)
}

func (v loaded) narratorName(ctx context.Context) string {
	if v.NarratorVoiceId == nil {
		return t(ctx, "a voice of the language")
	}
	return ui.OptionText(v.voiceOptions(ctx, "", *v.NarratorVoiceId), *v.NarratorVoiceId)
}
