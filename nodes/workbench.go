package nodes

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

// workbench is a directory in which media programs work on copies of the
// inputs. It lives as long as one call.
type workbench struct {
	in  *Call
	dir string
	n   int
}

// source is a media file on the workbench, probed.
type source struct {
	path, demuxer string
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
	maxSeconds      = 600
	maxVideoPixels  = 16 << 20
	ffmpegTime      = 8 * time.Minute
	ffmpegPackage   = "ffmpeg"
	probeTime       = 30 * time.Second
	maxMediaSources = 10
)

// onWorkbench makes a workbench for f and clears it away.
func (in *Call) onWorkbench(f func(*workbench) (Output, error)) (Output, error) {
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return f(&workbench{in: in, dir: dir})
}

func (w *workbench) path(name string) string { return filepath.Join(w.dir, name) }

// fetch copies a media file onto the workbench; kind is video or audio, and
// for audio the sound of a video serves as well.
func (w *workbench) fetch(ctx context.Context, url, kind string) (source, error) {
	body, info, err := w.in.openSized(ctx, url, "", maxMediaBytes)
	if err != nil {
		return source{}, err
	}
	defer body.Close()
	return w.take(ctx, body, info.ContentType, kind)
}

// take copies an opened file onto the workbench and probes it.
func (w *workbench) take(ctx context.Context, body io.Reader, contentType, kind string) (source, error) {
	if mediatype.Demuxer(contentType) == "" {
		return source{}, notOfKind(kind, contentType)
	}
	s, err := w.copy(body, contentType)
	if err != nil {
		return s, notOpened(err, kind)
	}
	return s, s.probe(ctx, w.dir, kind)
}

// copy writes a media file of a sniffed type to the workbench.
func (w *workbench) copy(body io.Reader, contentType string) (source, error) {
	w.n++
	s := source{path: w.path("input" + strconv.Itoa(w.n)), demuxer: mediatype.Demuxer(contentType)}
	file, err := os.Create(s.path)
	if err != nil {
		return s, err
	}
	_, err = io.Copy(file, body)
	return s, errors.Join(err, file.Close())
}

// probe reads length and size, and refuses what would take too long.
func (s *source) probe(ctx context.Context, dir, kind string) error {
	if err := s.examine(ctx, dir); err != nil {
		return programFailure(err, kind)
	}
	return s.accept(kind)
}

func (s *source) accept(kind string) error {
	switch {
	case kind == "audio" && !s.HasAudio:
		return failf("The file holds no sound").hint("Use a sound, or a video that has one.")
	case kind == "video" && !s.HasVideo:
		return failf("The file holds no video").hint("It holds sound alone. %s", kindFormats["video"])
	case !(s.Duration > 0):
		return failf("The %s is empty", kind).hint("Upload it again, or choose another file.")
	case s.Duration > maxSeconds:
		return failf("The %s is longer than %d minutes", kind, maxSeconds/60).hint("Use a shorter one.")
	case s.SampleRate > mostSampleRate || s.Channels > mostChannels:
		return failf("The sound has %d Hz and %d channels; at most %d Hz and %d channels work", s.SampleRate, s.Channels, mostSampleRate, mostChannels)
	case kind == "video" && (s.Width > raster.MaxSide || s.Height > raster.MaxSide || s.Width*s.Height > maxVideoPixels):
		return failf("The video has %d × %d pixels, which is too large", s.Width, s.Height).hint("Use one of at most 4096 × 4096 pixels.")
	}
	return nil
}

// picture puts an image onto the workbench as PNG.
func (w *workbench) picture(img image.Image) (string, error) {
	w.n++
	path := w.path("picture" + strconv.Itoa(w.n) + ".png")
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return path, errors.Join(encoder.Encode(file, img), file.Close())
}

// input names a source for ffmpeg, with the options that keep it to this file.
func (s source) input() []string {
	return []string{"-protocol_whitelist", "file", "-f", s.demuxer, "-i", s.path}
}

// stillInput names a picture of the workbench for ffmpeg.
func stillInput(path string) []string {
	return []string{"-protocol_whitelist", "file", "-f", "png_pipe", "-i", path}
}

// ffmpeg runs ffmpeg up to an output of about the given length and reports its
// progress. Any argument that starts a file name is made by us.
func (w *workbench) ffmpeg(ctx context.Context, seconds float64, args ...string) error {
	return programFailure(w.encode(ctx, seconds, nil, args...), "file")
}

// encode is ffmpeg with a standard input, and its errors as they are.
func (w *workbench) encode(ctx context.Context, seconds float64, in io.Reader, args ...string) error {
	start := []string{"-nostdin", "-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1", "-y", "-threads", "2"}
	_, err := program.Command{
		Name: "ffmpeg", Package: ffmpegPackage, Dir: w.dir, Time: ffmpegTime,
		Args: slices.Concat(start, args), Stdin: in,
		Line: func(line string) {
			if us, found := strings.CutPrefix(line, "out_time_us="); found && seconds > 0 {
				if done, err := strconv.ParseFloat(us, 64); err == nil && done > 0 {
					w.in.progress(5 + int(90*done/1e6/seconds))
				}
			}
		},
	}.Run(ctx)
	return err
}

// programFailure turns the end of a media program into a Failure.
func programFailure(err error, kind string) error {
	var missing *program.Missing
	var failed *program.Failed
	switch {
	case errors.As(err, &missing):
		return failf("%s is not installed on this server", missing.Name).
			hint("Install the Debian package %s: apt-get install %s", missing.Package, missing.Package)
	case errors.As(err, &failed):
		slog.Info("a media program failed", "program", failed.Name, "complaint", failed.Complaint)
		if kind == "text" {
			return failf("The text could not be spoken").hint("Change the text, or choose another voice.")
		}
		return failf("The %s could not be processed", kind).hint("It may be damaged, cut off or in a form that this service does not read. Save it anew, as MP4, MP3 or PNG, and try again.")
	case errors.Is(err, program.ErrTooLong):
		return failf("The %s takes too long to process", kind).hint("Use a shorter or smaller one.")
	}
	return err
}

// save keeps a file of the workbench, probed for its length and size.
func (w *workbench) save(ctx context.Context, name, contentType string) (Output, error) {
	s := source{path: w.path(name), demuxer: mediatype.Demuxer(contentType)}
	if err := s.probe(ctx, w.dir, kindOf(contentType)); err != nil {
		return nil, err
	}
	return w.in.saveSource(ctx, name, contentType, s)
}

// seconds writes a time for ffmpeg.
func seconds(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// withoutTags exchanges a source whose tags tell of people or places for one without, and says of which type that is.
func (s *source) withoutTags(ctx context.Context, dir, contentType string) (string, error) {
	file, err := os.Open(s.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	size, err := sizeOf(file)
	if err != nil || !s.Personal && !hidesWords(file, size, s.demuxer) {
		return contentType, err
	}
	d := &door{dir: dir, file: file, size: size, Admitted: Admitted{MediaInfo: MediaInfo{ContentType: contentType}}}
	defer d.close()
	if err := d.untag(ctx, s); err != nil {
		return "", failureOf(err)
	}
	s.path, s.demuxer = d.file.Name(), mediatype.Demuxer(d.ContentType)
	return d.ContentType, nil
}

// saveSource keeps a file of the workbench as it is.
func (in *Call) saveSource(ctx context.Context, name, contentType string, s source) (Output, error) {
	file, err := os.Open(s.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	out, err := in.saveFile(ctx, name, contentType, file, s.Width, s.Height)
	if err == nil {
		out["duration"] = s.Duration
	}
	return out, err
}
