package locale

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Terms are what an organization calls its workspaces, members and admins. Messages have them in braces:
// {workspace}, {workspaces}, {member}, {members}, {admin}, {admins}; with a capital letter where a sentence or a heading
// begins ({Workspaces}), and with an article where English has "a" ({a workspace}, {an admin}). The terms that come with
// the service are translated; those that an organization chose itself stay as they are.
//
// Translations may put an article or another determiner before a term, written as it is with a masculine noun; it is
// inflected for the term that is shown: German {den workspace}, {im workspace}, {keine workspaces}, Spanish
// {del workspace}, {los members}, French {du workspace}, {l'admin}. Other words that depend on the gender are written for
// both: {workspace|archivé|archivée}, German with a third for neuter.
type Terms struct{ Workspace, Workspaces, Member, Members, Admin, Admins string }

// PlainTerms are those of the personal space, and of organizations that chose none.
var PlainTerms = Terms{"Workspace", "Workspaces", "Member", "Members", "Admin", "Admins"}

// WithTerms is the context of what is said in the terms of an organization.
func WithTerms(ctx context.Context, t Terms) context.Context {
	r := readerOf(ctx)
	r.terms = t
	return context.WithValue(ctx, readerKey{}, r)
}

// Term is one of the organization's terms as a label: "Classes". The argument is the term in English as the organization
// has it.
func Term(ctx context.Context, term string) string {
	n := readerOf(ctx).language.grammar.known(term)
	if strings.EqualFold(n.text, term) { // an organization's own stays as it is written
		return term
	}
	return upperFirst(n.text)
}

// Place is where a refusal is shown: {here} is the workspace's name, {org} the organization's; empty where they are not
// known.
type Place struct{ Workspace, Org string }

// Pattern is a message in the reader's language, with its terms still in braces.
func Pattern(ctx context.Context, message string) string { return Of(ctx).lookup("", message) }

// Fill puts terms into a pattern, and nothing else.
func Fill(ctx context.Context, pattern string, at Place) string {
	r := readerOf(ctx)
	r.place = &at
	var b strings.Builder
	for pattern != "" {
		start := strings.IndexByte(pattern, '{')
		end := strings.IndexByte(pattern[max(start, 0):], '}')
		if start < 0 || end < 0 {
			break
		}
		b.WriteString(pattern[:start])
		if word, known := r.term(pattern[start+1 : start+end]); known {
			b.WriteString(r.isolated(word))
		} else {
			b.WriteString(pattern[start : start+end+1])
		}
		pattern = pattern[start+end+1:]
	}
	return b.String() + pattern
}

// atPlace is {here} or {org}.
func (r reader) atPlace(words []string) (string, bool) {
	if r.place == nil || len(words) == 0 || len(words) > 2 {
		return "", false
	}
	name, forms := r.place.Workspace, r.language.here
	switch strings.ToLower(words[0]) {
	case "here":
	case "org":
		name, forms = r.place.Org, r.language.org
	default:
		return "", false
	}
	out := name
	if out == "" {
		out = forms[""]
		if len(words) > 1 && forms[words[1]] != "" {
			out = forms[words[1]]
		}
		out = r.fill(out, nil)
	}
	if first, _ := utf8.DecodeRuneInString(words[0]); unicode.IsUpper(first) {
		out = upperFirst(out)
	}
	return out, true
}

// term is what stands in braces, and whether that is a term.
func (r reader) term(inside string) (string, bool) {
	inside, choice, chooses := strings.Cut(inside, "|")
	words := strings.Fields(inside)
	if out, ok := r.atPlace(words); ok {
		return out, true
	}
	at := -1
	var shown, singular string
	for i, w := range words {
		if t, one, ok := r.terms.named(strings.ToLower(w)); ok {
			at, shown, singular = i, t, one
			break
		}
	}
	if at < 0 || len(words) > 3 {
		return "", false
	}
	n := r.language.grammar.known(shown)
	n.plural = strings.HasSuffix(strings.ToLower(words[at]), "s")
	if n.plural && n.gender == guessed { // the gender is told better by the singular
		n.gender = r.language.grammar.known(singular).gender
	}
	if chooses {
		return pick(n.gender, strings.Split(choice, "|")), true
	}
	determiner, form := strings.Join(words[:at], " "), strings.Join(words[at+1:], " ")
	out := r.language.grammar.inflect(strings.ToLower(determiner), n, form)
	if first, _ := utf8.DecodeRuneInString(inside); unicode.IsUpper(first) {
		out = upperFirst(out)
	}
	return out, true
}

func pick(g gender, choice []string) string {
	switch {
	case g == feminine && len(choice) > 1:
		return choice[1]
	case g == neuter && len(choice) > 2:
		return choice[2]
	}
	return choice[0]
}

// named is a term and its singular.
func (t Terms) named(name string) (term, singular string, ok bool) {
	switch name {
	case "workspace":
		return t.Workspace, t.Workspace, true
	case "workspaces":
		return t.Workspaces, t.Workspace, true
	case "member":
		return t.Member, t.Member, true
	case "members":
		return t.Members, t.Member, true
	case "admin":
		return t.Admin, t.Admin, true
	case "admins":
		return t.Admins, t.Admin, true
	}
	return "", "", false
}

func upperFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
