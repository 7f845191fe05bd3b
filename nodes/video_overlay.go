package nodes

import (
	"context"
	"fmt"
	"image"
	"slices"

	"atelier/models"
	"atelier/nodes/kit"
)

var videoOverlayNode = &kit.Node{
	Type: "video-overlay", Label: "Video overlay", Category: "video", OutputType: "video",
	Description:  "Lays an image, such as a logo or a card, over a video.",
	Capabilities: []string{"video-to-video", "overlay"},
	InputSchema: kit.Object(
		kit.Address("videoUrl", "Video", "The video.", "video").Required(),
		kit.Address("overlayUrl", "Overlay", "The image on top.", "image").Required(),
		kit.Choice("position", "Position", "Where on the video the overlay lies.", positions...),
		kit.Number("scale", "Scale", "Width of the overlay in percent of the video.", 1, 100).Or(25.0).As("slider"),
		kit.Number("opacity", "Opacity", "In percent.", 0, 100).Or(100.0).As("slider"),
		kit.Number("margin", "Margin", "Distance from the edge in percent of the shorter side.", 0, 50).Or(4.0),
		kit.Number("start", "From", "Second from which it shows.", 0, kit.MaxSeconds).Or(0.0),
		kit.Number("end", "To", "Second up to which it shows; empty means the end.", 0, kit.MaxSeconds),
	),
	Cost: models.Credit, MainInput: "videoUrl", MainOutput: "videoUrl", Pool: kit.Media,
	Check: func(prefix string, input map[string]any) error {
		start, _ := kit.ToNumber(input["start"])
		if end, ok := kit.ToNumber(input["end"]); ok && end <= start {
			return models.Invalid(prefix+"end", "must be after start")
		}
		return nil
	},
	Run: videoOverlay,
}

func videoOverlay(ctx context.Context, in *kit.Call) (kit.Output, error) {
	logo, err := in.ReadImage(ctx, in.Text("overlayUrl"))
	if err != nil {
		return nil, err
	}
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Fetch(ctx, in.Text("videoUrl"), "video")
		if err != nil {
			return nil, err
		}
		if in.Number("start") >= s.Duration {
			return nil, kit.Failf("The overlay would begin after the end of the video").WithHint("The video is %.1f seconds long.", s.Duration)
		}
		width, height := s.Width&^1, s.Height&^1
		small := kit.FitImage(logo, max(1, int(float64(width)*in.Number("scale")/100)), height, "inside")
		path, err := w.Picture(small)
		if err != nil {
			return nil, err
		}
		margin := int(float64(min(width, height)) * in.Number("margin") / 100)
		at := placed(image.Rect(0, 0, width, height), small.Bounds().Dx(), small.Bounds().Dy(), margin, in.Text("position"))
		end := s.Duration + 1
		if in.Has("end") {
			end = in.Number("end")
		}
		graph := fmt.Sprintf("[0:v:0]%s[b];[1:v]format=rgba,colorchannelmixer=aa=%.3f[o];[b][o]overlay=%d:%d:enable='between(t,%s,%s)'[v]",
			kit.EvenSize, in.Number("opacity")/100, at.Min.X, at.Min.Y, kit.Seconds(in.Number("start")), kit.Seconds(end))
		args := slices.Concat(s.Input(), kit.StillInput(path), []string{"-filter_complex", graph, "-map", "[v]", "-map", "0:a:0?"})
		return w.EncodeVideo(ctx, s.Duration, "overlaid", args...)
	})
}
