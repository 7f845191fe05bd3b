package phrase

import (
	"regexp"
	"slices"
	"strings"
)

// reading is what an idea says: its words by part, and those that have no place.
type reading struct {
	values  map[string][]string
	unknown []string
	// ratio is the shape that the words name; see ratios.
	ratio, ratioWords string
	// text are the words in small letters, with a blank at both ends.
	text string
}

// vocabulary is which part a phrase belongs to; "" is known and belongs to none. squeezed are the
// phrases by what they are in one word.
type vocabulary struct {
	parts    map[string]string
	squeezed map[string]string
	most     int
}

func newVocabulary() *vocabulary {
	return &vocabulary{parts: map[string]string{}, squeezed: map[string]string{}}
}

func (v *vocabulary) add(part, phrases string) {
	for phrase := range strings.SplitSeq(phrases, ",") {
		words := tokens(phrase)
		if len(words) == 0 {
			continue
		}
		texts := make([]string, len(words))
		for i, w := range words {
			texts[i] = w.text
		}
		key := strings.Join(texts, " ")
		if _, taken := v.parts[key]; !taken {
			v.parts[key], v.most = part, max(v.most, len(words), 2) // one word may be written in two
			v.squeezed[squeezed(words)] = key
		}
	}
}

// at is the part of the longest phrase that a row of words begins with.
func (v *vocabulary) at(words []token) (part string, n int) {
	for n := min(v.most, len(words)); n > 0; n-- {
		for _, key := range compounds(words[:n], v.squeezed) {
			if part, ok := v.parts[key]; ok {
				return part, n
			}
		}
	}
	return "", 0
}

// vocabularies are the words of the targets that are not elements.
var vocabularies = map[string]*vocabulary{
	"generate-image": pictureWords(pictureParts), "generate-video": pictureWords(videoParts), "3d-scene": sceneWords(), "generate-text": ownWords(textParts),
}

func ownWords(parts []*part) *vocabulary {
	v := newVocabulary()
	for _, p := range parts {
		v.add(p.name, strings.Join(p.options, ","))
		v.add(p.name, p.words)
	}
	return v
}

// pictureWords are the words of the parts, then those of the books of elements.
func pictureWords(parts []*part) *vocabulary {
	v := ownWords(parts)
	places := map[string]string{"place": "setting", "setting": "setting", "weather": "setting", "season": "setting", "timeOfDay": "light", "mood": "mood"}
	v.addBook(books["location"], func(m *meaning) string {
		for attribute, part := range places {
			if _, ok := m.sets[attribute]; ok && (attribute != "setting" || len(m.sets) == 1) {
				return part
			}
		}
		return ""
	})
	v.addBook(books["character"], func(m *meaning) string {
		if m.of != "" || m.noun || m.sets["expression"] != "" || m.sets["personality"] != "" {
			return ""
		}
		if m.sets["movement"] != "" {
			return "action"
		}
		return "subject"
	})
	v.addBook(books["creature"], func(m *meaning) string {
		if m.name == "species" {
			return "subject"
		}
		return ""
	})
	v.addBook(books["object"], func(m *meaning) string {
		if m.name == "shape" {
			return "subject"
		}
		return ""
	})
	return v
}

func sceneWords() *vocabulary {
	v := ownWords(sceneParts)
	for _, kind := range []string{"object", "creature"} {
		v.addBook(books[kind], func(m *meaning) string {
			if m.name == "shape" || m.name == "species" {
				return "objects"
			}
			return ""
		})
	}
	return v
}

func (v *vocabulary) addBook(b *book, partOf func(*meaning) string) {
	for phrase, m := range b.words {
		v.add(partOf(m), phrase)
	}
}

