package flow

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/scene"
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
	case found == nodes.GLBType:
		return found, s.checkModel(head)
	case kind == "image" || kind == "video" || kind == "audio":
		return found, nil
	case found == "text/plain":
		if startsJSON(head) && s.isJSON() {
			return "application/json", nil
		}
		return found, nil
	}
	return "", models.Err(models.CodeUnsupportedMediaType, "Images (no SVG), video, audio, plain text, JSON, Lottie and GLB can be uploaded; this is %s", found)
}

// checkModel refuses what only begins like a binary glTF, or is too large for one.
func (s *spooled) checkModel(head []byte) error {
	if s.size > scene.MaxBytes {
		return models.Err(models.CodePayloadTooLarge, "A 3D model may have at most %d MiB", scene.MaxBytes>>20)
	}
	if err := scene.CheckGLB(head, s.size); err != nil {
		return models.Invalid("file", "%s", err)
	}
	return nil
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
