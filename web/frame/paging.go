package frame

import (
	"net/http"
	"net/url"

	"atelier/web/query"
)

// After is the cursor of an address, nil on the first page.
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
