package nodes

import (
	"context"
	"os"

	"atelier/models"
)

var extractFrameNode = &Node{
	Type: "extract-frame", Label: "Extract frame", Category: "image", OutputType: "image",
	Description:  "Takes a still picture out of a video.",
	Capabilities: []string{"video-to-image"},
	InputSchema: object(
		address("videoUrl", "Video", "The video.", "video").required(),
		number("time", "Time", "In seconds from the start; past the end the last picture is taken.", 0, maxSeconds).or(0.0),
	),
	Cost: models.Credit / 2, MainInput: "videoUrl", MainOutput: "imageUrl", Pool: Media,
	Run: extractFrame,
}

func extractFrame(ctx context.Context, in *Call) (Output, error) {
	return in.onWorkbench(func(w *workbench) (Output, error) {
		s, err := w.fetch(ctx, in.text("videoUrl"), "video")
		if err != nil {
			return nil, err
		}
		at := max(0, min(in.number("time"), s.Duration-0.1))
		args := append([]string{"-ss", seconds(at)}, s.input()...)
		args = append(args, "-frames:v", "1", "-map_metadata", "-1", "-c:v", "png", "-f", "image2", w.path("frame.png"))
		if err := w.ffmpeg(ctx, 0, args...); err != nil {
			return nil, err
		}
		file, err := os.Open(w.path("frame.png"))
		if err != nil {
			return nil, failf("The video has no picture at %.1f seconds", at)
		}
		defer file.Close()
		out, err := in.saveFile(ctx, "frame.png", "image/png", file, s.Width, s.Height)
		if err == nil {
			out["time"] = at
		}
		return out, err
	})
}
