package studio

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// The tables of words are in English, see translated.

// stages are those of a render in their order.
var stages = []ui.Option{
	{Value: string(query.StudioStageImage), Text: mark("Pictures first"), Hint: mark("It stops after the pictures, so that you can look at them before anything else costs.")},
	{Value: string(query.StudioStageSpeech), Text: mark("Pictures and speech"), Hint: mark("It stops before the clips.")},
	{Value: string(query.StudioStageClip), Text: mark("Every shot"), Hint: mark("Picture, speech and clip of each shot, and no film yet.")},
	{Value: "", Text: mark("The whole film"), Hint: mark("Everything, and the shots cut into one film.")},
}

var (
	aspects = []ui.Option{
		{Value: "16:9", Text: mark("Wide, as on a screen (16:9)")}, {Value: "9:16", Text: mark("Upright, as on a phone (9:16)")}, {Value: "1:1", Text: mark("Square (1:1)")},
		{Value: "4:3", Text: mark("As on an old television (4:3)")}, {Value: "3:4", Text: mark("Upright page (3:4)")},
	}
	resolutions = []ui.Option{
		{Value: "480p", Text: mark("Small and quick (480p)")}, {Value: "720p", Text: mark("Usual (720p)")}, {Value: "1080p", Text: mark("Large (1080p)")},
	}
	captionChoices = []ui.Option{{Value: "none", Text: mark("No text in the picture")}, {Value: "burned", Text: mark("What is said is shown in the picture")}}
	languages      = []ui.Option{
		{Value: "en", Text: mark("English")}, {Value: "en-GB", Text: mark("English (Britain)")}, {Value: "en-US", Text: mark("English (America)")}, {Value: "ar", Text: mark("Arabic")},
		{Value: "zh", Text: mark("Chinese")}, {Value: "cs", Text: mark("Czech")}, {Value: "da", Text: mark("Danish")}, {Value: "nl", Text: mark("Dutch")}, {Value: "fi", Text: mark("Finnish")},
		{Value: "fr", Text: mark("French")}, {Value: "de", Text: mark("German")}, {Value: "el", Text: mark("Greek")}, {Value: "hi", Text: mark("Hindi")}, {Value: "it", Text: mark("Italian")},
		{Value: "ja", Text: mark("Japanese")}, {Value: "pl", Text: mark("Polish")}, {Value: "pt", Text: mark("Portuguese")}, {Value: "ru", Text: mark("Russian")},
		{Value: "es", Text: mark("Spanish")}, {Value: "sv", Text: mark("Swedish")}, {Value: "tr", Text: mark("Turkish")}, {Value: "uk", Text: mark("Ukrainian")},
	}
	sizes = []ui.Option{
		{Value: "extreme-wide", Text: mark("From very far")}, {Value: "wide", Text: mark("From far")}, {Value: "full", Text: mark("Whole figures")}, {Value: "medium", Text: mark("Down to the waist")},
		{Value: "close", Text: mark("Close-up")}, {Value: "extreme-close", Text: mark("Very close")},
	}
	angles = []ui.Option{
		{Value: "eye", Text: mark("At eye level")}, {Value: "high", Text: mark("From above")}, {Value: "low", Text: mark("From below")}, {Value: "overhead", Text: mark("Straight down")},
	}
	movements = []ui.Option{
		{Value: "static", Text: mark("Stays still")}, {Value: "push-in", Text: mark("Moves in")}, {Value: "pull-out", Text: mark("Moves out")}, {Value: "pan-left", Text: mark("Turns left")},
		{Value: "pan-right", Text: mark("Turns right")}, {Value: "tilt-up", Text: mark("Tilts up")}, {Value: "tilt-down", Text: mark("Tilts down")},
	}
)

// kindsOfEnglish are those at the head of the languages.
const kindsOfEnglish = 3

// within are the choices of the camera as a sentence has them.
var within = map[string]string{
	"extreme-wide": mark("from very far"), "wide": mark("from far"), "full": mark("whole figures"), "medium": mark("down to the waist"), "close": mark("close-up"),
	"extreme-close": mark("very close"), "high": mark("from above"), "low": mark("from below"), "overhead": mark("straight down"), "push-in": mark("moves in"),
	"pull-out": mark("moves out"), "pan-left": mark("turns left"), "pan-right": mark("turns right"), "tilt-up": mark("tilts up"), "tilt-down": mark("tilts down"),
}

// translated are choices in the reader's language.
func translated(ctx context.Context, options []ui.Option) []ui.Option {
	out := slices.Clone(options)
	for i, o := range out {
		out[i].Text = t(ctx, o.Text)
		if o.Hint != "" {
			out[i].Hint = t(ctx, o.Hint)
		}
	}
	return out
}

// languageOptions are the languages to choose from: English, then the others by their names.
func languageOptions(ctx context.Context) []ui.Option {
	out := translated(ctx, languages)
	locale.Sort(ctx, out[kindsOfEnglish:], func(o ui.Option) string { return o.Text })
	return out
}

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
func cameraWords(ctx context.Context, c query.Camera) string {
	var out []string
	for _, choice := range []string{c.Size, c.Angle, c.Movement} {
		switch word, known := within[choice]; {
		case choice == "eye" || choice == "static":
		case known:
			out = append(out, t(ctx, word))
		default:
			out = append(out, choice)
		}
	}
	return t(ctx, "Camera: %s", strings.Join(out, ", "))
}

// seconds is a length as people read it: "4 s", "1 min 12 s".
func seconds(ctx context.Context, s float64) string {
	if s < 60 {
		return locale.Amount(ctx, float64(int(s*10+0.5))/10) + " s"
	}
	whole := int(s + 0.5)
	out := strconv.Itoa(whole/60) + " min"
	if whole%60 > 0 {
		out += " " + strconv.Itoa(whole%60) + " s"
	}
	return out
}

// lengthOf is how long a shot lasts.
func lengthOf(ctx context.Context, s query.ShotRow) string {
	if s.Duration == nil {
		return t(ctx, "as long as it needs")
	}
	return seconds(ctx, *s.Duration)
}

// nameOf is what a shot is called: counted from 1, with its title where it has one.
func nameOf(ctx context.Context, s query.ShotRow) string {
	if s.Title != "" {
		return strconv.Itoa(s.Position) + ". " + s.Title
	}
	return t(ctx, "Shot %d", s.Position)
}

// by says who made a production and who sees it.
func by(ctx context.Context, p query.ProductionCard) string {
	out := t(ctx, "by you")
	if p.Access != query.WorkflowAccessCreator {
		out = t(ctx, "by %s", p.CreatedBy.DisplayName)
	}
	if p.Visibility == query.WorkflowVisibilityWorkspace {
		out += " · " + tc(ctx, "production", "shared")
	}
	return out
}

// sizeOf is how much a production holds.
func sizeOf(ctx context.Context, p query.ProductionCard) string {
	if p.ShotCount == 0 {
		return t(ctx, "no shots yet")
	}
	return shotCount(ctx, p.ShotCount) + " · " + seconds(ctx, p.Duration)
}

func shotCount(ctx context.Context, n int) string { return tn(ctx, "%d shot", "%d shots", n) }

// primary is the language of a tag without its region.
func primary(tag string) string {
	language, _, _ := strings.Cut(tag, "-")
	return language
}

// decimalText is a number as a field shows it.
func decimalText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
