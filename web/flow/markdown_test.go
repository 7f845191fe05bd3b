//go:build !race

package flow

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func rendered(t testing.TB, text string) string {
	t.Helper()
	var b strings.Builder
	if err := markdown(text).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"# Title":                       "<h3>Title</h3>\n",
		"### Deep":                      "<h5>Deep</h5>\n",
		"*a* **b** `c`":                 "<p><em>a</em> <strong>b</strong> <code>c</code></p>\n",
		"[x](https://a.example)":        `<p><a href="https://a.example" rel="nofollow noreferrer noopener" target="_blank">x</a></p>` + "\n",
		"[x](javascript:alert(1))":      "<p>x</p>\n",
		"![x](https://a.example/b.png)": "<p></p>\n",
		"<script>alert(1)</script>":     "\n",
		"a <b onclick=x>b</b>":          "<p>a b</p>\n",
	} {
		if got := rendered(t, text); got != want {
			t.Errorf("%q:\n%q\nwant\n%q", text, got, want)
		}
	}
}

// FuzzMarkdown: whatever is written, only what the policy names comes out.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"# a", "<img src=x onerror=alert(1)>", "[a](data:text/html,x)", "<style>*{}</style>", "a\n\n    b", "|a|b|\n|-|-|\n|1|2|", "<h1 style=x>"} {
		f.Add(seed)
	}
	allowed := map[string]bool{"a": true}
	for _, name := range strings.Fields("html head body p br hr em strong del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td") {
		allowed[name] = true
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := html.Parse(strings.NewReader(rendered(t, text)))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if !allowed[n.Data] {
				t.Fatalf("<%s> came out of %q", n.Data, text)
			}
			for _, a := range n.Attr {
				fine := n.Data == "a" && (a.Key == "rel" || a.Key == "target" || a.Key == "href" && !strings.HasPrefix(strings.ToLower(a.Val), "javascript"))
				if !fine {
					t.Fatalf("%s=%q on <%s> came out of %q", a.Key, a.Val, n.Data, text)
				}
			}
		}
	})
}

// tangledTexts once held a core for seconds to minutes at the length that a text may have.
var tangledTexts = map[string]string{
	"links in links":           strings.Repeat("[a](", 5_000),
	"quotes in quotes":         strings.Repeat(">", 20_000),
	"emphasis without end":     strings.Repeat("a**b", 2_500) + strings.Repeat("c* ", 3_333),
	"deletions":                strings.Repeat("~~a", 6_666),
	"lists in lists":           strings.Repeat("- ", 5_000) + "a\n" + strings.Repeat("\n", 9_000),
	"numbered lists in lists":  strings.Repeat("1. ", 6_666),
	"a table of filled cells":  strings.Repeat("|a", 2_500) + "\n" + strings.Repeat("|-", 2_500) + "\n" + strings.Repeat("|\n", 5_000),
	"such a table in a quote":  "> " + strings.Repeat("|a", 2_500) + "\n> " + strings.Repeat("|-", 2_500) + "\n" + strings.Repeat("> |\n", 2_500),
	"one definition, repeated": "[a]: http://x/" + strings.Repeat("y", 10_000) + "\n\n" + strings.Repeat("[a]", 3_000),
	"nothing in lists":         strings.Repeat("- ", 20) + "a\n" + strings.Repeat("\n", 19_000),
	"lists to the right":       steps(130),
	"brackets":                 strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
	"underscores":              strings.Repeat("a_b", 6_666),
	"too long":                 strings.Repeat("a ", 10_001),
}

// steps is a list in a list in a list, each with a line of its own.
func steps(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
	}
	return b.String()
}

func TestMarkdownThatIsNobodysProseIsShownAsItIs(t *testing.T) {
	for name, text := range tangledTexts {
		if prose(text) {
			t.Errorf("%s: shown as Markdown", name)
		}
		got := rendered(t, text)
		if !strings.HasPrefix(got, `<div class="plain-text"`) || strings.Contains(got, "<p>") && len(text) <= MaxMarkdown {
			t.Errorf("%s: %.200s", name, got)
		}
	}
}

func TestMarkdownOfProseStaysMarkdown(t *testing.T) {
	for name, text := range map[string]string{
		"a long text":       strings.Repeat("A word and **another** with a [link](https://a.example/c), `code` and a_name.\n\n- one\n  - two\n    1. three\n\n> > said\n\n", 130),
		"a table":           "|a|b|c|d|e|f|\n|-|-|-|-|-|-|\n" + strings.Repeat("|1|2|3|4|5|6|\n", 300),
		"rules":             strings.Repeat("-", 200) + "\n\n" + strings.Repeat("* ", 10) + "\n\n" + strings.Repeat("=", 300),
		"code":              "```\n" + strings.Repeat("                                        if (a[0] > b[1]) { - x }\n", 150) + "```",
		"twenty in a quote": strings.Repeat("> ", 20) + "deep",
		"definitions":       strings.Repeat("[one][a] and [two][b].\n\n", 50) + "[a]: https://a.example\n[b]: https://b.example 'B'\n",
	} {
		if !prose(text) {
			t.Errorf("%s is shown as it is", name)
		}
	}
}

// What a text may be at most is measured in work, not in time: a rendering has no more pieces than the text has bytes
// times what the bounds allow.
func TestMarkdownYieldsLittleMoreThanItWasGiven(t *testing.T) {
	for name, text := range map[string]string{
		"quotes": strings.Repeat(strings.Repeat(">", 20)+"\n\n", 900),
		"cells":  strings.Repeat("|a", 100) + "\n" + strings.Repeat("|-", 100) + "\n" + strings.Repeat("|\n", 90),
		"repeat": "[a]: http://x/" + strings.Repeat("y", 900) + "\n\n" + strings.Repeat("[a] ", 240),
		"lists":  strings.Repeat(strings.Repeat("- ", 20)+"a\n", 470),
	} {
		if !prose(text) {
			t.Errorf("%s: not within the bounds", name)
		}
		if got := renderMarkdown(text); len(got) > 512<<10 {
			t.Errorf("%s: %d bytes of %d", name, len(got), len(text))
		}
	}
}

func TestMarkdownIsRenderedOnce(t *testing.T) {
	c, times := &textCache{room: 20}, 0
	make := func(s string) string { times++; return s + "!" }
	for _, s := range []string{"a", "a", "b", "a", strings.Repeat("c", 18), "b", "b"} {
		if got := c.get(s, make); got != s+"!" {
			t.Fatal(got)
		}
	}
	if times != 4 || c.room != 18 || len(c.byKey) != 1 || len(c.order) != 1 {
		t.Errorf("rendered %d times, %d bytes free, %d kept", times, c.room, len(c.byKey))
	}
}
