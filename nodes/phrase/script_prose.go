package phrase

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const quoteMarks = "\"“”„«»‟"

var (
	quoted = regexp.MustCompile(`"[^"]+"|“[^“”]+”|„[^„“”"]+[“”"]|«[^«»]+»|»[^«»]+«`)
	// saying are verbs beside what is said.
	saying = `(?:says?|said|asks?|asked|answers?|answered|repl(?:y|ies|ied)|shouts?|shouted|whispers?|whispered|cr(?:y|ies|ied)|calls?|called|` +
		`yells?|yelled|mutters?|muttered|murmurs?|murmured|adds?|added|begins?|began|continues?|continued|explains?|explained|laughs?|laughed|` +
		`sighs?|sighed|thinks?|thought|exclaims?|exclaimed|screams?|screamed|sings?|sang|announces?|announced|agrees?|agreed|smiles?|smiled|nods?|nodded)`
	someone = `([@\p{Lu}][\p{L}\p{M}\p{N}_'’-]*(?: [\p{Lu}][\p{L}\p{M}\p{N}_'’-]*){0,2})`
	// Who speaks stands behind what is said, or before it.
	behindVerb = regexp.MustCompile(`^[,–—-]?\s*` + saying + `\s+` + someone)
	behindName = regexp.MustCompile(`^[,–—-]?\s*` + someone + `\s+(?:\p{Ll}+ly\s+)?` + saying + `\b`)
	beforeName = regexp.MustCompile(someone + `\s+(?:\p{Ll}+ly\s+)?` + saying + `(?:\s+\p{Ll}+){0,4}\s*[,:–—-]?\s*$`)
	// onlyTag is who speaks between two quotations, and nothing else.
	onlyTag    = regexp.MustCompile(`^[,–—-]?\s*(?:` + saying + `\s+` + someone + `|` + someone + `\s+(?:\p{Ll}+ly\s+)?` + saying + `)(?:\s+\p{Ll}+ly)?[.,:–—-]?\s*$`)
	beforeVerb = regexp.MustCompile(saying + `\s+` + someone + `\s*[,:–—-]?\s*$`)
)

// noPersons begin sentences, and are no one's name.
var noPersons = setOf("i he she it we you they the a an and but then so when while if as that this there who what his her their my your our " +
	"suddenly finally now later everybody everyone somebody someone nobody")

// span is a part of a text, in bytes.
type span struct {
	from, to int
	speaker  string
}

// proseUnits are the sentences of prose, in which what is quoted beside a name is said.
func proseUnits(text string) []unit {
	var units []unit
	spans := saidIn(text)
	for _, s := range sentences(text) {
		u := unit{}
		at := s.from
		for len(spans) > 0 && spans[0].to <= s.from {
			spans = spans[1:]
		}
		for _, q := range spans {
			if q.from >= s.to {
				break
			}
			from, to := max(q.from, s.from), min(q.to, s.to)
			if from >= to || u.speaker != "" && !sameName(u.speaker, q.speaker) {
				continue
			}
			if strings.Trim(strings.TrimSpace(text[from:to]), quoteMarks) == "" {
				continue
			}
			u.add(PieceAction, text[at:from])
			u.add(PieceDialogue, text[from:to])
			u.speaker, at = q.speaker, to
		}
		u.add(PieceAction, text[at:s.to])
		units = append(units, u.cut()...)
	}
	return units
}

// dialogueUnits are the sentences of what a person says.
func dialogueUnits(text, speaker string) []unit {
	var units []unit
	for _, s := range sentences(text) {
		u := unit{speaker: speaker}
		u.add(PieceDialogue, text[s.from:s.to])
		units = append(units, u.cut()...)
	}
	return units
}

// saidIn finds what is quoted beside a name.
func saidIn(text string) []span {
	var spans []span
	all := quoted.FindAllStringIndex(text, -1)
	speaker, end := "", 0
	for i, q := range all {
		before, after := text[end:q[0]], text[q[1]:]
		if i+1 < len(all) {
			after = text[q[1]:all[i+1][0]]
		}
		name := speakerBeside(before, text[q[0]:q[1]], after)
		// "Good," said Anna. "Let us go." goes on with the same speaker.
		if name == "" && speaker != "" && i > 0 && onlyTag.MatchString(before) {
			name = speaker
		}
		speaker, end = name, q[1]
		if name != "" {
			spans = append(spans, span{q[0], q[1], name})
		}
	}
	return spans
}

// speakerBeside is the name in the words that touch a quotation.
func speakerBeside(before, said, after string) string {
	before, after = lastOf(before, 120), after[:min(len(after), 120)]
	for _, try := range []struct {
		words *regexp.Regexp
		in    string
	}{{behindVerb, after}, {behindName, after}, {beforeName, before}, {beforeVerb, before}} {
		m := try.words.FindStringSubmatch(try.in)
		if m == nil || try.words == behindName && strings.HasSuffix(strings.TrimRight(said, quoteMarks), ".") { // "Go." Anna laughs.
			continue
		}
		if name := strings.TrimSpace(m[1]); !noPersons[strings.ToLower(strings.Fields(name)[0])] {
			return name
		}
	}
	return ""
}

// lastOf is the end of a text, from a whole character on.
func lastOf(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	text = text[len(text)-bytes:]
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

var abbreviated = setOf("mr mrs ms dr st prof jr sr vs etc no mt lt col gen capt sgt rev hon e.g i.e a.m p.m u.s hr fr z.b")

// sentences are the parts of a text that end with a mark, with the quotes and brackets behind it.
func sentences(text string) []span {
	var all []span
	start := 0
	closed := func(to int) {
		if strings.TrimSpace(text[start:to]) != "" {
			all = append(all, span{from: start, to: to})
			start = to
		}
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(".!?…。！？", r) {
			i += size
			continue
		}
		end := i + size
		for end < len(text) {
			more, n := utf8.DecodeRuneInString(text[end:])
			if !strings.ContainsRune(".!?…。！？)]'’"+quoteMarks, more) {
				break
			}
			end += n
		}
		if ends(text, start, i, end, r) {
			closed(end)
		}
		i = end
	}
	closed(len(text))
	return all
}

// ends tells whether a mark at i, with what belongs to it up to end, ends a sentence.
func ends(text string, start, i, end int, mark rune) bool {
	if strings.ContainsRune("。！？", mark) || end == len(text) {
		return true
	}
	if r, _ := utf8.DecodeRuneInString(text[end:]); !unicode.IsSpace(r) {
		return false
	}
	rest := strings.TrimLeftFunc(text[end:min(len(text), end+64)], unicode.IsSpace)
	if r, _ := utf8.DecodeRuneInString(rest); unicode.IsLower(r) {
		return false
	}
	// "Hello!" Anna said.
	if mark != '.' && strings.ContainsAny(text[i:end], quoteMarks) && behindName.MatchString(rest) {
		return false
	}
	if mark != '.' || end != i+1 {
		return true
	}
	word := lastOf(text[start:i], 24)
	if at := strings.LastIndexFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || strings.ContainsRune(quoteMarks, r) }); at >= 0 {
		word = strings.TrimLeft(word[at:], " \t\n("+quoteMarks)
	}
	letter, size := utf8.DecodeRuneInString(word)
	initial := size == len(word) && unicode.IsUpper(letter) && letter != 'I'
	return !initial && !abbreviated[strings.ToLower(word)]
}
