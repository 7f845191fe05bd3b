package org

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"atelier/humantext"
	"atelier/web/frame"
	"atelier/web/ui"
)

// reading is what was read from a list, and how.
type reading struct {
	People []invitee     // whom the list means, or what stands in place of an address
	Apart  []apartColumn // addresses that were left out unless they are chosen
	Notes  []string      // what was read and from where, in sentences
}

// apartColumn is a column of addresses that may not be meant.
type apartColumn struct {
	Title  string
	Asked  bool // each of its lines has several addresses, and the list does not say which is meant
	People []invitee
}

// maxApart bounds the columns that can be chosen, and maxNotes the sentences that go from step to step.
const (
	maxApart = 20
	maxNotes = 12
)

func (r *reading) note(sentence string) {
	if len(r.Notes) < maxNotes && !slices.Contains(r.Notes, sentence) {
		r.Notes = append(r.Notes, sentence)
	}
}

// apart keeps an address of a column aside.
func (r *reading) apart(title string, asked bool, person invitee) {
	i := slices.IndexFunc(r.Apart, func(c apartColumn) bool { return c.Title == title && c.Asked == asked })
	if i < 0 {
		if i = len(r.Apart); i == maxApart {
			return // more columns of addresses than anyone reads through
		}
		r.Apart = append(r.Apart, apartColumn{Title: title, Asked: asked})
	}
	r.Apart[i].People = append(r.Apart[i].People, person)
}

// add joins what two lists hold.
func (r *reading) add(more reading) {
	r.People = append(r.People, more.People...)
	for _, column := range more.Apart {
		for _, person := range column.People {
			r.apart(column.Title, column.Asked, person)
		}
	}
	for _, note := range more.Notes {
		r.note(note)
	}
}

// typedPeople is what was pasted, and what stands in a chosen file, in their order; then the columns that a step
// before set apart, with those of them that were chosen.
func typedPeople(r *http.Request) (reading, error) {
	list := readPeople(r.Context(), r.PostForm.Get("emails"))
	file, err := frame.ChosenTable(r, "file")
	if err != nil {
		return list, err
	}
	list.add(readFile(r.Context(), file))
	titles, asked := r.PostForm["apart-title"], r.PostForm["apart-asked"]
	for i, people := range r.PostForm["apart"] {
		if i >= len(titles) || i >= len(asked) || i >= maxApart {
			break
		}
		column := readPeople(r.Context(), people)
		if slices.Contains(r.PostForm["take"], strconv.Itoa(i)) {
			list.People = append(list.People, column.People...)
			continue
		}
		for _, person := range column.People {
			list.apart(titles[i], asked[i] == "1", person)
		}
	}
	for _, note := range r.PostForm["note"] {
		list.note(ui.Short(note, 300))
	}
	return list, nil
}

// readFile reads the list in a file, and says how it was read.
func readFile(ctx context.Context, file frame.File) (list reading) {
	switch {
	case file.Workbook != nil:
		list = readTable(ctx, file.Workbook.Rows)
		sentence := t(ctx, "The workbook’s sheet “%s” was read.", file.Workbook.Sheet)
		if others := file.Workbook.Others; len(others) > 0 {
			sentence = t(ctx, "The workbook’s sheet “%s” was read; left out: %s.", file.Workbook.Sheet, quotedList(ctx, others[:min(len(others), 5)]))
		}
		list.Notes = append([]string{sentence}, list.Notes...)
	case strings.TrimSpace(file.Text) != "":
		list = readPeople(ctx, file.Text)
		sentence := t(ctx, "The file was read as %s.", string(file.Encoding))
		if file.Encoding == humantext.Windows1252 {
			sentence = t(ctx, "The file does not say how its letters are encoded, and was read as Windows-1252, as Excel on Windows saves it. Look at the "+
				"names with accents.")
		}
		list.Notes = append([]string{sentence}, list.Notes...)
	}
	return list
}

