package phrase

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/humantext"
)

// The bounds of scripts and of what they are taken apart into, in characters.
const (
	MaxScript    = 50_000
	MaxAction    = 2_000
	MaxDialogue  = 400
	MaxShots     = 40
	maxShotTitle = 100
)

// WordsPerSecond is how fast people speak.
const WordsPerSecond = 2.5

// ErrScriptTooLong is of a script above MaxScript characters.
var ErrScriptTooLong = errors.New("the script is too long")

// TooManyShots says that a script has more scenes, or lines of different people, than shots are allowed.
type TooManyShots struct{ Needed, Most int }

func (e *TooManyShots) Error() string {
	return fmt.Sprintf("the script needs %d shots; at most %d were asked for", e.Needed, e.Most)
}

// BreakdownOptions say how long shots are to be: 6 seconds, and at most 40 of them, when 0.
type BreakdownOptions struct {
	SecondsPerShot float64
	MaxShots       int
}

// The kinds of pieces of a script.
const (
	PieceHeading  = "heading"
	PieceAction   = "action"
	PieceCue      = "cue" // who speaks
	PieceDialogue = "dialogue"
)

// Piece is a part of a script as it stands there.
type Piece struct{ Kind, Text string }

// Shot is what is seen and said at one go.
type Shot struct {
	// Title is the heading of the scene, else the first words.
	Title, Action, Dialogue string
	// Speaker says the dialogue; empty for no one.
	Speaker string
	// Place and Time are those of the scene's heading.
	Place, Time string
	// Seconds is how long it takes to say, and to read, all of it.
	Seconds float64
	// Pieces are the script's own text in its order; those of all shots together are the script.
	Pieces []Piece
}

// Mentions tells whether a name stands in the shot as whole words, whatever their case.
func (s Shot) Mentions(name string) bool {
	for _, text := range []string{s.Action, s.Dialogue, s.Speaker, s.Place} {
		if occurrences(text, name) > 0 {
			return true
		}
	}
	return false
}

// The kinds of names in a script.
const (
	NameCharacter = "character" // speaks
	NameLocation  = "location"  // stands in a heading
	NameElement   = "element"   // stands as @handle
)

// FoundName is a name in a script, and how often it is there.
type FoundName struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Breakdown is a script as shots, and the names in it in the order in which they come.
type Breakdown struct {
	Shots []Shot
	Names []FoundName
}

// BreakDown takes a script apart into shots. No word is lost or added, no shot goes across scenes, and none
// ends within a sentence, unless the sentence alone is longer than a shot's texts may be. The same script
// yields the same shots.
func BreakDown(script string, o BreakdownOptions) (Breakdown, error) {
	script = humantext.LineBreaks(strings.ToValidUTF8(script, "\uFFFD"))
	if utf8.RuneCountInString(script) > MaxScript {
		return Breakdown{}, ErrScriptTooLong
	}
	if o.SecondsPerShot <= 0 {
		o.SecondsPerShot = 6
	}
	if o.MaxShots <= 0 || o.MaxShots > MaxShots {
		o.MaxShots = MaxShots
	}
	units := scriptUnits(script)
	words := o.SecondsPerShot * WordsPerSecond
	shots := pack(units, words, false)
	if len(shots) > o.MaxShots { // they are made longer, as far as their texts may be
		if least := len(pack(units, MaxAction, true)); least > o.MaxShots {
			return Breakdown{}, &TooManyShots{Needed: least, Most: o.MaxShots}
		}
		for len(shots) > o.MaxShots {
			words *= 1.25
			shots = pack(units, words, true)
		}
	}
	for i := range shots {
		shots[i].finish()
	}
	return Breakdown{Shots: shots, Names: NamesOf(script, shots)}, nil
}

// unit is a sentence, or a heading, which no shot parts.
type unit struct {
	pieces  []Piece
	speaker string
	words   float64
	heading *heading
}

func (u *unit) add(kind, text string) {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return
	}
	u.pieces = append(u.pieces, Piece{kind, text})
	if kind == PieceAction || kind == PieceDialogue {
		u.words += spoken(text)
	}
}

// lengthOf is how many characters the pieces of a kind have when they are joined.
func lengthOf(pieces []Piece, kind string) int {
	n := 0
	for _, p := range pieces {
		if p.Kind == kind {
			n += utf8.RuneCountInString(p.Text) + 1
		}
	}
	return max(0, n-1)
}

func holds(pieces []Piece, kind string) bool { return lengthOf(pieces, kind) > 0 }

// filling is a shot that units are put into, and what it holds so far.
type filling struct {
	shot             *Shot
	words            float64
	action, dialogue int
	speaks, cueLast  bool
}

// pack puts units into shots of about so many words. Tight ones may have action behind what is said.
func pack(units []unit, words float64, tight bool) []Shot {
	var shots []Shot
	var now filling
	var scene heading
	for _, u := range units {
		if u.heading != nil {
			scene = *u.heading
		}
		action, dialogue := lengthOf(u.pieces, PieceAction), lengthOf(u.pieces, PieceDialogue)
		if now.shot == nil || u.heading != nil || !now.takes(u, action, dialogue, words, tight) {
			shots = append(shots, Shot{Title: scene.title, Place: scene.place, Time: scene.time})
			now = filling{}
		}
		now.shot = &shots[len(shots)-1]
		now.put(u, action, dialogue)
	}
	return shots
}

func (f *filling) takes(u unit, action, dialogue int, words float64, tight bool) bool {
	switch {
	case f.action == 0 && !f.speaks: // a heading alone
		return true
	case f.words+u.words > words && !f.cueLast:
		return false
	case u.speaker != "" && f.shot.Speaker != "" && !sameName(u.speaker, f.shot.Speaker):
		return false
	case !tight && f.speaks && u.speaker == "":
		return false
	}
	return f.action+action <= MaxAction && f.dialogue+dialogue <= MaxDialogue
}

func (f *filling) put(u unit, action, dialogue int) {
	f.shot.Pieces = append(f.shot.Pieces, u.pieces...)
	if u.speaker != "" {
		f.shot.Speaker, f.speaks = u.speaker, true
	}
	f.words += u.words
	if action > 0 {
		f.action += action + 1
	}
	if dialogue > 0 {
		f.dialogue += dialogue + 1
	}
	f.cueLast = len(u.pieces) > 0 && u.pieces[len(u.pieces)-1].Kind == PieceCue // whose words must come along
}

// finish writes the shot's own texts.
func (s *Shot) finish() {
	var action, dialogue []string
	for _, p := range s.Pieces {
		switch p.Kind {
		case PieceAction:
			action = append(action, p.Text)
		case PieceDialogue:
			if bare := strings.TrimSpace(strings.Trim(p.Text, quoteMarks)); bare != "" {
				dialogue = append(dialogue, bare)
			}
		}
	}
	s.Action, s.Dialogue = strings.Join(action, " "), strings.Join(dialogue, " ")
	text := strings.TrimSpace(s.Action + " " + s.Dialogue)
	s.Seconds = spoken(text) / WordsPerSecond
	if s.Title == "" {
		s.Title = firstWords(text, 6)
	}
}

func firstWords(text string, most int) string {
	words := strings.Fields(text)
	title := []rune(strings.Join(words[:min(most, len(words))], " "))
	return string(title[:min(len(title), maxShotTitle)])
}

// spoken counts words. A letter of a script without blanks counts as half a word.
func spoken(text string) float64 {
	count, within := 0.0, false
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			count += 0.5
			within = false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !within {
				count++
			}
			within = true
		case unicode.IsSpace(r):
			within = false
		}
	}
	return count
}
