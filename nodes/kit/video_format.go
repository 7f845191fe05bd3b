package kit

import (
	"context"
	"fmt"
)

// videoSizes are the shorter sides by resolution, in pixels.
var videoSizes = map[string]int{"480p": 480, "720p": 720, "1080p": 1080}

func VideoResolution() Property {
	return Choice("resolution", "Resolution", "Length of the shorter side in pixels.", "720p", "480p", "1080p")
}

// VideoFrame returns width and height of a video in pixels, by its aspect ratio and its resolution; both are even, as
// H.264 needs them.
func VideoFrame(ratio, resolution string) (width, height int) {
	short := videoSizes[resolution]
	w, h := FrameSize(ratio, 10_000)
	return w * short / min(w, h) &^ 1, h * short / min(w, h) &^ 1
}

// VideoCodec writes H.264 that every browser plays, without the metadata of
// the sources, which may tell more than their owners think.
var VideoCodec = []string{
	"-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-pix_fmt", "yuv420p",
	"-c:a", "aac", "-b:a", "160k", "-ar", "44100", "-ac", "2", "-movflags", "+faststart", "-map_metadata", "-1",
}

// EvenSize makes odd sides even by a pixel less.
const EvenSize = "scale=trunc(iw/2)*2:trunc(ih/2)*2"

// Fitted is a filter that fits a video into a frame with black bars.
func Fitted(width, height int) string {
	return fmt.Sprintf("scale=%d:%d:force_original_aspect_ratio=decrease:force_divisible_by=2,pad=%d:%d:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=30,format=yuv420p",
		width, height, width, height)
}

// EncodeVideo runs ffmpeg with the arguments and keeps the video as MP4.
func (w *Workbench) EncodeVideo(ctx context.Context, length float64, name string, args ...string) (Output, error) {
	args = append(append(args, VideoCodec...), "-t", Seconds(length), w.Path(name+".mp4"))
	if err := w.Ffmpeg(ctx, length, args...); err != nil {
		return nil, err
	}
	return w.Save(ctx, name+".mp4", "video/mp4")
}

// LongSides are the pixels of the longer side by resolution.
var LongSides = map[string]int{"1K": 1024, "2K": 2048, "4K": 4096}

// FrameSize is width and height of an aspect ratio with the given longer side.
func FrameSize(ratio string, long int) (int, int) {
	switch ratio {
	case "16:9":
		return long, long * 9 / 16
	case "9:16":
		return long * 9 / 16, long
	case "4:3":
		return long, long * 3 / 4
	case "3:4":
		return long * 3 / 4, long
	}
	return long, long
}
