package nodes

import (
	"bytes"
	"context"
	"io"

	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

var transcribeAudioNode = &kit.Node{
	Type: "transcribe-audio", Label: "Transcribe audio", Category: "audio", OutputType: "text",
	Description:  "Writes down what is said in a sound, by a model of a provider.",
	Capabilities: []string{"speech-to-text"},
	InputSchema: kit.Object(
		kit.Address("audioUrl", "Sound", "MP3, WAV, Ogg, FLAC, M4A, MP4 or WebM, up to 25 MiB.", "audio").Required(),
		kit.Line("language", "Language", "Two letters, such as en; empty lets the model find out."),
		kit.Line("prompt", "Words to expect", "Names and terms that occur."),
	),
	MainInput: "audioUrl", MainOutput: "text", Pool: kit.Provider,
	Run:    runsOutside,
	Remote: map[string]kit.RemoteRun{kit.OpenAIName: transcribeByOpenAI},
}

// maxTranscribed is the largest sound that providers take.
const maxTranscribed = 25 << 20

// soundNames are the file names by which providers tell the format.
var soundNames = map[string]string{
	"audio/mpeg": "sound.mp3", "audio/wav": "sound.wav", "audio/ogg": "sound.ogg", "application/ogg": "sound.ogg",
	"audio/flac": "sound.flac", "audio/mp4": "sound.m4a", "video/mp4": "sound.mp4", "video/webm": "sound.webm",
	"audio/webm": "sound.webm",
}

func transcribeByOpenAI(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	body, found, err := in.Open(ctx, in.Text("audioUrl"), "", maxTranscribed)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	name := soundNames[found]
	if name == "" {
		return nil, kit.Failf("The file is no sound but %s", found).WithHint("MP3, WAV, Ogg, FLAC, M4A, MP4 and WebM work.")
	}
	sound, err := io.ReadAll(body)
	if err != nil {
		return nil, kit.NotOpened(err, "sound")
	}
	var text string
	err = in.Once(ctx, kit.OpenAIName, func(e *kit.ProviderTask) (err error) {
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
		out["provider"], out["model"] = kit.OpenAIName, model.ID
	}
	return out, err
}
