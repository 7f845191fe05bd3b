package org

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/humantext"
)

// invitee is one entry of a list: an address, or what stood in its place, and the name beside it.
type invitee struct{ Email, Name string }

// line is the entry as it is written in a list.
func (i invitee) line() string {
	if i.Name == "" {
		return i.Email
	}
	return i.Name + " <" + i.Email + ">"
}

// readLine reads the addresses of a line with the names beside them.
func readLine(line string, separator rune) (found []invitee) {
	if !strings.Contains(line, "@") {
		return nil
	}
	if strings.Contains(line, "<") {
		return readMailboxes(line)
	}
	row := humantext.Cells(line, separator)
	for _, cell := range row {
		found = append(found, readCell(cell)...)
	}
	if len(found) == 1 && found[0].Name == "" {
		found[0].Name = nameInRow(row)
	}
	return found
}

// readMailboxes reads "Mina Lang <mina@example.com>, tom@example.com".
func readMailboxes(line string) (found []invitee) {
	for line != "" {
		name, rest, more := strings.Cut(line, "<")
		if !more {
			for _, cell := range cellsOf(name) {
				found = append(found, readCell(cell)...)
			}
			return found
		}
		var before []string // addresses without brackets may stand before the name
		cells := cellsOf(name)
		for i, cell := range cells {
			if at := readCell(cell); i < len(cells)-1 && len(at) > 0 {
				found = append(found, at...)
			} else {
				before = append(before, cell)
			}
		}
		email, after, _ := strings.Cut(rest, ">")
		if email = humantext.NamedAddress(email); email != "" {
			found = append(found, invitee{Email: email, Name: cleanName(strings.Join(before, ", "))})
		}
		line = strings.TrimLeft(after, " \t,;|")
	}
	return found
}

// cellsOf are the cells of a line by what separates them in it.
func cellsOf(line string) []string { return humantext.Cells(line, separatorIn(line)) }

// separatorIn is what stands between the cells of a line in a list without a head: tabs, semicolons, bars or commas.
// A bar may be a part of an address, and separates only behind one or beside a blank.
func separatorIn(line string) rune {
	for _, separator := range humantext.Separators {
		cells := humantext.Cells(line, separator)
		if len(cells) > 1 && (separator != '|' || strings.Contains(line, " |") || strings.Contains(line, "| ") || strings.Contains(cells[0], "@")) {
			return separator
		}
	}
	return ','
}

// readCell reads "mina@example.com", "Mina Lang mina@example.com" and several addresses in one.
func readCell(cell string) (found []invitee) {
	var words []string
	for _, word := range strings.FieldsFunc(cell, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("<>()\"", c) }) {
		if !strings.Contains(word, "@") {
			words = append(words, word)
			continue
		}
		for _, email := range addressesIn(word) {
			found, words = append(found, invitee{Email: email, Name: cleanName(strings.Join(words, " "))}), nil
		}
	}
	if len(found) == 1 && found[0].Name == "" {
		found[0].Name = cleanName(strings.Join(words, " "))
	}
	return found
}

// addressesIn are the addresses of a word without blanks: an address is what the service takes for one, so only
// commas and semicolons part them, and bars and slashes where there are several.
func addressesIn(word string) (emails []string) {
	separators := ",;"
	if strings.Count(word, "@") > 1 {
		separators += "|/"
	}
	for _, email := range strings.FieldsFunc(word, func(c rune) bool { return strings.ContainsRune(separators, c) }) {
		if email = humantext.NamedAddress(email); email != "" {
			emails = append(emails, email)
		}
	}
	return emails
}

// nameInRow is the name in a row of a table with one address and no head: what stands before the address, else what
// stands behind it. What holds a digit is a class or a number.
func nameInRow(row []string) string {
	at := slices.IndexFunc(row, func(cell string) bool { return strings.Contains(cell, "@") })
	var before []string
	for _, cell := range row[:max(at, 0)] {
		if cell != "" && !strings.ContainsFunc(cell, unicode.IsDigit) {
			before = append(before, cell)
		}
	}
	if n := len(before); n > 0 {
		return cleanName(strings.Join(before[max(0, n-2):], " "))
	}
	if at+1 < len(row) && !strings.ContainsFunc(row[at+1], unicode.IsDigit) {
		return cleanName(row[at+1])
	}
	return ""
}

// maxName is how many characters of a name are kept.
const maxName = 100

// cleanName is a name without what a list would read as something else; "Lang, Mina" is turned round.
func cleanName(name string) string {
	if last, first, both := strings.Cut(name, ","); both && !strings.Contains(first, ",") {
		name = first + " " + last
	}
	name = strings.Map(func(c rune) rune {
		if strings.ContainsRune(`<>",;|@＠`, c) || unicode.IsControl(c) {
			return ' '
		}
		return c
	}, humantext.Name(name))
	name = humantext.Unquoted(strings.Join(strings.Fields(name), " "))
	if !strings.ContainsFunc(name, unicode.IsLetter) {
		return ""
	}
	if utf8.RuneCountInString(name) > maxName {
		name = strings.TrimSpace(string([]rune(name)[:maxName]))
	}
	return name
}
