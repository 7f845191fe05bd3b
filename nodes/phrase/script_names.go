package phrase

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cut is the unit itself, or parts of it where its texts are longer than a shot's may be.
func (u unit) cut() []unit {
	if len(u.pieces) == 0 {
		return nil
	}
	if lengthOf(u.pieces, PieceAction) <= MaxAction && lengthOf(u.pieces, PieceDialogue) <= MaxDialogue {
		return []unit{u}
	}
	var parts []unit
	for _, p := range u.pieces {
		most, speaker := MaxAction, ""
		if p.Kind == PieceDialogue {
			most, speaker = MaxDialogue, u.speaker
		}
		for text := p.Text; text != ""; {
			n := cutAt(text, most)
			part := unit{speaker: speaker}
			part.add(p.Kind, text[:n])
			parts = append(parts, part)
			text = strings.TrimSpace(text[n:])
		}
	}
	return parts
}

// cutAt is where a text is parted in bytes: after so many characters at most, between words where it has some.
func cutAt(text string, most int) int {
	end := len(text)
	for i := range text {
		if most == 0 {
			end = i
			break
		}
		most--
	}
	if end == len(text) {
		return end
	}
	if blank := strings.LastIndexByte(text[:end], ' '); blank > end/2 {
		return blank
	}
	return end
}

// NewShot is a shot that another person made, with its length.
func NewShot(s Shot) Shot {
	s.Seconds = spoken(s.Action+" "+s.Dialogue) / WordsPerSecond
	return s
}

// NamesOf counts the people who speak, the places and the handles of a script.
func NamesOf(script string, shots []Shot) []FoundName {
	names := []FoundName{}
	add := func(name, kind string) {
		if name == "" || utf8.RuneCountInString(name) > maxShotTitle || slices.ContainsFunc(names, func(n FoundName) bool { return sameName(n.Name, name) }) {
			return
		}
		names = append(names, FoundName{Name: name, Kind: kind})
	}
	for _, s := range shots {
		add(s.Place, NameLocation)
		add(strings.TrimPrefix(s.Speaker, "@"), NameCharacter)
	}
	for _, handle := range Handles(script) {
		add(handle, NameElement)
	}
	names = names[:min(len(names), maxNames)]
	script = strings.ToLower(script)
	for i := range names {
		names[i].Count = max(1, occurrencesIn(script, names[i].Name))
	}
	return names
}

// maxNames bounds the names of a breakdown.
const maxNames = 200

// occurrences counts a name in a text as whole words, whatever their case.
func occurrences(text, name string) int {
	return occurrencesIn(strings.ToLower(text), name)
}

// occurrencesIn is occurrences in a text of small letters.
func occurrencesIn(text, name string) int {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" {
		return 0
	}
	count := 0
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return count
		}
		from, to := at+i, at+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		if !inWord(before) && !inWord(after) {
			count++
		}
		at = to
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '_')
}

// Keeps tells whether shots that another person made of a script have all of its words that are seen or said,
// each in the shot where it comes in turn, and no other.
func (b Breakdown) Keeps(shots []Shot) bool {
	var words []string
	for _, s := range b.Shots {
		for _, p := range s.Pieces {
			if p.Kind == PieceAction || p.Kind == PieceDialogue {
				words = append(words, bareWords(p.Text)...)
			}
		}
	}
	for _, s := range shots {
		own := append(bareWords(s.Action), bareWords(s.Dialogue)...)
		if len(own) > len(words) {
			return false
		}
		wanted := slices.Clone(words[:len(own)])
		slices.Sort(own)
		slices.Sort(wanted)
		if !slices.Equal(own, wanted) {
			return false
		}
		words = words[len(own):]
	}
	return len(words) == 0
}

func bareWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) })
}

// Mentioned tells of names whether they stand in a text as whole words, whatever their case.
func Mentioned(text string, names []string) []bool {
	text = strings.ToLower(text)
	found := make([]bool, len(names))
	for i, name := range names {
		found[i] = occurrencesIn(text, name) > 0
	}
	return found
}
