package locale

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gender is that of a term in a language.
type gender int

const (
	guessed gender = iota // not known: a plural has that of its singular, and all else is inflected as masculine
	masculine
	feminine
	neuter
	both // "Schüler/in"
)

// noun is a term in a language.
type noun struct {
	text     string
	genitive string // of the singular, where it differs
	dative   string // of the plural, where it differs
	gender   gender
	plural   bool
}

// grammar is what a language does with terms inside sentences.
type grammar interface {
	// known is a term of an organization in the language.
	known(term string) noun
	// inflect is a noun behind a determiner, which is written as with a masculine noun, in a form of the language.
	inflect(determiner string, n noun, form string) string
}

// byEnding guesses the gender of a term that an organization chose.
func byEnding(term string, endings map[gender][]string, order ...gender) gender {
	term = strings.ToLower(term)
	for _, g := range order {
		if slices.ContainsFunc(endings[g], func(end string) bool { return strings.HasSuffix(term, end) }) {
			return g
		}
	}
	return guessed
}

type englishGrammar struct{}

func (englishGrammar) known(term string) noun {
	return noun{text: strings.ToLower(term), gender: neuter}
}

func (englishGrammar) inflect(determiner string, n noun, _ string) string {
	if determiner == "a" || determiner == "an" {
		if n.text != "" && strings.ContainsRune("aeiou", rune(n.text[0])) && !strings.HasPrefix(n.text, "uni") && !strings.HasPrefix(n.text, "use") {
			return "an " + n.text
		}
		return "a " + n.text
	}
	return strings.TrimSpace(determiner + " " + n.text)
}

type germanGrammar struct{}

var germanTerms = map[string]noun{
	"workspace":  {text: "Arbeitsbereich", genitive: "Arbeitsbereichs", gender: masculine},
	"workspaces": {text: "Arbeitsbereiche", dative: "Arbeitsbereichen", gender: masculine},
	"class":      {text: "Klasse", gender: feminine},
	"classes":    {text: "Klassen", gender: feminine},
	"member":     {text: "Mitglied", genitive: "Mitglieds", gender: neuter},
	"members":    {text: "Mitglieder", dative: "Mitgliedern", gender: neuter},
	"student":    {text: "Schüler/in", gender: both},
	"students":   {text: "Schüler/innen", gender: both},
	"admin":      {text: "Admin", genitive: "Admins", gender: masculine},
	"admins":     {text: "Admins", gender: masculine},
	"teacher":    {text: "Lehrkraft", gender: feminine},
	"teachers":   {text: "Lehrkräfte", dative: "Lehrkräften", gender: feminine},
}

var germanEndings = map[gender][]string{
	feminine: {"klasse", "gruppe", "abteilung", "ung", "heit", "keit", "schaft", "ion", "kraft", "person", "in", "ag", "stufe", "werkstatt", "e", "class"},
	neuter:   {"team", "labor", "studio", "projekt", "zentrum", "chen", "mitglied", "kollegium", "um", "lab", "atelier", "kind"},
}

func (germanGrammar) known(term string) noun {
	if n, ok := germanTerms[strings.ToLower(term)]; ok {
		return n
	}
	return noun{text: term, gender: byEnding(term, germanEndings, neuter, feminine)}
}

// germanCases are the determiners that messages use, as with a masculine noun, and their other forms: feminine, neuter,
// plural, and of nouns for both.
var germanCases = map[string][4]string{
	"der": {"die", "das", "die", "der/die"}, "den": {"die", "das", "die", "den/die"}, "dem": {"der", "dem", "den", "dem/der"},
	"des": {"der", "des", "der", "des/der"}, "im": {"in der", "im", "in den", "im"}, "zum": {"zur", "zum", "zu den", "zum/zur"},
	"vom": {"von der", "vom", "von den", "vom/von der"}, "beim": {"bei der", "beim", "bei den", "beim/bei der"}, "am": {"an der", "am", "an den", "am"},
	"in den": {"in die", "ins", "in die", "in den"}, "welcher": {"welche", "welches", "welche", "welche/r"}, "welchen": {"welche", "welches", "welche", "welche/n"},
	"welchem": {"welcher", "welchem", "welchen", "welchem/r"},
}

// germanStems are determiners with the endings of "ein" and of "dieser".
var germanStems = map[string]bool{"ein": true, "kein": true, "ihr": true, "mein": true, "sein": true, "dies": false, "jed": false}

