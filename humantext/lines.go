package humantext

import "strings"

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// LineEnds is a text whose lines all end as those of Unix do, however they ended: CR, LF and CRLF. It is for what
// programs write, where LineBreaks is for what people do.
func LineEnds(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return lineEnds.Replace(text)
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n", "\v", "\n")

// LineBreaks is a text whose lines all end as those of Unix do, however they ended: CR, LF and CRLF, and what
// documents put between lines.
func LineBreaks(text string) string {
	if !strings.ContainsAny(text, "\r\v\u0085\u2028\u2029") {
		return text
	}
	return lineBreaks.Replace(text)
}

// Lines are the lines of a text, trimmed, without empty ones.
func Lines(text string) []string {
	lines := []string{}
	for line := range strings.SplitSeq(LineBreaks(text), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
