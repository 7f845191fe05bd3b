package kit

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/clean"
	"atelier/nodes/raster"
)

// Admitted is what becomes of a file at the door.
type Admitted struct {
	// MediaInfo has its type and its measures.
	MediaInfo
	// File is kept instead of what came; nil keeps that. The taker removes it.
	File *os.File
}

// The bounds of an animation that a client sends: its pictures, and the pixels of all of them.
const (
	maxFrames      = 10_000
	maxFramePixels = 4_000_000_000
)

// Admit makes of a file that a person sends what the service keeps: of a sniffed type of mediatype.All, or a ZIP. Pictures
// lose what they tell of people and places and are turned upright, those that browsers do not show become JPEG or PNG;
// videos and sounds are judged by their streams and lose their tags; an archive of a Lottie becomes its animation. Refusals
// name the field file.
func Admit(ctx context.Context, file *os.File, size int64, contentType string) (*Admitted, error) {
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	d := &door{dir: dir, file: file, size: size, Admitted: Admitted{MediaInfo: MediaInfo{ContentType: contentType}}}
	switch kind := mediatype.Kind(contentType); {
	case kind == "image":
		err = d.picture(ctx)
	case kind == "video", kind == "audio":
		err = d.streams(ctx)
	case contentType == mediatype.ZIP:
		err = d.archive(ctx)
	}
	if err == nil && d.file != file {
		err = d.moveOut()
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return &d.Admitted, nil
}

// door is a file on its way in: file is how it stands, in dir once it was written again.
type door struct {
	Admitted
	dir  string
	file *os.File
	size int64
	own  []*os.File
}

func (d *door) close() {
	for _, file := range d.own {
		file.Close()
	}
}

// become goes on with a file that was written again.
func (d *door) become(file *os.File, contentType string) error {
	d.own = append(d.own, file)
	size, err := sizeOf(file)
	d.file, d.size, d.ContentType = file, size, contentType
	return err
}

// rewrite has fn write the file again.
func (d *door) rewrite(contentType string, fn func(io.Writer) error) error {
	file, err := rewritten(d.dir, fn)
	if err != nil {
		return err
	}
	return d.become(file, contentType)
}

// moveOut takes the file out of the folder, which goes.
func (d *door) moveOut() error {
	place, err := os.CreateTemp("", "atelier-media-*")
	if err != nil {
		return err
	}
	place.Close()
	if err := os.Rename(d.file.Name(), place.Name()); err != nil {
		return errors.Join(err, os.Remove(place.Name()))
	}
	d.File, err = os.OpenFile(place.Name(), os.O_RDWR, 0)
	d.Size = d.size
	d.close()
	return err
}

func (d *door) picture(ctx context.Context) error {
	upright := false
	switch kind := d.ContentType; {
	case converts(kind):
		still, err := toStill(ctx, d.dir, d.file, kind)
		if err != nil {
			return notTaken(err, kind)
		}
		becomes, err := sniffFile(still)
		if err != nil {
			return err
		}
		if err := d.become(still, becomes); err != nil {
			return err
		}
		upright = true
	case kind == mediatype.TIFF:
		if err := d.encode(ctx, false); err != nil {
			return invalidPicture("file", err)
		}
	}
	head, err := raster.Look(d.file, d.size)
	if err != nil {
		return invalidPicture("file", err)
	}
	d.Width, d.Height = head.Width, head.Height
	if upright && head.Orientation > 4 {
		d.Width, d.Height = head.Height, head.Width
	}
	if err := d.strip(ctx, head, upright); err != nil {
		return err
	}
	if d.size > raster.MaxBytes {
		return invalidPicture("file", raster.ErrTooManyBytes)
	}
	return nil
}

// strip takes out what a picture tells, and turns it the way its Exif block says.
func (d *door) strip(ctx context.Context, head raster.Head, upright bool) error {
	plan, err := clean.Look(d.file, d.size, d.ContentType)
	if err != nil {
		return invalidPicture("file", raster.ErrUnreadable)
	}
	if plan.Frames > maxFrames || plan.Frames > 1 && plan.Pixels > maxFramePixels {
		return models.Invalid("file", "is an animation of %d pictures; at most %d, with %d megapixels in all, work", plan.Frames, maxFrames, maxFramePixels/1_000_000)
	}
	if head.Orientation > 1 && !upright && plan.Frames <= 1 {
		profile, err := plan.Profile(d.file)
		if err != nil {
			return err
		}
		if err := d.encode(ctx, head.Format != "jpeg"); err != nil {
			return invalidPicture("file", err)
		}
		if profile == nil || d.ContentType != mediatype.JPEG {
			return nil
		}
		plan = clean.Insert(d.size, profile)
	}
	if !plan.Changes() {
		return nil
	}
	from := d.file
	return d.rewrite(d.ContentType, func(w io.Writer) error { return plan.Write(w, from) })
}

// encode writes the picture again, upright, in a child.
func (d *door) encode(ctx context.Context, lossless bool) error {
	release, err := decoding.take(ctx, originOf(ctx))
	if err != nil {
		return err
	}
	defer release()
	from, size, becomes := d.file, d.size, ""
	err = d.rewrite("", func(w io.Writer) (err error) {
		becomes, err = raster.Encode(ctx, from, size, lossless, w)
		return err
	})
	d.ContentType = becomes
	return err
}

// The bounds of a sound that a client sends.
const (
	maxSampleRate = 768_000
	maxChannels   = 64
)

// streams judges a video or a sound by what is in it. What no program here can read stays as it is.
func (d *door) streams(ctx context.Context) error {
	release, err := probing.take(ctx, originOf(ctx))
	if err != nil {
		return err
	}
	defer release()
	s := Source{Path: d.file.Name(), Demuxer: mediatype.Demuxer(d.ContentType)}
	if err := s.Examine(ctx, d.dir); err != nil {
		return ctx.Err()
	}
	if s.HasVideo || s.HasAudio {
		d.ContentType = mediatype.ByStreams(d.ContentType, s.HasVideo)
	}
	if s.HasVideo {
		if err := raster.CheckSize(s.Width, s.Height); err != nil && s.Width > 0 {
			return invalidPicture("file", err)
		}
		d.Width, d.Height = s.Width, s.Height
	}
	if s.SampleRate > maxSampleRate || s.Channels > maxChannels {
		return models.Invalid("file", "holds a sound of %d Hz and %d channels; at most %d Hz and %d channels work", s.SampleRate, s.Channels, maxSampleRate, maxChannels)
	}
	if s.Duration <= MaxFile {
		d.Duration = s.Duration
	}
	if s.Personal || hidesWords(d.file, d.size, s.Demuxer) {
		return d.untag(ctx, &s)
	}
	return nil
}

// untag copies the streams of a video or a sound into a file without tags. A container that cannot
// take them is exchanged for one that can.
func (d *door) untag(ctx context.Context, s *Source) error {
	for _, muxer := range muxers[d.ContentType] {
		out := d.dir + "/untagged." + muxer
		if err := s.copyStreams(ctx, d.dir, muxer, out); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		}
		file, err := os.Open(out)
		if err != nil {
			return err
		}
		becomes, err := sniffFile(file)
		if err != nil {
			file.Close()
			return err
		}
		return d.become(file, mediatype.ByStreams(becomes, s.HasVideo))
	}
	return models.Invalid("file", "tells where or by whom it was taken, and that cannot be taken out: save it again, as MP4 or MP3")
}