// germanEndingsOf are the endings of determiners: of masculine nouns, then feminine, neuter, plural and both.
var germanEndingsOf = []struct{ masculine, feminine, neuter, plural, both string }{
	{"en", "e", "es", "e", "e/n"}, {"em", "er", "em", "en", "em/er"}, {"es", "er", "es", "er", "es/er"}, {"er", "e", "es", "e", "e/r"},
}

func (germanGrammar) inflect(determiner string, n noun, form string) string {
	text := n.text
	switch {
	case n.plural && n.dative != "" && (form == "dat" || germanDative(determiner)):
		text = n.dative
	case !n.plural && n.genitive != "" && (form == "gen" || strings.HasSuffix(determiner, "es")):
		text = n.genitive
	}
	if n.plural && form == "dat" { // "den", "keinen", "diesen": the dative of all plurals
		return strings.TrimSpace(determiner + " " + text)
	}
	return strings.TrimSpace(germanDeterminer(determiner, n) + " " + text)
}

func germanDative(determiner string) bool {
	switch determiner {
	case "im", "zum", "vom", "beim", "am":
		return true
	}
	return strings.HasSuffix(determiner, "em")
}

func germanDeterminer(determiner string, n noun) string {
	if forms, ok := germanCases[determiner]; ok {
		switch {
		case n.plural:
			return forms[2]
		case n.gender == feminine:
			return forms[0]
		case n.gender == neuter:
			return forms[1]
		case n.gender == both:
			return forms[3]
		}
		return determiner
	}
	for stem, likeEin := range germanStems {
		rest, ok := strings.CutPrefix(determiner, stem)
		if !ok {
			continue
		}
		if rest == "" && likeEin {
			switch {
			case n.plural, n.gender == feminine:
				return stem + "e"
			case n.gender == both:
				return stem + "/e"
			}
			return stem
		}
		for _, e := range germanEndingsOf {
			if e.masculine != rest {
				continue
			}
			switch {
			case n.plural:
				return stem + e.plural
			case n.gender == feminine:
				return stem + e.feminine
			case n.gender == neuter && likeEin && rest == "en":
				return stem
			case n.gender == neuter:
				return stem + e.neuter
			case n.gender == both:
				return stem + e.both
			}
		}
	}
	return determiner
}

// romanceGrammar is that of Spanish and French: two genders, and articles that melt with prepositions.
type romanceGrammar struct {
	terms   map[string]noun
	endings map[gender][]string
	// determiners have, for each as it is with a masculine noun, the feminine, the plural of both, and the forms before a
	// vowel, where they differ.
	determiners map[string]determiner
	elides      bool
}

type determiner struct{ feminine, plural, femininePlural, vowel, feminineVowel string }

func (g romanceGrammar) known(term string) noun {
	if n, ok := g.terms[strings.ToLower(term)]; ok {
		return n
	}
	return noun{text: strings.ToLower(term), gender: byEnding(term, g.endings, feminine)}
}

func (g romanceGrammar) inflect(before string, n noun, _ string) string {
	if before == "" {
		return n.text
	}
	d, ok := g.determiners[before]
	if !ok {
		return before + " " + n.text
	}
	vowel := g.elides && strings.ContainsAny(n.text[:min(1, len(n.text))], "aeiouh") || g.elides && strings.HasPrefix(n.text, "é")
	out := before
	switch {
	case n.plural && n.gender == feminine && d.femininePlural != "":
		out = d.femininePlural
	case n.plural && d.plural != "":
		out = d.plural
	case vowel && n.gender == feminine && d.feminineVowel != "":
		out = d.feminineVowel
	case vowel && d.vowel != "" && !n.plural, vowel && before == "de":
		out = d.vowel
	case n.gender == feminine && !n.plural && d.feminine != "":
		out = d.feminine
	}
	if strings.HasSuffix(out, "'") || strings.HasSuffix(out, "’") {
		return out + n.text
	}
	return out + " " + n.text
}

