package web

import (
	"bytes"
	"sync"

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

// markdown renders text that somebody wrote; whatever is in it, no script, style or frame comes out.
func markdown(text string) templ.Component {
	md, policy := markdownTools()
	var b bytes.Buffer
	if md.Convert([]byte(text), &b) != nil {
		return templ.Raw(templ.EscapeString(text))
	}
	out := b.Bytes()
	for _, h := range headings {
		out = bytes.ReplaceAll(out, h[0], h[1])
	}
	return templ.Raw(string(policy.SanitizeBytes(out)))
}
