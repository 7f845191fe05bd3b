package frame

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"atelier/web/query"
	"atelier/web/ui"
)

// After is the cursor of an address, nil on the first page. It leads to the page before, too, where that is what the
// list gave out.
func After(r *http.Request) *string {
	if cursor := r.URL.Query().Get("after"); cursor != "" {
		return &cursor
	}
	return nil
}

// NextHref is the address of the following page of a list, empty on the last.
func NextHref(r *http.Request, end query.PageEnd) string {
	if !end.HasNextPage || end.EndCursor == nil {
		return ""
	}
	q := r.URL.Query()
	q.Set("after", *end.EndCursor)
	return (&url.URL{Path: r.URL.Path, RawQuery: q.Encode()}).String()
}

// at is where the first row of a page stands in its list, counted from 1: for the sentence below it alone.
const at = "at"

// Listing is a list as its address asks for it: filters, order, page. All of them are in the address, so that it can be
// kept and shared.
type Listing struct {
	Path   string
	Values url.Values
	// Sort is the order that was asked for; nil is the list's own.
	Sort *query.Sort
	// Total is how many rows the list has.
	Total int
	size  int
	ends  query.PageEnds
	shown int
}

// ListingOf reads the address of a list, of which a page has size rows, and which can be sorted by some words.
func ListingOf(r *http.Request, path string, size int, by ...query.SortBy) Listing {
	l := Listing{Path: path, Values: r.URL.Query(), size: size}
	if back, err := url.Parse(Return(r, "")); r.Method == http.MethodPost && err == nil { // a form of the list that was refused
		l.Values = back.Query()
	}
	word, descending := l.Values.Get("sort"), false
	if word != "" && word[0] == '-' {
		word, descending = word[1:], true
	}
	for _, one := range by {
		if string(one) == word {
			l.Sort = &query.Sort{By: one, Descending: descending}
		}
	}
	return l
}

// Loaded adds what was read.
func (l *Listing) Loaded(ends query.PageEnds, shown, total int) {
	l.ends, l.shown, l.Total = ends, shown, total
}

// First tells whether this is the list's first page.
func (l Listing) First() bool { return l.After() == nil || l.ends.PreviousCursor == nil }

// After is the cursor of the page.
func (l Listing) After() *string { return Given(l.Values, "after") }

// With is the address of the list with values changed, from its first page on.
func (l Listing) With(pairs ...string) string { return AddressWith(l.Path, l.Values, pairs...) }

// Here is the address of this very page, to come back to.
func (l Listing) Here() string {
	return l.With("after", l.Values.Get("after"), at, l.Values.Get(at), "all", "")
}

// CheckAll is the head of a column of boxes that selects every row of the page, or none.
func (l Listing) CheckAll(every, none string) ui.Column {
	values, text, on := "1", every, l.Values.Get("all") != ""
	if on {
		values, text = "", none
	}
	return ui.Column{Text: text, All: true, Checked: on, Href: l.With("after", l.Values.Get("after"), at, l.Values.Get(at), "all", values)}
}

// Back is Here as a field of a form, which Return reads.
func (l Listing) Back() ui.Hidden { return ui.Hidden{Name: "return", Value: l.Here()} }

// Return is where a form leads back to.
func Return(r *http.Request, fallback string) string { return PathOr(Text(r, "return"), fallback) }

// Filters are values of the address that are set, as hidden fields.
func (l Listing) Filters(names ...string) []ui.Hidden {
	var out []ui.Hidden
	for _, name := range names {
		if s := l.Values.Get(name); s != "" {
			out = append(out, ui.Hidden{Name: name, Value: s})
		}
	}
	return out
}

// Head is the head of a column by which the list can be sorted: the first click sorts it the way that is asked for most.
func (l Listing) Head(text string, by query.SortBy, descending bool) ui.Column {
	c := ui.Column{Text: text}
	if !ui.SortableRows(l.Total) {
		return c
	}
	if l.Sort != nil && l.Sort.By == by {
		descending = !l.Sort.Descending
		c.Sorted = sorted(l.Sort.Descending)
	}
	c.Href = l.With("sort", sortWord(by, descending))
	return c
}

// OwnHead is the head of the column that the list's own order goes by, the latest first.
func (l Listing) OwnHead(text string, by query.SortBy) ui.Column {
	c := l.Head(text, by, true)
	if l.Sort == nil {
		c.Sorted = sorted(true)
		if c.Href != "" {
			c.Href = l.With("sort", sortWord(by, false))
		}
	} else if c.Sorted == sorted(false) {
		c.Href = l.With("sort", "")
	}
	return c
}

// NumHead is Head for a column of numbers, the largest first.
func (l Listing) NumHead(text string, by query.SortBy) ui.Column {
	c := l.Head(text, by, true)
	c.Numeric = true
	return c
}

// SortChoice is one order in words, for where a list has no heads.
type SortChoice struct {
	Text       string
	By         query.SortBy
	Descending bool
}

// Sorts offers the orders of a list; own is its own one in words.
func (l Listing) Sorts(ctx context.Context, own string, choices ...SortChoice) ui.ToolSelect {
	s := ui.ToolSelect{Name: "sort", Label: t(ctx, "Order"), Options: []ui.Option{{Text: own, Selected: l.Sort == nil}}}
	if !ui.SortableRows(l.Total) {
		return ui.ToolSelect{}
	}
	known := l.Sort == nil
	for _, c := range choices {
		on := l.Sort != nil && *l.Sort == query.Sort{By: c.By, Descending: c.Descending}
		known = known || on
		s.Options = append(s.Options, ui.Option{Value: sortWord(c.By, c.Descending), Text: c.Text, Selected: on})
	}
	if !known {
		s.Options = append(s.Options, ui.Option{Value: l.Values.Get("sort"), Text: t(ctx, "As chosen in the table"), Selected: true})
	}
	return s
}

// Pager says where the page stands and leads on and back.
func (l Listing) Pager(ctx context.Context) ui.PagerProps {
	first := 1
	if !l.First() {
		if n, err := strconv.Atoi(l.Values.Get(at)); err == nil && n > 1 {
			first = min(n, max(1, l.Total-l.shown+1))
		}
	}
	p := ui.PagerProps{Range: ui.RangeOf(ctx, first, l.shown, l.Total)}
	if l.ends.PreviousCursor != nil {
		p.PrevHref = l.With("after", *l.ends.PreviousCursor, at, strconv.Itoa(max(1, first-l.size)))
	}
	if l.ends.HasNextPage && l.ends.EndCursor != nil {
		p.NextHref = l.With("after", *l.ends.EndCursor, at, strconv.Itoa(first+l.shown))
	}
	return p
}

func sortWord(by query.SortBy, descending bool) string {
	if descending {
		return "-" + string(by)
	}
	return string(by)
}

func sorted(descending bool) string {
	if descending {
		return "descending"
	}
	return "ascending"
}
