package scene

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Understanding is what words became.
type Understanding struct {
	Scene         *Scene
	Understood    []Word
	NotUnderstood []string
	// Asked is how many objects the words ask for. Beyond MaxObjects none is built.
	Asked int
}

// Word is a word or phrase that was understood. Count is how many things it stands for, of a
// noun; of any other word how often it was said.
type Word struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// MaxPrompt is the length of a prompt that is read, in characters.
const MaxPrompt = 4_000

// maxOfOne is how many of a thing one word may ask for.
const maxOfOne = 60

// FromWords builds a scene of English words; false when no thing among them is known.
// The same words and seed give the same scene.
func FromWords(prompt string, seed int64) (Understanding, bool) {
	t := &teller{tokens: tokensOf(prompt), seed: strconv.FormatInt(seed, 10), scene: &Scene{Version: 1, Units: "m", Ground: &Ground{Color: grassGreen}, Sky: Sky{Color: skyBlue}}}
	t.read()
	u := Understanding{t.scene, t.understood, t.unknown, t.total() + len(t.whole)}
	if u.Asked <= MaxObjects {
		t.place()
	}
	return u, u.Asked > 0
}

type token struct {
	word   string
	quoted bool
}

var tokenPattern = regexp.MustCompile(`"([^"]{1,100})"|“([^”]{1,100})”|[\pL][\pL'’-]*[0-9]*[\pL0-9]*|-?[0-9]+(?:\.[0-9]+)?|[,.;]`)

func tokensOf(prompt string) (all []token) {
	for _, m := range tokenPattern.FindAllStringSubmatch(prompt, 2_000) {
		switch {
		case m[1]+m[2] != "":
			all = append(all, token{strings.TrimSpace(m[1] + m[2]), true})
		default:
			all = append(all, token{strings.ToLower(strings.ReplaceAll(m[0], "’", "'")), false})
		}
	}
	return all
}

// thing is what a noun asks for.
type thing struct {
	shape, text     string
	values          []float64
	count           int
	named           bool // the count was said
	color           string
	scale           Vec
	metal, rough    *float64
	clear           *float64
	relation        string // to other
	other, second   int
	objects         []*Object
	sizes           []Vec
	placed, placing bool
}

// teller turns words into things, and things into a scene.
type teller struct {
	tokens     []token
	at         int
	seed       string
	scene      *Scene
	next       thing
	things     []*thing
	relation   string
	between    bool
	definite   bool // "the" was said: what follows may have been named before
	understood []Word
	unknown    []string
	whole      []Object
}

func (t *teller) fresh() thing { return thing{count: 1, scale: Vec{1, 1, 1}, other: -1, second: -1} }

// phrase is so many words from here on, "" where there are not enough.
func (t *teller) phrase(n int) string {
	if t.at+n > len(t.tokens) {
		return ""
	}
	words := make([]string, n)
	for i := range words {
		if t.tokens[t.at+i].quoted {
			return ""
		}
		words[i] = t.tokens[t.at+i].word
	}
	return strings.Join(words, " ")
}

// know notes a word that was understood, and for how many things it stands; what was named
// before counts once.
func (t *teller) know(word string, count int) {
	i := slices.IndexFunc(t.understood, func(w Word) bool { return w.Word == word })
	if i >= 0 {
		t.understood[i].Count += count
		return
	}
	t.understood = append(t.understood, Word{word, max(count, 1)})
}

func (t *teller) read() {
	t.next = t.fresh()
	for t.at < len(t.tokens) {
		if t.tokens[t.at].quoted {
			t.quoted()
			continue
		}
		n := 4
		for ; n > 0; n-- {
			if p := t.phrase(n); p != "" && slices.ContainsFunc(spellings(p), t.take) {
				break
			}
		}
		if n > 0 {
			t.at += n
			continue
		}
		t.definite = t.definite || t.tokens[t.at].word == "the"
		if w := t.tokens[t.at].word; !idle[w] && !slices.Contains(t.unknown, w) {
			t.unknown = append(t.unknown, w)
		}
		t.at++
	}
}

// quoted is what a text says, or a blackboard before it.
func (t *teller) quoted() {
	word := t.tokens[t.at].word
	t.at++
	if n := len(t.things); n > 0 && (t.things[n-1].shape == "blackboard" || t.things[n-1].shape == "text") && t.things[n-1].text == "" {
		t.things[n-1].text = word
		t.know(word, 1)
		return
	}
	t.know(word, t.noun("text", word))
}

// take understands a phrase, or not.
func (t *teller) take(p string) bool {
	if w, ok := wholes[singular(p)]; ok {
		t.whole = append(t.whole, w(t)...)
		t.know(p, 1)
		t.next = t.fresh()
		return true
	}
	if t.molecule(p) || t.chart(p) {
		return true
	}
	if r, ok := relations[p]; ok {
		if len(t.things) > 0 || r == "between" {
			t.relation = r
		}
		t.know(p, 1)
		return true
	}
	if f, ok := qualities[p]; ok {
		f(&t.next)
		t.know(p, 1)
		return true
	}
	if f, ok := places[p]; ok && !t.nounFollows() {
		f(t.scene)
		t.know(p, 1)
		return true
	}
	if n, ok := numberOf(p); ok {
		t.next.count, t.next.named = n, true
		t.know(p, 1)
		return true
	}
	if c, ok := colors[p]; ok {
		t.next.color = c
		t.know(p, 1)
		return true
	}
	if strings.HasPrefix(p, "#") && isHex(p) {
		t.next.color = p
		return true
	}
	if shape, ok := nouns[p]; ok {
		if crowds[p] && !t.next.named {
			t.next.count = 3
		}
		t.know(p, t.noun(shape, ""))
		return true
	}
	if shape, ok := nouns[singular(p)]; ok {
		if !t.next.named {
			t.next.count = 3
		}
		t.know(p, t.noun(shape, ""))
		return true
	}
	return false
}

