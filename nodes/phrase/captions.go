package phrase

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"atelier/humantext"
)

// Caption is what is said in a film, from one second of it to another.
type Caption struct {
	Start, End float64
	Text       string
}

const (
	// captionLine is how long a line of captions is, in characters, and captionLines how many
	// are read at once.
	captionLine  = 42
	captionLines = 2
)

// Captions are the captions of a text that is said between two seconds: what is too long to be
// read at once is parted between words, each part as long as its share of the text. No word of
// the text is changed; there are none of a text without words.
func Captions(text string, start, end float64) []Caption {
	var parts []string
	part, lines, used := "", 0, 0
	for _, word := range strings.Fields(text) {
		size := utf8.RuneCountInString(word)
		switch {
		case part == "":
			part, lines, used = word, 1, size
		case used+1+size <= captionLine:
			part, used = part+" "+word, used+1+size
		case lines < captionLines:
			part, lines, used = part+"\n"+word, lines+1, size
		default:
			parts = append(parts, part)
			part, lines, used = word, 1, size
		}
	}
	if part != "" {
		parts = append(parts, part)
	}
	total := 0
	for _, p := range parts {
		total += utf8.RuneCountInString(p)
	}
	captions, said := make([]Caption, len(parts)), 0
	for i, p := range parts {
		captions[i] = Caption{Start: start + (end-start)*float64(said)/float64(total), Text: p}
		said += utf8.RuneCountInString(p)
		captions[i].End = start + (end-start)*float64(said)/float64(total)
	}
	return captions
}

// VTT writes captions as a WebVTT file.
func VTT(captions []Caption) string {
	var b strings.Builder
	b.WriteString("WEBVTT\n")
	for _, c := range captions {
		fmt.Fprintf(&b, "\n%s --> %s\n%s\n", captionTime(c.Start, "."), captionTime(c.End, "."), vttText.Replace(withoutGaps(c.Text)))
	}
	return b.String()
}

// SRT writes captions as a SubRip file.
func SRT(captions []Caption) string {
	var b strings.Builder
	for i, c := range captions {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n", i+1, captionTime(c.Start, ","), captionTime(c.End, ","), srtText.Replace(withoutGaps(c.Text)))
	}
	return b.String()
}

var (
	vttText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	// srtText keeps a text from being read as the times of the next caption, for SubRip escapes nothing.
	srtText = strings.NewReplacer("-->", "->")
)

// withoutGaps is a text without empty lines, which would end its caption.
func withoutGaps(text string) string {
	lines := strings.Split(humantext.LineBreaks(text), "\n")
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// captionTime writes seconds as hours, minutes, seconds and thousandths.
func captionTime(seconds float64, point string) string {
	ms := int64(math.Round(max(0, seconds) * 1000))
	return fmt.Sprintf("%02d:%02d:%02d%s%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, point, ms%1000)
}
