package nodes

import (
	"context"
	"fmt"
	"slices"

	"atelier/models"
	"atelier/nodes/kit"
)

var addAudioNode = &kit.Node{
	Type: "add-audio", Label: "Add audio", Category: "video", OutputType: "video",
	Description:  "Puts a sound under a video, instead of its own or beside it. The video keeps its length.",
	Capabilities: []string{"video-to-video", "audio"},
	InputSchema: kit.Object(
		kit.Address("videoUrl", "Video", "The video.", "video").Required(),
		kit.Address("audioUrl", "Audio", "The sound.", "audio").Required(),
		kit.Choice("mode", "Mode", "replace takes the own sound of the video away, mix keeps it below.", "replace", "mix"),
		kit.Number("volume", "Volume", "Of the sound, in percent.", 0, 200).Or(100.0).As("slider"),
		kit.Toggle("loop", "Loop", "Repeats a sound that is shorter than the video.", false),
	),
	Cost: models.Credit, MainInput: "videoUrl", MainOutput: "videoUrl", Pool: kit.Media,
	Run: addAudio,
}

func addAudio(ctx context.Context, in *kit.Call) (kit.Output, error) {
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		video, err := w.Fetch(ctx, in.Text("videoUrl"), "video")
		if err != nil {
			return nil, err
		}
		audio, err := w.Fetch(ctx, in.Text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		var again []string
		if in.Flag("loop") {
			again = []string{"-stream_loop", "-1"}
		}
		graph := fmt.Sprintf("[0:v:0]%s[v];[1:a:0]%s,volume=%.3f,apad[b]", kit.EvenSize, sameSound, in.Number("volume")/100)
		sound := "[b]"
		if in.Text("mode") == "mix" && video.HasAudio {
			graph += fmt.Sprintf(";[0:a:0]%s,apad[a];[a][b]amix=inputs=2:duration=longest:normalize=0,alimiter=limit=0.97[m]", sameSound)
			sound = "[m]"
		}
		args := slices.Concat(video.Input(), again, audio.Input(), []string{"-filter_complex", graph, "-map", "[v]", "-map", sound})
		return w.EncodeVideo(ctx, video.Duration, "scored", args...)
	})
}
