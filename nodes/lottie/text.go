package lottie

import (
	"math"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// outline makes a text layer one of shapes: a group for each of its texts, of
// which one is seen at a time.
func (d *document) outline(layer map[string]any) {
	t := object(layer["t"])
	if len(list(t["a"])) > 0 || len(object(t["p"])) > 0 {
		d.warnings[noAnimators] = true
	}
	var groups []any
	texts := list(object(t["d"])["k"])
	for i, text := range texts {
		groups = append(groups, d.letters.group(object(object(text)["s"]), shownFrom(texts, i)))
		if d.letters.tooMany() {
			break
		}
	}
	layer["ty"], layer["shapes"] = shapeLayer, groups
	delete(layer, "t")
}

// shownFrom is the opacity of the text of that index: there from its time until
// that of the next, the first one from the beginning.
func shownFrom(texts []any, i int) map[string]any {
	if len(texts) == 1 {
		return still(100.0)
	}
	hold := func(time any, opacity float64) map[string]any {
		return map[string]any{"t": number(time), "s": []any{opacity}, "h": 1}
	}
	var keys []any
	if i > 0 {
		from := object(texts[i])["t"]
		keys = append(keys, hold(min(0, number(from)-1), 0), hold(from, 100))
	} else {
		keys = append(keys, hold(min(0, number(object(texts[0])["t"])), 100))
	}
	if i+1 < len(texts) {
		keys = append(keys, hold(object(texts[i+1])["t"], 0))
	}
	return map[string]any{"a": 1, "k": keys}
}

// still is a property that does not move.
func still(value any) map[string]any { return map[string]any{"a": 0, "k": value} }

// style is how a text is set.
type style struct {
	size, lineHeight, tracking, shift float64
	justify                           float64 // 0 left, 1 right, 2 centre
	box                               []any   // width and height; none: lines end where they are broken
	corner                            []any
}

// The largest letters, and the farthest they are moved, in units of the animation.
const (
	maxSize = 5_000
	maxFar  = 100_000
)

func bounded(v, most float64) float64 { return math.Max(-most, math.Min(most, v)) }

func readStyle(s map[string]any) style {
	size := math.Max(0, bounded(number(s["s"]), maxSize))
	t := style{
		size: size, lineHeight: bounded(number(s["lh"]), maxFar), tracking: bounded(number(s["tr"]), maxFar) / 1000 * size,
		shift: bounded(number(s["ls"]), maxFar), justify: number(s["j"]), corner: list(s["ps"]),
	}
	if t.lineHeight == 0 {
		t.lineHeight = 1.2 * size
	}
	if box := list(s["sz"]); len(box) == 2 && number(box[0]) > 0 {
		t.box = box
	}
	return t
}

// group sets a text in outlines, with its colors and this opacity.
func (l *letters) group(s map[string]any, opacity map[string]any) map[string]any {
	l.count++ // a text without letters is work, too
	t, font := readStyle(s), l.font(s["f"])
	text, _ := s["t"].(string)
	if number(s["ca"]) > 0 {
		text = strings.ToUpper(text)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x03", "\n", "\t", " ").Replace(norm.NFC.String(text))
	var items []any
	y := -t.shift
	left, width := 0.0, 0.0
	if t.box != nil {
		width = bounded(number(t.box[0]), maxFar)
		y += font.ascent * t.size
		if len(t.corner) == 2 {
			left, y = left+bounded(number(t.corner[0]), maxFar), y+bounded(number(t.corner[1]), maxFar)
		}
	}
	for _, line := range l.lines(text, font, t, width) {
		items = append(items, l.setLine(line, font, t, left+start(t.justify, width, line.width), y)...)
		y += t.lineHeight
	}
	return map[string]any{"ty": "gr", "it": append(append(items, paints(s)...), unmoved(opacity))}
}

// unmoved is the transformation of a group, with this opacity alone.
func unmoved(opacity map[string]any) map[string]any {
	return map[string]any{"ty": "tr", "p": still([]any{0.0, 0.0}), "a": still([]any{0.0, 0.0}), "s": still([]any{100.0, 100.0}), "r": still(0.0), "o": opacity}
}

// start is where a line begins, in a box of that width or about a point.
func start(justify, box, width float64) float64 {
	switch justify {
	case 1:
		return box - width
	case 2:
		return (box - width) / 2
	}
	return 0
}

// paints are the fill and the stroke of a text, the upper one first.
func paints(s map[string]any) []any {
	var all []any
	if fill := list(s["fc"]); len(fill) >= 3 {
		all = append(all, map[string]any{"ty": "fl", "c": still(append(fill[:3:3], 1.0)), "o": still(100.0), "r": 1})
	}
	if stroke := list(s["sc"]); len(stroke) >= 3 && number(s["sw"]) > 0 {
		line := map[string]any{"ty": "st", "c": still(append(stroke[:3:3], 1.0)), "o": still(100.0), "w": still(s["sw"]), "lc": 2, "lj": 2}
		if over, _ := s["of"].(bool); over {
			return append([]any{line}, all...)
		}
		all = append(all, line)
	}
	return all
}
