package docs

import (
	"slices"
	"strings"

	"atelier/web/apidoc"
)

const referencePath = "reference"

// referencePages are the overview and a page for each group of calls.
func (s *Site) referencePages() ([]Page, error) {
	made, err := s.Reference()
	if err != nil {
		return nil, err
	}
	out := []Page{{Path: referencePath, Title: "Overview", Says: "Every call of /v1, made from the same document that clients are generated from."}}
	for _, g := range made.Groups {
		out = append(out, Page{Path: referencePath + "/" + g.Slug, Title: g.Name, Says: g.Description})
	}
	return out, nil
}

// reference is the overview of the calls, or a group of them.
func (v *view) reference() (*view, error) {
	made, err := v.Reference()
	if err != nil {
		return nil, err
	}
	if v.Path == referencePath {
		v.Heading, v.Body = "API reference", referenceContent(made.Groups)
		return v, nil
	}
	at := slices.IndexFunc(made.Groups, func(g apidoc.Group) bool { return referencePath+"/"+g.Slug == v.Path })
	if at < 0 {
		return nil, nil
	}
	g := made.Groups[at]
	for _, c := range g.Calls {
		v.Contents = append(v.Contents, Heading{2, c.ID, c.Summary})
	}
	v.Heading, v.Crumbs, v.Body = g.Name, []Page{{Path: referencePath, Title: "API reference"}}, groupContent(g, v.PublicURL)
	return v, nil
}

// example is a call in one language.
type example struct{ Language, Text string }

// examplesOf are those of a call: a command line for every call, programs for those that the clients have a word for.
func examplesOf(c apidoc.Call, base string) []example {
	out := []example{{"curl", c.Curl(base)}}
	for _, language := range []string{"TypeScript", "Python", "Go"} {
		if lines := programs[c.ID][language]; lines != "" {
			out = append(out, example{language, lines})
		}
	}
	return out
}

// parametersIn are the parameters of a call that stand in one place.
func parametersIn(c apidoc.Call) (out []apidoc.Input) {
	for _, place := range []string{"path", "query", "header"} {
		for _, p := range c.Parameters {
			if p.In == place {
				out = append(out, p)
			}
		}
	}
	return out
}

// placeOf says where a parameter stands.
func placeOf(in apidoc.Input) string {
	words := map[string]string{"path": "in the path", "query": "in the query", "header": "header"}[in.In]
	if in.Required && in.In != "path" {
		words = strings.TrimPrefix(words+", required", ", ")
	}
	return words
}
