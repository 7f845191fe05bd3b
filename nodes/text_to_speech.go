package nodes

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"atelier/models"
	"atelier/nodes/program"
)

var textToSpeechNode = &Node{
	Type: "text-to-speech", Label: "Text to speech", Category: "audio", OutputType: "audio",
	Description:  "Speaks a text with a synthetic voice (eSpeak NG).",
	Providers:    []string{"local"},
	Capabilities: []string{"text-to-speech"},
	InputSchema: object(
		area("text", "Text", "What to say.").required(),
		libraryField("voiceId", "Voice of the library", "Who speaks: sets provider, voice and the settings that are not set here.", namesVoice),
		choice("voice", "Voice", "Language of the voice.", "en-us", "en-gb", "de", "fr-fr", "es", "it", "pt-br", "nl", "pl", "sv", "da", "nb", "fi", "cs", "hu", "ro", "el", "tr", "uk", "ru", "ar", "hi", "zh"),
		integer("speed", "Speed", "Words a minute.", 80, 400).or(165.0).as("slider"),
		integer("pitch", "Pitch", "0 is deep, 99 high.", 0, 99).or(50.0).as("slider"),
		choice("format", "Format", "Of the file that comes out.", "wav", "mp3"),
		choice("provider", "Provider", "Who speaks.", "local"),
	),
	Cost: models.Credit, MainInput: "text", MainOutput: "audioUrl", Pool: Media,
	Check:  checkSpoken,
	lay:    layVoice,
	Run:    textToSpeech,
	remote: map[string]remoteRun{openaiName: speakByOpenAI, replicateName: speakByReplicate},
	remoteFields: Properties{
		choice("speaker", "Speaker", "Whose voice a provider other than local speaks with.", openaiVoices...),
	},
}

// espeakVoices are eSpeak's names where they differ from ours.
var espeakVoices = map[string]string{"zh": "cmn"}

// checkSpoken refuses a text of nothing but blanks.
func checkSpoken(prefix string, input map[string]any) error {
	if text, _ := input["text"].(string); strings.TrimSpace(text) == "" {
		return models.Invalid(prefix+"text", "has nothing to say")
	}
	return nil
}

// maxSpoken is the longest text, in characters: about ten minutes.
const maxSpoken = 10_000

func textToSpeech(ctx context.Context, in *Call) (Output, error) {
	if utf8.RuneCountInString(in.text("text")) > maxSpoken {
		return nil, failf("The text is too long to be spoken").hint("At most %d characters fit.", maxSpoken)
	}
	return in.onWorkbench(func(w *workbench) (Output, error) {
		if err := os.WriteFile(w.path("words.txt"), []byte(in.text("text")), 0o600); err != nil {
			return nil, err
		}
		_, err := program.Command{
			Name: "espeak-ng", Package: "espeak-ng", Dir: w.dir, Time: time.Minute,
			Args: []string{
				"-b", "1", "-v", localVoice(in), "-s", strconv.Itoa(in.integer("speed")), "-p", strconv.Itoa(in.integer("pitch")),
				"-w", w.path("speech.wav"), "-f", w.path("words.txt"),
			},
		}.Run(ctx)
		if err != nil {
			return nil, programFailure(err, "text")
		}
		in.progress(60)
		filters := in.voice.filters()
		if in.text("format") == "wav" && filters == nil {
			return w.save(ctx, "speech.wav", "audio/wav")
		}
		spoken := source{path: w.path("speech.wav"), demuxer: "wav"}
		return w.encodeAudio(ctx, 0, "spoken", in.text("format"), append(spoken.input(), filters...)...)
	})
}

// localVoice is how the speech program calls the voice that speaks.
func localVoice(in *Call) string {
	name := in.text("voice")
	if own := espeakVoices[name]; own != "" {
		name = own
	}
	if in.voice == nil {
		return name
	}
	if in.voice.name != "" {
		name = in.voice.name
	}
	if in.voice.variant != "" {
		name += "+" + in.voice.variant
	}
	return name
}

// LocalVoices are the voices of the installed speech program, which is asked
// once. Where it is missing they are the languages of the node, unusable.
func LocalVoices(ctx context.Context) []SpokenVoice {
	if found := installedVoices.of(ctx); found != nil {
		return found
	}
	field, _ := textToSpeechNode.InputSchema.Properties.Find("voice")
	found := make([]SpokenVoice, len(field.Schema.Enum))
	for i, language := range field.Schema.Enum {
		name := cmp.Or(espeakVoices[language], language)
		found[i] = SpokenVoice{
			Provider: localName, Name: name, Label: name, Language: name,
			Missing: "espeak-ng is not installed on this server; its operator must run apt-get install espeak-ng",
		}
	}
	return found
}

// ProviderVoices are the named voices of the providers that speak on this install.
func (c *Catalogue) ProviderVoices() []SpokenVoice {
	n, _ := c.Find(textToSpeechNode.Type)
	if !slices.Contains(n.Providers, openaiName) {
		return nil
	}
	voices := make([]SpokenVoice, len(openaiVoices))
	for i, name := range openaiVoices {
		voices[i] = SpokenVoice{Provider: openaiName, Name: name, Label: strings.ToUpper(name[:1]) + name[1:]}
	}
	return voices
}
