package nodes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/lottie"
	"atelier/nodes/program"
)

// The formats of a motion.
const (
	jsonFormat = "json"
	mp4Format  = "mp4"
	webmFormat = "webm"
	gifFormat  = "gif"
)

// The bounds of films of animations.
const (
	maxFilmSeconds = 60
	maxFilmRate    = 60 // frames a second
	usualGIFRate   = 25
	minFilmSide    = 16
	maxFilmPixels  = 2_000_000_000 // of all frames together
	maxGIFPixels   = 500_000_000
)

// transparent is a background that is none.
const transparent = "transparent"

func filmBackground() kit.Property {
	p := kit.Line("background", "Background", "Of the film: transparent, or a colour such as #ffffff. An mp4 has no transparency, and takes white for it.").Or(transparent)
	p.Schema.MaxLength = 40
	return p
}

// checkFilm refuses a film beyond the bounds, and a background that is none.
func checkFilm(prefix string, input, animation map[string]any) error {
	if format, _ := input["format"].(string); format == "" || format == jsonFormat {
		return nil
	}
	back, _ := input["background"].(string)
	if back != "" && back != transparent && !kit.IsColor(back) {
		return models.Invalid(prefix+"background", "must be transparent or a colour such as #3366ff")
	}
	if seconds := kit.LottieSeconds(animation); !(seconds <= maxFilmSeconds) {
		return models.Invalid(prefix+"motionPlan.animation.op", "makes it longer than %d seconds, which is the most for a film", maxFilmSeconds)
	}
	shot, most := shotOf(input, animation), maxFilmPixels
	if input["format"] == gifFormat {
		most = maxGIFPixels
	}
	if pixels := float64(shot.Frames) * float64(shot.Width) * float64(shot.Height); pixels > float64(most) {
		return models.Invalid(prefix+"width", "makes a film of %d frames with %d × %d pixels each, which is too much: make it smaller, or give it a lower frameRate",
			shot.Frames, shot.Width, shot.Height)
	}
	return nil
}

// shot is a film with its rate in frames a second.
type shot struct {
	lottie.Film
	rate float64
}

// shotOf is what is filmed of an animation of at most maxFilmSeconds.
func shotOf(input, animation map[string]any) shot {
	own, _ := kit.ToNumber(animation["fr"])
	rate, ok := kit.ToNumber(input["frameRate"])
	if !ok {
		rate = math.Max(1, math.Min(own, maxFilmRate))
		if input["format"] == gifFormat {
			rate = math.Max(1, math.Min(own, usualGIFRate))
		}
	}
	s := shot{rate: rate}
	s.Step = own / rate
	s.Frames = max(1, int(math.Round(kit.LottieSeconds(animation)*rate)))
	width, _ := kit.ToNumber(animation["w"])
	height, _ := kit.ToNumber(animation["h"])
	scale := 1.0
	if wanted, ok := kit.ToNumber(input["width"]); ok {
		scale = wanted / width
	}
	scale = math.Min(scale, lottie.MaxSide/math.Max(width, height))
	s.Width, s.Height = filmSide(width*scale), filmSide(height*scale)
	if back, ok := kit.ParseColor(textOf(input["background"])); ok {
		s.Background = &back
	} else if input["format"] == mp4Format {
		white, _ := kit.ParseColor("#ffffff")
		s.Background = &white
	}
	return s
}

func textOf(v any) string { s, _ := v.(string); return s }

// filmSide is a side that H.264 takes: even.
func filmSide(v float64) int {
	return max(minFilmSide, min(lottie.MaxSide, 2*int(math.Round(v/2))))
}

