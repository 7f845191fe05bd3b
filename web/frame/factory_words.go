package frame

import (
	"context"
	"slices"
	"strings"

	"atelier/web/locale"
	"atelier/web/query"
)

// What comes with the program, presets and voices, has its names in English (models/library, and the speech program). People
// read them in their own language; what a person named stays as it is called.

// The names of presets.
var _ = []string{
	markc("preset", "Watercolour"), markc("preset", "Ink drawing"), markc("preset", "Storybook"), markc("preset", "Blueprint"),
	markc("preset", "Paper cut"), markc("preset", "Pixel art"), markc("preset", "Comic"), markc("preset", "Screen-print poster"),
	markc("preset", "Oil painting"), markc("preset", "Chalkboard"), markc("preset", "Isometric"), markc("preset", "Photo"),
	markc("preset", "Classroom poster"), markc("preset", "Phone story"), markc("preset", "Slide"), markc("preset", "Stamp"), markc("preset", "Quote"),
	markc("preset", "Blackboard"), markc("preset", "Vocabulary card"), markc("preset", "Story title"), markc("preset", "Phone announcement"),
	markc("preset", "Clear and plain"), markc("preset", "Slow reader"), markc("preset", "Storyteller"), markc("preset", "Announcer"),
	markc("preset", "Robot"), markc("preset", "Slow approach"), markc("preset", "Reveal"), markc("preset", "Look around"),
	markc("preset", "Phone clip"), markc("preset", "Establishing shot"), markc("preset", "Closer and closer"), markc("preset", "Along the street"),
	markc("preset", "Still for reading"), markc("preset", "Quick look"), markc("preset", "Product photograph"),
	markc("preset", "Cut out for a slide"), markc("preset", "Turntable"), markc("preset", "Podcast"), markc("preset", "Song"),
	markc("preset", "Old photograph"), markc("preset", "Newspaper"), markc("preset", "For print"), markc("preset", "For a slide"),
	markc("preset", "One sentence"), markc("preset", "Key points"),
}

// What presets are for.
var _ = []string{
	markc("preset", "Soft washes that run into each other on rough white paper."),
	markc("preset", "Black lines and hatching on paper."),
	markc("preset", "The warm picture book that one reads aloud from."),
	markc("preset", "A technical plan: white lines on blue."),
	markc("preset", "Layers of coloured paper with small shadows."),
	markc("preset", "As on an old game console."),
	markc("preset", "Bold outlines, flat colours, dots."),
	markc("preset", "Three or four strong colours, simple shapes."),
	markc("preset", "Thick strokes of a brush on canvas."),
	markc("preset", "Coloured chalk on a dark board."),
	markc("preset", "A small world out of blocks, seen from above at an angle."),
	markc("preset", "As a good camera would see it."),
	markc("preset", "Upright, large enough to print, with room for words."),
	markc("preset", "Fills the screen of a phone."),
	markc("preset", "Background of a slide: quiet, wide."),
	markc("preset", "A small square motif that is clear even when tiny."),
	markc("preset", "A sentence worth remembering, in ivory on deep blue."),
	markc("preset", "White on green-black, as on the board."),
	markc("preset", "A word large, its meaning in the caption."),
	markc("preset", "Opens a film or a slide show."),
	markc("preset", "News for phones, easy to read from afar."),
	markc("preset", "Black on white, for printing and for those who see little."),
	markc("preset", "For dictation and for learning a language: every word by itself."),
	markc("preset", "Warm and unhurried."),
	markc("preset", "Brisk and clear, for announcements."),
	markc("preset", "Flat and deep, from another world."),
	markc("preset", "Goes slowly closer, as documentaries do."),
	markc("preset", "Begins close and opens up."),
	markc("preset", "Wanders from left to right over a wide picture."),
	markc("preset", "Upright, short, rising."),
	markc("preset", "Shows where we are: opens up slowly."),
	markc("preset", "For the moment at which something is understood."),
	markc("preset", "Goes from left to right, as one walks."),
	markc("preset", "Nothing moves, long enough for a caption; upright."),
	markc("preset", "To see what a model is, at once."),
	markc("preset", "As in a catalogue: soft light, white ground."),
	markc("preset", "Nothing behind it, to lay over something else."),
	markc("preset", "A short film in which the model turns once."),
	markc("preset", "Quiet bars on dark blue, wide."),
	markc("preset", "A bright mirrored wave, square."),
	markc("preset", "Brown as a hundred years ago."),
	markc("preset", "No colour at all."),
	markc("preset", "Large, and read even when a part is dirty."),
	markc("preset", "Dark blue on white, with room to spare."),
	markc("preset", "The single sentence that says the most."),
	markc("preset", "The five sentences that matter."),
}

