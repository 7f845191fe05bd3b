package nodes

import (
	"bytes"
	"context"

	"atelier/nodes/provider"
)

// openaiVoices are the voices of providers with OpenAI's API; the local ones are languages.
var openaiVoices = []string{"alloy", "ash", "ballad", "coral", "echo", "fable", "onyx", "nova", "sage", "shimmer", "verse", "marin", "cedar"}

// Speed in words a minute: what providers call normal, and their range.
const (
	normalSpeed = 165.0
	leastSpeed  = 0.25
	mostSpeed   = 4.0
)

// maxSpokenRemotely is the longest text that providers take, in characters.
const maxSpokenRemotely = 4096

func speakByOpenAI(ctx context.Context, in *Call, model Model) (Output, error) {
	if err := shortEnoughToSpeak(in); err != nil {
		return nil, err
	}
	request := provider.SpeechRequest{
		Model: model.ID, Text: in.text("text"), Voice: in.text("speaker"), Format: in.text("format"),
		Speed: max(leastSpeed, min(mostSpeed, in.number("speed")/normalSpeed)),
	}
	if in.voice != nil && in.voice.name != "" {
		request.Voice, request.Custom = in.voice.name, in.voice.custom
	}
	var sound []byte
	err := in.once(ctx, openaiName, func(e *errand) (err error) {
		sound, err = in.providers.OpenAI.Speech(ctx, e.Key, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	out, err := in.keepContent(ctx, bytes.NewReader(sound), "audio")
	if err == nil {
		out["provider"], out["model"] = openaiName, model.ID
	}
	return out, err
}

func speakByReplicate(ctx context.Context, in *Call, model Model) (Output, error) {
	if err := shortEnoughToSpeak(in); err != nil {
		return nil, err
	}
	fields := map[string]any{"text": in.text("text"), "speed": max(leastSpeed, min(mostSpeed, in.number("speed")/normalSpeed)), "language": in.text("voice")}
	if in.voice != nil {
		fields["voice"] = in.voice.name
	}
	return in.predict(ctx, model, "audio", model.inputs(fields))
}

func shortEnoughToSpeak(in *Call) error {
	if len([]rune(in.text("text"))) > maxSpokenRemotely {
		return failf("The text is too long to be spoken").hint("At most %d characters fit.", maxSpokenRemotely)
	}
	return nil
}
