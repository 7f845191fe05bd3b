// Package csvtext writes tables as files that spreadsheets and programs read:
// RFC 4180, in which no cell is a formula. It knows nothing of the house, so that
// the routes and the console write with it alike.
package csvtext

import (
	"encoding/csv"
	"io"
	"strings"
)

// Type is the media type of what Write writes.
const Type = "text/csv; charset=utf-8"

// Safe keeps a spreadsheet from reading a cell as a formula (contract 3, "Usage report rules"): what starts with
// one, also behind spaces, or with a tab or a line break, gets an apostrophe in front.
func Safe(cell string) string {
	start := strings.TrimLeft(cell, " ")
	if start != "" && strings.ContainsRune("=+-@\t\r\n", rune(start[0])) {
		return "'" + cell
	}
	return cell
}

// Mark is the byte-order mark by which Excel knows UTF-8. It stands before the first record.
const Mark = "\ufeff"

// Write writes records as RFC 4180 has them: UTF-8, CRLF, no byte-order mark.
func Write(out io.Writer, records ...[]string) error { return WriteWith(out, ',', records...) }

// WriteWith is Write with another character between cells, as Excel expects it in many languages.
func WriteWith(out io.Writer, comma rune, records ...[]string) error {
	w := csv.NewWriter(out)
	w.UseCRLF, w.Comma = true, comma
	for _, record := range records {
		safe := make([]string, len(record))
		for i, cell := range record {
			safe[i] = Safe(cell)
		}
		if err := w.Write(safe); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
