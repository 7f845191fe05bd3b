package nodes

import (
	"bytes"
	"context"

	"atelier/nodes/kit"
	"atelier/nodes/provider"
)

// openaiVoices are the voices of providers with OpenAI's API; the local ones are languages.
var openaiVoices = []string{"alloy", "ash", "ballad", "coral", "echo", "fable", "onyx", "nova", "sage", "shimmer", "verse", "marin", "cedar"}

// Speed in words a minute: what providers call normal, and their range.
const (
	normalSpeed = 165.0
	minSpeed    = 0.25
	maxSpeed    = 4.0
)

// maxSpokenRemotely is the longest text that providers take, in characters.
const maxSpokenRemotely = 4096

func speakByOpenAI(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	if err := shortEnoughToSpeak(in); err != nil {
		return nil, err
	}
	request := provider.SpeechRequest{
		Model: model.ID, Text: in.Text("text"), Voice: in.Text("speaker"), Format: in.Text("format"),
		Speed: max(minSpeed, min(maxSpeed, in.Number("speed")/normalSpeed)),
	}
	if in.Voice != nil && in.Voice.Name != "" {
		request.Voice, request.Custom = in.Voice.Name, in.Voice.Custom
	}
	var sound []byte
	err := in.Once(ctx, kit.OpenAIName, func(e *kit.ProviderTask) (err error) {
		sound, err = in.Providers.OpenAI.Speech(ctx, e.Key, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	out, err := in.KeepContent(ctx, bytes.NewReader(sound), "audio")
	if err == nil {
		out["provider"], out["model"] = kit.OpenAIName, model.ID
	}
	return out, err
}

func speakByReplicate(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	if err := shortEnoughToSpeak(in); err != nil {
		return nil, err
	}
	fields := map[string]any{"text": in.Text("text"), "speed": max(minSpeed, min(maxSpeed, in.Number("speed")/normalSpeed)), "language": in.Text("voice")}
	if in.Voice != nil {
		fields["voice"] = in.Voice.Name
	}
	return in.Predict(ctx, model, "audio", model.Inputs(fields))
}

func shortEnoughToSpeak(in *kit.Call) error {
	if len([]rune(in.Text("text"))) > maxSpokenRemotely {
		return kit.Failf("The text is too long to be spoken").WithHint("At most %d characters fit.", maxSpokenRemotely)
	}
	return nil
}
