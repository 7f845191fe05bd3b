package kit

import (
	"context"
	"encoding/binary"
	"io"
	"strings"
	"time"

	"atelier/nodes/program"
)

// harmlessTags tell how a file was made, and nothing of people and places.
var harmlessTags = map[string]bool{
	"major_brand": true, "minor_version": true, "compatible_brands": true, "encoder": true, "handler_name": true, "vendor_id": true,
	"language": true, "duration": true, "rotate": true, "alpha_mode": true, "stereo_mode": true, "timecode": true, "encoding_tool": true,
	"bps": true, "number_of_frames": true, "number_of_bytes": true, "iTunSMPB": true, "gapless_playback": true,
}

// personal tells whether a file holds tags, pictures or data beside what is seen and heard.
func (p *probed) personal() bool {
	all := []map[string]string{p.Format.Tags}
	for _, stream := range p.Streams {
		all = append(all, stream.Tags)
		if stream.Kind != "audio" && stream.Kind != "video" && stream.Kind != "subtitle" || stream.Disposition.Picture != 0 {
			return true
		}
	}
	for _, tags := range all {
		for name := range tags {
			// Some programs write the language behind the name of a tag.
			plain, _, _ := strings.Cut(strings.ToLower(name), "-")
			if !harmlessTags[plain] && !harmlessTags[name] && !strings.HasPrefix(plain, "_statistics") {
				return true
			}
		}
	}
	return false
}

// hidesWords tells whether a file in the container of MP4 holds what ffprobe does not tell of: XMP,
// and boxes of programs.
func hidesWords(r io.ReaderAt, size int64, demuxer string) bool {
	if demuxer != "mov" {
		return false
	}
	count := 0
	return boxes(r, 0, size, 0, &count)
}

// maxBoxes bounds how many boxes are looked at.
const maxBoxes = 20_000

// boxes tells whether there is such a box from one place to another.
func boxes(r io.ReaderAt, from, to int64, depth int, count *int) bool {
	head := make([]byte, 16)
	for at := from; at+8 <= to; {
		if *count++; *count > maxBoxes {
			return true
		}
		if n, _ := r.ReadAt(head, at); n < 8 {
			return false
		}
		length, begins := int64(binary.BigEndian.Uint32(head)), int64(8)
		switch length {
		case 0:
			length = to - at
		case 1:
			length, begins = int64(binary.BigEndian.Uint64(head[8:])), 16
		}
		if length < begins || length > to-at {
			return false
		}
		switch string(head[4:8]) {
		case "uuid", "XMP_":
			return true
		case "moov", "trak", "udta", "moof", "traf":
			if depth < 4 && boxes(r, at+begins, at+length, depth+1, count) {
				return true
			}
		}
		at += length
	}
	return false
}

// untagTime bounds the copying of the streams of a file.
const untagTime = 2 * time.Minute

func runFFmpeg(ctx context.Context, dir string, args []string) error {
	_, err := program.Command{Name: "ffmpeg", Package: ffmpegPackage, Dir: dir, Time: untagTime, Args: args}.Run(ctx)
	return err
}
