package nodes

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"atelier/humantext"
	"atelier/nodes/kit"
)

var csvParseNode = &kit.Node{
	Type: "csv-parse", Label: "Read CSV", Category: "data", OutputType: "data",
	Description:  "Turns a table in CSV form into a list of rows.",
	Capabilities: []string{"data", "csv"},
	InputSchema: kit.Object(
		kit.Area("text", "CSV", "The table as text.").Required(),
		kit.Choice("separator", "Separator", "With auto the first line decides, which may name it as in sep=; alone.", "auto", ",", ";", "tab", "|"),
		kit.Toggle("header", "Header", "The first line names the columns.", true),
		kit.Toggle("numbers", "Numbers", "Turns cells that are numbers into numbers.", true),
	),
	MainInput: "text", MainOutput: "data", Inline: true, Pool: kit.Program,
	Run: csvParse,
}

// The bounds of a table: its rows and columns, and its size as JSON, in which every row
// has the names of all columns.
const (
	maxRows    = 50_000
	maxColumns = 5_000
	maxTable   = 6 << 20
)

func csvParse(_ context.Context, in *kit.Call) (kit.Output, error) {
	named, text := humantext.NamedSeparator(humantext.LineEnds(strings.TrimPrefix(in.Text("text"), "\ufeff")))
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = csvSeparator(text, in.Text("separator"), named)
	reader.FieldsPerRecord = -1
	var columns []string
	rows, size := []any{}, 0
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, unreadTable(err)
		}
		if len(record) > maxColumns {
			return nil, kit.Failf("The table has more than %d columns", maxColumns)
		}
		if in.Flag("header") && columns == nil {
			columns = columnNames(record)
			continue
		}
		if len(rows) == maxRows {
			return nil, kit.Failf("The table has more than %d rows", maxRows).WithHint("Cut it into smaller ones.")
		}
		if size += rowSize(columns, record); size > maxTable {
			return nil, kit.Failf("The table becomes larger than 6 MiB").WithHint("Cut it into smaller ones, or shorten the names of its columns.")
		}
		rows = append(rows, csvRow(columns, record, in.Flag("numbers")))
	}
	out := kit.Output{"data": rows, "count": len(rows)}
	if columns != nil {
		out["columns"] = columns
	}
	return out, nil
}

// unreadTable says where a table is not in CSV form: quotation marks are all
// that can be wrong.
func unreadTable(err error) error {
	var wrong *csv.ParseError
	if !errors.As(err, &wrong) {
		return err
	}
	return kit.Failf("The table cannot be read: a quotation mark is out of place in line %d", wrong.Line).
		WithHint(`Close every quotation mark that opens a cell, and write one within such a cell twice: "".`)
}

// csvSeparator is the chosen separator, or the one that the table names, or the most frequent one of its first line.
func csvSeparator(text, choice string, named rune) rune {
	switch choice {
	case "tab":
		return '\t'
	case ",", ";", "|":
		return rune(choice[0])
	}
	if named != 0 {
		return named
	}
	return humantext.Separator(humantext.FirstRecord(text))
}

// columnNames names nameless columns by their number, and tells doubles apart.
func columnNames(record []string) []string {
	seen := map[string]bool{}
	names := make([]string, len(record))
	for i, cell := range record {
		name := strings.TrimSpace(cell)
		if name == "" || seen[name] {
			name = strings.TrimSpace(name + " " + strconv.Itoa(i+1))
		}
		seen[name] = true
		names[i] = name
	}
	return names
}

// csvRow is an object by column name, or a list without a header; cells
// beyond the header are named by their number.
func csvRow(columns, record []string, numbers bool) any {
	object, list := map[string]any{}, make([]any, len(record))
	for i, cell := range record {
		list[i] = cellValue(cell, numbers)
		switch {
		case i < len(columns):
			object[columns[i]] = list[i]
		case columns != nil:
			object[strconv.Itoa(i+1)] = list[i]
		}
	}
	if columns == nil {
		return list
	}
	return object
}

// rowSize is about how large a row is as JSON.
func rowSize(columns, record []string) int {
	size := 2
	for i, cell := range record {
		if size += len(cell) + 3; i < len(columns) {
			size += len(columns[i]) + 3
		}
	}
	return size
}

// cellValue keeps as text what a number would change: 007, 1e5, +49.
func cellValue(cell string, numbers bool) any {
	if v, err := strconv.ParseFloat(cell, 64); numbers && err == nil && kit.Finite(v) && kit.PlainNumber(v) == cell {
		return v
	}
	return cell
}
