package nodes

import (
	"context"
	"fmt"
	"image"
	"slices"

	"atelier/models"
)

var videoOverlayNode = &Node{
	Type: "video-overlay", Label: "Video overlay", Category: "video", OutputType: "video",
	Description:  "Lays an image, such as a logo or a card, over a video.",
	Capabilities: []string{"video-to-video", "overlay"},
	InputSchema: object(
		address("videoUrl", "Video", "The video.", "video").required(),
		address("overlayUrl", "Overlay", "The image on top.", "image").required(),
		choice("position", "Position", "Where on the video the overlay lies.", positions...),
		number("scale", "Scale", "Width of the overlay in percent of the video.", 1, 100).or(25.0).as("slider"),
		number("opacity", "Opacity", "In percent.", 0, 100).or(100.0).as("slider"),
		number("margin", "Margin", "Distance from the edge in percent of the shorter side.", 0, 50).or(4.0),
		number("start", "From", "Second from which it shows.", 0, maxSeconds).or(0.0),
		number("end", "To", "Second up to which it shows; empty means the end.", 0, maxSeconds),
	),
	Cost: models.Credit, MainInput: "videoUrl", MainOutput: "videoUrl", Pool: Media,
	Check: func(prefix string, input map[string]any) error {
		start, _ := toNumber(input["start"])
		if end, ok := toNumber(input["end"]); ok && end <= start {
			return models.Invalid(prefix+"end", "must be after start")
		}
		return nil
	},
	Run: videoOverlay,
}

func videoOverlay(ctx context.Context, in *Call) (Output, error) {
	logo, err := in.readImage(ctx, in.text("overlayUrl"))
	if err != nil {
		return nil, err
	}
	return in.onWorkbench(func(w *workbench) (Output, error) {
		s, err := w.fetch(ctx, in.text("videoUrl"), "video")
		if err != nil {
			return nil, err
		}
		if in.number("start") >= s.Duration {
			return nil, failf("The overlay would begin after the end of the video").hint("The video is %.1f seconds long.", s.Duration)
		}
		width, height := s.Width&^1, s.Height&^1
		small := fitImage(logo, max(1, int(float64(width)*in.number("scale")/100)), height, "inside")
		path, err := w.picture(small)
		if err != nil {
			return nil, err
		}
		margin := int(float64(min(width, height)) * in.number("margin") / 100)
		at := placed(image.Rect(0, 0, width, height), small.Bounds().Dx(), small.Bounds().Dy(), margin, in.text("position"))
		end := s.Duration + 1
		if in.has("end") {
			end = in.number("end")
		}
		graph := fmt.Sprintf("[0:v:0]%s[b];[1:v]format=rgba,colorchannelmixer=aa=%.3f[o];[b][o]overlay=%d:%d:enable='between(t,%s,%s)'[v]",
			evenSize, in.number("opacity")/100, at.Min.X, at.Min.Y, seconds(in.number("start")), seconds(end))
		args := slices.Concat(s.input(), stillInput(path), []string{"-filter_complex", graph, "-map", "[v]", "-map", "0:a:0?"})
		return w.encodeVideo(ctx, s.Duration, "overlaid", args...)
	})
}