var spanishGrammar = romanceGrammar{
	terms: map[string]noun{
		"workspace": {text: "espacio de trabajo", gender: masculine}, "workspaces": {text: "espacios de trabajo", gender: masculine},
		"class": {text: "clase", gender: feminine}, "classes": {text: "clases", gender: feminine},
		"member": {text: "miembro", gender: masculine}, "members": {text: "miembros", gender: masculine},
		"student": {text: "estudiante", gender: masculine}, "students": {text: "estudiantes", gender: masculine},
		"admin": {text: "administrador", gender: masculine}, "admins": {text: "administradores", gender: masculine},
		"teacher": {text: "docente", gender: masculine}, "teachers": {text: "docentes", gender: masculine},
	},
	endings: map[gender][]string{feminine: {"a", "as", "ión", "iones", "dad", "tad", "clase", "clases", "tud", "class"}},
	determiners: map[string]determiner{
		"el": {feminine: "la", plural: "los", femininePlural: "las"}, "un": {feminine: "una", plural: "unos", femininePlural: "unas"},
		"del": {feminine: "de la", plural: "de los", femininePlural: "de las"}, "al": {feminine: "a la", plural: "a los", femininePlural: "a las"},
		"este": {feminine: "esta", plural: "estos", femininePlural: "estas"}, "ese": {feminine: "esa", plural: "esos", femininePlural: "esas"},
		"ningún": {feminine: "ninguna"}, "otro": {feminine: "otra", plural: "otros", femininePlural: "otras"},
		"nuevo": {feminine: "nueva", plural: "nuevos", femininePlural: "nuevas"}, "todos los": {femininePlural: "todas las", plural: "todos los"},
		"los": {femininePlural: "las"}, "de los": {femininePlural: "de las"}, "a los": {femininePlural: "a las"}, "algunos": {femininePlural: "algunas"},
		"muchos": {femininePlural: "muchas"}, "estos": {femininePlural: "estas"}, "unos": {femininePlural: "unas"}, "cuántos": {femininePlural: "cuántas"},
	},
}

var frenchGrammar = romanceGrammar{
	elides: true,
	terms: map[string]noun{
		"workspace": {text: "espace de travail", gender: masculine}, "workspaces": {text: "espaces de travail", gender: masculine},
		"class": {text: "classe", gender: feminine}, "classes": {text: "classes", gender: feminine},
		"member": {text: "membre", gender: masculine}, "members": {text: "membres", gender: masculine},
		"student": {text: "élève", gender: masculine}, "students": {text: "élèves", gender: masculine},
		"admin": {text: "administrateur", gender: masculine}, "admins": {text: "administrateurs", gender: masculine},
		"teacher": {text: "enseignant", gender: masculine}, "teachers": {text: "enseignants", gender: masculine},
	},
	endings: map[gender][]string{feminine: {
		"classe", "équipe", "salle", "tion", "sion", "té", "ure", "ette", "ance", "ence", "filière", "école", "matière", "section", "class", "rice", "euse",
	}},
	determiners: map[string]determiner{
		"le": {feminine: "la", plural: "les", vowel: "l’", feminineVowel: "l’"}, "un": {feminine: "une", plural: "des"},
		"du": {feminine: "de la", plural: "des", vowel: "de l’", feminineVowel: "de l’"}, "au": {feminine: "à la", plural: "aux", vowel: "à l’", feminineVowel: "à l’"},
		"ce": {feminine: "cette", plural: "ces", vowel: "cet"}, "de": {vowel: "d’", feminineVowel: "d’"}, "aucun": {feminine: "aucune"},
		"nouveau": {feminine: "nouvelle", plural: "nouveaux", femininePlural: "nouvelles", vowel: "nouvel"}, "tous les": {femininePlural: "toutes les", plural: "tous les"},
		"quel": {feminine: "quelle", plural: "quels", femininePlural: "quelles"}, "un autre": {feminine: "une autre", plural: "d’autres"},
		"certains": {femininePlural: "certaines"},
	},
}

// frenchElision writes "de " and "que " before a name that begins with a vowel: d’Emil, qu’Emil. Before capitals that are read
// letter by letter nothing changes.
func frenchElision(before, arg string) string {
	first, size := utf8.DecodeRuneInString(arg)
	if second, _ := utf8.DecodeRuneInString(arg[size:]); unicode.IsUpper(first) && unicode.IsUpper(second) ||
		!strings.ContainsRune("aàâäeéèêëiîïoôöuùûü", unicode.ToLower(first)) {
		return before
	}
	for _, word := range []string{"de", "De", "que", "Que"} {
		rest, found := strings.CutSuffix(before, word+" ")
		if last, _ := utf8.DecodeLastRuneInString(rest); found && (rest == "" || !unicode.IsLetter(last)) {
			return rest + word[:len(word)-1] + "’"
		}
	}
	return before
}
