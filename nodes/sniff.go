package nodes

import (
	"bytes"
	"net/http"
	"strings"
)

// sniffLength is how many bytes SniffType wants to see.
const sniffLength = 4096

// SniffType is the media type that the first bytes of a file show, without
// parameters; application/octet-stream when they show none. A name or a header
// is never believed.
func SniffType(head []byte) string {
	switch {
	case len(head) > 12 && string(head[4:8]) == "ftyp":
		return ftypType(string(head[8:12]))
	case bytes.HasPrefix(head, []byte("\x1aE\xdf\xa3")):
		if bytes.Contains(head[:min(len(head), 64)], []byte("webm")) {
			return "video/webm"
		}
		return "video/x-matroska"
	case bytes.HasPrefix(head, []byte("glTF")):
		return GLBType
	case bytes.HasPrefix(head, []byte("fLaC")):
		return "audio/flac"
	case bytes.HasPrefix(head, []byte("OggS")):
		if bytes.Contains(head[:min(len(head), 64)], []byte("\x80theora")) {
			return "video/ogg"
		}
		return "audio/ogg"
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

func ftypType(brand string) string {
	switch {
	case brand == "qt  ":
		return "video/quicktime"
	case brand == "M4A " || brand == "M4B ":
		return "audio/mp4"
	case brand == "avif" || brand == "avis":
		return "image/avif"
	case strings.HasPrefix(brand, "hei") || strings.HasPrefix(brand, "hev") || brand == "mif1":
		return "image/heic"
	}
	return "video/mp4"
}

// isMPEGAudio tells whether the bytes begin with an ID3 tag or a frame of
// MPEG layer III.
func isMPEGAudio(head []byte) bool {
	if bytes.HasPrefix(head, []byte("ID3")) {
		return true
	}
	return len(head) > 2 && head[0] == 0xff && (head[1]&0xfe == 0xfa || head[1]&0xfe == 0xf2) && head[2]>>4 != 0xf
}

// kindOf is the first half of a media type: image, video, audio, text, ...
func kindOf(contentType string) string {
	kind, _, _ := strings.Cut(contentType, "/")
	return kind
}
