package nodes

import (
	"context"
	"errors"
	"maps"
	"os"
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/program"
)

var transcribeNode = &kit.Node{
	Type: "transcribe", Label: "Transcribe", Category: "audio", OutputType: "text",
	Description:  "Writes down what is said in a sound or a video. The local provider (PocketSphinx) understands English alone, and roughly.",
	Providers:    []string{"local"},
	Capabilities: []string{"speech-to-text"},
	InputSchema: kit.Object(
		kit.Address("url", "Audio or video", "What to listen to.", "audio").Required(),
		kit.Line("language", "Language", "Two letters, such as en, which is the only one that the local provider understands."),
		kit.Choice("provider", "Provider", "Who listens.", kit.LocalName),
	),
	Cost: models.Credit, MainInput: "url", MainOutput: "text", Pool: kit.Media,
	Run: transcribe,
}

// InPlaceOf is the type that does the work of another, and its settings: a
// transcription that names no provider is done by one outside where the install
// has one, for it hears better. The settings are checked already.
func (c *Catalogue) InPlaceOf(nodeType string, settings map[string]any) (string, map[string]any) {
	if outside, _ := c.Find(transcribeAudioNode.Type); nodeType != transcribeNode.Type || !outside.Offered() || settings["provider"] == kit.LocalName {
		return nodeType, settings
	}
	moved := maps.Clone(settings)
	moved["audioUrl"] = moved["url"]
	delete(moved, "url")
	return transcribeAudioNode.Type, moved
}

// transcribe brings the sound to the form that the recognizer was trained on.
func transcribe(ctx context.Context, in *kit.Call) (kit.Output, error) {
	if language := in.Text("language"); language != "" && !strings.HasPrefix(strings.ToLower(language), "en") {
		return nil, kit.Failf("The local provider understands English alone").
			WithHint("A provider outside understands more: its operator must set %s.", kit.ProviderVariables[kit.OpenAIName])
	}
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Fetch(ctx, in.Text("url"), "audio")
		if err != nil {
			return nil, err
		}
		in.Report(10)
		args := append(s.Input(), "-map", "0:a:0", "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", w.Path("speech.wav"))
		if err := w.Ffmpeg(ctx, 0, args...); err != nil {
			return nil, err
		}
		in.Report(30)
		said, err := program.Command{
			Name: "pocketsphinx_continuous", Package: "pocketsphinx", Dir: w.Dir, Time: kit.FfmpegTime,
			Args: []string{"-infile", w.Path("speech.wav"), "-logfn", w.Path("log.txt")},
		}.Run(ctx)
		if err != nil {
			return nil, notHeard(ctx, err, w.Path("log.txt"))
		}
		return kit.Output{"text": strings.TrimSpace(string(said)), "duration": s.Duration, "language": "en"}, nil
	})
}

// notHeard says what is missing on the server.
func notHeard(ctx context.Context, err error, log string) error {
	const hint = "Set OPENAI_API_KEY, or install the Debian packages pocketsphinx and pocketsphinx-en-us: apt-get install pocketsphinx pocketsphinx-en-us"
	var missing *program.Missing
	if errors.As(err, &missing) {
		return kit.Failf("%s is not installed on this server", missing.Name).WithHint(hint)
	}
	if said, _ := os.ReadFile(log); strings.Contains(string(said), "-hmm") || strings.Contains(string(said), "acoustic model") {
		return kit.Failf("The language model of the recognizer is not installed on this server").WithHint(hint)
	}
	return kit.ProgramFailure(ctx, err, "sound")
}
