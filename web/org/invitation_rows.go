package org

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"atelier/web/locale"
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
func readRows(ctx context.Context, rows [][]string) (list reading) {
	table := newRoster(rows[0], rows[1:])
	if table.email < 0 && !slices.ContainsFunc(rows[1:], func(row []string) bool { return len(readAddresses(strings.Join(row, " "))) > 0 }) {
		for _, row := range rows[1:] {
			list.People = append(list.People, invitee{Email: ui.Short(flat(strings.Join(row, " ")), 200)})
		}
		list.note(t(ctx, "No column of the table holds an address."))
		return list
	}
	for i, row := range rows[1:] {
		table.read(ctx, &list, row, i+2)
	}
	table.describe(ctx, &list)
	list.describeApart(ctx)
	return list
}

func newRoster(head []string, rows [][]string) *roster {
	table := &roster{head: head, first: columnOf(head, firstHeads), last: columnOf(head, lastHeads), name: columnOf(head, nameHeads)}
	table.email = table.emailColumn(rows)
	return table
}

// emailColumn is the column with the best title; without one that surely says so, the only one with addresses, unless
// its title speaks of another person's.
func (table *roster) emailColumn(rows [][]string) int {
	best, rank, several := -1, foreignMail, false
	for i, title := range table.head {
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
	if only >= 0 && only < len(table.head) && mailRank(table.head[only]) == foreignMail {
		return -1
	}
	return only
}

// title is how a column is called.
func (table *roster) title(ctx context.Context, i int) string {
	if i < len(table.head) && table.head[i] != "" {
		return ui.Short(table.head[i], 80)
	}
	return t(ctx, "Column %s", strconv.Itoa(i+1))
}

// read reads a row; line is its number for people.
func (table *roster) read(ctx context.Context, list *reading, row []string, line int) {
	name := table.nameOf(row)
	main := table.mainOf(row)
	taken := ""
	switch {
	case len(main) == 1:
		taken = main[0].Email
		if name == "" {
			name = main[0].Name
		}
		if name == "" || table.shifted(row) {
			name = nameInRow(row)
		}
		list.People = append(list.People, invitee{Email: taken, Name: name})
	case len(main) > 1:
		for i, person := range main {
			list.apart(t(ctx, "Address %s in “%s”", strconv.Itoa(i+1), table.title(ctx, table.email)), true, invitee{Email: person.Email, Name: name})
		}
	case table.email >= 0:
		table.readNone(ctx, list, row, line, name)
	}
	for i, cell := range row {
		if i == table.email {
			continue
		}
		for _, other := range readAddresses(cell) {
			if !strings.EqualFold(other.Email, taken) {
				person := invitee{Email: other.Email, Name: other.Name}
				if table.email < 0 && person.Name == "" {
					person.Name = name
				}
				list.apart(table.title(ctx, i), false, person)
			}
		}
	}
}

// mainOf are the addresses in the column of addresses. In a row whose cells are shifted, as a
// comma in a name does it, the one address counts.
func (table *roster) mainOf(row []string) []invitee {
	if table.email < 0 {
		return nil
	}
	if table.shifted(row) {
		var all []invitee
		for _, cell := range row {
			all = append(all, readAddresses(cell)...)
		}
		if len(all) == 1 {
			return all
		}
	}
	if table.email >= len(row) {
		return nil
	}
	return readAddresses(row[table.email])
}

// shifted tells whether the cells of a row stand elsewhere than its head says.
func (table *roster) shifted(row []string) bool {
	return len(row) > len(table.head) && !strings.Contains(row[table.email], "@")
}

// readNone keeps a row without an address in its column, so that it is seen.
func (table *roster) readNone(ctx context.Context, list *reading, row []string, line int, name string) {
	if table.email < len(row) && row[table.email] != "" {
		list.People = append(list.People, invitee{Email: ui.Short(flat(row[table.email]), 200), Name: name})
		return
	}
	if !slices.ContainsFunc(row, func(cell string) bool { return cell != "" }) {
		return
	}
	if name == "" {
		name = t(ctx, "Line %s", strconv.Itoa(line))
	}
	list.People = append(list.People, invitee{Email: t(ctx, "%s: nothing in “%s”", name, table.title(ctx, table.email))})
}

// flat is a text without what a list would read as several entries.
func flat(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || strings.ContainsRune("<>,;\t|\"@＠", r) }), " ")
}

// nameOf is the name in the columns that the head calls names.
func (table *roster) nameOf(row []string) string {
	cell := func(i int) string {
		if i < 0 || i >= len(row) || strings.Contains(row[i], "@") {
			return ""
		}
		return row[i]
	}
	if table.last >= 0 || table.name < 0 {
		if name := cleanName(cell(table.first) + " " + cell(table.last)); name != "" {
			return name
		}
	}
	first, name := cell(table.first), cell(table.name) // "Name" beside a first name is the last one, unless it holds both
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
func (table *roster) describe(ctx context.Context, list *reading) {
	if table.email < 0 {
		list.note(t(ctx, "The head of the table does not say which column has the addresses that are meant: choose it below."))
		return
	}
	var names []string
	columns := []int{table.first, table.last}
	if table.last < 0 {
		columns[1] = table.name
	}
	for _, i := range columns {
		if i >= 0 {
			names = append(names, t(ctx, "“%s”", table.title(ctx, i)))
		}
	}
	from := table.title(ctx, table.email)
	switch len(names) {
	case 0:
		list.note(t(ctx, "Read as a table: one address for each line, from the column “%s”.", from))
	case 1:
		list.note(t(ctx, "Read as a table: one address for each line, from the column “%s”; names from %s.", from, names[0]))
	default:
		list.note(t(ctx, "Read as a table: one address for each line, from the column “%s”; names from %s and %s.", from, names[0], names[1]))
	}
}

// text is a column as a form carries it to the next step.
func (c apartColumn) text() string { return listText(c.People) }

// label is what a column is called where it can be chosen.
func (c apartColumn) label(ctx context.Context) string {
	shown := make([]string, 0, 2)
	for _, person := range c.People[:min(2, len(c.People))] {
		shown = append(shown, person.Email)
	}
	text := locale.Labelled(ctx, c.Title, tn(ctx, "%d address", "%d addresses", len(c.People))) + " (" + strings.Join(shown, ", ")
	if len(c.People) > len(shown) {
		text += " …"
	}
	return text + ")"
}
