package kit

import (
	"context"
	"os"

	"atelier/mediatype"
	"atelier/nodes/raster"
)

// Measure reads the size of an image or a video as it is shown, and the length
// of a video or a sound, from a file whose type was sniffed. What cannot be
// read stays 0, for want of ffprobe as for a broken file. An image that no
// node could work on is validation_error.
func Measure(ctx context.Context, path, contentType string) (MediaInfo, error) {
	info := MediaInfo{ContentType: contentType}
	switch KindOf(contentType) {
	case "image":
		info.Width, info.Height = imageSize(path)
		if converts(contentType) {
			s, err := measureStreams(ctx, path, "video/mp4") // the same container
			if err != nil {
				return info, err
			}
			info.Width, info.Height = s.Width, s.Height
		}
		if err := raster.CheckSize(info.Width, info.Height); err != nil && info.Width > 0 {
			return info, invalidPicture("file", err)
		}
	case "video", "audio":
		s, err := measureStreams(ctx, path, contentType)
		if err != nil {
			return info, err
		}
		if s.HasVideo {
			info.Width, info.Height = s.Width, s.Height
		}
		if s.Duration <= MaxFile {
			info.Duration = s.Duration
		}
	}
	return info, nil
}

// MaxFile is the longest length in seconds that is believed of a file's head.
const MaxFile = 7 * 24 * 3600

// imageSize is the size of an image, turned upright; zero when it cannot be read.
func imageSize(path string) (width, height int) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0
	}
	defer file.Close()
	size, err := sizeOf(file)
	if err != nil {
		return 0, 0
	}
	head, _ := raster.Look(file, size) // which tells the size of one that is too large
	return head.Width, head.Height
}

// maxProbing is how many files of people are probed at once in a process.
const maxProbing = 4

// probing are the places for that, in turn of the accounts.
var probing = &places{free: maxProbing, most: maxProbing}

// measureStreams probes a file; one that ffprobe cannot read has nothing to
// tell. Only the end of the context is an error.
func measureStreams(ctx context.Context, path, contentType string) (Source, error) {
	s := Source{Path: path, Demuxer: mediatype.Demuxer(contentType)}
	if s.Demuxer == "" {
		return s, nil
	}
	release, err := probing.take(ctx, originOf(ctx))
	if err != nil {
		return s, err
	}
	defer release()
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(dir)
	if err := s.Examine(ctx, dir); err != nil {
		return Source{}, ctx.Err()
	}
	return s, nil
}

// TakeTurn waits, in turn of the accounts, until a file that a person sends may be looked at as a whole; release ends it.
func TakeTurn(ctx context.Context) (release func(), err error) {
	return probing.take(ctx, originOf(ctx))
}
