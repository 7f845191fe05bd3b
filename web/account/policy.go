package account

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// Terms are those of the install, as operators wrote them; anyone may read them.
func (c Pages) Terms(w http.ResponseWriter, r *http.Request) error {
	return c.policy(w, r, t(r.Context(), "Terms"), func(p query.Policies) string { return p.Terms })
}

// Privacy is what operators say about what is kept of people.
func (c Pages) Privacy(w http.ResponseWriter, r *http.Request) error {
	return c.policy(w, r, t(r.Context(), "Privacy"), func(p query.Policies) string { return p.Privacy })
}

func (c Pages) policy(w http.ResponseWriter, r *http.Request, title string, text func(query.Policies) string) error {
	res, err := query.GetPolicies(r.Context(), c.Client)
	if err != nil {
		return err
	}
	written := text(res.InstallSettings)
	if written == "" {
		return frame.ErrNotFound
	}
	return c.Bare(w, r, ui.BareProps{Title: title, Wide: true}, policyContent(title, policyParts(written)))
}

// policyPart is a paragraph or a heading of a text of operators.
type policyPart struct {
	Heading bool
	Text    string
}

// policyParts are the paragraphs of a text: those that begin with # are headings.
func policyParts(text string) (parts []policyPart) {
	for block := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		for block != "" {
			line, rest, _ := strings.Cut(block, "\n")
			if heading := strings.TrimLeft(line, "#"); heading != line {
				parts, block = append(parts, policyPart{true, strings.TrimSpace(heading)}), rest
				continue
			}
			parts = append(parts, policyPart{false, block})
			break
		}
	}
	return parts
}
