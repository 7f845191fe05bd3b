package humantext

import (
	"strings"
	"unicode/utf8"
)

// Separators are what stands between the cells of a table, in the order in which a line is looked through.
const Separators = "\t;|,"

// maxQuoted bounds a quoted cell: a quotation mark that is closed further away was not meant to open one.
const maxQuoted = 8 << 10

// NamedSeparator reads the first line by which spreadsheets say what stands between cells, "sep=;": the separator
// and the text behind the line, or 0 and the text.
func NamedSeparator(text string) (rune, string) {
	line, rest, _ := strings.Cut(text, "\n")
	line = strings.Trim(strings.TrimRight(line, "\r "), `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") {
		return 0, text
	}
	separator, size := utf8.DecodeRuneInString(line[4:])
	if size != 1 || len(line) != 5 || separator == '"' || separator == '\r' {
		return 0, text
	}
	return separator, rest
}

// Separator is what stands between the cells of a line: what is most frequent in it outside of quoted cells, else a
// comma. A quotation mark begins a cell only where a cell may begin.
func Separator(line string) rune {
	counts, begins := map[rune]int{}, true
	for i := 0; i < len(line); i++ {
		r := rune(line[i])
		if r == '"' && begins {
			if n := quotedLength(line[i:], Separators); n > 0 {
				i += n - 1
			}
		} else if strings.ContainsRune(Separators, r) {
			counts[r]++
			begins = true
			continue
		}
		begins = false
	}
	best := ','
	for _, r := range Separators {
		if counts[r] > counts[best] {
			best = r
		}
	}
	return best
}

// Records are the lines of a table or a list, without the empty ones, however they end. A line break within a
// quoted cell (RFC 4180) does not end one; a quotation mark that closes no cell is a character like another.
// Separators are the characters between cells.
func Records(text, separators string) []string {
	text = LineBreaks(text)
	var records []string
	for text != "" {
		n := recordLength(text, separators)
		if record := text[:n]; strings.TrimSpace(record) != "" {
			records = append(records, record)
		}
		text = text[min(n+1, len(text)):]
	}
	return records
}

// FirstRecord is the first line of a table that is not empty; see Records. The lines of text end as LineEnds has them.
func FirstRecord(text string) string {
	text = strings.TrimLeft(text, "\n")
	return text[:recordLength(text, Separators)]
}

// recordLength is where the first record of a text ends.
func recordLength(text, separators string) int {
	start := true
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' && start:
			if n := quotedLength(text[i:], separators); n > 0 {
				i += n
				start = false
				continue
			}
			start = false
		case c == '\n':
			return i
		case strings.IndexByte(separators, c) >= 0:
			start = true
		case c != ' ':
			start = false
		}
		i++
	}
	return len(text)
}

// quotedLength is how long the quoted cell is that text begins with, its quotation marks included; 0 if it is
// not one: nothing closes it, or what closes it does not stand at the end of a cell.
func quotedLength(text, separators string) int {
	bounded := text[:min(len(text), maxQuoted)]
	for i := 1; i < len(bounded); i++ {
		if bounded[i] != '"' {
			continue
		}
		if i+1 < len(bounded) && bounded[i+1] == '"' {
			i++
			continue
		}
		rest := strings.TrimLeft(text[i+1:], " ")
		if rest == "" || rest[0] == '\n' || strings.IndexByte(separators, rest[0]) >= 0 {
			return i + 1
		}
		return 0
	}
	return 0
}

// Cells are the trimmed cells of a record. A quoted cell is without its quotation marks, one that it holds twice is
// one, and a line break in it is a space.
func Cells(record string, separator rune) []string {
	var cells []string
	for {
		cell, rest, more := nextCell(record, separator)
		cells = append(cells, cell)
		if !more {
			return cells
		}
		record = rest
	}
}

func nextCell(record string, separator rune) (cell, rest string, more bool) {
	from := len(record) - len(strings.TrimLeft(record, " "))
	if separator == ' ' {
		from = 0
	}
	if strings.HasPrefix(record[from:], `"`) {
		if n := quotedLength(record[from:], string(separator)); n > 0 {
			cell = strings.ReplaceAll(record[from+1:from+n-1], `""`, `"`)
			_, rest, more = strings.Cut(record[from+n:], string(separator))
			return oneLine(cell), rest, more
		}
	}
	cell, rest, more = strings.Cut(record, string(separator))
	return oneLine(cell), rest, more
}

func oneLine(cell string) string {
	return strings.TrimSpace(strings.ReplaceAll(cell, "\n", " "))
}