// readIdea finds the parts that an idea settles.
func readIdea(idea Idea) *reading {
	words := tokens(idea.Text)
	r := &reading{values: map[string][]string{}, text: flat(words)}
	if kind, ok := elementTarget(idea.Target); ok {
		understood := Attributes(kind, idea.Text)
		for name, value := range understood.Attributes {
			r.values[name] = []string{value}
		}
		r.unknown = understood.NotUnderstood
		return r
	}
	pictures := idea.Target == "generate-image" || idea.Target == "generate-video"
	v := vocabularies[idea.Target]
	for i := 0; i < len(words); {
		if pictures {
			if n := r.avoids(words[i:]); n > 0 {
				i += n
				continue
			}
			if ratio, n := ratioAt(words[i:]); n > 0 {
				r.ratio, r.ratioWords = ratio, joined(words[i:i+n])
				i += n
				continue
			}
		}
		part, n := v.at(words[i:])
		if _, c := colorAt(words[i:]); c > 0 && c >= n {
			if pictures {
				r.put("colours", joined(words[i:i+c]))
			}
			i += c
			continue
		}
		if n > 0 {
			r.put(part, joined(words[i:i+n]))
			i += n
			continue
		}
		r.rest(words[i], pictures)
		i++
	}
	r.unknown = unique(r.unknown, maxUnknown)
	return r
}

func (r *reading) put(part, value string) {
	if part != "" && !slices.Contains(r.values[part], value) {
		r.values[part] = append(r.values[part], value)
	}
}

// rest takes a word that is in no list.
func (r *reading) rest(w token, pictures bool) {
	_, counted := number(w.text)
	switch {
	case w.text == "," || w.text == "." || w.text == ";" || silent[w.text] || breaks[w.text] || links[w.text] || small[w.text] || counted:
	case pronouns[w.text] != "":
	case pictures && verb.MatchString(w.text):
		r.put("action", w.raw)
	case strings.HasPrefix(w.text, "@"):
		r.put("subject", w.raw)
	default:
		r.unknown = append(r.unknown, w.raw)
	}
}

// avoids reads "no people" and "without text"; it tells how many words that took.
func (r *reading) avoids(words []token) int {
	if words[0].text != "no" && words[0].text != "without" && words[0].text != "avoid" {
		return 0
	}
	n := 1
	for n < len(words) && n < 5 && words[n].text != "," && words[n].text != "." && words[n].text != ";" && !breaks[words[n].text] && words[n].text != "and" {
		n++
	}
	first := 1
	if first < n && (silent[words[first].text]) {
		first++
	}
	if first == n {
		return 0
	}
	r.put("avoid", joined(words[first:n]))
	return n
}

// verb is a word that says what is being done.
var verb = regexp.MustCompile(`^[a-z]{3,}ing$`)

// small are further words that say nothing by themselves.
var small = setOf("in out up down off again then there here all each every both into during before after until when where how why what " +
	"if because only just even still yet ever never another other others such own same than not no please show make create draw paint write " +
	"big large small little tiny huge old young new good nice beautiful great long short tall him us someone somebody something " +
	"want need like would give tell text story")

// ratios are the shapes that words name.
var ratios = map[string]string{
	"16 9": "16:9", "9 16": "9:16", "1 1": "1:1", "4 3": "4:3", "3 4": "3:4", "square": "1:1", "square format": "1:1", "square picture": "1:1",
	"portrait format": "3:4", "upright": "3:4", "upright format": "3:4", "vertical": "9:16", "vertical format": "9:16", "phone format": "9:16",
	"landscape format": "4:3", "horizontal": "16:9", "horizontal format": "16:9", "widescreen": "16:9", "widescreen format": "16:9", "wide screen format": "16:9", "wide format": "16:9",
}

func ratioAt(words []token) (string, int) {
	if len(words) >= 3 && words[1].text == "," {
		if ratio, ok := ratios[words[0].text+" "+words[2].text]; ok { // 16:9, of which the colon is a mark
			return ratio, 3
		}
	}
	for n := min(3, len(words)); n > 0; n-- {
		for _, key := range compounds(words[:n]) {
			if ratio, ok := ratios[key]; ok && key[0] > '9' {
				return ratio, n
			}
		}
	}
	return "", 0
}

// flat are words in small letters with blanks between, before and behind them.
func flat(words []token) string {
	texts := make([]string, 0, len(words))
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return " " + strings.Join(texts, " ") + " "
}
