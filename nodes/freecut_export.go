package nodes

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
)

// maxClips is the longest timeline.
const maxClips = 20

// clipSchema is one entry of a timeline; a connected video becomes an entry
// with its address alone.
var clipSchema = kit.Object(
	kit.Address("url", "URL", "A video or an image.", "video").Required(),
	kit.Number("start", "From", "Second of the video from which it plays.", 0, kit.MaxSeconds).Or(0.0),
	kit.Number("end", "To", "Second of the video up to which it plays; the end when missing.", 0, kit.MaxSeconds),
	kit.Number("duration", "Duration", "Seconds for which an image stands, or a video plays at most.", 0.1, kit.MaxSeconds).Or(stillSeconds),
	kit.Number("volume", "Volume", "Of the video's own sound, in percent; 0 is silence.", 0, 200).Or(100.0),
	kit.Choice("fit", "Fit", "contain shows all of it with bars, cover fills the frame.", "contain", "cover"),
)

var trackSchema = kit.Object(
	kit.Address("url", "URL", "A sound that plays under the whole timeline.", "audio").Required(),
	kit.Number("start", "From", "Second of the sound from which it plays.", 0, kit.MaxSeconds).Or(0.0),
	kit.Number("volume", "Volume", "In percent.", 0, 200).Or(100.0),
	kit.Toggle("loop", "Loop", "Repeats a sound that is shorter than the timeline.", false),
)

// stillSeconds is how long an image stands when nothing else is said.
const stillSeconds = 3.0

var freecutExportNode = &kit.Node{
	Type: "freecut-export", Label: "Timeline export", Category: "video", OutputType: "video",
	Description:  "Cuts a timeline of videos and images together, with a sound under it.",
	Capabilities: []string{"video-to-video", "timeline"},
	InputSchema: kit.Object(
		kit.List("clips", "Clips", "One to twenty, in the order in which they play.", clipSchema, maxClips).AtLeast(1).Required().As("json"),
		kit.Property{Name: "audio", Schema: track()},
		kit.Integer("width", "Width", "In pixels; even.", 16, 1920).Or(1280.0),
		kit.Integer("height", "Height", "In pixels; even.", 16, 1920).Or(720.0),
		kit.Integer("fps", "Frame rate", "Pictures a second.", 1, 60).Or(30.0),
		kit.Tint("background", "Background", "Of the bars.", "#000000"),
		kit.List("captions", "Captions", "What is said in each clip, in their order: { text }, or the captions of another timeline export, which is one of the clips.", captionSchema, maxClips).As("json"),
	),
	Cost: 2 * models.Credit, MainInput: "clips", MainOutput: "videoUrl", Pool: kit.Media,
	Check: checkTimeline,
	Run:   exportTimeline,
}

func track() kit.Schema {
	s := trackSchema
	s.Title, s.Description, s.Control = "Audio", "{ url, start?, volume?, loop? }", "json"
	return s
}

// checkTimeline finds what the schema of the clips cannot say: figures out of
// range within them, and ends before their start.
func checkTimeline(prefix string, input map[string]any) error {
	clips, _ := input["clips"].([]any)
	for i, item := range clips {
		clip, _ := item.(map[string]any)
		at := prefix + "clips[" + strconv.Itoa(i) + "]."
		if err := checkRanges(at, clipSchema, clip); err != nil {
			return err
		}
		start, _ := kit.ToNumber(clip["start"])
		if end, ok := kit.ToNumber(clip["end"]); ok && end <= start {
			return models.Invalid(at+"end", "must be after start")
		}
	}
	audio, _ := input["audio"].(map[string]any)
	if err := checkRanges(prefix+"audio.", trackSchema, audio); err != nil {
		return err
	}
	return checkCaptions(prefix, input)
}

// checkRanges refuses numbers out of range, which are moved only at the top.
func checkRanges(prefix string, schema kit.Schema, fields map[string]any) error {
	for _, p := range schema.Properties {
		v, ok := kit.ToNumber(fields[p.Name])
		if ok && p.Schema.Minimum != nil && (v < *p.Schema.Minimum || v > *p.Schema.Maximum) {
			return models.Invalid(prefix+p.Name, "must be from %s to %s", kit.PlainNumber(*p.Schema.Minimum), kit.PlainNumber(*p.Schema.Maximum))
		}
	}
	return nil
}

// timeline is a filter graph that grows clip by clip.
type timeline struct {
	*kit.Workbench
	width, height, fps int
	ground             color.NRGBA
	inputs             []string
	graph, joined      strings.Builder
	clips, sources     int
	length             float64
	// lengths are those of the clips, in seconds.
	lengths []float64
}

