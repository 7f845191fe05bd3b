package studio

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes/phrase"
)

// speaks tells whether anything is said in the shot.
func (s *Shot) speaks() bool { return strings.TrimSpace(s.Dialogue) != "" }

// stepsOf are the stages of a shot.
func (f *film) stepsOf(q *gorm.DB, shot *Shot) map[StageName]*step {
	steps := map[StageName]*step{}
	stages := f.pipeline.Stages
	if address := shot.OwnImageURL; address != nil {
		steps[ImageStage] = &step{
			shot: shot, stage: ImageStage, own: true, fieldNames: map[string]string{"imageUrl": f.at(shot) + "ownImageUrl"},
			node: &nodegraph.Node{ID: nodeOf(shot.ID, ImageStage), Type: "upload-image", Data: map[string]any{"imageUrl": *address}},
		}
	} else if stages.Image != nil {
		steps[ImageStage] = f.step(shot, ImageStage, f.picture(shot, stages.Image))
	}
	if stages.Speech != nil && shot.speaks() {
		steps[SpeechStage] = f.step(shot, SpeechStage, f.speech(q, shot, stages.Speech))
	}
	if stages.Clip != nil {
		steps[ClipStage] = f.step(shot, ClipStage, f.clip(shot, stages.Clip))
		f.feed(steps)
	}
	return steps
}

// stageInput are values for a stage, with where they come from in the words of refusals.
type stageInput struct {
	data       map[string]any
	fieldNames map[string]string
	// drop are settings of the stage that what is given takes the place of.
	drop []string
}

// step is a stage of a shot whose node has the stage's settings, and over them what is given and
// its type takes.
func (f *film) step(shot *Shot, name StageName, g stageInput) *step {
	stage := f.pipeline.Stages.At(name)
	st := &step{shot: shot, stage: name, fieldNames: g.fieldNames, takes: map[StageName]string{}, saved: map[string]any{}}
	st.node = &nodegraph.Node{ID: nodeOf(shot.ID, name), Type: stage.NodeType, Data: map[string]any{}}
	if stage.NodeType == componentType {
		f.intoComponent(st, stage, g)
		return st
	}
	maps.Copy(st.saved, stage.Settings)
	for _, name := range g.drop {
		delete(st.saved, name)
	}
	if stage.PresetID != nil {
		st.saved["presetId"] = stage.PresetID.String()
	}
	maps.Copy(st.node.Data, st.saved)
	kind, ok := f.s.Flows.Catalogue.Find(stage.NodeType)
	if !ok {
		return st
	}
	for field, value := range g.data {
		p, has := kind.InputSchema.Properties.Find(field)
		if !has || value == nil {
			continue
		}
		if text, isText := value.(string); isText && len(p.Schema.Enum) > 0 && !slices.Contains(p.Schema.Enum, text) {
			continue
		}
		st.node.Data[field] = value
	}
	return st
}

// picture is what the stage image gets of a shot.
func (f *film) picture(shot *Shot, stage *Stage) stageInput {
	prompt, from := f.prompt(shot), "action"
	if shot.Prompt != "" {
		from = "prompt"
	}
	g := stageInput{fieldNames: map[string]string{"prompt": f.at(shot) + from, "text": f.at(shot) + from}, data: map[string]any{
		"prompt": prompt, "negativePrompt": shot.NegativePrompt, "aspectRatio": f.production.AspectRatio, "seed": seedOf(f.production.Seed, shot.ID),
	}}
	if stage.NodeType == cardType {
		g.data["text"] = firstOf(shot.Prompt, shot.Action, shot.Dialogue, shot.Title)
	}
	if stage.Settings["resolution"] == nil {
		g.data["resolution"] = pictureSizes[f.production.Resolution]
	}
	for field, ids := range map[string]models.IDs{"characterIds": shot.CharacterIDs, "creatureIds": shot.CreatureIDs, "objectIds": shot.ObjectIDs} {
		if g.fieldNames[field] = f.at(shot) + field; len(ids) > 0 {
			g.data[field] = idTexts(ids)
		}
	}
	if g.fieldNames["locationId"] = f.at(shot) + "locationId"; shot.LocationID != nil {
		g.data["locationId"] = shot.LocationID.String()
	}
	if f.production.PresetID != nil && f.style == stage.NodeType {
		g.data["presetId"], g.fieldNames["presetId"] = f.production.PresetID.String(), "presetId"
	}
	return g
}

// pictureSizes are those of pictures by the resolution of a video.
var pictureSizes = map[string]string{"480p": "1K", "720p": "1K", "1080p": "2K"}

// prompt is what is seen in a shot: its own prompt, or what its other fields say.
func (f *film) prompt(shot *Shot) string {
	if shot.Prompt != "" {
		return shot.Prompt
	}
	return phrase.ShotPrompt(firstOf(shot.Action, shot.Title), shot.Camera.Size, shot.Camera.Angle)
}

