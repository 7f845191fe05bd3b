package nodes

import (
	"bytes"
	"context"
	"io"

	"atelier/nodes/provider"
)

var transcribeAudioNode = &Node{
	Type: "transcribe-audio", Label: "Transcribe audio", Category: "audio", OutputType: "text",
	Description:  "Writes down what is said in a sound, by a model of a provider.",
	Capabilities: []string{"speech-to-text"},
	InputSchema: Object(
		Address("audioUrl", "Sound", "MP3, WAV, Ogg, FLAC, M4A, MP4 or WebM, up to 25 MiB.", "audio").Required(),
		Line("language", "Language", "Two letters, such as en; empty lets the model find out."),
		Line("prompt", "Words to expect", "Names and terms that occur."),
	),
	MainInput: "audioUrl", MainOutput: "text", Pool: Provider,
	Run:    runsOutside,
	Remote: map[string]RemoteRun{OpenAIName: transcribeByOpenAI},
}

// maxTranscribed is the largest sound that providers take.
const maxTranscribed = 25 << 20

// soundNames are the file names by which providers tell the format.
var soundNames = map[string]string{
	"audio/mpeg": "sound.mp3", "audio/wav": "sound.wav", "audio/ogg": "sound.ogg", "application/ogg": "sound.ogg",
	"audio/flac": "sound.flac", "audio/mp4": "sound.m4a", "video/mp4": "sound.mp4", "video/webm": "sound.webm",
	"audio/webm": "sound.webm",
}

func transcribeByOpenAI(ctx context.Context, in *Call, model Model) (Output, error) {
	body, found, err := in.Open(ctx, in.Text("audioUrl"), "", maxTranscribed)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	name := soundNames[found]
	if name == "" {
		return nil, Failf("The file is no sound but %s", found).WithHint("MP3, WAV, Ogg, FLAC, M4A, MP4 and WebM work.")
	}
	sound, err := io.ReadAll(body)
	if err != nil {
		return nil, NotOpened(err, "sound")
	}
	var text string
	err = in.Once(ctx, OpenAIName, func(e *Errand) (err error) {
		text, err = in.Providers.OpenAI.Transcribe(ctx, e.Key, provider.TranscriptionRequest{
			Model: model.ID, Language: in.Text("language"), Prompt: in.Text("prompt"),
			Name: name, ContentType: found, Sound: bytes.NewReader(sound),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	out, err := textOutput(text)
	if err == nil {
		out["provider"], out["model"] = OpenAIName, model.ID
	}
	return out, err
}
