package nodes

import (
	"context"
	"fmt"
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
)

var trimAudioNode = &kit.Node{
	Type: "trim-audio", Label: "Trim audio", Category: "audio", OutputType: "audio",
	Description:  "Cuts a piece out of a sound, and fades it in and out.",
	Capabilities: []string{"audio-to-audio", "trim"},
	InputSchema: kit.Object(
		kit.Address("audioUrl", "Audio", "The sound to cut.", "audio").Required(),
		kit.Number("start", "Start", "In seconds.", 0, kit.MaxSeconds).Or(0.0),
		kit.Number("duration", "Duration", "In seconds; empty keeps the rest.", 0.1, kit.MaxSeconds),
		kit.Number("fadeIn", "Fade in", "In seconds.", 0, 30).Or(0.0),
		kit.Number("fadeOut", "Fade out", "In seconds.", 0, 30).Or(0.0),
		kit.AudioFormatField(),
	),
	Cost: models.Credit / 2, MainInput: "audioUrl", MainOutput: "audioUrl", Pool: kit.Media,
	Run: trimAudio,
}

// minPiece is the shortest piece in seconds that every format can hold.
const minPiece = 0.05

func trimAudio(ctx context.Context, in *kit.Call) (kit.Output, error) {
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Fetch(ctx, in.Text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		start, length := in.Number("start"), s.Duration-in.Number("start")
		if in.Has("duration") {
			length = min(length, in.Number("duration"))
		}
		if length < minPiece {
			return nil, kit.Failf("The sound is over after %.1f seconds", s.Duration).WithHint("Begin earlier.")
		}
		filters := []string{"atrim=start=" + kit.Seconds(start) + ":duration=" + kit.Seconds(length), "asetpts=PTS-STARTPTS"}
		if fade := in.Number("fadeIn"); fade > 0 {
			filters = append(filters, "afade=t=in:d="+kit.Seconds(fade))
		}
		if fade := min(in.Number("fadeOut"), length); fade > 0 {
			filters = append(filters, fmt.Sprintf("afade=t=out:st=%s:d=%s", kit.Seconds(length-fade), kit.Seconds(fade)))
		}
		args := append(s.Input(), "-af", strings.Join(filters, ","))
		return w.EncodeAudio(ctx, length, "trimmed", in.Text("format"), args...)
	})
}
