package phrase

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// heading is what begins a scene.
type heading struct{ title, place, time string }

var (
	slugline = regexp.MustCompile(`^(?:\d{1,3}[A-Za-z]?[.)]?\s+)?(?:(?i:int\.?\s?/\s?ext|ext\.?\s?/\s?int|int|ext|i/e)\.|(?:INT\.?/EXT|EXT\.?/INT|INT|EXT|I/E))\s+(\S.*)$`)
	dash     = regexp.MustCompile(`\s+[-–—]+\s+`)
	// nameLine is "Name: line", "Name (softly): line" or "Name:".
	nameLine = regexp.MustCompile(`^([@\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}_'’. -]{0,39}?)\s*(\([^()]{1,80}\))?\s*[:：]\s*(.*)$`)
	// cueLine is a NAME alone, with "(V.O.)" or "(softly)" behind it.
	cueLine = regexp.MustCompile(`^([@\p{L}][\p{L}\p{M}\p{N}_'’.&# -]{0,39}?)\s*(\([^()]{1,80}\))?$`)
	aside   = regexp.MustCompile(`^\([^()]{1,200}\)$`)
	// technical marks behind a name say nothing that is seen.
	technical = regexp.MustCompile(`^\((?i:v\.?o\.?|o\.?s\.?|o\.?c\.?|cont['’]?d|contd|continued)\.?\)$`)
)

// noNames are words before a colon, or lines in capital letters, that name no one.
var noNames = setOf("title author by note notes warning scene act chapter part setting place time location cast characters music sound sfx fx " +
	"cut fade dissolve smash match the a an end credits titles intertitle super montage later meanwhile then suddenly finally http https " +
	"day night morning evening shot shots camera close wide angle pov back continued today yesterday tomorrow example question answer")

// headingOf reads a slugline.
func headingOf(line string) *heading {
	m := slugline.FindStringSubmatch(line)
	if m == nil || utf8.RuneCountInString(line) > maxShotTitle {
		return nil
	}
	h := &heading{title: line, place: m[1]}
	if parts := dash.FindAllStringIndex(m[1], -1); len(parts) > 0 {
		last := parts[len(parts)-1]
		h.place, h.time = strings.TrimSpace(m[1][:last[0]]), strings.TrimSpace(m[1][last[1]:])
	}
	return h
}

// cue is who speaks, and what stands in brackets behind the name.
type cue struct{ name, mark, aside, rest string }

func newCue(m []string) *cue {
	c := &cue{name: strings.TrimSpace(m[1])}
	words := strings.Fields(c.name)
	if len(words) == 0 || len(words) > 4 || noNames[strings.ToLower(strings.Trim(words[0], ".'’-"))] {
		return nil
	}
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			return nil
		}
	}
	if technical.MatchString(m[2]) {
		c.mark = m[2]
	} else {
		c.aside = m[2]
	}
	return c
}

// saidOnLine reads "Name: line".
func saidOnLine(line string) *cue {
	m := nameLine.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(m[3], "//") {
		return nil
	}
	c := newCue(m)
	if c != nil {
		c.rest = m[3]
	}
	return c
}

// cueOn reads a NAME in capital letters that stands alone.
func cueOn(line string) *cue {
	m := cueLine.FindStringSubmatch(line)
	if m == nil || strings.ContainsFunc(m[1], unicode.IsLower) || !strings.ContainsFunc(m[1], unicode.IsUpper) {
		return nil
	}
	if strings.HasSuffix(strings.TrimSpace(m[1]), ".") {
		return nil
	}
	return newCue(m)
}

// scriptUnits reads a script line by line.
func scriptUnits(script string) []unit {
	var units []unit
	var prose []string
	speaking := "" // whose lines follow
	flush := func() {
		units = append(units, proseUnits(strings.Join(prose, "\n"))...)
		prose = nil
	}
	lines := strings.Split(script, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	next := func(i int) string {
		if i+1 < len(lines) {
			return lines[i+1]
		}
		return ""
	}
	for i, line := range lines {
		if line == "" {
			flush()
			speaking = ""
			continue
		}
		if h := headingOf(line); h != nil {
			flush()
			speaking = ""
			u := unit{heading: h}
			u.add(PieceHeading, line)
			units = append(units, u)
			continue
		}
		follows := next(i)
		if c := cueOn(line); c != nil && follows != "" && headingOf(follows) == nil && cueOn(follows) == nil {
			flush()
			speaking = c.name
			units = append(units, c.unit(line))
			continue
		}
		if c := saidOnLine(line); c != nil && (c.rest != "" || follows != "" && headingOf(follows) == nil) {
			flush()
			written := strings.TrimSpace(strings.TrimSuffix(line, c.rest))
			units = append(units, c.unit(written))
			units = append(units, dialogueUnits(c.rest, c.name)...)
			speaking = ""
			if c.rest == "" {
				speaking = c.name
			}
			continue
		}
		switch {
		case speaking != "" && aside.MatchString(line):
			u := unit{speaker: speaking}
			u.add(PieceAction, line)
			units = append(units, u)
		case speaking != "":
			units = append(units, dialogueUnits(line, speaking)...)
		default:
			prose = append(prose, line)
		}
	}
	flush()
	return joinCues(units)
}

// unit is the name as it is written, and what stands in brackets behind it as action.
func (c *cue) unit(written string) unit {
	u := unit{speaker: c.name}
	before, after, found := strings.Cut(written, c.aside)
	if c.aside == "" || !found {
		u.add(PieceCue, written)
		return u
	}
	u.add(PieceCue, before)
	u.add(PieceAction, c.aside)
	u.add(PieceCue, after)
	return u
}

// joinCues puts a name, and what is done in speaking, before the first sentence that is said.
func joinCues(units []unit) []unit {
	var all []unit
	var held *unit
	for _, u := range units {
		silent := !holds(u.pieces, PieceDialogue)
		if held != nil {
			if u.heading == nil && u.speaker != "" && sameName(u.speaker, held.speaker) && lengthOf(held.pieces, PieceAction)+1+lengthOf(u.pieces, PieceAction) <= MaxAction {
				u.pieces = append(held.pieces, u.pieces...)
				u.words += held.words
				held = nil
			} else {
				all = append(all, *held)
				held = nil
			}
		}
		if silent && u.speaker != "" {
			kept := u
			held = &kept
			continue
		}
		all = append(all, u)
	}
	if held != nil {
		all = append(all, *held)
	}
	return all
}

func sameName(a, b string) bool { return strings.EqualFold(a, b) }
