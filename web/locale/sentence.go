package locale

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Link is where a link within a sentence leads.
type Link string

// plainTags are the elements that a sentence may hold beside links.
var plainTags = map[string]bool{"b": true, "strong": true, "em": true, "i": true, "code": true, "kbd": true, "bdi": true, "small": true}

// H is a sentence with elements inside, which translators can move: H(ctx, "Read <a>the terms</a> first.",
// locale.Link("/terms")). Links take the addresses in the order of their numbers: <a>, <a2>, <a3>. Beside links it may
// hold b, strong, em, i, code, kbd, bdi and small. Other arguments stand where the message has %s; a component is
// rendered there, everything else is text.
func H(ctx context.Context, message string, args ...any) templ.Component {
	r := readerOf(ctx)
	return r.sentence(r.language.lookup("", message), args)
}

// HN is H for a number of things, see N.
func HN(ctx context.Context, one, many string, n int, args ...any) templ.Component {
	r := readerOf(ctx)
	return r.sentence(r.language.lookupPlural("", one, many, n), append([]any{n}, args...))
}

func (r reader) sentence(message string, args []any) templ.Component {
	var links []Link
	var values []any
	for _, a := range args {
		if link, ok := a.(Link); ok {
			links = append(links, link)
		} else {
			values = append(values, a)
		}
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		out := &sentenceWriter{w: w, links: links}
		r.pieces(message, values, out.markup, func(arg any) {
			if c, ok := arg.(templ.Component); ok {
				out.component(ctx, c)
			} else {
				out.text(r.write(arg))
			}
		})
		return out.err
	})
}

type sentenceWriter struct {
	w     io.Writer
	links []Link
	err   error
}

func (s *sentenceWriter) raw(html string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.w, html)
	}
}

func (s *sentenceWriter) text(text string) { s.raw(templ.EscapeString(text)) }

func (s *sentenceWriter) component(ctx context.Context, c templ.Component) {
	if s.err == nil {
		s.err = c.Render(ctx, s.w)
	}
}

// markup writes what a message says itself, with the tags that it may hold.
func (s *sentenceWriter) markup(text string) {
	for text != "" {
		at := strings.IndexByte(text, '<')
		end := strings.IndexByte(text[max(at, 0):], '>')
		if at < 0 || end < 0 {
			s.text(text)
			return
		}
		s.text(text[:at])
		s.tag(text[at+1 : at+end])
		text = text[at+end+1:]
	}
}

func (s *sentenceWriter) tag(name string) {
	bare, closes := strings.CutPrefix(name, "/")
	switch n, isLink := linkNumber(bare); {
	case isLink && closes:
		s.raw("</a>")
	case isLink && n < len(s.links):
		s.raw(`<a href="` + templ.EscapeString(string(templ.URL(string(s.links[n])))) + `">`)
	case isLink:
		s.raw("<a>")
	case plainTags[bare] && closes:
		s.raw("</" + bare + ">")
	case plainTags[bare]:
		s.raw("<" + bare + ">")
	default:
		s.text("<" + name + ">")
	}
}

// linkNumber is 0 of "a", 1 of "a2".
func linkNumber(tag string) (int, bool) {
	rest, ok := strings.CutPrefix(tag, "a")
	if !ok {
		return 0, false
	}
	if rest == "" {
		return 0, true
	}
	n, err := strconv.Atoi(rest)
	return n - 1, err == nil && n > 0
}