// Their tags.
var _ = []string{
	markc("tag of a preset", "style"), markc("tag of a preset", "format"), markc("tag of a preset", "card"), markc("tag of a preset", "school"),
	markc("tag of a preset", "film"), markc("tag of a preset", "access"), markc("tag of a preset", "story"), markc("tag of a preset", "news"),
	markc("tag of a preset", "fun"), markc("tag of a preset", "camera"), markc("tag of a preset", "draft"), markc("tag of a preset", "photo"),
	markc("tag of a preset", "slide"), markc("tag of a preset", "sound"), markc("tag of a preset", "look"), markc("tag of a preset", "print"),
	markc("tag of a preset", "screen"), markc("tag of a preset", "text"),
}

// The names of the voices of the speech program.
var _ = []string{
	markc("voice", "Afrikaans"), markc("voice", "Amharic"), markc("voice", "Aragonese"), markc("voice", "Arabic"), markc("voice", "Assamese"),
	markc("voice", "Azerbaijani"), markc("voice", "Bashkir"), markc("voice", "Belarusian"), markc("voice", "Bulgarian"), markc("voice", "Bengali"),
	markc("voice", "Bishnupriya Manipuri"), markc("voice", "Bosnian"), markc("voice", "Catalan"), markc("voice", "Cherokee"),
	markc("voice", "Chinese (Mandarin, latin as English)"), markc("voice", "Chinese (Mandarin, latin as Pinyin)"), markc("voice", "Czech"),
	markc("voice", "Chuvash"), markc("voice", "Welsh"), markc("voice", "Danish"), markc("voice", "German"), markc("voice", "Greek"),
	markc("voice", "English (Caribbean)"), markc("voice", "English (Great Britain)"), markc("voice", "English (Scotland)"),
	markc("voice", "English (Lancaster)"), markc("voice", "English (West Midlands)"), markc("voice", "English (Received Pronunciation)"),
	markc("voice", "English (America)"), markc("voice", "English (America, New York City)"), markc("voice", "Esperanto"),
	markc("voice", "Spanish (Spain)"), markc("voice", "Spanish (Latin America)"), markc("voice", "Estonian"), markc("voice", "Basque"),
	markc("voice", "Persian"), markc("voice", "Persian (Pinglish)"), markc("voice", "Finnish"), markc("voice", "French (Belgium)"),
	markc("voice", "French (Switzerland)"), markc("voice", "French (France)"), markc("voice", "Gaelic (Irish)"), markc("voice", "Gaelic (Scottish)"),
	markc("voice", "Guarani"), markc("voice", "Greek (Ancient)"), markc("voice", "Gujarati"), markc("voice", "Hakka Chinese"),
	markc("voice", "Hawaiian"), markc("voice", "Hebrew"), markc("voice", "Hindi"), markc("voice", "Croatian"), markc("voice", "Haitian Creole"),
	markc("voice", "Hungarian"), markc("voice", "Armenian (East Armenia)"), markc("voice", "Armenian (West Armenia)"), markc("voice", "Interlingua"),
	markc("voice", "Indonesian"), markc("voice", "Ido"), markc("voice", "Icelandic"), markc("voice", "Italian"), markc("voice", "Japanese"),
	markc("voice", "Lojban"), markc("voice", "Georgian"), markc("voice", "Kazakh"), markc("voice", "Greenlandic"), markc("voice", "Kannada"),
	markc("voice", "Korean"), markc("voice", "Konkani"), markc("voice", "Kurdish"), markc("voice", "Kyrgyz"), markc("voice", "Latin"),
	markc("voice", "Luxembourgish"), markc("voice", "Lingua Franca Nova"), markc("voice", "Lithuanian"), markc("voice", "Latgalian"),
	markc("voice", "Latvian"), markc("voice", "Māori"), markc("voice", "Macedonian"), markc("voice", "Malayalam"), markc("voice", "Marathi"),
	markc("voice", "Malay"), markc("voice", "Maltese"), markc("voice", "Myanmar (Burmese)"), markc("voice", "Norwegian Bokmål"),
	markc("voice", "Nahuatl (Classical)"), markc("voice", "Nepali"), markc("voice", "Dutch"), markc("voice", "Nogai"), markc("voice", "Oromo"),
	markc("voice", "Oriya"), markc("voice", "Punjabi"), markc("voice", "Papiamento"), markc("voice", "Klingon"), markc("voice", "Polish"),
	markc("voice", "Portuguese (Portugal)"), markc("voice", "Portuguese (Brazil)"), markc("voice", "Pyash"), markc("voice", "Lang Belta"),
	markc("voice", "Quechua"), markc("voice", "K'iche'"), markc("voice", "Quenya"), markc("voice", "Romanian"), markc("voice", "Russian"),
	markc("voice", "Russian (Latvia)"), markc("voice", "Sindhi"), markc("voice", "Shan (Tai Yai)"), markc("voice", "Sinhala"),
	markc("voice", "Sindarin"), markc("voice", "Slovak"), markc("voice", "Slovenian"), markc("voice", "Lule Saami"), markc("voice", "Albanian"),
	markc("voice", "Serbian"), markc("voice", "Swedish"), markc("voice", "Swahili"), markc("voice", "Tamil"), markc("voice", "Telugu"),
	markc("voice", "Thai"), markc("voice", "Turkmen"), markc("voice", "Setswana"), markc("voice", "Turkish"), markc("voice", "Tatar"),
	markc("voice", "Uyghur"), markc("voice", "Ukrainian"), markc("voice", "Urdu"), markc("voice", "Uzbek"), markc("voice", "Vietnamese (Northern)"),
	markc("voice", "Vietnamese (Central)"), markc("voice", "Vietnamese (Southern)"), markc("voice", "Chinese (Cantonese)"),
	markc("voice", "Chinese (Cantonese, latin as Jyutping)"),
}

