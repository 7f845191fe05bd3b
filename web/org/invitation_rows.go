package org

import (
	"slices"
	"strconv"
	"strings"

	"atelier/web/ui"
)

// roster is a table of people with a head.
type roster struct {
	head  []string
	email int // the column of the addresses that are meant; -1 where several may be
	first int
	last  int
	name  int
}

// readRows reads a table whose first row is its head: one address for each row from the column that is called so.
// Other columns with addresses are left out, by their title.
func readRows(rows [][]string) (list reading) {
	t := newRoster(rows[0], rows[1:])
	if t.email < 0 && !slices.ContainsFunc(rows[1:], func(row []string) bool { return len(readAddresses(strings.Join(row, " "))) > 0 }) {
		for _, row := range rows[1:] {
			list.People = append(list.People, invitee{Email: ui.Short(flat(strings.Join(row, " ")), 200)})
		}
		list.note("No column of the table holds an address.")
		return list
	}
	for i, row := range rows[1:] {
		t.read(&list, row, i+2)
	}
	t.describe(&list)
	list.describeApart()
	return list
}

func newRoster(head []string, rows [][]string) *roster {
	t := &roster{head: head, first: columnOf(head, firstHeads), last: columnOf(head, lastHeads), name: columnOf(head, nameHeads)}
	t.email = t.emailColumn(rows)
	return t
}

// emailColumn is the column with the best title; without one that surely says so, the only one with addresses, unless
// its title speaks of another person's.
func (t *roster) emailColumn(rows [][]string) int {
	best, rank, several := -1, foreignMail, false
	for i, title := range t.head {
		r := mailRank(title)
		if r == likelyMail && !slices.ContainsFunc(rows, func(row []string) bool { return i < len(row) && len(readAddresses(row[i])) > 0 }) {
			continue
		}
		switch {
		case r > rank:
			best, rank, several = i, r, false
		case r == rank && r == likelyMail:
			several = true
		}
	}
	if best >= 0 && !several {
		return best
	}
	only := -1
	for _, row := range rows {
		for i, cell := range row {
			if i == only || !strings.Contains(cell, "@") || len(readAddresses(cell)) == 0 {
				continue
			}
			if only >= 0 {
				return -1
			}
			only = i
		}
	}
	if only >= 0 && only < len(t.head) && mailRank(t.head[only]) == foreignMail {
		return -1
	}
	return only
}

// title is how a column is called.
func (t *roster) title(i int) string {
	if i < len(t.head) && t.head[i] != "" {
		return ui.Short(t.head[i], 80)
	}
	return "Column " + strconv.Itoa(i+1)
}

// read reads a row; line is its number for people.
func (t *roster) read(list *reading, row []string, line int) {
	name := t.nameOf(row)
	main := t.mainOf(row)
	taken := ""
	switch {
	case len(main) == 1:
		taken = main[0].Email
		if name == "" {
			name = main[0].Name
		}
		if name == "" || t.shifted(row) {
			name = nameInRow(row)
		}
		list.People = append(list.People, invitee{Email: taken, Name: name})
	case len(main) > 1:
		for i, person := range main {
			list.apart("Address "+strconv.Itoa(i+1)+" in “"+t.title(t.email)+"”", true, invitee{Email: person.Email, Name: name})
		}
	case t.email >= 0:
		t.readNone(list, row, line, name)
	}
	for i, cell := range row {
		if i == t.email {
			continue
		}
		for _, other := range readAddresses(cell) {
			if !strings.EqualFold(other.Email, taken) {
				person := invitee{Email: other.Email, Name: other.Name}
				if t.email < 0 && person.Name == "" {
					person.Name = name
				}
				list.apart(t.title(i), false, person)
			}
		}
	}
}

// mainOf are the addresses in the column of addresses. In a row whose cells are shifted, as a
// comma in a name does it, the one address counts.
func (t *roster) mainOf(row []string) []invitee {
	if t.email < 0 {
		return nil
	}
	if t.shifted(row) {
		var all []invitee
		for _, cell := range row {
			all = append(all, readAddresses(cell)...)
		}
		if len(all) == 1 {
			return all
		}
	}
	if t.email >= len(row) {
		return nil
	}
	return readAddresses(row[t.email])
}

// shifted tells whether the cells of a row stand elsewhere than its head says.
func (t *roster) shifted(row []string) bool {
	return len(row) > len(t.head) && !strings.Contains(row[t.email], "@")
}

// readNone keeps a row without an address in its column, so that it is seen.
func (t *roster) readNone(list *reading, row []string, line int, name string) {
	if t.email < len(row) && row[t.email] != "" {
		list.People = append(list.People, invitee{Email: ui.Short(flat(row[t.email]), 200), Name: name})
		return
	}
	if !slices.ContainsFunc(row, func(cell string) bool { return cell != "" }) {
		return
	}
	if name == "" {
		name = "Line " + strconv.Itoa(line)
	}
	list.People = append(list.People, invitee{Email: name + ": nothing in “" + t.title(t.email) + "”"})
}

// flat is a text without what a list would read as several entries.
func flat(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || strings.ContainsRune("<>,;\t|\"@＠", r) }), " ")
}

// nameOf is the name in the columns that the head calls names.
func (t *roster) nameOf(row []string) string {
	cell := func(i int) string {
		if i < 0 || i >= len(row) || strings.Contains(row[i], "@") {
			return ""
		}
		return row[i]
	}
	if t.last >= 0 || t.name < 0 {
		if name := cleanName(cell(t.first) + " " + cell(t.last)); name != "" {
			return name
		}
	}
	first, name := cell(t.first), cell(t.name) // "Name" beside a first name is the last one, unless it holds both
	if first != "" && !strings.Contains(name, first) {
		name = first + " " + name
	}
	return cleanName(name)
}

// readAddresses are the addresses of a cell.
func readAddresses(cell string) []invitee {
	if !strings.Contains(cell, "@") {
		return nil
	}
	if strings.Contains(cell, "<") {
		return readMailboxes(cell)
	}
	return readCell(cell)
}

// describe says what was taken from which column.
func (t *roster) describe(list *reading) {
	if t.email < 0 {
		list.note("The head of the table does not say which column has the addresses that are meant: choose it below.")
		return
	}
	sentence := "Read as a table: one address for each line, from the column “" + t.title(t.email) + "”"
	var names []string
	columns := []int{t.first, t.last}
	if t.last < 0 {
		columns[1] = t.name
	}
	for _, i := range columns {
		if i >= 0 {
			names = append(names, "“"+t.title(i)+"”")
		}
	}
	if len(names) > 0 {
		sentence += "; names from " + strings.Join(names, " and ")
	}
	list.note(sentence + ".")
}

// text is a column as a form carries it to the next step.
func (c apartColumn) text() string { return listText(c.People) }

// label is what a column is called where it can be chosen.
func (c apartColumn) label() string {
	shown := make([]string, 0, 2)
	for _, person := range c.People[:min(2, len(c.People))] {
		shown = append(shown, person.Email)
	}
	text := c.Title + ": " + ui.Plural(len(c.People), "address", "addresses") + " (" + strings.Join(shown, ", ")
	if len(c.People) > len(shown) {
		text += " …"
	}
	return text + ")"
}
