package flow

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"atelier/models"
	"atelier/nodes"
)

// uploadType is the sniffed type, when it is one that may be uploaded.
func (s *spooled) uploadType() (string, error) {
	head, err := s.head(4096)
	if err != nil {
		return "", err
	}
	found := nodes.SniffType(head)
	kind, _, _ := strings.Cut(found, "/")
	switch {
	case found == "image/x-icon" || isSVG(head):
		found = "image/svg+xml or an icon"
	case kind == "image" || kind == "video" || kind == "audio":
		return found, nil
	case found == "text/plain":
		if startsJSON(head) && s.isJSON() {
			return "application/json", nil
		}
		return found, nil
	}
	return "", models.Err(models.CodeUnsupportedMediaType, "Images (no SVG), video, audio, plain text, JSON and Lottie can be uploaded; this is %s", found)
}

// isSVG tells whether a text is an image that can hold scripts.
func isSVG(head []byte) bool {
	text := strings.ToLower(strings.TrimLeft(string(head), "\ufeff \t\r\n"))
	return strings.HasPrefix(text, "<") && strings.Contains(text, "<svg")
}

func startsJSON(head []byte) bool {
	text := strings.TrimLeft(string(head), " \t\r\n")
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// mostParsed is the longest text that is read as JSON to be sure.
const mostParsed = 16 << 20

// isJSON tells whether the file is one value of JSON; a very long one is
// judged by its ends.
func (s *spooled) isJSON() bool {
	if s.size > mostParsed {
		end, _ := io.ReadAll(io.NewSectionReader(s.file, s.size-64, 64))
		return bytes.HasSuffix(bytes.TrimSpace(end), []byte("}")) || bytes.HasSuffix(bytes.TrimSpace(end), []byte("]"))
	}
	text, err := s.head(s.size)
	return err == nil && json.Valid(text)
}
