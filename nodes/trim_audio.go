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
	InputSchema: Object(
		Address("audioUrl", "Audio", "The sound to cut.", "audio").Required(),
		Number("start", "Start", "In seconds.", 0, MaxSeconds).Or(0.0),
		Number("duration", "Duration", "In seconds; empty keeps the rest.", 0.1, MaxSeconds),
		Number("fadeIn", "Fade in", "In seconds.", 0, 30).Or(0.0),
		Number("fadeOut", "Fade out", "In seconds.", 0, 30).Or(0.0),
		AudioFormatField(),
	),
	Cost: models.Credit / 2, MainInput: "audioUrl", MainOutput: "audioUrl", Pool: Media,
	Run: trimAudio,
}

// leastPiece is the shortest piece in seconds that every format can hold.
const leastPiece = 0.05

func trimAudio(ctx context.Context, in *Call) (Output, error) {
	return in.OnWorkbench(func(w *Workbench) (Output, error) {
		s, err := w.Fetch(ctx, in.Text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		start, length := in.Number("start"), s.Duration-in.Number("start")
		if in.Has("duration") {
			length = min(length, in.Number("duration"))
		}
		if length < leastPiece {
			return nil, Failf("The sound is over after %.1f seconds", s.Duration).WithHint("Begin earlier.")
		}
		filters := []string{"atrim=start=" + Seconds(start) + ":duration=" + Seconds(length), "asetpts=PTS-STARTPTS"}
		if fade := in.Number("fadeIn"); fade > 0 {
			filters = append(filters, "afade=t=in:d="+Seconds(fade))
		}
		if fade := min(in.Number("fadeOut"), length); fade > 0 {
			filters = append(filters, fmt.Sprintf("afade=t=out:st=%s:d=%s", Seconds(length-fade), Seconds(fade)))
		}
		args := append(s.Input(), "-af", strings.Join(filters, ","))
		return w.EncodeAudio(ctx, length, "trimmed", in.Text("format"), args...)
	})
}
