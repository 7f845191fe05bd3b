package studio

import (
	"regexp"
	"slices"
	"strings"

	"atelier/models"
	"atelier/models/library"
)

// What productions are in, beside the first of each, which is usual.
var (
	aspectRatios = []string{"16:9", "9:16", "1:1", "4:3", "3:4"}
	resolutions  = []string{"720p", "480p", "1080p"}
	captionKinds = []string{"none", "burned"}
)

// usualVolume is that of music, in percent.
const usualVolume = 30

// languageTag is the form of BCP 47: a language, and what tells it apart further.
var languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

// maxTag is how long a language's tag may be.
const maxTag = 35

func cleanLanguage(field, tag string) (string, error) {
	if len(tag) > maxTag || !languageTag.MatchString(tag) {
		return "", models.Invalid(field, "must be a BCP 47 tag of a language, such as en or pt-BR")
	}
	return tag, nil
}

// oneOf checks a choice.
func oneOf(choices []string) func(field, chosen string) (string, error) {
	return func(field, chosen string) (string, error) {
		if !slices.Contains(choices, chosen) {
			sorted := slices.Clone(choices)
			return "", models.Invalid(field, "must be one of %s", strings.Join(sorted, ", "))
		}
		return chosen, nil
	}
}

func cleanMusic(in *MusicInput) (*Music, error) {
	if in == nil {
		return nil, nil
	}
	address, err := library.CleanAddress("music.url", &in.URL)
	if err != nil {
		return nil, err
	}
	if address == nil {
		return nil, models.Invalid("music.url", "is required")
	}
	m := &Music{URL: *address, Volume: usualVolume}
	if in.Volume != nil {
		m.Volume = *in.Volume
	}
	if m.Volume < 0 || m.Volume > 100 {
		return nil, models.Invalid("music.volume", "must be between 0 and 100")
	}
	return m, nil
}

// choice reads an optional choice of something new, whose first is usual.
func choice(field string, sent *string, choices []string) (string, error) {
	if sent == nil {
		return choices[0], nil
	}
	return oneOf(choices)(field, *sent)
}

// newProduction is the production of an input, its form checked.
func newProduction(in CreateProductionInput) (p *Production, err error) {
	p = &Production{Version: 1, Status: Draft, PresetID: in.PresetID, NarratorVoiceID: in.NarratorVoiceID, PipelineID: StandardPipeline, Language: "en", Uses: models.IDs{}}
	if p.Name, err = models.CleanName("name", in.Name); err != nil {
		return nil, err
	}
	if p.Description, err = library.Text("description", in.Description, maxDescription); err != nil {
		return nil, err
	}
	if p.Script, err = library.Text("script", in.Script, maxScript); err != nil {
		return nil, err
	}
	if in.Language != nil {
		if p.Language, err = cleanLanguage("language", *in.Language); err != nil {
			return nil, err
		}
	}
	if p.AspectRatio, err = choice("aspectRatio", in.AspectRatio, aspectRatios); err != nil {
		return nil, err
	}
	if p.Resolution, err = choice("resolution", in.Resolution, resolutions); err != nil {
		return nil, err
	}
	if p.Captions, err = choice("captions", in.Captions, captionKinds); err != nil {
		return nil, err
	}
	if p.Music, err = cleanMusic(in.Music); err != nil {
		return nil, err
	}
	if p.Seed, err = library.SeedOf(in.Seed); err != nil {
		return nil, err
	}
	if in.PipelineID != nil {
		p.PipelineID = *in.PipelineID
	}
	p.CastIDs, err = cleanCast(in.CastIDs)
	return p, err
}

// cleanCast are the elements of a cast in their order, each once.
func cleanCast(ids []models.ID) (models.IDs, error) {
	kept := models.IDs{}
	for _, id := range ids {
		if !slices.Contains(kept, id) {
			kept = append(kept, id)
		}
	}
	if len(kept) > MaxCast {
		return nil, models.Invalid("castIds", "must be at most %d", MaxCast)
	}
	return kept, nil
}