// speech is what the stage speech gets: the voice of the shot, else of who speaks, else the
// narrator's, else what the stage itself says, else one of the language.
func (f *film) speech(q *gorm.DB, shot *Shot, stage *Stage) stageInput {
	g := stageInput{data: map[string]any{"text": shot.Dialogue}, fieldNames: map[string]string{"text": f.at(shot) + "dialogue"}}
	var voice *models.ID
	switch {
	case shot.VoiceID != nil:
		voice, g.fieldNames["voiceId"] = shot.VoiceID, f.at(shot)+"voiceId"
	case shot.SpeakerID != nil && f.voices[*shot.SpeakerID] != (models.ID{}):
		id := f.voices[*shot.SpeakerID]
		voice, g.fieldNames["voiceId"] = &id, f.at(shot)+"speakerId"
	case f.production.NarratorVoiceID != nil:
		voice, g.fieldNames["voiceId"] = f.production.NarratorVoiceID, narratorField
	case stage.Settings["voiceId"] == nil && stage.Settings["voice"] == nil && stage.Settings["speaker"] == nil && stage.PresetID == nil && !isEnglish(f.production.Language):
		voice, g.fieldNames["voiceId"] = f.voiceOfLanguage(q.Statement.Context), "language"
	}
	if voice != nil {
		g.data["voiceId"], g.drop = voice.String(), []string{"voiceId", "voice", "speaker", "provider", "model"}
	}
	return g
}

// voiceOfLanguage is a voice that speaks the production's language; nil when there is none.
func (f *film) voiceOfLanguage(ctx context.Context) *models.ID {
	if f.language == nil {
		f.language = new(f.s.Library.Voices().OfLanguage(ctx, f.production.Language))
	}
	return *f.language
}

// narratorField is where the narrator's voice comes from, as narrator may call it otherwise.
const narratorField = "narratorVoiceId"

// isEnglish tells whether a tag is of the language that is spoken without a voice.
func isEnglish(tag string) bool {
	return strings.EqualFold(tag, "en") || strings.EqualFold(tag, "en-us")
}

// clip is what the stage clip gets, except for what other stages feed.
func (f *film) clip(shot *Shot, stage *Stage) stageInput {
	g := stageInput{fieldNames: map[string]string{"prompt": f.at(shot) + "action", "duration": f.at(shot) + "duration"}, data: map[string]any{
		"prompt": f.prompt(shot), "movement": shot.Camera.Movement, "aspectRatio": f.production.AspectRatio, "resolution": f.production.Resolution,
	}}
	if shot.Prompt != "" {
		g.fieldNames["prompt"] = f.at(shot) + "prompt"
	}
	if shot.Duration != nil {
		g.data["duration"] = *shot.Duration
	}
	if f.production.Captions == "burned" && shot.speaks() {
		g.data["caption"] = shot.Dialogue
	}
	switch stage.NodeType {
	case animateType:
		if motion := motions[shot.Camera.Movement]; motion != "" {
			g.data["motion"] = motion
		}
		g.data["duration"] = min(shot.length(nil), maxShot)
	case filmType:
		g.data["prompt"], g.data["duration"] = phrase.Moving(f.prompt(shot), shot.Camera.Movement), min(shot.length(nil), maxShot)
		g.data["aspectRatio"], g.data["seed"] = filmRatios[f.production.AspectRatio], seedOf(f.production.Seed, shot.ID)
	}
	return g
}

// motions are those of animate-image by the movements of a camera; a still one is left to the stage.
var motions = map[string]string{
	"push-in": "zoom-in", "pull-out": "zoom-out", "pan-left": "pan-left", "pan-right": "pan-right", "tilt-up": "pan-up", "tilt-down": "pan-down",
}

// filmRatios are the aspect ratios of generate-video that come nearest.
var filmRatios = map[string]string{"16:9": "16:9", "4:3": "16:9", "9:16": "9:16", "3:4": "9:16", "1:1": "1:1"}

// feed has the clip of a shot take the picture and what is said. Where its type takes no sound,
// another node puts it under the clip.
func (f *film) feed(steps map[StageName]*step) {
	st := steps[ClipStage]
	kind, ok := f.s.Flows.Catalogue.Find(st.node.Type)
	for _, from := range []StageName{ImageStage, SpeechStage} {
		if steps[from] == nil {
			continue
		}
		if st.node.Type == componentType {
			if field := f.componentInputs[ClipStage].Path(stageOutputs[from], from == ImageStage); field != "" {
				st.takes[from] = field
			}
			continue
		}
		if !ok {
			continue
		}
		if _, has := kind.InputSchema.Properties.Find(stageOutputs[from]); has {
			st.takes[from] = stageOutputs[from]
		} else if from == SpeechStage && f.s.soundApart(st.node.Type) {
			st.sound = &nodegraph.Node{ID: st.shot.ID.String() + "-sound", Type: soundType, Data: map[string]any{}}
		}
	}
}

// length is how many seconds a shot lasts: as many as are asked for, but never less than what is
// said in it, and where nothing is asked for a little more than that. sound is how long that is
// where it is known; else it is judged by its words.
func (s *Shot) length(sound *float64) float64 {
	said := 0.0
	switch {
	case !s.speaks():
	case sound != nil:
		said = *sound
	default:
		said = float64(len(strings.Fields(s.Dialogue))) / phrase.WordsPerSecond
	}
	switch {
	case s.Duration != nil:
		return max(*s.Duration, said)
	case said > 0:
		return said + afterSpeech
	}
	return silentShot
}

// How long shots are of which nothing is asked, in seconds; the node shot-clip does the same.
const (
	silentShot  = 4.0
	afterSpeech = 0.6
)

// seedOf is the seed of a shot, the same each time.
func seedOf(seed int, shot models.ID) int {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(slices.Clone(shot[:]), uint64(seed)))
	return int(binary.BigEndian.Uint32(sum[:]) >> 1)
}

func idTexts(ids models.IDs) []any {
	texts := make([]any, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}

// firstOf is the first text with a word in it.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" && utf8.ValidString(text) {
			return text
		}
	}
	return ""
}
