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
	InputSchema: Object(
		Area("text", "Text", "What to say.").Required(),
		LibraryField("voiceId", "Voice of the library", "Who speaks: sets provider, voice and the settings that are not set here.", NamesVoice),
		Choice("voice", "Voice", "Language of the voice.", "en-us", "en-gb", "de", "fr-fr", "es", "it", "pt-br", "nl", "pl", "sv", "da", "nb", "fi", "cs", "hu", "ro", "el", "tr", "uk", "ru", "ar", "hi", "zh"),
		Integer("speed", "Speed", "Words a minute.", 80, 400).Or(165.0).As("slider"),
		Integer("pitch", "Pitch", "0 is deep, 99 high.", 0, 99).Or(50.0).As("slider"),
		Choice("format", "Format", "Of the file that comes out.", "wav", "mp3"),
		Choice("provider", "Provider", "Who speaks.", "local"),
	),
	Cost: models.Credit, MainInput: "text", MainOutput: "audioUrl", Pool: Media,
	Check:  checkSpoken,
	Lay:    LayVoice,
	Run:    textToSpeech,
	Remote: map[string]RemoteRun{OpenAIName: speakByOpenAI, ReplicateName: speakByReplicate},
	RemoteFields: Properties{
		Choice("speaker", "Speaker", "Whose voice a provider other than local speaks with.", openaiVoices...),
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
	if utf8.RuneCountInString(in.Text("text")) > maxSpoken {
		return nil, Failf("The text is too long to be spoken").WithHint("At most %d characters fit.", maxSpoken)
	}
	return in.OnWorkbench(func(w *Workbench) (Output, error) {
		if err := os.WriteFile(w.Path("words.txt"), []byte(in.Text("text")), 0o600); err != nil {
			return nil, err
		}
		_, err := program.Command{
			Name: "espeak-ng", Package: "espeak-ng", Dir: w.Dir, Time: time.Minute,
			Args: []string{
				"-b", "1", "-v", localVoice(in), "-s", strconv.Itoa(in.Integer("speed")), "-p", strconv.Itoa(in.Integer("pitch")),
				"-w", w.Path("speech.wav"), "-f", w.Path("words.txt"),
			},
		}.Run(ctx)
		if err != nil {
			return nil, ProgramFailure(err, "text")
		}
		in.Report(60)
		filters := in.Voice.Filters()
		if in.Text("format") == "wav" && filters == nil {
			return w.Save(ctx, "speech.wav", "audio/wav")
		}
		spoken := Source{Path: w.Path("speech.wav"), Demuxer: "wav"}
		return w.EncodeAudio(ctx, 0, "spoken", in.Text("format"), append(spoken.Input(), filters...)...)
	})
}

// localVoice is how the speech program calls the voice that speaks.
func localVoice(in *Call) string {
	name := in.Text("voice")
	if own := espeakVoices[name]; own != "" {
		name = own
	}
	if in.Voice == nil {
		return name
	}
	if in.Voice.Name != "" {
		name = in.Voice.Name
	}
	if in.Voice.Variant != "" {
		name += "+" + in.Voice.Variant
	}
	return name
}

// LocalVoices are the voices of the installed speech program, which is asked
// once. Where it is missing they are the languages of the node, unusable.
func LocalVoices(ctx context.Context) []SpokenVoice {
	if found := InstalledVoices.Of(ctx); found != nil {
		return found
	}
	field, _ := textToSpeechNode.InputSchema.Properties.Find("voice")
	found := make([]SpokenVoice, len(field.Schema.Enum))
	for i, language := range field.Schema.Enum {
		name := cmp.Or(espeakVoices[language], language)
		found[i] = SpokenVoice{
			Provider: LocalName, Name: name, Label: name, Language: name,
			Missing: "espeak-ng is not installed on this server; its operator must run apt-get install espeak-ng",
		}
	}
	return found
}

// ProviderVoices are the named voices of the providers that speak on this install.
func (c *Catalogue) ProviderVoices() []SpokenVoice {
	n, _ := c.Find(textToSpeechNode.Type)
	if !slices.Contains(n.Providers, OpenAIName) {
		return nil
	}
	voices := make([]SpokenVoice, len(openaiVoices))
	for i, name := range openaiVoices {
		voices[i] = SpokenVoice{Provider: OpenAIName, Name: name, Label: strings.ToUpper(name[:1]) + name[1:]}
	}
	return voices
}
