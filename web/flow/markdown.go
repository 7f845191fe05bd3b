package flow

import (
	"bytes"
	"context"
	"io"
	"sync"
	"unicode/utf8"

	"atelier/web/ui"

	"github.com/a-h/templ"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// markdownTools are made once: a parser that leaves raw HTML out, and a policy that lets nothing through but text,
// lists, tables and links to http, https and mail. Pictures are left out, for they would tell others who reads.
var markdownTools = sync.OnceValues(func() (goldmark.Markdown, *bluemonday.Policy) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify), goldmark.WithRendererOptions(html.WithHardWraps()))
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h3", "h4", "h5", "h6",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return md, p
})

// headings moves a publisher's headings below those of the page.
var headings = [][2][]byte{
	{[]byte("<h3"), []byte("<h5")}, {[]byte("</h3>"), []byte("</h5>")},
	{[]byte("<h2"), []byte("<h4")}, {[]byte("</h2>"), []byte("</h4>")},
	{[]byte("<h1"), []byte("<h3")}, {[]byte("</h1>"), []byte("</h3>")},
}

// MaxMarkdown is how many characters a text may have that is shown as Markdown; a longer one is shown as it is.
const MaxMarkdown = 20_000

// markdown shows text that a person wrote; whatever is in it, no script, style or frame comes out. A text that is
// beyond the bounds of Markdown, or of what its page may show, is shown as it is, and cut.
func markdown(text string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		likely := 4 * len(text) // what it takes is taken before it is rendered
		if prose(text) && ui.Spend(ctx, likely) {
			rendered := renderedTexts.get(text, renderMarkdown)
			if ui.Spend(ctx, max(0, len(rendered)-likely)) {
				_, err := io.WriteString(w, rendered)
				return err
			}
		}
		return ui.PlainText(text).Render(ctx, w)
	})
}

// prose tells whether a text is to be shown as Markdown.
func prose(text string) bool {
	return len(text) <= MaxMarkdown*utf8.UTFMax && utf8.RuneCountInString(text) <= MaxMarkdown && !tangled(text)
}

func renderMarkdown(text string) string {
	md, policy := markdownTools()
	var b bytes.Buffer
	if md.Convert([]byte(text), &b) != nil {
		return templ.EscapeString(text)
	}
	out := b.Bytes()
	for _, h := range headings {
		out = bytes.ReplaceAll(out, h[0], h[1])
	}
	return string(policy.SanitizeBytes(out))
}
