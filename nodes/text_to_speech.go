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
	"atelier/nodes/kit"
	"atelier/nodes/program"
)

var textToSpeechNode = &kit.Node{
	Type: "text-to-speech", Label: "Text to speech", Category: "audio", OutputType: "audio",
	Description:  "Speaks a text with a synthetic voice (eSpeak NG).",
	Providers:    []string{"local"},
	Capabilities: []string{"text-to-speech"},
	InputSchema: kit.Object(
		kit.Area("text", "Text", "What to say.").Required(),
		kit.LibraryField("voiceId", "Voice of the library", "Who speaks: sets provider, voice and the settings that are not set here.", kit.NamesVoice),
		kit.Choice("voice", "Voice", "Language of the voice.", "en-us", "en-gb", "de", "fr-fr", "es", "it", "pt-br", "nl", "pl", "sv", "da", "nb", "fi", "cs", "hu", "ro", "el", "tr", "uk", "ru", "ar", "hi", "zh"),
		kit.Integer("speed", "Speed", "Words a minute.", 80, 400).Or(165.0).As("slider"),
		kit.Integer("pitch", "Pitch", "0 is deep, 99 high.", 0, 99).Or(50.0).As("slider"),
		kit.Choice("format", "Format", "Of the file that comes out.", "wav", "mp3"),
		kit.Choice("provider", "Provider", "Who speaks.", "local"),
	),
	Cost: models.Credit, MainInput: "text", MainOutput: "audioUrl", Pool: kit.Media,
	Check:  checkSpoken,
	Lay:    kit.LayVoice,
	Run:    textToSpeech,
	Remote: map[string]kit.RemoteRun{kit.OpenAIName: speakByOpenAI, kit.ReplicateName: speakByReplicate},
	RemoteFields: kit.Properties{
		kit.Choice("speaker", "Speaker", "Whose voice a provider other than local speaks with.", openaiVoices...),
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

func textToSpeech(ctx context.Context, in *kit.Call) (kit.Output, error) {
	if utf8.RuneCountInString(in.Text("text")) > maxSpoken {
		return nil, kit.Failf("The text is too long to be spoken").WithHint("At most %d characters fit.", maxSpoken)
	}
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
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
			return nil, kit.ProgramFailure(ctx, err, "text")
		}
		in.Report(60)
		filters := in.Voice.Filters()
		if in.Text("format") == "wav" && filters == nil {
			return w.Save(ctx, "speech.wav", "audio/wav")
		}
		spoken := kit.Source{Path: w.Path("speech.wav"), Demuxer: "wav"}
		return w.EncodeAudio(ctx, 0, "spoken", in.Text("format"), append(spoken.Input(), filters...)...)
	})
}

// localVoice is how the speech program calls the voice that speaks.
func localVoice(in *kit.Call) string {
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
func LocalVoices(ctx context.Context) []kit.SpokenVoice {
	if found := kit.InstalledVoices.Of(ctx); found != nil {
		return found
	}
	field, _ := textToSpeechNode.InputSchema.Properties.Find("voice")
	found := make([]kit.SpokenVoice, len(field.Schema.Enum))
	for i, language := range field.Schema.Enum {
		name := cmp.Or(espeakVoices[language], language)
		found[i] = kit.SpokenVoice{
			Provider: kit.LocalName, Name: name, Label: name, Language: name,
			Missing: "espeak-ng is not installed on this server; its operator must run apt-get install espeak-ng",
		}
	}
	return found
}

// ProviderVoices are the named voices of the providers that speak on this install.
func (c *Catalogue) ProviderVoices() []kit.SpokenVoice {
	n, _ := c.Find(textToSpeechNode.Type)
	if !slices.Contains(n.Providers, kit.OpenAIName) {
		return nil
	}
	voices := make([]kit.SpokenVoice, len(openaiVoices))
	for i, name := range openaiVoices {
		voices[i] = kit.SpokenVoice{Provider: kit.OpenAIName, Name: name, Label: strings.ToUpper(name[:1]) + name[1:]}
	}
	return voices
}
