package nodes

import (
	"context"
	"fmt"
	"strings"

	"atelier/models"
)

var trimAudioNode = &Node{
	Type: "trim-audio", Label: "Trim audio", Category: "audio", OutputType: "audio",
	Description:  "Cuts a piece out of a sound, and fades it in and out.",
	Capabilities: []string{"audio-to-audio", "trim"},
	InputSchema: object(
		address("audioUrl", "Audio", "The sound to cut.", "audio").required(),
		number("start", "Start", "In seconds.", 0, maxSeconds).or(0.0),
		number("duration", "Duration", "In seconds; empty keeps the rest.", 0.1, maxSeconds),
		number("fadeIn", "Fade in", "In seconds.", 0, 30).or(0.0),
		number("fadeOut", "Fade out", "In seconds.", 0, 30).or(0.0),
		audioFormatField(),
	),
	Cost: models.Credit / 2, MainInput: "audioUrl", MainOutput: "audioUrl", Pool: Media,
	Run: trimAudio,
}

// leastPiece is the shortest piece in seconds that every format can hold.
const leastPiece = 0.05

func trimAudio(ctx context.Context, in *Call) (Output, error) {
	return in.onWorkbench(func(w *workbench) (Output, error) {
		s, err := w.fetch(ctx, in.text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		start, length := in.number("start"), s.Duration-in.number("start")
		if in.has("duration") {
			length = min(length, in.number("duration"))
		}
		if length < leastPiece {
			return nil, failf("The sound is over after %.1f seconds", s.Duration).hint("Begin earlier.")
		}
		filters := []string{"atrim=start=" + seconds(start) + ":duration=" + seconds(length), "asetpts=PTS-STARTPTS"}
		if fade := in.number("fadeIn"); fade > 0 {
			filters = append(filters, "afade=t=in:d="+seconds(fade))
		}
		if fade := min(in.number("fadeOut"), length); fade > 0 {
			filters = append(filters, fmt.Sprintf("afade=t=out:st=%s:d=%s", seconds(length-fade), seconds(fade)))
		}
		args := append(s.input(), "-af", strings.Join(filters, ","))
		return w.encodeAudio(ctx, length, "trimmed", in.text("format"), args...)
	})
}
