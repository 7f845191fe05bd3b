package nodes

import (
	"context"
	"fmt"
	"slices"

	"atelier/models"
)

var mixAudioNode = &Node{
	Type: "mix-audio", Label: "Mix audio", Category: "audio", OutputType: "audio",
	Description:  "Plays two sounds together, or one after the other.",
	Capabilities: []string{"audio-to-audio", "mix"},
	InputSchema: object(
		address("audioUrl", "Audio", "The first sound.", "audio").required(),
		address("secondUrl", "Second audio", "The second sound.", "audio").required(),
		choice("mode", "Mode", "together ends with the longer sound.", "together", "in-turn"),
		number("volume", "Volume", "Of the first, in percent.", 0, 200).or(100.0).as("slider"),
		number("secondVolume", "Second volume", "In percent.", 0, 200).or(100.0).as("slider"),
		audioFormatField(),
	),
	Cost: models.Credit / 2, MainInput: "audioUrl", MainOutput: "audioUrl", Pool: Media,
	Run: mixAudio,
}

func mixAudio(ctx context.Context, in *Call) (Output, error) {
	return in.onWorkbench(func(w *workbench) (Output, error) {
		first, err := w.fetch(ctx, in.text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		second, err := w.fetch(ctx, in.text("secondUrl"), "audio")
		if err != nil {
			return nil, err
		}
		join, length := "amix=inputs=2:duration=longest:normalize=0,alimiter=limit=0.97", max(first.Duration, second.Duration)
		if in.text("mode") == "in-turn" {
			join, length = "concat=n=2:v=0:a=1", first.Duration+second.Duration
		}
		graph := fmt.Sprintf("[0:a:0]%s,volume=%.3f[a];[1:a:0]%s,volume=%.3f[b];[a][b]%s[out]",
			sameSound, in.number("volume")/100, sameSound, in.number("secondVolume")/100, join)
		args := slices.Concat(first.input(), second.input(), []string{"-filter_complex", graph, "-map", "[out]"})
		return w.encodeAudio(ctx, length, "mixed", in.text("format"), args...)
	})
}

// sameSound brings a sound to the form in which two can be joined.
const sameSound = "aresample=44100,aformat=sample_fmts=fltp:channel_layouts=stereo"
