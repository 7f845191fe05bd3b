package nodes

import (
	"context"
	"fmt"
	"slices"

	"atelier/models"
)

var addAudioNode = &Node{
	Type: "add-audio", Label: "Add audio", Category: "video", OutputType: "video",
	Description:  "Puts a sound under a video, instead of its own or beside it. The video keeps its length.",
	Capabilities: []string{"video-to-video", "audio"},
	InputSchema: object(
		address("videoUrl", "Video", "The video.", "video").required(),
		address("audioUrl", "Audio", "The sound.", "audio").required(),
		choice("mode", "Mode", "replace takes the own sound of the video away, mix keeps it below.", "replace", "mix"),
		number("volume", "Volume", "Of the sound, in percent.", 0, 200).or(100.0).as("slider"),
		toggle("loop", "Loop", "Repeats a sound that is shorter than the video.", false),
	),
	Cost: models.Credit, MainInput: "videoUrl", MainOutput: "videoUrl", Pool: Media,
	Run: addAudio,
}

func addAudio(ctx context.Context, in *Call) (Output, error) {
	return in.onWorkbench(func(w *workbench) (Output, error) {
		video, err := w.fetch(ctx, in.text("videoUrl"), "video")
		if err != nil {
			return nil, err
		}
		audio, err := w.fetch(ctx, in.text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		var again []string
		if in.flag("loop") {
			again = []string{"-stream_loop", "-1"}
		}
		graph := fmt.Sprintf("[0:v:0]%s[v];[1:a:0]%s,volume=%.3f,apad[b]", evenSize, sameSound, in.number("volume")/100)
		sound := "[b]"
		if in.text("mode") == "mix" && video.HasAudio {
			graph += fmt.Sprintf(";[0:a:0]%s,apad[a];[a][b]amix=inputs=2:duration=longest:normalize=0,alimiter=limit=0.97[m]", sameSound)
			sound = "[m]"
		}
		args := slices.Concat(video.input(), again, audio.input(), []string{"-filter_complex", graph, "-map", "[v]", "-map", sound})
		return w.encodeVideo(ctx, video.Duration, "scored", args...)
	})
}
