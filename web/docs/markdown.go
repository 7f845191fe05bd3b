package docs

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// Heading is a part of a page that can be linked to.
type Heading struct {
	Level    int
	ID, Text string
}

// part is a piece of a page that is found: what stands below one heading, or before the first.
type part struct{ ID, Heading, Text string }

// article is a page as it was written.
type article struct {
	Title    string
	HTML     string // without the title
	Contents []Heading
	Parts    []part
	// Links are where it leads within the site.
	Links []string
}

// trusted renders pages of the project itself: HTML in them is let through, which text of people never is (web/flow).
var trusted = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify), goldmark.WithRendererOptions(html.WithUnsafe()))
})

// readArticle renders Markdown. address says where a link leads on the site; where it says "", the text stays without one.
func readArticle(source []byte, address func(link string) string) (*article, error) {
	root := trusted().Parser().Parse(text.NewReader(source))
	a := &article{}
	w := walker{article: a, source: source, ids: map[string]int{}, address: address}
	w.walk(root)
	var b bytes.Buffer
	if err := trusted().Renderer().Render(&b, source, root); err != nil {
		return nil, err
	}
	a.HTML = dressed(b.String())
	return a, nil
}

// walker takes out of a page what stands around it, and gives headings and links their addresses.
type walker struct {
	*article
	source  []byte
	ids     map[string]int
	address func(string) string
}

func (w *walker) walk(root ast.Node) {
	w.Parts = []part{{}}
	for n := root.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch n := n.(type) {
		case *ast.Heading:
			w.heading(root, n)
		case *ast.HTMLBlock: // the marks around what is generated
			root.RemoveChild(root, n)
		default:
			w.say(n)
		}
		w.links(n)
		n = next
	}
}

// heading takes the title off the page, and gives every other heading its address.
func (w *walker) heading(root ast.Node, h *ast.Heading) {
	said := strings.TrimSpace(w.textOf(h))
	if h.Level == 1 && w.Title == "" {
		w.Title = said
		root.RemoveChild(root, h)
		return
	}
	id := anchorOf(said)
	if n := w.ids[id]; n > 0 {
		w.ids[id]++
		id += "-" + strconv.Itoa(n)
	}
	w.ids[id]++
	h.SetAttributeString("id", []byte(id))
	w.Contents = append(w.Contents, Heading{h.Level, id, said})
	w.Parts = append(w.Parts, part{ID: id, Heading: said})
}

// say adds what a block says to the part that it stands in.
func (w *walker) say(n ast.Node) {
	last := &w.Parts[len(w.Parts)-1]
	last.Text = strings.TrimSpace(last.Text + " " + strings.Join(strings.Fields(w.textOf(n)), " "))
}

func (w *walker) textOf(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(w.source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(w.source))
		case *ast.RawHTML: // <br> in a table
			b.WriteByte(' ')
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			b.Write(n.Lines().Value(w.source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// links gives the links of a block the addresses that they have on the site.
func (w *walker) links(block ast.Node) {
	var all []*ast.Link
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			all = append(all, link)
		}
		return ast.WalkContinue, nil
	})
	for _, link := range all {
		to := w.address(string(link.Destination))
		if to != "" {
			link.Destination = []byte(to)
			w.Links = append(w.Links, to)
			continue
		}
		for child := link.FirstChild(); child != nil; {
			next := child.NextSibling()
			link.Parent().InsertBefore(link.Parent(), link, child)
			child = next
		}
		link.Parent().RemoveChild(link.Parent(), link)
	}
}

// anchorOf is the address of a heading, as the sites that show Markdown make it.
func anchorOf(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return cmp.Or(b.String(), "part")
}

var (
	codeBlock  = regexp.MustCompile(`(?s)<pre><code(?: class="language-([a-z]+)")?>(.*?)\n?</code></pre>`)
	tableStart = regexp.MustCompile(`<table>`)
)

// languages are what fences call them, in words.
var languages = map[string]string{
	"sh": "Shell", "bash": "Shell", "json": "JSON", "js": "JavaScript", "jsx": "JavaScript", "ts": "TypeScript", "python": "Python", "go": "Go", "yaml": "YAML",
	"ini": "Settings", "nginx": "nginx", "http": "HTTP", "sql": "SQL", "php": "PHP", "ruby": "Ruby", "caddyfile": "Caddy",
}

// dressed has code and tables scroll within themselves, for fingers and for keys. Each has a name of its own.
func dressed(rendered string) string {
	code, tables := 0, 0
	rendered = codeBlock.ReplaceAllStringFunc(rendered, func(block string) string {
		found := codeBlock.FindStringSubmatch(block)
		code++
		return fmt.Sprintf(`<div class="code"><pre tabindex="0" role="region" aria-label="%s %d"><code dir="ltr">%s</code></pre></div>`,
			cmp.Or(languages[found[1]], "Example"), code, found[2])
	})
	rendered = tableStart.ReplaceAllStringFunc(rendered, func(string) string {
		tables++
		return fmt.Sprintf(`<div class="docs-table" tabindex="0" role="region" aria-label="Table %d"><table>`, tables)
	})
	return strings.ReplaceAll(rendered, "</table>", "</table></div>")
}