// readPeople reads lists of every kind: one on a line, separated by commas, with names as mail programs write them, as
// a table with other columns. What holds no @ stays, so that it is seen, unless it is the head of a table.
func readPeople(ctx context.Context, text string) reading {
	text = strings.TrimPrefix(text, "\ufeff")
	named, text := humantext.NamedSeparator(humantext.LineBreaks(text))
	separators := humantext.Separators
	if named != 0 {
		separators = string(named)
	}
	records := humantext.Records(text, separators)
	records = records[:min(len(records), humantext.MaxRows)] // more than a call may hold, which is refused
	for i, record := range records[:min(len(records), maxAbove)] {
		if strings.Contains(record, "@") {
			break
		}
		separator := named
		if separator == 0 {
			separator = humantext.Separator(record)
		}
		head := humantext.Cells(record, separator)
		head = head[:min(len(head), humantext.MaxColumns)]
		surely := slices.ContainsFunc(head, func(title string) bool { return mailRank(title) > noAddress })
		if len(records) > i+1 && (surely || i == 0 && isHead(head) && !headBelow(records[1:], named)) {
			rows := make([][]string, 0, len(records)-i)
			for _, line := range records[i:] {
				row := humantext.Cells(line, separator)
				rows = append(rows, row[:min(len(row), humantext.MaxColumns)])
			}
			return readRows(ctx, rows)
		}
	}
	return readLines(ctx, records, named)
}

// headBelow tells whether a line further down is a head that speaks of addresses: what stands above it is a title.
func headBelow(records []string, named rune) bool {
	for _, record := range records[:min(len(records), maxAbove)] {
		if strings.Contains(record, "@") {
			return false
		}
		separator := named
		if separator == 0 {
			separator = humantext.Separator(record)
		}
		if slices.ContainsFunc(humantext.Cells(record, separator), func(title string) bool { return mailRank(title) > noAddress }) {
			return true
		}
	}
	return false
}

// maxAbove is how many lines may stand above the head of a table: its title, a date.
const maxAbove = 10

// readTable reads the rows of a workbook.
func readTable(ctx context.Context, rows [][]string) reading {
	lines := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			cells[j] = tableCell(cell)
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return readPeople(ctx, "sep=\t\n"+strings.Join(lines, "\n"))
}

// tableCell is a cell as a table of text has it.
func tableCell(cell string) string {
	cell = strings.ReplaceAll(cell, "\t", " ")
	if strings.HasPrefix(cell, `"`) {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}

// readLines reads the lines of a list without a head. Where a line has several addresses beside other cells, or stands
// among others and has several, the list does not say which is meant, and is asked about.
func readLines(ctx context.Context, records []string, named rune) (list reading) {
	for _, record := range records {
		separator := named
		if separator == 0 {
			separator = separatorIn(record)
		}
		found := readLine(record, separator)
		if len(found) == 0 && slices.ContainsFunc(humantext.Cells(record, separator), func(title string) bool { return mailRank(title) == surelyMail }) {
			list.note(t(ctx, "The line “%s” was read as the head of a table.", ui.Short(strings.TrimSpace(record), 80)))
			continue
		}
		if len(found) == 0 {
			list.People = append(list.People, invitee{Email: strings.TrimSpace(record)})
			continue
		}
		if len(found) > 1 && asksWhich(record, separator, len(records) > 1) {
			for i, person := range found {
				if person.Name == "" {
					person.Name = nameInRow(humantext.Cells(record, separator))
				}
				list.apart(t(ctx, "Address %s of a line", strconv.Itoa(i+1)), true, person)
			}
			continue
		}
		list.People = append(list.People, found...)
	}
	list.describeApart(ctx)
	return list
}

// asksWhich tells a row of a table, in which one of several addresses is meant, from a list of addresses on a line.
func asksWhich(record string, separator rune, among bool) bool {
	addresses, others := 0, 0
	for _, cell := range humantext.Cells(record, separator) {
		switch {
		case strings.Contains(cell, "@"):
			addresses++
		case cell != "":
			others++
		}
	}
	return others > 0 || among && addresses > 1 && !strings.Contains(record, "<")
}

// describeApart says what was left out.
func (r *reading) describeApart(ctx context.Context) {
	for _, column := range r.Apart {
		if n := len(column.People); !column.Asked {
			r.note(tn(ctx, "Left out: %[1]d address in the column “%[2]s”.", "Left out: %[1]d addresses in the column “%[2]s”.", n, column.Title))
		}
	}
	if slices.ContainsFunc(r.Apart, func(c apartColumn) bool { return c.Asked }) {
		r.note(t(ctx, "Some lines have more than one address, and the list does not say which is meant. None of theirs was taken."))
	}
}

// quotedList is names in quotes: “A”, “B”.
func quotedList(ctx context.Context, names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = t(ctx, "“%s”", name)
	}
	return strings.Join(out, ", ")
}