func exportTimeline(ctx context.Context, in *kit.Call) (kit.Output, error) {
	ground, err := in.Color("background")
	if err != nil {
		return nil, err
	}
	return in.OnWorkbench(func(w *kit.Workbench) (kit.Output, error) {
		t := &timeline{Workbench: w, width: in.Integer("width") &^ 1, height: in.Integer("height") &^ 1, fps: in.Integer("fps"), ground: ground}
		for _, item := range in.List("clips") {
			clip, _ := item.(map[string]any)
			if err := t.add(ctx, &kit.Call{Input: clip, Media: in.Media}); err != nil {
				return nil, err
			}
		}
		if t.length > kit.MaxSeconds {
			return nil, kit.Failf("The timeline is longer than %d minutes", kit.MaxSeconds/60)
		}
		fmt.Fprintf(&t.graph, "%sconcat=n=%d:v=1:a=1[v][a]", t.joined.String(), t.clips)
		sound := "[a]"
		if audio := in.Object("audio"); audio != nil {
			if err := t.under(ctx, &kit.Call{Input: audio, Media: in.Media}); err != nil {
				return nil, err
			}
			sound = "[m]"
		}
		args := append(t.inputs, "-filter_complex", t.graph.String(), "-map", "[v]", "-map", sound)
		out, err := w.EncodeVideo(ctx, t.length, "export", args...)
		if err != nil || !in.Has("captions") {
			return out, err
		}
		return out, addCaptions(ctx, in, out, t.lengths)
	})
}

// add puts a clip at the end of the timeline.
func (t *timeline) add(ctx context.Context, clip *kit.Call) error {
	body, kind, err := clip.Open(ctx, clip.Text("url"), "", kit.MaxMediaBytes)
	if err != nil {
		return err
	}
	defer body.Close()
	if kit.KindOf(kind) == "image" {
		return t.addStill(ctx, clip, body, kind)
	}
	s, err := t.Take(ctx, body, kind, "video")
	if err != nil {
		return err
	}
	start, end := clip.Number("start"), s.Duration
	if clip.Has("end") {
		end = min(end, clip.Number("end"))
	}
	if clip.Has("duration") {
		end = min(end, start+clip.Number("duration"))
	}
	if end-start < 1/float64(t.fps) {
		return kit.Failf("Clip %d begins after the end of its video", t.clips+1).WithHint("The video is %.1f seconds long.", s.Duration)
	}
	t.inputs = append(t.inputs, slices.Concat([]string{"-ss", kit.Seconds(start), "-t", kit.Seconds(end - start)}, s.Input())...)
	sound := ""
	if s.HasAudio && volume(clip) > 0 {
		sound = fmt.Sprintf("[%d:a:0]%s,volume=%.3f,apad,atrim=duration=%s", t.sources, sameSound, volume(clip), kit.Seconds(end-start))
	}
	t.join(clip, "", sound, end-start)
	return nil
}

// addStill puts an image at the end of the timeline.
func (t *timeline) addStill(ctx context.Context, clip *kit.Call, body io.Reader, kind string) error {
	img, err := t.In.DecodeImage(ctx, body, kind)
	if err != nil {
		return err
	}
	path, err := t.Picture(kit.FitImage(img, min(2*t.width, img.Bounds().Dx()), min(2*t.height, img.Bounds().Dy()), "inside"))
	if err != nil {
		return err
	}
	t.inputs = append(t.inputs, kit.StillInput(path)...)
	t.join(clip, "loop=loop=-1:size=1,", "", cmp.Or(clip.Number("duration"), stillSeconds))
	return nil
}

// join brings the newest source to the timeline's frame, rate and sound.
func (t *timeline) join(clip *kit.Call, first, sound string, length float64) {
	frame := fmt.Sprintf("scale=%d:%d:force_original_aspect_ratio=decrease:force_divisible_by=2,pad=%d:%d:(ow-iw)/2:(oh-ih)/2:color=%s",
		t.width, t.height, t.width, t.height, ffmpegColor(t.ground))
	if clip.Text("fit") == "cover" {
		frame = fmt.Sprintf("scale=%d:%d:force_original_aspect_ratio=increase,crop=%d:%d", t.width, t.height, t.width, t.height)
	}
	if sound == "" {
		sound = "anullsrc=r=44100:cl=stereo,atrim=duration=" + kit.Seconds(length)
	}
	fmt.Fprintf(&t.graph, "[%d:v:0]%s%s,setsar=1,fps=%d,format=yuv420p,trim=duration=%s,setpts=PTS-STARTPTS[v%d];%s[a%d];",
		t.sources, first, frame, t.fps, kit.Seconds(length), t.clips, sound, t.clips)
	fmt.Fprintf(&t.joined, "[v%d][a%d]", t.clips, t.clips)
	t.clips++
	t.sources++
	t.length += length
	t.lengths = append(t.lengths, length)
}

// under lays a sound under the whole timeline.
func (t *timeline) under(ctx context.Context, audio *kit.Call) error {
	s, err := t.Fetch(ctx, audio.Text("url"), "audio")
	if err != nil {
		return err
	}
	if audio.Number("start") >= s.Duration {
		return kit.Failf("The audio begins after its end").WithHint("It is %.1f seconds long.", s.Duration)
	}
	if audio.Flag("loop") {
		t.inputs = append(t.inputs, "-stream_loop", "-1")
	}
	t.inputs = append(t.inputs, slices.Concat([]string{"-ss", kit.Seconds(audio.Number("start"))}, s.Input())...)
	fmt.Fprintf(&t.graph, ";[%d:a:0]%s,volume=%.3f,apad,atrim=duration=%s[u];[a][u]amix=inputs=2:duration=first:normalize=0,alimiter=limit=0.97[m]",
		t.sources, sameSound, volume(audio), kit.Seconds(t.length))
	return nil
}

// volume is a share of the full volume, which it is when nothing is said.
func volume(in *kit.Call) float64 {
	if !in.Has("volume") {
		return 1
	}
	return in.Number("volume") / 100
}
