package lottie

import "unicode"

// line is a line of text with its width.
type line struct {
	runes []rune
	width float64
}

// lines breaks a text where it says so and, in a box of a width, where it is full:
// at a space, else within the word.
func (l *letters) lines(text string, font *font, t style, box float64) []line {
	var all []line
	var now line
	space := -1 // where the line may end
	flush := func(end int) {
		rest := append([]rune(nil), now.runes[min(len(now.runes), end):]...)
		now.runes = now.runes[:end]
		now.width = l.width(now.runes, font, t)
		all = append(all, now)
		for len(rest) > 0 && unicode.IsSpace(rest[0]) && box > 0 {
			rest = rest[1:]
		}
		now, space = line{rest, l.width(rest, font, t)}, -1
	}
	for _, r := range text {
		if l.count++; l.tooMany() {
			return nil
		}
		if r == '\n' {
			flush(len(now.runes))
			continue
		}
		if unicode.IsSpace(r) {
			space = len(now.runes)
		}
		now.runes = append(now.runes, r)
		now.width += l.advance(now.runes, len(now.runes)-1, font, t)
		if box > 0 && now.width-t.tracking > box && !unicode.IsSpace(r) && len(now.runes) > 1 {
			if space < 0 {
				space = len(now.runes) - 1
			}
			flush(space)
		}
	}
	flush(len(now.runes))
	return all
}

// width is how far the letters reach.
func (l *letters) width(runes []rune, font *font, t style) float64 {
	total := 0.0
	for i := range runes {
		total += l.advance(runes, i, font, t)
	}
	return max(0, total-t.tracking)
}

// advance is how far a letter moves the next one on.
func (l *letters) advance(runes []rune, i int, font *font, t style) float64 {
	far := l.letter(font, runes[i]).advance
	if i > 0 {
		far += l.kern(font, runes[i-1], runes[i])
	}
	return far*t.size + t.tracking
}

// setLine puts the outlines of a line at their places.
func (l *letters) setLine(text line, font *font, t style, x, y float64) []any {
	var shapes []any
	for i, r := range text.runes {
		letter := l.letter(font, r)
		if i > 0 {
			x += l.kern(font, text.runes[i-1], r) * t.size
		}
		for _, contour := range letter.contours {
			l.points += len(contour.v)
			if l.tooMany() {
				return nil
			}
			shapes = append(shapes, map[string]any{"ty": "sh", "ks": still(contour.placed(t.size, x, y))})
		}
		x += letter.advance*t.size + t.tracking
	}
	return shapes
}
