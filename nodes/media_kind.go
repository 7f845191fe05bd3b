package nodes

import (
	"strings"

	"atelier/mediatype"
)

// kindNames are the kinds of media in words.
var kindNames = map[string]string{"image": "an image", "video": "a video", "audio": "a sound"}

// kindFormats are the formats of a kind that nodes read.
var kindFormats = map[string]string{
	"image": mediatype.Labels("image") + " work.",
	"video": mediatype.Labels("video") + " work.",
	"audio": mediatype.Labels("audio") + " work.",
}

// typeNames are sniffed types in words, where the type itself says little.
var typeNames = map[string]string{
	"text/html": "a web page", "text/plain": "a text", "text/xml": "XML or SVG", "application/pdf": "a PDF",
	"application/octet-stream": "a file of no known type",
}

// typeName puts a sniffed type into words.
func typeName(contentType string) string {
	if name := typeNames[contentType]; name != "" {
		return name
	}
	if kind := kindNames[kindOf(contentType)]; kind != "" {
		return kind + " (" + contentType + ")"
	}
	return "a file of type " + contentType
}

// notOfKind refuses a file of another kind than the node works on.
func notOfKind(kind, contentType string) *Failure {
	f := failf("The file is not %s but %s", kindNames[kind], typeName(contentType))
	if contentType == "text/html" {
		return f.hint("Give the address of the file itself, not of a page that shows it.")
	}
	return f.hint("%s", kindFormats[kind])
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
