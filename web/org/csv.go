package org

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
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

// plainNumber writes a number for programs.
func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
