package web

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// A refusal stays where it happened, speaks the words of the place, names who can help, and leads on from there.
func TestRefusalsNameWhoCanHelp(t *testing.T) {
	member := func() *fake {
		return newFake(t).school().with("Workspace.role", "member").with("Organization.role", "member").with("Profile.id", "somebody-else")
	}
	for name, c := range map[string]struct {
		operation, path, code, said string
		want                        []string
	}{
		"in a class": {"WorkspaceSettings", "/workspaces/" + someID + "/edit", "insufficient_role", "This needs a higher role in the workspace than member",
			[]string{"Only teachers of Art 9b may do this.", "Ask Mina Lang or Mina Lang, who are teachers of Art 9b.", "Go to Art 9b", `href="/workspaces/` + someID + `"`}},
		"in a school": {"OrganizationSettings", "/orgs/" + someID + "/settings", "insufficient_role", "This needs a higher role in the organization than member",
			[]string{"Only the owner and admins of Northgate may do this.", "Ask Mina Lang or Mina Lang, who look after Northgate.", "Go to Northgate"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := member()
			f.refuse(c.operation, c.code, 403, map[string]any{"message": c.said})
			w := get(f, c.path)
			text := w.Body.String()
			for _, want := range c.want {
				if w.Code != 403 || !strings.Contains(text, want) {
					t.Errorf("%d, %q is missing in %s", w.Code, want, shownText(t, text))
				}
			}
		})
	}
}

// Who is not signed in, or belongs nowhere, reads plain words; nothing is looked up for what needs none.
func TestRefusalsWithoutAPlace(t *testing.T) {
	f := newFake(t).with("Profile.memberships", nil)
	f.refuse("JoinWorkspace", "join_code_invalid", 400, map[string]any{"message": "No workspace can be joined with this code. Check it, or ask for a new one."})
	w := post(f, "/join", "code", "K7QM2XPA")
	if text := shownText(t, w.Body.String()); !strings.Contains(text, "Nothing can be joined with this code.") || strings.Contains(text, "orkspace") {
		t.Errorf("%d %s", w.Code, text)
	}
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