// nounFollows tells whether a word such as snow stands before a noun that it belongs to.
func (t *teller) nounFollows() bool {
	if t.at+1 >= len(t.tokens) || t.tokens[t.at+1].quoted {
		return false
	}
	w := t.tokens[t.at+1].word
	_, one := nouns[w]
	_, many := nouns[singular(w)]
	return one || many
}

func numberOf(p string) (int, bool) {
	if n, ok := numbers[p]; ok {
		return n, true
	}
	n, err := strconv.Atoi(p)
	if err != nil || n < 1 {
		return 0, false
	}
	return min(n, maxOfOne), true
}

func singular(p string) string {
	switch {
	case strings.HasSuffix(p, "shelves"), strings.HasSuffix(p, "leaves"):
		return strings.TrimSuffix(p, "ves") + "f"
	case strings.HasSuffix(p, "ies") && len(p) > 4:
		return strings.TrimSuffix(p, "ies") + "y"
	case strings.HasSuffix(p, "shes"), strings.HasSuffix(p, "ches"), strings.HasSuffix(p, "xes"), strings.HasSuffix(p, "sses"), strings.HasSuffix(p, "buses"):
		return strings.TrimSuffix(p, "es")
	case strings.HasSuffix(p, "s") && !strings.HasSuffix(p, "ss"):
		return strings.TrimSuffix(p, "s")
	}
	return p
}

// molecule reads "molecule of water", "water molecule" and formulas such as CO2.
func (t *teller) molecule(p string) bool {
	name := ""
	switch {
	case strings.HasPrefix(p, "molecule of "):
		name = strings.TrimPrefix(p, "molecule of ")
	case strings.HasPrefix(p, "molecules of "):
		name = strings.TrimPrefix(p, "molecules of ")
		if !t.next.named && knownMolecule(name) {
			t.next.count = 3
		}
	case strings.HasSuffix(p, " molecule"), strings.HasSuffix(p, " molecules"):
		name = strings.TrimSuffix(strings.TrimSuffix(p, "s"), " molecule")
		if strings.HasSuffix(p, "s") && !t.next.named && knownMolecule(name) {
			t.next.count = 3
		}
	case strings.ContainsAny(p, "0123456789") || !slices.Contains([]string{"water", "salt", "sugar", "oxygen", "nitrogen", "hydrogen", "co", "alcohol", "vinegar"}, p):
		name = p
	}
	if name == "" || !knownMolecule(name) {
		return false
	}
	found, _ := findMolecule(name)
	t.know(p, t.noun("molecule", found.name))
	return true
}

// chart reads "bar chart of 3, 5 and 8".
func (t *teller) chart(p string) bool {
	if nouns[p] != "bar-chart" {
		return false
	}
	i := t.at + len(strings.Fields(p))
	var values []float64
	for i < len(t.tokens) && len(values) < MaxValues {
		w := t.tokens[i].word
		v, err := strconv.ParseFloat(w, 64)
		if err == nil {
			values = append(values, v)
		} else if n, ok := numbers[w]; ok && w != "a" && w != "an" && len(values) > 0 {
			values = append(values, float64(n))
		} else if !slices.Contains([]string{",", "and", "of", "with", "values", "value", "the", "showing", "for"}, w) {
			break
		}
		i++
	}
	t.know(p, t.noun("bar-chart", ""))
	if len(values) > 0 {
		t.things[len(t.things)-1].values = values
		t.at = i - len(strings.Fields(p))
	}
	return true
}

// noun ends a phrase: what was said before it belongs to the thing. It is how many things are
// new by that.
func (t *teller) noun(shape, text string) int {
	n := t.next
	n.shape, n.text = shape, text
	t.next = t.fresh()
	again := t.definite && t.sameAgain(&n)
	if t.definite = false; again {
		return 0
	}
	if total := len(t.whole); total+t.total()+n.count > MaxObjects-100 {
		n.count = max(1, min(n.count, MaxObjects-100-total-t.total()))
	}
	t.things = append(t.things, &n)
	here := len(t.things) - 1
	switch r := t.relation; {
	case r == "between" && here > 0 && t.between && t.things[here-2].relation == "between":
		t.things[here-2].second = here
		t.relation, t.between = "", false
	case r == "between" && here > 0:
		t.things[here-1].relation, t.things[here-1].other = r, here
		if t.between = n.count == 1 && here >= 1; !t.between {
			t.relation = ""
		}
	case r == "with" || r == "":
		t.relation = ""
	case here > 0:
		subject := t.things[here-1]
		if subject.relation == "" {
			subject.relation, subject.other = r, here
		}
		t.relation = ""
	}
	return n.count
}

// sameAgain has the last thing stand to one that was named before it: "a house, and a cat
// before the house" are one house and a cat.
func (t *teller) sameAgain(n *thing) bool {
	last := len(t.things) - 1
	if last < 1 || t.relation == "" || t.relation == "with" || t.relation == "between" || t.things[last].relation != "" {
		return false
	}
	for i, th := range t.things[:last] {
		if th.shape == n.shape && th.text == n.text && (n.color == "" || n.color == th.color) && th.other != last {
			t.things[last].relation, t.things[last].other = t.relation, i
			t.relation = ""
			return true
		}
	}
	return false
}

func (t *teller) total() (n int) {
	for _, th := range t.things {
		n += th.count
	}
	return n
}
