package media

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/scene"
)

// uploadType is the sniffed type, when it is one that may be uploaded.
func (s *spooled) uploadType(ctx context.Context) (string, error) {
	head, err := s.head(4096)
	if err != nil {
		return "", err
	}
	found := kit.SniffType(head)
	switch {
	case found == "image/x-icon" || isSVG(head):
		found = "image/svg+xml or an icon"
	case found == mediatype.GLB:
		return found, s.checkModel(head)
	case found == mediatype.ZIP:
		return found, nil // which may be a Lottie
	case found == mediatype.Text:
		if !startsJSON(head) {
			return found, nil
		}
		release, err := kit.TakeTurn(ctx) // before the text is in memory
		if err != nil {
			return "", err
		}
		defer release()
		if s.isJSON() {
			return mediatype.JSON, nil
		}
		return found, nil
	case mediatype.Taken(found):
		return found, nil
	}
	return "", notTaken(found)
}

// notTaken refuses a file that is not on the list, by what it is.
func notTaken(what string) error {
	return models.Err(models.CodeUnsupportedMediaType, "%s can be uploaded; this is %s", kit.Uploadable, what)
}

// checkModel refuses what only begins like a binary glTF, or is too large for one.
func (s *spooled) checkModel(head []byte) error {
	if s.size > scene.MaxBytes {
		return models.Err(models.CodePayloadTooLarge, "A 3D model may have at most %d MiB", scene.MaxBytes>>20)
	}
	if err := scene.CheckGLB(head, s.size); err != nil {
		return notTaken("no binary glTF that can be read: it " + strings.TrimPrefix(err.Error(), "The model "))
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

// maxParsedBytes is the longest text that is read as JSON to be sure.
const maxParsedBytes = 16 << 20

// isJSON tells whether the file is one value of JSON; a very long one is
// judged by its ends.
func (s *spooled) isJSON() bool {
	if s.size > maxParsedBytes {
		end, _ := io.ReadAll(io.NewSectionReader(s.file, s.size-64, 64))
		return bytes.HasSuffix(bytes.TrimSpace(end), []byte("}")) || bytes.HasSuffix(bytes.TrimSpace(end), []byte("]"))
	}
	text, err := s.head(s.size)
	return err == nil && json.Valid(text)
}
