package kit

import (
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"atelier/mediatype"
	"atelier/nodes/program"
	"atelier/nodes/raster"
)

// Workbench is a directory in which media programs work on copies of the
// inputs. It lives as long as one call.
type Workbench struct {
	In  *Call
	Dir string
	n   int
}

// Source is a media file on the workbench, probed.
type Source struct {
	Path, Demuxer string
	Width, Height int
	Duration      float64 // seconds
	HasAudio      bool
	HasVideo      bool
	// SampleRate and Channels are the largest of its sounds.
	SampleRate, Channels int
	// Personal tells that it holds tags, pictures or data beside what is seen and heard.
	Personal bool
}

const (
	MaxSeconds      = 600
	maxVideoPixels  = 16 << 20
	FfmpegTime      = 8 * time.Minute
	ffmpegPackage   = "ffmpeg"
	probeTime       = 30 * time.Second
	MaxMediaSources = 10
)

// OnWorkbench makes a workbench for f and clears it away.
func (in *Call) OnWorkbench(f func(*Workbench) (Output, error)) (Output, error) {
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return f(&Workbench{In: in, Dir: dir})
}

func (w *Workbench) Path(name string) string { return filepath.Join(w.Dir, name) }

// Fetch copies a media file onto the workbench; kind is video or audio, and
// for audio the sound of a video serves as well.
func (w *Workbench) Fetch(ctx context.Context, url, kind string) (Source, error) {
	body, info, err := w.In.OpenSized(ctx, url, "", MaxMediaBytes)
	if err != nil {
		return Source{}, err
	}
	defer body.Close()
	return w.Take(ctx, body, info.ContentType, kind)
}

// Take copies an opened file onto the workbench and probes it.
func (w *Workbench) Take(ctx context.Context, body io.Reader, contentType, kind string) (Source, error) {
	if mediatype.Demuxer(contentType) == "" {
		return Source{}, notOfKind(kind, contentType)
	}
	s, err := w.Copy(body, contentType)
	if err != nil {
		return s, NotOpened(err, kind)
	}
	return s, s.probe(ctx, w.Dir, kind)
}

// Copy writes a media file of a sniffed type to the workbench.
func (w *Workbench) Copy(body io.Reader, contentType string) (Source, error) {
	w.n++
	s := Source{Path: w.Path("input" + strconv.Itoa(w.n)), Demuxer: mediatype.Demuxer(contentType)}
	file, err := os.Create(s.Path)
	if err != nil {
		return s, err
	}
	_, err = io.Copy(file, body)
	return s, errors.Join(err, file.Close())
}

// probe reads length and size, and refuses what would take too long.
func (s *Source) probe(ctx context.Context, dir, kind string) error {
	if err := s.Examine(ctx, dir); err != nil {
		return ProgramFailure(ctx, err, kind)
	}
	return s.accept(kind)
}

func (s *Source) accept(kind string) error {
	switch {
	case kind == "audio" && !s.HasAudio:
		return Failf("The file holds no sound").WithHint("Use a sound, or a video that has one.")
	case kind == "video" && !s.HasVideo:
		return Failf("The file holds no video").WithHint("It holds sound alone. %s", KindFormats["video"])
	case !(s.Duration > 0):
		return Failf("The %s is empty", kind).WithHint("Upload it again, or choose another file.")
	case s.Duration > MaxSeconds:
		return Failf("The %s is longer than %d minutes", kind, MaxSeconds/60).WithHint("Use a shorter one.")
	case s.SampleRate > maxSampleRate || s.Channels > maxChannels:
		return Failf("The sound has %d Hz and %d channels; at most %d Hz and %d channels work", s.SampleRate, s.Channels, maxSampleRate, maxChannels)
	case kind == "video" && (s.Width > raster.MaxSide || s.Height > raster.MaxSide || s.Width*s.Height > maxVideoPixels):
		return Failf("The video has %d × %d pixels, which is too large", s.Width, s.Height).WithHint("Use one of at most 4096 × 4096 pixels.")
	}
	return nil
}

// Picture puts an image onto the workbench as PNG.
func (w *Workbench) Picture(img image.Image) (string, error) {
	w.n++
	path := w.Path("picture" + strconv.Itoa(w.n) + ".png")
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return path, errors.Join(encoder.Encode(file, img), file.Close())
}

