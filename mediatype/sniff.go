package mediatype

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// SniffLength is how many bytes Sniff wants to see.
const SniffLength = 4096

// Sniff is the media type that the first bytes of a file show, without parameters;
// application/octet-stream when they show none. A name or a header is never believed.
func Sniff(head []byte) string {
	switch {
	case len(head) > 12 && string(head[4:8]) == "ftyp":
		return ftypType(head)
	case bytes.HasPrefix(head, []byte("\x1aE\xdf\xa3")):
		if bytes.Contains(head[:min(len(head), 64)], []byte("webm")) {
			return "video/webm"
		}
		return "video/x-matroska"
	case bytes.HasPrefix(head, []byte("glTF")):
		return GLB
	case bytes.HasPrefix(head, []byte("fLaC")):
		return "audio/flac"
	case bytes.HasPrefix(head, []byte("OggS")):
		if bytes.Contains(head[:min(len(head), 64)], []byte("\x80theora")) {
			return "video/ogg"
		}
		return "audio/ogg"
	case bytes.HasPrefix(head, []byte("II*\x00")), bytes.HasPrefix(head, []byte("MM\x00*")):
		return TIFF
	case isMPEGAudio(head):
		return "audio/mpeg"
	case len(head) > 6 && head[0] == 0xff && head[1]&0xf6 == 0xf0 && head[2]>>2&0xf < 13:
		return "audio/aac" // in ADTS frames
	}
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	if kind == "audio/wave" {
		return "audio/wav"
	}
	return kind
}

// stills are the brands of pictures in the container of MP4.
var stills = map[string]string{
	"avif": AVIF, "avis": AVIF,
	"heic": HEIC, "heix": HEIC, "heim": HEIC, "heis": HEIC, "hevc": HEIC, "hevx": HEIC, "hevm": HEIC, "hevs": HEIC,
}

// ftypType tells what a file in the container of MP4 is by its brands: the first one, or where that
// only says that it holds pictures, those that it is compatible with.
func ftypType(head []byte) string {
	brand := string(head[8:12])
	if still := stills[brand]; still != "" {
		return still
	}
	switch brand {
	case "qt  ":
		return "video/quicktime"
	case "M4A ", "M4B ":
		return "audio/mp4"
	case "mif1", "msf1", "mif2", "miaf":
		if slices.Contains(compatible(head), "avif") || slices.Contains(compatible(head), "avis") {
			return AVIF
		}
		return HEIC
	}
	return "video/mp4"
}

// compatible are the brands that a file is compatible with.
func compatible(head []byte) (brands []string) {
	length := int(head[0])<<24 | int(head[1])<<16 | int(head[2])<<8 | int(head[3])
	for at := 16; at+4 <= min(length, len(head)); at += 4 {
		brands = append(brands, string(head[at:at+4]))
	}
	return brands
}

// isMPEGAudio tells whether the bytes begin with an ID3 tag or a frame of
// MPEG layer III.
func isMPEGAudio(head []byte) bool {
	if bytes.HasPrefix(head, []byte("ID3")) {
		return true
	}
	return len(head) > 2 && head[0] == 0xff && (head[1]&0xfe == 0xfa || head[1]&0xfe == 0xf2) && head[2]>>4 != 0xf
}
