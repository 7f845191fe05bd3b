package event

import (
	"strings"
	"unicode"

	"atelier/models"
	"atelier/models/egress"
)

// The bounds of what is kept of the head of a receiver's answer, in bytes and
// characters.
const (
	keptHead      = 2048
	keptHeadValue = 200
)

// keptFields are the fields of an answer's head that help to find out what became of a
// request. Cookies and whatever else a receiver's systems tell each other are not kept.
var keptFields = []string{
	"Content-Type", "Content-Length", "Retry-After", "Server", "Date", "Location", "Allow", "Www-Authenticate", "Via",
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "Cf-Ray",
}

// headOf is what is kept of the head of an answer: its status line, and a line for each
// field.
func headOf(answer *egress.Answer) string {
	lines := []string{headText(answer.StatusLine)}
	size := len(lines[0])
	for _, name := range keptFields {
		values := answer.Header[name]
		if len(values) == 0 || values[0] == "" {
			continue
		}
		line := strings.ToLower(name) + ": " + headText(values[0])
		if size += 1 + len(line); size > keptHead {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// headText is a text of another person as one short line.
func headText(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return models.Shortened(strings.TrimSpace(text), keptHeadValue)
}
