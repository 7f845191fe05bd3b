package docs

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/web/assets"
	"atelier/web/ui"
)

const (
	searchPath = "search"
	indexPath  = "search.json"
)

// What a search is bounded by.
const (
	maxQuery   = 100 // characters of a query
	maxTerms   = 8
	maxFound   = 20
	maxOfOne   = 3    // parts of one page
	maxPart    = 1500 // bytes of a part that are searched
	maxInside  = 300  // of a part about the inside
	snippetLen = 160
	maxRecent  = 128 // answers that are kept
)

// entry is a part of a page that is found. The script reads the same (web/assets/js/docs.js).
type entry struct {
	Address string `json:"a"`
	Page    string `json:"p"`
	Section string `json:"s"`
	Heading string `json:"h,omitempty"`
	Text    string `json:"t,omitempty"`

	name, text string // as they are compared
}

// found is an entry with the piece of text that was looked for.
type found struct {
	entry
	Snippet string
}

// makeIndex reads every page.
func (s *Site) makeIndex() ([]entry, error) {
	sections, err := s.contents()
	if err != nil {
		return nil, err
	}
	var out []entry
	add := func(e entry, most int) {
		e.Text = ui.Short(e.Text, most)
		e.name, e.text = folded(e.Page+" "+e.Heading), folded(e.Text)
		out = append(out, e)
	}
	for _, section := range sections {
		most := maxPart
		if section.Title == insideTitle {
			most = maxInside
		}
		for _, p := range section.Pages {
			if p.Source == "" {
				continue
			}
			a, err := articleAt(p.Source)
			if err != nil {
				return nil, err
			}
			for i, part := range a.Parts {
				e := entry{Address: addressOf(p.Path), Page: a.Title, Section: section.Title, Heading: part.Heading, Text: part.Text}
				if part.ID != "" {
					e.Address += "#" + part.ID
				}
				if i == 0 {
					e.Text = p.Says + " " + part.Text
				}
				add(e, most)
			}
		}
	}
	made, err := s.madeEntries()
	for _, e := range made {
		add(e, maxInside)
	}
	return out, err
}

// madeEntries are the calls of the API and the error codes.
func (s *Site) madeEntries() (out []entry, err error) {
	reference, err := s.Reference()
	if err != nil {
		return nil, err
	}
	for _, g := range reference.Groups {
		for _, c := range g.Calls {
			out = append(out, entry{
				Address: addressOf(referencePath+"/"+g.Slug) + "#" + c.ID, Page: g.Name, Section: referenceTitle, Heading: c.Summary,
				Text: c.Method + " " + c.Path + " " + c.Description,
			})
		}
	}
	codes, err := s.codes()
	for _, c := range codes {
		out = append(out, entry{Address: addressOf(errorsPath + "/" + c.Code), Page: c.Code, Section: errorsTitle, Text: c.Text})
	}
	return out, err
}

// indexFile is the index as the script reads it.
func (s *Site) indexFile() (*assets.Packed, error) {
	index, err := s.index()
	if err != nil {
		return nil, err
	}
	if s.Apart { // beside the file of the index
		index = slices.Clone(index)
		for i := range index {
			index[i].Address = relative(addressOf(indexPath), index[i].Address)
		}
	}
	text, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	return pack(jsonKind, text, gzip.BestCompression), nil
}

// folded is a text as it is compared.
func folded(text string) string { return strings.ToLower(text) }

// terms are the words of a query.
func terms(query string) []string {
	if utf8.RuneCountInString(query) > maxQuery {
		query = string([]rune(query)[:maxQuery])
	}
	words := strings.FieldsFunc(folded(strings.ToValidUTF8(query, " ")), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(maxTerms, len(words))]
}

// find looks every term up in every entry: a term counts most in a name, and more at the beginning of a word.
func find(index []entry, query string) (out []found) {
	words := terms(query)
	if len(words) == 0 {
		return nil
	}
	type hit struct{ at, score int }
	var hits []hit
	for at, e := range index {
		total := 0
		for _, word := range words {
			score := scoreOf(e, word)
			if total += score; score == 0 {
				total = 0
				break
			}
		}
		if total > 0 {
			hits = append(hits, hit{at, weighed(e.Section, total)})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	ofPage := map[string]int{}
	for _, h := range hits {
		e := index[h.at]
		page, _, _ := strings.Cut(e.Address, "#")
		if ofPage[page]++; ofPage[page] > maxOfOne {
			continue
		}
		if out = append(out, found{e, snippet(e, words)}); len(out) == maxFound {
			break
		}
	}
	return out
}

func scoreOf(e entry, word string) int {
	at := strings.Index(e.name, word)
	switch {
	case at == 0 || at > 0 && !isLetter(e.name[at-1]):
		return 12
	case at > 0:
		return 6
	case strings.Contains(e.text, word):
		return 3
	}
	return 0
}

// weighed has guides stand before the reference, and everything before what is about the inside.
func weighed(section string, score int) int {
	switch section {
	case guidesTitle:
		return score + 8
	case referenceTitle:
		return score * 3 / 5
	case insideTitle:
		return score / 3
	}
	return score
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= utf8.RuneSelf }

// snippet is the piece of the text around the first term that stands in it.
func snippet(e entry, words []string) string {
	start := -1
	for _, word := range words {
		if at := strings.Index(e.text, word); at >= 0 && (start < 0 || at < start) {
			start = at
		}
	}
	if start < 0 || len(e.text) != len(e.Text) {
		start = 0
	}
	if start = max(0, start-snippetLen/3); start > 0 {
		if space := strings.IndexByte(e.Text[start:], ' '); space >= 0 {
			start += space + 1
		}
	}
	piece := ui.Short(strings.ToValidUTF8(e.Text[start:], ""), snippetLen)
	if start > 0 {
		piece = "… " + piece
	}
	return piece
}

// searched is the page with what was found.
func (s *Site) searched(ctx context.Context, query string) (*assets.Packed, error) {
	index, err := s.index()
	if err != nil {
		return nil, err
	}
	query = ui.Short(strings.ToValidUTF8(query, "�"), maxQuery)
	select {
	case s.searching <- struct{}{}:
		defer func() { <-s.searching }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if page := s.recent[query]; page != nil {
		return page, nil
	}
	v, err := s.view(searchPath)
	if err != nil {
		return nil, err
	}
	v.search(query, find(index, query))
	page, err := s.render(v, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if len(s.recent) >= maxRecent {
		clear(s.recent)
	}
	s.recent[query] = page
	return page, nil
}

// search is the page of the search.
func (v *view) search(query string, all []found) {
	v.Heading, v.Query = "Search", query
	v.Body = searchContent(query, all, v.Apart)
}