// filmInto films a document into the output. Where a program is missing, the output
// says so, and has no film.
func filmInto(ctx context.Context, in *kit.Call, animation map[string]any, document []byte, out kit.Output) error {
	prepared, warnings, err := lottie.Prepare(document)
	if err != nil {
		return filmFailure(ctx, err)
	}
	s := shotOf(in.Input, animation)
	s.Document = prepared
	made, err := in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) { return filmShot(ctx, w, s, in.Text("format")) })
	var missing *program.Missing
	switch {
	case errors.As(err, &missing):
		warnings = append(warnings, notFilmed(missing))
	case err != nil:
		return filmFailure(ctx, err)
	}
	maps.Copy(out, made)
	if made != nil {
		out["resultUrl"], out["frameRate"] = made["url"], s.rate
	}
	out["warnings"] = anyTexts(warnings)
	return nil
}

// notFilmed says what is missing for a film.
func notFilmed(missing *program.Missing) string {
	if missing.Package == lottie.Package && !lottie.Supported {
		return "The animation was not filmed, and is its document alone: this build of the service cannot film."
	}
	return fmt.Sprintf("The animation was not filmed, and is its document alone: %s is not installed on this server. Install the Debian package %s: apt-get install %s",
		missing.Name, missing.Package, missing.Package)
}

// filmFailure turns the end of a film into a Failure.
func filmFailure(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, lottie.ErrTooMuchText):
		return kit.Failf("The animation has too much text for a film").WithHint("Shorten its texts, or ask for the format json.")
	case errors.Is(err, lottie.ErrTooSlow):
		return kit.Failf("The animation takes too long to draw").WithHint("Make it simpler, smaller or shorter, or ask for the format json.")
	case errors.Is(err, lottie.ErrUnreadable):
		return kit.Failf("The animation cannot be drawn").
			WithHint("It may be damaged, or too large. Open it in a Lottie player and save it again, make it simpler, or ask for the format json.")
	}
	return kit.ProgramFailure(ctx, err, "animation")
}

// filmShot draws the frames and encodes them as they come.
func filmShot(ctx context.Context, w *kit.Workbench, s shot, format string) (kit.Output, error) {
	bound, stop := context.WithCancel(ctx)
	defer stop()
	frames, feed := io.Pipe()
	drawn := make(chan error, 1)
	go func() {
		err := s.Draw(bound, feed)
		feed.CloseWithError(err)
		drawn <- err
	}()
	name, length := "motion."+format, float64(s.Frames)/s.rate
	err := w.Encode(bound, length, frames, s.encoding(format, w.Path(name))...)
	stop()
	frames.CloseWithError(context.Canceled)
	if failed := <-drawn; failed != nil && !errors.Is(failed, context.Canceled) {
		return nil, failed
	}
	switch {
	case err != nil:
		return nil, err
	case format == gifFormat:
		return w.In.SaveSource(ctx, name, "image/gif", kit.Source{Path: w.Path(name), Width: s.Width, Height: s.Height, Duration: length})
	}
	return w.Save(ctx, name, "video/"+format)
}

// filmColors are those of high definition, which players take an unmarked video for.
var filmColors = []string{"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-map_metadata", "-1"}

// encoding is how ffmpeg makes a file of frames.
func (s shot) encoding(format, path string) []string {
	rate := strconv.FormatFloat(s.rate, 'f', 6, 64)
	args := []string{"-protocol_whitelist", "pipe", "-f", "rawvideo", "-pixel_format", "bgra", "-video_size", fmt.Sprintf("%dx%d", s.Width, s.Height),
		"-framerate", rate, "-i", "pipe:0", "-frames:v", strconv.Itoa(s.Frames)}
	switch format {
	case gifFormat: // a palette for each frame, so that none waits for the last
		args = append(args, "-filter_complex", "[0:v]split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:alpha_threshold=128:dither=bayer:bayer_scale=4", "-loop", "0")
	case webmFormat:
		args = slices.Concat(args, []string{"-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuva420p", "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0",
			"-deadline", "realtime", "-cpu-used", "6", "-row-mt", "1", "-auto-alt-ref", "0"}, filmColors)
	default:
		args = slices.Concat(args, []string{"-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"}, kit.VideoCodec, filmColors)
	}
	return append(args, path)
}
