package nodes

import (
	"context"
	"fmt"

	"atelier/models"
	"atelier/nodes/kit"
)

var animateImageNode = &kit.Node{
	Type: "animate-image", Label: "Animate image", Category: "video", OutputType: "video",
	Description:  "Makes a video of an image by moving a camera over it.",
	Providers:    []string{"local"},
	Capabilities: []string{"image-to-video"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The image to animate.", "image").Required(),
		kit.Choice("motion", "Motion", "How the camera moves.", "zoom-in", "zoom-out", "pan-right", "pan-left", "pan-up", "pan-down"),
		kit.Number("duration", "Duration", "In seconds.", 1, 30).Or(5.0),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "1:1", "9:16", "4:3", "3:4"),
		kit.VideoResolution(),
		kit.Number("intensity", "Intensity", "How far the camera moves, in percent of the image.", 5, 60).Or(20.0).As("slider"),
	),
	Cost: 4 * models.Credit, MainInput: "imageUrl", MainOutput: "videoUrl", Pool: kit.Media,
	Run: animateImage,
}

const frameRate = 30

func animateImage(ctx context.Context, in *kit.Call) (kit.Output, error) {
	img, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	width, height := kit.VideoFrame(in.Text("aspectRatio"), in.Text("resolution"))
	length := in.Number("duration")
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		// Twice the size, for the camera moves in whole pixels of the image.
		path, err := w.Picture(kit.FitImage(img, width*2, height*2, "cover"))
		if err != nil {
			return nil, err
		}
		in.Report(5)
		filter := fmt.Sprintf("zoompan=%s:d=%d:s=%dx%d:fps=%d", camera(in.Text("motion"), in.Number("intensity")/100, int(length*frameRate)),
			int(length*frameRate), width, height, frameRate)
		return w.EncodeVideo(ctx, length, "animated", append(kit.StillInput(path), "-vf", filter)...)
	})
}

// camera is the path of a zoompan filter: zoom, and the corner of the view.
func camera(motion string, far float64, frames int) string {
	t := fmt.Sprintf("on/%d", max(1, frames-1))
	middleX, middleY := "(iw-iw/zoom)/2", "(ih-ih/zoom)/2"
	zoom, x, y := fmt.Sprintf("%.4f", 1+far), middleX, middleY
	switch motion {
	case "zoom-out":
		zoom = fmt.Sprintf("%.4f-%.4f*%s", 1+far, far, t)
	case "pan-right":
		x = "(iw-iw/zoom)*" + t
	case "pan-left":
		x = "(iw-iw/zoom)*(1-" + t + ")"
	case "pan-down":
		y = "(ih-ih/zoom)*" + t
	case "pan-up":
		y = "(ih-ih/zoom)*(1-" + t + ")"
	default:
		zoom = fmt.Sprintf("1+%.4f*%s", far, t)
	}
	return fmt.Sprintf("z='%s':x='%s':y='%s'", zoom, x, y)
}
