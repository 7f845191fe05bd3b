package nodes

import (
	"context"
	"errors"
	"maps"
	"os"
	"strings"

	"atelier/models"
	"atelier/nodes/program"
)

var transcribeNode = &Node{
	Type: "transcribe", Label: "Transcribe", Category: "audio", OutputType: "text",
	Description:  "Writes down what is said in a sound or a video. The local provider (PocketSphinx) understands English alone, and roughly.",
	Providers:    []string{"local"},
	Capabilities: []string{"speech-to-text"},
	InputSchema: object(
		address("url", "Audio or video", "What to listen to.", "audio").required(),
		line("language", "Language", "Two letters, such as en, which is the only one that the local provider understands."),
		choice("provider", "Provider", "Who listens.", localName),
	),
	Cost: models.Credit, MainInput: "url", MainOutput: "text", Pool: Media,
	Run: transcribe,
}

// InPlaceOf is the type that does the work of another, and its settings: a
// transcription that names no provider is done by one outside where the install
// has one, for it hears better. The settings are checked already.
func (c *Catalogue) InPlaceOf(nodeType string, settings map[string]any) (string, map[string]any) {
	if outside, _ := c.Find(transcribeAudioNode.Type); nodeType != transcribeNode.Type || !outside.Offered() || settings["provider"] == localName {
		return nodeType, settings
	}
	moved := maps.Clone(settings)
	moved["audioUrl"] = moved["url"]
	delete(moved, "url")
	return transcribeAudioNode.Type, moved
}

// transcribe brings the sound to the form that the recogniser was trained on.
func transcribe(ctx context.Context, in *Call) (Output, error) {
	if language := in.text("language"); language != "" && !strings.HasPrefix(strings.ToLower(language), "en") {
		return nil, failf("The local provider understands English alone").
			hint("A provider outside understands more: its operator must set %s.", providerVariables[openaiName])
	}
	return in.onWorkbench(func(w *workbench) (Output, error) {
		s, err := w.fetch(ctx, in.text("url"), "audio")
		if err != nil {
			return nil, err
		}
		in.progress(10)
		args := append(s.input(), "-map", "0:a:0", "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", w.path("speech.wav"))
		if err := w.ffmpeg(ctx, 0, args...); err != nil {
			return nil, err
		}
		in.progress(30)
		said, err := program.Command{
			Name: "pocketsphinx_continuous", Package: "pocketsphinx", Dir: w.dir, Time: ffmpegTime,
			Args: []string{"-infile", w.path("speech.wav"), "-logfn", w.path("log.txt")},
		}.Run(ctx)
		if err != nil {
			return nil, notHeard(err, w.path("log.txt"))
		}
		return Output{"text": strings.TrimSpace(string(said)), "duration": s.Duration, "language": "en"}, nil
	})
}

// notHeard says what is missing on the server.
func notHeard(err error, log string) error {
	const hint = "Set OPENAI_API_KEY, or install the Debian packages pocketsphinx and pocketsphinx-en-us: apt-get install pocketsphinx pocketsphinx-en-us"
	var missing *program.Missing
	if errors.As(err, &missing) {
		return failf("%s is not installed on this server", missing.Name).hint(hint)
	}
	if said, _ := os.ReadFile(log); strings.Contains(string(said), "-hmm") || strings.Contains(string(said), "acoustic model") {
		return failf("The language model of the recogniser is not installed on this server").hint(hint)
	}
	return programFailure(err, "sound")
}
