package web

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// One word for each thing. What stands left is said by the word to its right.
var otherTerms = map[string]*regexp.Regexp{
	"short name":          regexp.MustCompile(`(?i)\bslugs?\b`),
	"the name of a thing": regexp.MustCompile(`\bUUIDs?\b`),
	"withdraw":            regexp.MustCompile(`(?i)\b(took back|taken back) the invitation\b|\brevoked? (the|an) invitation\b`),
	"node":                regexp.MustCompile(`(?i)\bsteps? of (the|a) workflow\b`),
	"cap":                 regexp.MustCompile(`(?i)\bcredit limits?\b|\b(your|own|the) limit of credits\b|\byour own limit\b`),
	"suspension":          regexp.MustCompile(`(?i)\breinstated?\b`),
	"a plain past tense":  regexp.MustCompile(`(?i)\bsuccessfully\b`),
}

// schoolTerms are words of the schema that no page of a school has: it has words of its own.
var schoolTerms = map[string]*regexp.Regexp{
	"class": regexp.MustCompile(`(?i)\bworkspaces?\b`),
}

// shownText is what people read on a page, without what they typed and without code.
func shownText(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "script", "style", "pre", "code", "textarea", "svg", "datalist":
				return
			}
			for _, a := range n.Attr {
				if a.Key == "aria-label" || a.Key == "placeholder" || a.Key == "title" || a.Key == "alt" || a.Key == "data-label" {
					b.WriteString(" | " + a.Val + " | ")
				}
			}
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if n.Type == html.ElementNode {
			b.WriteString(" ")
		}
	}
	walk(root)
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestOneWordForEachThing(t *testing.T) {
	for _, path := range pages(t) {
		for name, f := range map[string]*fake{"with all rights": newFake(t).school(), "with none": powerless(newFake(t).school())} {
			text := shownText(t, get(f, path).Body.String())
			check := func(terms map[string]*regexp.Regexp) {
				for term, other := range terms {
					if at := other.FindStringIndex(text); at != nil {
						t.Errorf("%s %s says %q, not %q: …%s…", path, name, text[at[0]:at[1]], term, text[max(0, at[0]-60):min(len(text), at[1]+60)])
					}
				}
			}
			check(otherTerms)
			if strings.HasPrefix(path, "/orgs/"+someID) || strings.HasPrefix(path, "/workspaces/") {
				check(schoolTerms)
			}
		}
	}
}
