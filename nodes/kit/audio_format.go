package kit

import (
	"context"
	"slices"
)

// audioFormat is how a sound is written.
type audioFormat struct {
	contentType string
	codec       []string
}

var audioFormats = map[string]audioFormat{
	"mp3":  {"audio/mpeg", []string{"-c:a", "libmp3lame", "-b:a", "192k"}},
	"wav":  {"audio/wav", []string{"-c:a", "pcm_s16le"}},
	"ogg":  {"audio/ogg", []string{"-c:a", "libvorbis", "-q:a", "5"}},
	"flac": {"audio/flac", []string{"-c:a", "flac"}},
	"m4a":  {"audio/mp4", []string{"-c:a", "aac", "-b:a", "192k"}},
}

func AudioFormatField() Property {
	return Choice("format", "Format", "Of the file that comes out.", "mp3", "wav", "ogg", "flac", "m4a")
}

// EncodeAudio runs ffmpeg with the arguments and keeps the sound in a format.
func (w *Workbench) EncodeAudio(ctx context.Context, length float64, name, format string, args ...string) (Output, error) {
	f := audioFormats[format]
	file := name + "." + format
	args = slices.Concat(args, f.codec, []string{"-vn", "-map_metadata", "-1", "-t", Seconds(MaxSeconds), w.Path(file)})
	if err := w.Ffmpeg(ctx, length, args...); err != nil {
		return nil, err
	}
	return w.Save(ctx, file, f.contentType)
}
