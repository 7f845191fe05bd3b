package web

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
