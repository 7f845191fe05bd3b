package nodes

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"

	"atelier/models"
	"atelier/nodes/kit"
)

var waveformVideoNode = &kit.Node{
	Type: "waveform-video", Label: "Waveform video", Category: "video", OutputType: "video",
	Description:  "Makes a sound visible as a moving wave, on a colour or an image.",
	Capabilities: []string{"audio-to-video"},
	InputSchema: kit.Object(
		kit.Address("audioUrl", "Audio", "The sound.", "audio").Required(),
		kit.Choice("style", "Style", "How the wave is drawn.", "mirror", "line", "dots", "bars"),
		kit.Tint("waveColor", "Colour of the wave", "Colour that moves with the sound.", "#ffd166"),
		kit.Tint("background", "Background", "Colour behind the wave.", "#14213d"),
		kit.Address("imageUrl", "Image", "Lies behind the wave.", "image"),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "1:1", "9:16", "4:3", "3:4"),
		kit.VideoResolution(),
	),
	Cost: 2 * models.Credit, MainInput: "audioUrl", MainOutput: "videoUrl", Pool: kit.Media,
	Run: waveformVideo,
}

// waves are the filters that draw a sound, by style.
var waves = map[string]string{
	"mirror": "showwaves=mode=cline:scale=sqrt:draw=full", "line": "showwaves=mode=p2p:scale=sqrt:draw=full",
	"dots": "showwaves=mode=point:scale=sqrt:draw=full", "bars": "showfreqs=mode=bar:ascale=log:fscale=log:win_size=2048",
}

func waveformVideo(ctx context.Context, in *kit.Call) (kit.Output, error) {
	wave, err := in.Color("waveColor")
	if err != nil {
		return nil, err
	}
	width, height := kit.VideoFrame(in.Text("aspectRatio"), in.Text("resolution"))
	ground, err := waveGround(ctx, in, width, height)
	if err != nil {
		return nil, err
	}
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		s, err := w.Fetch(ctx, in.Text("audioUrl"), "audio")
		if err != nil {
			return nil, err
		}
		path, err := w.Picture(ground)
		if err != nil {
			return nil, err
		}
		band := height * 2 / 5 &^ 1
		graph := fmt.Sprintf("[1:a:0]asplit[x][y];[x]aformat=channel_layouts=mono,%s:s=%dx%d:rate=%d:colors=%s,format=rgba[w];"+
			"[0:v]loop=loop=-1:size=1,fps=%d[g];[g][w]overlay=0:(H-h)/2:shortest=1,format=yuv420p[v]",
			waves[in.Text("style")], width, band, frameRate, ffmpegColor(wave), frameRate)
		args := slices.Concat(kit.StillInput(path), s.Input(), []string{"-filter_complex", graph, "-map", "[v]", "-map", "[y]"})
		return w.EncodeVideo(ctx, s.Duration, "waveform", args...)
	})
}

// waveGround is the picture behind the wave.
func waveGround(ctx context.Context, in *kit.Call, width, height int) (image.Image, error) {
	if url := in.Text("imageUrl"); url != "" {
		img, err := in.ReadImage(ctx, url)
		if err != nil {
			return nil, err
		}
		return kit.FitImage(img, width, height, "cover"), nil
	}
	back, err := in.Color("background")
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Bounds(), image.NewUniform(back), image.Point{}, draw.Src)
	return img, nil
}

// ffmpegColor writes a color the way ffmpeg's filters read it.
func ffmpegColor(c color.NRGBA) string { return fmt.Sprintf("0x%02x%02x%02x%02x", c.R, c.G, c.B, c.A) }
