package locale

import (
	"context"
	"strings"

	"golang.org/x/text/language"
)

// Language is a language that the console speaks.
type Language struct {
	Code string // "de": of the account's choice and of the html element
	Name string // in itself: "Deutsch"
	RTL  bool   // written from right to left

	tag language.Tag
	// here and org are what a place is called whose name is not known, by form.
	here, org map[string]string
	numbers   numbers
	dates     dates
	grammar   grammar
	// elide is what stands before an argument, as it is written before that argument; nil where nothing changes.
	elide   func(before, arg string) string
	colon   string         // between a label and what it labels
	catalog func() catalog // nil for English, in which the messages are written
}

// English is the language of the sentences in the code, and of readers whose language is not known.
var English = &Language{
	Code: "en", Name: "English", tag: language.English, numbers: englishNumbers, dates: englishDates, grammar: englishGrammar{}, colon: ": ",
	here: map[string]string{"": "this {workspace}"}, org: map[string]string{"": "the organization"},
}

var (
	german = &Language{
		Code: "de", Name: "Deutsch", tag: language.German, numbers: germanNumbers, dates: germanDates, grammar: germanGrammar{}, colon: ": ",
		here:    map[string]string{"": "{dieser workspace}", "acc": "{diesen workspace}", "dat": "{diesem workspace}", "gen": "{dieses workspace}"},
		org:     map[string]string{"": "die Organisation", "dat": "der Organisation", "gen": "der Organisation"},
		catalog: catalogOf("de"),
	}
	spanish = &Language{
		Code: "es", Name: "Español", tag: language.Spanish, numbers: spanishNumbers, dates: spanishDates, grammar: spanishGrammar, colon: ": ",
		here: map[string]string{"": "{este workspace}"}, org: map[string]string{"": "la organización"},
		catalog: catalogOf("es"),
	}
	french = &Language{
		Code: "fr", Name: "Français", tag: language.French, numbers: frenchNumbers, dates: frenchDates, grammar: frenchGrammar, elide: frenchElision, colon: "\u00a0: ",
		here: map[string]string{"": "{ce workspace}"}, org: map[string]string{"": "l’organisation"},
		catalog: catalogOf("fr"),
	}
	// mirrored is English made long and written from right to left: a page that looks right in it has room for other
	// languages. Only those who ask for ar-XB get it.
	mirrored = &Language{
		Code: "ar-XB", Name: "Mirrored", RTL: true, tag: language.Make("ar-XB"), numbers: englishNumbers, dates: englishDates, grammar: englishGrammar{},
		here: map[string]string{"": "this {workspace}"}, org: map[string]string{"": "the organization"},
		catalog: func() catalog { return catalog{pseudo: true} },
	}
)

// Languages are those that people can choose, English first.
var Languages = []*Language{English, german, spanish, french}

var matcher = language.NewMatcher(tags())

func tags() []language.Tag {
	out := make([]language.Tag, 0, len(Languages))
	for _, l := range Languages {
		out = append(out, l.tag)
	}
	return out
}

// ByCode is the language of a choice, nil for none that there is.
func ByCode(code string) *Language {
	for _, l := range Languages {
		if l.Code == code {
			return l
		}
	}
	if code == mirrored.Code {
		return mirrored
	}
	return nil
}

// maxAccept bounds what is read of an Accept-Language header.
const maxAccept = 256

// Choose is the language of a reader: the first of their choices that is a language, else what their browser accepts,
// else English.
func Choose(accept string, choices ...string) *Language {
	for _, code := range choices {
		if l := ByCode(code); l != nil {
			return l
		}
		if tag, err := language.Parse(code); err == nil {
			if _, at, sure := matcher.Match(tag); sure > language.No {
				return Languages[at]
			}
		}
	}
	if strings.HasPrefix(accept, mirrored.Code) {
		return mirrored
	}
	if accept == "" || len(accept) > maxAccept {
		return English
	}
	wanted, _, err := language.ParseAcceptLanguage(accept)
	if err != nil {
		return English
	}
	if _, at, sure := matcher.Match(wanted...); sure > language.No {
		return Languages[at]
	}
	return English
}

// Dir is the direction in which the language is written, for the html element.
func (l *Language) Dir() string {
	if l.RTL {
		return "rtl"
	}
	return "ltr"
}

// reader is for whom something is written.
type reader struct {
	language *Language
	terms    Terms
	place    *Place
}

type readerKey struct{}

func readerOf(ctx context.Context) reader {
	if r, ok := ctx.Value(readerKey{}).(reader); ok {
		return r
	}
	return reader{language: English, terms: PlainTerms}
}

// With is the context of what is written in a language.
func With(ctx context.Context, l *Language) context.Context {
	r := readerOf(ctx)
	r.language = l
	return context.WithValue(ctx, readerKey{}, r)
}

// Of is the language of the context's reader.
func Of(ctx context.Context) *Language { return readerOf(ctx).language }

type choiceKey struct{}

// WithChoice notes the language that the account of a request has chosen, "" for none.
func WithChoice(ctx context.Context, code string) context.Context {
	return context.WithValue(ctx, choiceKey{}, code)
}

// Choice is the language that the account of a request has chosen, "" for none.
func Choice(ctx context.Context) string {
	code, _ := ctx.Value(choiceKey{}).(string)
	return code
}
