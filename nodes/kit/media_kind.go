package kit

import (
	"strings"

	"atelier/mediatype"
)

// kindNames are the kinds of media in words.
var kindNames = map[string]string{"image": "an image", "video": "a video", "audio": "a sound"}

// KindFormats are the formats of a kind that nodes read.
var KindFormats = map[string]string{
	"image": mediatype.Labels("image") + " work.",
	"video": mediatype.Labels("video") + " work.",
	"audio": mediatype.Labels("audio") + " work.",
}

// typeNames are sniffed types in words, where the type itself says little.
var typeNames = map[string]string{
	"text/html": "a web page", "text/plain": "a text", "text/xml": "XML or SVG", "application/pdf": "a PDF",
	"application/octet-stream": "a file of no known type",
}

// TypeName puts a sniffed type into words.
func TypeName(contentType string) string {
	if name := typeNames[contentType]; name != "" {
		return name
	}
	if kind := kindNames[KindOf(contentType)]; kind != "" {
		return kind + " (" + contentType + ")"
	}
	return "a file of type " + contentType
}

// notOfKind refuses a file of another kind than the node works on.
func notOfKind(kind, contentType string) *Failure {
	f := Failf("The file is not %s but %s", kindNames[kind], TypeName(contentType))
	if contentType == "text/html" {
		return f.WithHint("Give the address of the file itself, not of a page that shows it.")
	}
	return f.WithHint("%s", KindFormats[kind])
}

// orFile is a kind in the middle of a sentence.
func orFile(kind string) string {
	if kind == "" {
		return "file"
	}
	return kind
}

// its turns a refusal of the field url into what is wrong with "its address".
func its(message string) string {
	if rest, found := strings.CutPrefix(message, "url "); found {
		return "its address " + rest
	}
	return message
}