// Input names a source for ffmpeg, with the options that keep it to this file.
func (s Source) Input() []string {
	return []string{"-protocol_whitelist", "file", "-f", s.Demuxer, "-i", s.Path}
}

// StillInput names a picture of the workbench for ffmpeg.
func StillInput(path string) []string {
	return []string{"-protocol_whitelist", "file", "-f", "png_pipe", "-i", path}
}

// Ffmpeg runs ffmpeg up to an output of about the given length and reports its
// progress. Any argument that starts a file name is made by us.
func (w *Workbench) Ffmpeg(ctx context.Context, seconds float64, args ...string) error {
	return ProgramFailure(ctx, w.Encode(ctx, seconds, nil, args...), "file")
}

// Encode is ffmpeg with a standard input, and its errors as they are.
func (w *Workbench) Encode(ctx context.Context, seconds float64, in io.Reader, args ...string) error {
	start := []string{"-nostdin", "-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1", "-y", "-threads", "2"}
	_, err := program.Command{
		Name: "ffmpeg", Package: ffmpegPackage, Dir: w.Dir, Time: FfmpegTime,
		Args: slices.Concat(start, args), Stdin: in,
		Line: func(line string) {
			if us, found := strings.CutPrefix(line, "out_time_us="); found && seconds > 0 {
				if done, err := strconv.ParseFloat(us, 64); err == nil && done > 0 {
					w.In.Report(5 + int(90*done/1e6/seconds))
				}
			}
		},
	}.Run(ctx)
	return err
}

// ProgramFailure turns the end of a media program into a Failure.
func ProgramFailure(ctx context.Context, err error, kind string) error {
	var missing *program.Missing
	var failed *program.Failed
	switch {
	case errors.As(err, &missing):
		return Failf("%s is not installed on this server", missing.Name).
			WithHint("Install the Debian package %s: apt-get install %s", missing.Package, missing.Package)
	case errors.As(err, &failed):
		slog.InfoContext(ctx, "a media program failed", "program", failed.Name, "complaint", failed.Complaint)
		if kind == "text" {
			return Failf("The text could not be spoken").WithHint("Change the text, or choose another voice.")
		}
		return Failf("The %s could not be processed", kind).WithHint("It may be damaged, cut off or in a form that this service does not read. Save it again, as MP4, MP3 or PNG, and try again.")
	case errors.Is(err, program.ErrTooLong):
		return Failf("The %s takes too long to process", kind).WithHint("Use a shorter or smaller one.")
	}
	return err
}

// Save keeps a file of the workbench, probed for its length and size.
func (w *Workbench) Save(ctx context.Context, name, contentType string) (Output, error) {
	s := Source{Path: w.Path(name), Demuxer: mediatype.Demuxer(contentType)}
	if err := s.probe(ctx, w.Dir, KindOf(contentType)); err != nil {
		return nil, err
	}
	return w.In.SaveSource(ctx, name, contentType, s)
}

// Seconds writes a time for ffmpeg.
func Seconds(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// WithoutTags exchanges a source whose tags tell of people or places for one without, and says of which type that is.
func (s *Source) WithoutTags(ctx context.Context, dir, contentType string) (string, error) {
	file, err := os.Open(s.Path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	size, err := sizeOf(file)
	if err != nil || !s.Personal && !hidesWords(file, size, s.Demuxer) {
		return contentType, err
	}
	d := &door{dir: dir, file: file, size: size, Admitted: Admitted{MediaInfo: MediaInfo{ContentType: contentType}}}
	defer d.close()
	if err := d.untag(ctx, s); err != nil {
		return "", FailureOf(err)
	}
	s.Path, s.Demuxer = d.file.Name(), mediatype.Demuxer(d.ContentType)
	return d.ContentType, nil
}

// SaveSource keeps a file of the workbench as it is.
func (in *Call) SaveSource(ctx context.Context, name, contentType string, s Source) (Output, error) {
	file, err := os.Open(s.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	out, err := in.SaveFile(ctx, name, contentType, file, s.Width, s.Height)
	if err == nil {
		out["duration"] = s.Duration
	}
	return out, err
}
