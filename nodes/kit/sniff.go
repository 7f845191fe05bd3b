package kit

import "atelier/mediatype"

// sniffLength is how many bytes SniffType wants to see.
const sniffLength = mediatype.SniffLength

// SniffType is the media type that the first bytes of a file show; see mediatype.Sniff.
func SniffType(head []byte) string { return mediatype.Sniff(head) }

// KindOf is the first half of a media type: image, video, audio, text, ...
func KindOf(contentType string) string { return mediatype.Kind(contentType) }
