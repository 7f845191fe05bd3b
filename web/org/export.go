package org

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/bulk"
	"atelier/web/query"
)

// file is what a browser saves.
type file struct{ Name, Type string }

// exportFile names a file by the organization, what it holds, and the day.
func (c Pages) exportFile(slug, what, format string) file {
	types := map[string]string{"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson", "ocsf": "application/x-ndjson"}
	ending := format
	if format == "ocsf" {
		ending = "ocsf.jsonl"
	}
	return file{Name: slug + "-" + what + "-" + c.Now().UTC().Format(time.DateOnly) + "." + ending, Type: types[format]}
}

// download sends a list page by page as a file. Its first page is read before anything leaves, so that a refusal is
// still an error page; when a later one fails the connection breaks, so that half a file does not pass for a whole.
func download(w http.ResponseWriter, r *http.Request, name func() file, part func(after *string, out io.Writer) (query.PageEnd, error)) error {
	var page bytes.Buffer
	read := func(after *string) (query.PageEnd, error) {
		return bulk.Part(r.Context(), func(context.Context) (query.PageEnd, error) { return part(after, &page) })
	}
	end, err := read(nil)
	if err != nil {
		return err
	}
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{})
	f := name()
	w.Header().Set("Content-Type", f.Type)
	w.Header().Set("Content-Disposition", `attachment; filename="`+f.Name+`"`)
	for {
		if _, err := page.WriteTo(w); err != nil {
			panic(http.ErrAbortHandler)
		}
		if !end.HasNextPage || end.EndCursor == nil {
			return nil
		}
		_ = control.Flush()
		if end, err = read(end.EndCursor); err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

// filterWords is a filter as the log keeps it; nil for none.
func filterWords(values url.Values, names ...string) *string {
	var parts []string
	for _, name := range names {
		if s := values.Get(name); s != "" {
			parts = append(parts, name+"="+s)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	words := strings.Join(parts, " ")
	return &words
}
