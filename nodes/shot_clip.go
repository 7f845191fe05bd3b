package nodes

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font/gofont/gobold"

	"atelier/models"
	"atelier/nodes/kit"
)

var shotClipNode = &kit.Node{
	Type: "shot-clip", Label: "Shot", Category: "video", OutputType: "video",
	Description:  "Makes a shot of a film: a picture that the camera moves over, what is said, and a caption, in one encoding.",
	Capabilities: []string{"image-to-video", "storyboard"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The picture of the shot.", "image").Required(),
		kit.Address("audioUrl", "Audio", "What is said or heard.", "audio"),
		kit.Area("prompt", "Prompt", "What is seen; for people, nothing is drawn of it."),
		kit.Number("duration", "Duration", "In seconds; empty takes the sound and 0.6 seconds, without a sound 4. No shot ends before its sound.", 1, 30),
		kit.Choice("movement", "Movement", "How the camera moves.", "static", "push-in", "pull-out", "pan-left", "pan-right", "tilt-up", "tilt-down"),
		kit.ShortText("caption", "Caption", "Words in the picture (Latin, Greek or Cyrillic letters).", maxCaption).Or(""),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "9:16", "1:1", "4:3", "3:4"),
		kit.VideoResolution(),
	),
	Cost: 4 * models.Credit, MainInput: "imageUrl", MainOutput: "videoUrl", Pool: kit.Media,
	Run: makeShot,
}

const (
	maxCaption = 400
	// The lengths of shots in seconds.
	maxShot      = 60.0
	silentShot   = 4.0
	afterSpeech  = 0.6
	shotMovement = 0.2 // how far the camera moves, as part of the picture
)

// cameraMotions are the motions of animate-image by the names of a shot's movements.
var cameraMotions = map[string]string{
	"push-in": "zoom-in", "pull-out": "zoom-out", "pan-left": "pan-left", "pan-right": "pan-right", "tilt-up": "pan-up", "tilt-down": "pan-down",
}

func makeShot(ctx context.Context, in *kit.Call) (kit.Output, error) {
	img, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	width, height := kit.VideoFrame(in.Text("aspectRatio"), in.Text("resolution"))
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		sound := kit.Source{}
		if address := in.Text("audioUrl"); address != "" {
			if sound, err = w.Fetch(ctx, address, "audio"); err != nil {
				return nil, err
			}
		}
		length := shotLength(in.Number("duration"), sound.Duration)
		if length > maxShot {
			return nil, kit.Failf("The sound is too long for a shot").WithHint("A shot lasts at most %.0f seconds. Break it up.", maxShot)
		}
		path, err := w.Picture(kit.FitImage(img, width*2, height*2, "cover"))
		if err != nil {
			return nil, err
		}
		in.Report(5)
		frames, far, motion := int(length*frameRate+0.5), shotMovement, cameraMotions[in.Text("movement")]
		if motion == "" {
			far = 0
		}
		graph := fmt.Sprintf("[0:v]zoompan=%s:d=%d:s=%dx%d:fps=%d,setsar=1[v]", camera(motion, far, frames), frames, width, height, frameRate)
		inputs, picture, count := kit.StillInput(path), "[v]", 1
		caption, warning, err := captionPicture(in.Text("caption"), width, height)
		if err != nil {
			return nil, err
		}
		if caption != nil {
			layer, err := w.Picture(caption)
			if err != nil {
				return nil, err
			}
			inputs = append(inputs, kit.StillInput(layer)...)
			graph += ";[v][1:v]overlay=0:0[c]"
			picture, count = "[c]", 2
		}
		if sound.HasAudio {
			inputs = append(inputs, sound.Input()...)
			graph += fmt.Sprintf(";[%d:a:0]%s,apad[a]", count, sameSound)
		} else {
			graph += ";anullsrc=r=44100:cl=stereo[a]"
		}
		out, err := w.EncodeVideo(ctx, length, "shot", slices.Concat(inputs, []string{"-filter_complex", graph, "-map", picture, "-map", "[a]"})...)
		if err == nil && warning != "" {
			out["warnings"] = []any{warning}
		}
		return out, err
	})
}

// shotLength is how long a shot lasts of which so many seconds are asked for, 0 for none, and that sounds so long.
func shotLength(asked, sound float64) float64 {
	switch {
	case asked > 0:
		return max(asked, sound)
	case sound > 0:
		return sound + afterSpeech
	}
	return silentShot
}

// captionPicture sets a caption at the foot of a clear picture, on a dark ground; nil for none. A caption
// with letters that cannot be shown would say something else: it is left out, and the warning says so.
func captionPicture(caption string, width, height int) (img image.Image, warning string, err error) {
	text, missing := kit.CardText(strings.Join(strings.Fields(caption), " "))
	if letters := kit.OnlyLetters(missing); len(letters) > 0 {
		return nil, "The caption was left out: it has letters that cannot be shown, such as " + letters[0], nil
	}
	if text == "" {
		return nil, "", nil
	}
	dc := gg.NewContext(width, height)
	w, h := float64(width), float64(height)
	box := w * 0.88
	for size := min(w, h) * 0.05; ; size *= 0.92 {
		if err := setFace(dc, gobold.TTF, size); err != nil {
			return nil, "", err
		}
		lines := dc.WordWrap(broken(dc, text, box), box)
		step := dc.FontHeight() * 1.35
		tall := step * float64(len(lines))
		if tall > h*0.4 && size > min(w, h)*0.02 {
			continue
		}
		top := h*0.95 - tall
		for i, l := range lines {
			l = strings.TrimRight(l, " ")
			wide, _ := dc.MeasureString(l)
			y := top + step*(float64(i)+0.5)
			dc.SetRGBA(0, 0, 0, 0.6)
			dc.DrawRectangle(w/2-wide/2-size*0.4, y-step/2, wide+size*0.8, step)
			dc.Fill()
			dc.SetRGB(1, 1, 1)
			dc.DrawStringAnchored(l, w/2, y, 0.5, 0.35)
		}
		return dc.Image(), "", nil
	}
}
