package web

import (
	"bytes"
	"encoding/csv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"atelier/web/query"
)

// safeCell keeps a spreadsheet from reading a cell as a formula (contract 3, "Usage report rules"): what starts with
// one, also behind spaces, or with a tab or a line break, gets an apostrophe in front.
func safeCell(s string) string {
	start := strings.TrimLeft(s, " ")
	if start != "" && strings.ContainsRune("=+-@\t\r\n", rune(start[0])) {
		return "'" + s
	}
	return s
}

// csvRows writes records as RFC 4180 has them: UTF-8, CRLF, no byte-order mark.
func csvRows(out io.Writer, records ...[]string) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	for _, record := range records {
		safe := make([]string, len(record))
		for i, cell := range record {
			safe[i] = safeCell(cell)
		}
		if err := w.Write(safe); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// file is what a browser saves.
type file struct{ Name, Type string }

// exportFile names a file by the organization, what it holds, and the day.
func (c *Console) exportFile(slug, what, format string) file {
	types := map[string]string{"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson", "ocsf": "application/x-ndjson"}
	ending := format
	if format == "ocsf" {
		ending = "ocsf.jsonl"
	}
	return file{Name: slug + "-" + what + "-" + c.now().UTC().Format(time.DateOnly) + "." + ending, Type: types[format]}
}

// download sends a list page by page as a file. Its first page is read before anything leaves, so that a refusal is
// still an error page; when a later one fails the connection breaks, so that half a file does not pass for a whole.
func download(w http.ResponseWriter, name func() file, part func(after *string, out io.Writer) (query.PageEnd, error)) error {
	var first bytes.Buffer
	end, err := part(nil, &first)
	if err != nil {
		return err
	}
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{})
	f := name()
	w.Header().Set("Content-Type", f.Type)
	w.Header().Set("Content-Disposition", `attachment; filename="`+f.Name+`"`)
	if _, err := first.WriteTo(w); err != nil {
		panic(http.ErrAbortHandler)
	}
	for end.HasNextPage && end.EndCursor != nil {
		if end, err = part(end.EndCursor, w); err != nil {
			panic(http.ErrAbortHandler)
		}
		_ = control.Flush()
	}
	return nil
}

// plainNumber writes a number for programs.
func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
