package nodes

import (
	"context"
	"os"

	"atelier/models"
	"atelier/nodes/kit"
)

var extractFrameNode = &kit.Node{
	Type: "extract-frame", Label: "Extract frame", Category: "image", OutputType: "image",
	Description:  "Takes a still picture out of a video.",
	Capabilities: []string{"video-to-image"},
	InputSchema: kit.Object(
		kit.Address("videoUrl", "Video", "The video.", "video").Required(),
		kit.Number("time", "Time", "In seconds from the start; past the end the last picture is taken.", 0, kit.MaxSeconds).Or(0.0),
	),
	Cost: models.Credit / 2, MainInput: "videoUrl", MainOutput: "imageUrl", Pool: kit.Media,
	Run: extractFrame,
}

func extractFrame(ctx context.Context, in *kit.Call) (kit.Output, error) {
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Fetch(ctx, in.Text("videoUrl"), "video")
		if err != nil {
			return nil, err
		}
		at := max(0, min(in.Number("time"), s.Duration-0.1))
		args := append([]string{"-ss", kit.Seconds(at)}, s.Input()...)
		args = append(args, "-frames:v", "1", "-map_metadata", "-1", "-c:v", "png", "-f", "image2", w.Path("frame.png"))
		if err := w.Ffmpeg(ctx, 0, args...); err != nil {
			return nil, err
		}
		file, err := os.Open(w.Path("frame.png"))
		if err != nil {
			return nil, kit.Failf("The video has no picture at %.1f seconds", at)
		}
		defer file.Close()
		out, err := in.SaveFile(ctx, "frame.png", "image/png", file, s.Width, s.Height)
		if err == nil {
			out["time"] = at
		}
		return out, err
	})
}