// PresetNamed is what a preset is called.
func PresetNamed(ctx context.Context, name string, factory bool) string {
	return factoryWord(ctx, "preset", name, factory)
}

// PresetAbout is what a preset is for.
func PresetAbout(ctx context.Context, description string, factory bool) string {
	return factoryWord(ctx, "preset", description, factory)
}

// PresetTags are the tags of a preset in a row.
func PresetTags(ctx context.Context, tags []string, factory bool) string {
	said := slices.Clone(tags)
	for i, tag := range said {
		said[i] = factoryWord(ctx, "tag of a preset", tag, factory)
	}
	return strings.Join(said, ", ")
}

// VoiceNamed is what a voice is called. Those of providers have names, which stay.
func VoiceNamed(ctx context.Context, name string, source query.VoiceSource) string {
	return factoryWord(ctx, "voice", name, source == query.VoiceSourceFactory)
}

// VoiceChoice is what a voice is called where one is chosen: with its language.
func VoiceChoice(ctx context.Context, name string, language *string, source query.VoiceSource) string {
	name = VoiceNamed(ctx, name, source)
	if language == nil {
		return name
	}
	return name + " (" + *language + ")"
}

// ProviderNamed is who does the work of a node or speaks with a voice.
func ProviderNamed(ctx context.Context, name string) string {
	switch name {
	case "local":
		return tc(ctx, "provider", "Local")
	case "openai":
		return "OpenAI"
	case "replicate":
		return "Replicate"
	}
	return name
}

// factoryWord is a word of something in the reader's language, as it is where a person wrote it.
func factoryWord(ctx context.Context, kind, word string, factory bool) string {
	if !factory || word == "" {
		return word
	}
	return locale.Word(ctx, kind, word)
}
