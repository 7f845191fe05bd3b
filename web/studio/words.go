package studio

import (
	"strconv"
	"strings"

	"atelier/web/query"
	"atelier/web/ui"
)

// stages are those of a render in their order.
var stages = []ui.Option{
	{Value: string(query.StudioStageImage), Text: "Pictures first", Hint: "It stops after the pictures, so that you can look at them before anything else costs."},
	{Value: string(query.StudioStageSpeech), Text: "Pictures and speech", Hint: "It stops before the clips."},
	{Value: string(query.StudioStageClip), Text: "Every shot", Hint: "Picture, speech and clip of each shot, and no film yet."},
	{Value: "", Text: "The whole film", Hint: "Everything, and the shots cut into one film."},
}

var (
	aspects = []ui.Option{
		{Value: "16:9", Text: "Wide, as on a screen (16:9)"}, {Value: "9:16", Text: "Upright, as on a phone (9:16)"}, {Value: "1:1", Text: "Square (1:1)"},
		{Value: "4:3", Text: "As on an old television (4:3)"}, {Value: "3:4", Text: "Upright page (3:4)"},
	}
	resolutions = []ui.Option{
		{Value: "480p", Text: "Small and quick (480p)"}, {Value: "720p", Text: "Usual (720p)"}, {Value: "1080p", Text: "Large (1080p)"},
	}
	captionChoices = []ui.Option{{Value: "none", Text: "No text in the picture"}, {Value: "burned", Text: "What is said stands in the picture"}}
	languages      = []ui.Option{
		{Value: "en", Text: "English"}, {Value: "en-GB", Text: "English (Britain)"}, {Value: "en-US", Text: "English (America)"}, {Value: "ar", Text: "Arabic"},
		{Value: "zh", Text: "Chinese"}, {Value: "cs", Text: "Czech"}, {Value: "da", Text: "Danish"}, {Value: "nl", Text: "Dutch"}, {Value: "fi", Text: "Finnish"},
		{Value: "fr", Text: "French"}, {Value: "de", Text: "German"}, {Value: "el", Text: "Greek"}, {Value: "hi", Text: "Hindi"}, {Value: "it", Text: "Italian"},
		{Value: "ja", Text: "Japanese"}, {Value: "pl", Text: "Polish"}, {Value: "pt", Text: "Portuguese"}, {Value: "ru", Text: "Russian"},
		{Value: "es", Text: "Spanish"}, {Value: "sv", Text: "Swedish"}, {Value: "tr", Text: "Turkish"}, {Value: "uk", Text: "Ukrainian"},
	}
	sizes = []ui.Option{
		{Value: "extreme-wide", Text: "From very far"}, {Value: "wide", Text: "From far"}, {Value: "full", Text: "Whole figures"}, {Value: "medium", Text: "Down to the waist"},
		{Value: "close", Text: "Close"}, {Value: "extreme-close", Text: "Very close"},
	}
	angles = []ui.Option{
		{Value: "eye", Text: "At eye level"}, {Value: "high", Text: "From above"}, {Value: "low", Text: "From below"}, {Value: "overhead", Text: "Straight down"},
	}
	movements = []ui.Option{
		{Value: "static", Text: "Stands still"}, {Value: "push-in", Text: "Moves in"}, {Value: "pull-out", Text: "Moves out"}, {Value: "pan-left", Text: "Turns left"},
		{Value: "pan-right", Text: "Turns right"}, {Value: "tilt-up", Text: "Tilts up"}, {Value: "tilt-down", Text: "Tilts down"},
	}
)

// with adds what is chosen now where the choices lack it.
func with(options []ui.Option, value, text string) []ui.Option {
	for _, o := range options {
		if o.Value == value {
			return options
		}
	}
	return append(options[:len(options):len(options)], ui.Option{Value: value, Text: text})
}

// cameraWords say how a shot is looked at.
func cameraWords(c query.Camera) string {
	out := "Camera: " + strings.ToLower(ui.OptionText(sizes, c.Size))
	if c.Angle != "eye" {
		out += ", " + strings.ToLower(ui.OptionText(angles, c.Angle))
	}
	if c.Movement != "static" {
		out += ", " + strings.ToLower(ui.OptionText(movements, c.Movement))
	}
	return out
}

// seconds is a length as people read it: "4 s", "1 min 12 s".
func seconds(s float64) string {
	if s < 60 {
		return strconv.FormatFloat(float64(int(s*10+0.5))/10, 'f', -1, 64) + " s"
	}
	whole := int(s + 0.5)
	out := strconv.Itoa(whole/60) + " min"
	if whole%60 > 0 {
		out += " " + strconv.Itoa(whole%60) + " s"
	}
	return out
}

// lengthOf is how long a shot lasts.
func lengthOf(s query.ShotRow) string {
	if s.Duration == nil {
		return "as long as it needs"
	}
	return seconds(*s.Duration)
}

// number is what a shot is called: counted from 1, with its title where it has one.
func number(s query.ShotRow) string { return "Shot " + strconv.Itoa(s.Position) }

func nameOf(s query.ShotRow) string {
	if s.Title != "" {
		return strconv.Itoa(s.Position) + ". " + s.Title
	}
	return number(s)
}

// by says who made a production and who sees it.
func by(p query.ProductionCard) string {
	out := "by you"
	if p.Access != query.WorkflowAccessCreator {
		out = "by " + p.CreatedBy.DisplayName
	}
	if p.Visibility == query.WorkflowVisibilityWorkspace {
		out += " · shared"
	}
	return out
}

// sizeOf is how much a production holds.
func sizeOf(p query.ProductionCard) string {
	if p.ShotCount == 0 {
		return "no shots yet"
	}
	return ui.Plural(p.ShotCount, "shot", "shots") + " · " + seconds(p.Duration)
}

// primary is the language of a tag without its region.
func primary(tag string) string {
	language, _, _ := strings.Cut(tag, "-")
	return language
}

// decimalText is a number as a field shows it.
func decimalText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
