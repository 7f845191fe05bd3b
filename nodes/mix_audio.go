package nodes

import (
	"context"
	"fmt"
	"slices"

	"atelier/models"
	"atelier/nodes/kit"
)

var mixAudioNode = &kit.Node{
	Type: "mix-audio", Label: "Mix audio", Category: "audio", OutputType: "audio",
	Description:  "Plays two sounds together, or one after the other.",
	Capabilities: []string{"audio-to-audio", "mix"},
	InputSchema: kit.Object(
		kit.Address("audioUrl", "Audio", "The first sound.", "audio").Required(),
		kit.Address("secondUrl", "Second audio", "The second sound.", "audio").Required(),
		kit.Choice("mode", "Mode", "together ends with the longer sound.", "together", "in-turn"),
		kit.Number("volume", "Volume", "Of the first, in percent.", 0, 200).Or(100.0).As("slider"),
		kit.Number("secondVolume", "Second volume", "In percent.", 0, 200).Or(100.0).As("slider"),
		kit.AudioFormatField(),
	),
	Cost: models.Credit / 2, MainInput: "audioUrl", MainOutput: "audioUrl", Pool: kit.Media,
	Run: mixAudio,
}

func mixAudio(ctx context.Context, in *kit.Call) (kit.Output, error) {
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		first, err := w.Fetch(ctx, in.Text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		second, err := w.Fetch(ctx, in.Text("secondUrl"), "audio")
		if err != nil {
			return nil, err
		}
		join, length := "amix=inputs=2:duration=longest:normalize=0,alimiter=limit=0.97", max(first.Duration, second.Duration)
		if in.Text("mode") == "in-turn" {
			join, length = "concat=n=2:v=0:a=1", first.Duration+second.Duration
		}
		graph := fmt.Sprintf("[0:a:0]%s,volume=%.3f[a];[1:a:0]%s,volume=%.3f[b];[a][b]%s[out]",
			sameSound, in.Number("volume")/100, sameSound, in.Number("secondVolume")/100, join)
		args := slices.Concat(first.Input(), second.Input(), []string{"-filter_complex", graph, "-map", "[out]"})
		return w.EncodeAudio(ctx, length, "mixed", in.Text("format"), args...)
	})
}

// sameSound brings a sound to the form in which two can be joined.
const sameSound = "aresample=44100,aformat=sample_fmts=fltp:channel_layouts=stereo"
