package nodes

import (
	"bufio"
	"context"
	"image"
	"io"
	"os"

	"atelier/models"
)

// Measure reads the size of an image or a video as it is shown, and the length
// of a video or a sound, from a file whose type was sniffed. What cannot be
// read stays 0, for want of ffprobe as for a broken file. An image that no
// node could work on is validation_error.
func Measure(ctx context.Context, path, contentType string) (MediaInfo, error) {
	info := MediaInfo{ContentType: contentType}
	switch kindOf(contentType) {
	case "image":
		info.Width, info.Height = imageSize(path)
		if contentType == "image/avif" || contentType == "image/heic" {
			s, err := measureStreams(ctx, path, "video/mp4") // the same container
			if err != nil {
				return info, err
			}
			info.Width, info.Height = s.Width, s.Height
		}
		if int64(info.Width)*int64(info.Height) > maxPixels {
			return info, models.Invalid("file", "has %d × %d pixels; at most 64 megapixels work", info.Width, info.Height)
		}
	case "video", "audio":
		s, err := measureStreams(ctx, path, contentType)
		if err != nil {
			return info, err
		}
		if s.HasVideo {
			info.Width, info.Height = s.Width, s.Height
		}
		if s.Duration <= longestFile {
			info.Duration = s.Duration
		}
	}
	return info, nil
}

// longestFile is the longest length in seconds that is believed of a file's head.
const longestFile = 7 * 24 * 3600

// imageSize is the size of an image, turned upright; zero when it cannot be read.
func imageSize(path string) (width, height int) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0
	}
	defer file.Close()
	config, format, err := image.DecodeConfig(bufio.NewReader(file))
	if err != nil {
		return 0, 0
	}
	if format == "jpeg" {
		head := make([]byte, 256<<10)
		n, _ := io.ReadFull(io.NewSectionReader(file, 0, int64(len(head))), head)
		if exifOrientation(head[:n]) > 4 {
			return config.Height, config.Width
		}
	}
	return config.Width, config.Height
}

// probing bounds how many files of people are probed at once in a process.
var probing = make(chan struct{}, 4)

// measureStreams probes a file; one that ffprobe cannot read has nothing to
// tell. Only the end of the context is an error.
func measureStreams(ctx context.Context, path, contentType string) (source, error) {
	s := source{path: path, demuxer: demuxers[contentType]}
	if s.demuxer == "" {
		return s, nil
	}
	select {
	case probing <- struct{}{}:
		defer func() { <-probing }()
	case <-ctx.Done():
		return s, ctx.Err()
	}
	dir, err := os.MkdirTemp("", "atelier-media-")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(dir)
	if err := s.examine(ctx, dir); err != nil {
		return source{}, ctx.Err()
	}
	return s, nil
}