// muxers are ffmpeg's writers of a type, the next one where the first cannot take the streams.
var muxers = map[string][]string{
	"video/mp4": {"mp4", "mov"}, "video/quicktime": {"mov"}, "video/webm": {"webm", "matroska"}, "video/x-matroska": {"matroska"},
	"video/ogg": {"ogg", "matroska"}, "video/avi": {"avi", "matroska"},
	"audio/mpeg": {"mp3"}, "audio/wav": {"wav"}, "audio/ogg": {"ogg", "matroska"}, "audio/flac": {"flac"}, "audio/aac": {"adts"},
	"audio/mp4": {"ipod", "mp4", "mov"}, "audio/webm": {"webm", "matroska"}, "audio/x-matroska": {"matroska"}, "audio/aiff": {"aiff"},
}

// copyStreams writes the pictures, sounds and subtitles of a source as they are, without tags.
func (s *Source) copyStreams(ctx context.Context, dir, muxer, out string) error {
	args := append([]string{"-nostdin", "-v", "error", "-y"}, s.Input()...)
	args = append(args, "-map", "0:V?", "-map", "0:a?", "-map_metadata", "-1", "-c", "copy", "-fflags", "+bitexact", "-flags", "+bitexact")
	if slices.Contains([]string{"mp4", "mov", "ipod"}, muxer) {
		args = append(args, "-movflags", "+faststart", "-write_tmcd", "0")
	}
	if muxer == "mp3" {
		args = append(args, "-id3v2_version", "0")
	}
	return runFFmpeg(ctx, dir, append(args, "-f", muxer, out))
}
