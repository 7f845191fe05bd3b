package org

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"atelier/web/frame"
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

// typedPeople are the entries that were pasted, and those of a chosen file, in their order.
func typedPeople(r *http.Request) []invitee {
	return append(readPeople(r.PostForm.Get("emails")), readPeople(frame.ChosenFile(r, "file"))...)
}

// readPeople reads lists of every kind: one on a line, separated by commas, with names as mail programs write them, as
// a table with other columns. What holds no @ stays, so that it is seen, unless it is the head of a table.
func readPeople(list string) (people []invitee) {
	lines := strings.FieldsFunc(strings.TrimPrefix(list, "\ufeff"), func(c rune) bool { return c == '\n' || c == '\r' })
	var head []string
	for i, line := range lines {
		found := readLine(line, head)
		if line = strings.TrimSpace(line); len(found) == 0 && line != "" {
			if i == 0 && len(lines) > 1 && isHead(cells(line)) {
				head = cells(line)
				continue
			}
			found = []invitee{{Email: line}}
		}
		people = append(people, found...)
	}
	return people
}

// isHead tells the head of a table from an entry that is no address.
func isHead(row []string) bool {
	return len(row) > 1 || slices.ContainsFunc([]string{"mail", "name", "addr", "adres", "student", "pupil"}, func(word string) bool {
		return strings.Contains(strings.ToLower(row[0]), word)
	})
}

// readLine reads the addresses of a line with the names beside them.
func readLine(line string, head []string) (found []invitee) {
	if !strings.Contains(line, "@") {
		return nil
	}
	if strings.Contains(line, "<") {
		return readMailboxes(line)
	}
	row := cells(line)
	for _, cell := range row {
		found = append(found, readCell(cell)...)
	}
	if len(found) == 1 && found[0].Name == "" {
		found[0].Name = nameInRow(row, head)
	}
	return found
}

// readMailboxes reads "Mina Lang <mina@example.com>, tom@example.com".
func readMailboxes(line string) (found []invitee) {
	for line != "" {
		name, rest, more := strings.Cut(line, "<")
		if !more {
			for _, cell := range cells(name) {
				found = append(found, readCell(cell)...)
			}
			return found
		}
		before := cells(name) // addresses without brackets may stand before the name
		if n := len(before); n > 0 {
			for _, cell := range before[:n-1] {
				if at := readCell(cell); len(at) > 0 {
					found, before = append(found, at...), slices.DeleteFunc(before, func(c string) bool { return c == cell })
				}
			}
		}
		email, after, _ := strings.Cut(rest, ">")
		if email = strings.TrimSpace(email); email != "" {
			found = append(found, invitee{Email: email, Name: cleanName(strings.Join(before, ", "))})
		}
		line = strings.TrimLeft(after, " \t,;|")
	}
	return found
}

// readCell reads "mina@example.com", "Mina Lang mina@example.com" and several addresses in one.
func readCell(cell string) (found []invitee) {
	var words []string
	for _, word := range strings.FieldsFunc(cell, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("<>()\"'", c) }) {
		if !strings.Contains(word, "@") {
			words = append(words, word)
			continue
		}
		for _, email := range strings.FieldsFunc(word, func(c rune) bool { return strings.ContainsRune(",;|", c) }) {
			found, words = append(found, invitee{Email: email, Name: cleanName(strings.Join(words, " "))}), nil
		}
	}
	if len(found) == 1 && found[0].Name == "" {
		found[0].Name = cleanName(strings.Join(words, " "))
	}
	return found
}

// nameInRow is the name in a row of a table with one address: the columns that its head calls names, else what stands
// before the address, else what stands behind it. What holds a digit is a class or a number.
func nameInRow(row, head []string) string {
	if name := nameByHead(row, head); name != "" {
		return name
	}
	at := slices.IndexFunc(row, func(cell string) bool { return strings.Contains(cell, "@") })
	var before []string
	for _, cell := range row[:at] {
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

// The heads of columns, in a few languages of schools.
var (
	firstHeads = []string{"first name", "firstname", "given name", "givenname", "forename", "vorname", "prénom", "nombre"}
	lastHeads  = []string{"last name", "lastname", "surname", "family name", "familyname", "nachname", "nom", "apellidos"}
	nameHeads  = []string{"name", "full name", "fullname", "display name", "displayname", "student", "pupil", "teacher", "person", "anzeigename"}
)

func nameByHead(row, head []string) string {
	column := func(names []string) string {
		for i, title := range head {
			if i < len(row) && slices.Contains(names, strings.ToLower(strings.TrimSpace(title))) {
				return row[i]
			}
		}
		return ""
	}
	if name := cleanName(column(firstHeads) + " " + column(lastHeads)); name != "" {
		return name
	}
	return cleanName(column(nameHeads))
}

// cells divides a line of a table at its separator: tabs, semicolons, bars or commas, outside of quotes.
func cells(line string) []string {
	separator := ','
	for _, c := range "\t;|" {
		if strings.ContainsRune(line, c) {
			separator = c
			break
		}
	}
	var out []string
	var cell strings.Builder
	quoted := false
	for _, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c == separator && !quoted:
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteRune(c)
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}

// cleanName is a name without what a list would read as something else; "Lang, Mina" is turned round.
func cleanName(name string) string {
	if last, first, both := strings.Cut(name, ","); both && !strings.Contains(first, ",") {
		name = first + " " + last
	}
	name = strings.Map(func(c rune) rune {
		if strings.ContainsRune(`<>",;|@`, c) || unicode.IsControl(c) {
			return ' '
		}
		return c
	}, name)
	if name = strings.Join(strings.Fields(name), " "); !strings.ContainsFunc(name, unicode.IsLetter) {
		return ""
	}
	if runes := []rune(name); len(runes) > 100 {
		name = strings.TrimSpace(string(runes[:100]))
	}
	return strings.Trim(name, "' ")
}
