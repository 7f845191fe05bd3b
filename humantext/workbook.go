package humantext

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// The bounds of a workbook, asked before it is read: what it unpacks to, its parts, and the elements of all of them
// together, since each takes memory of its own; then what is read of its sheet.
const (
	maxUnpacked = 16 << 20 // bytes
	maxParts    = 1_000
	maxElements = 1_000_000 // and attributes
	MaxRows     = 5_000
	MaxColumns  = 100
	MaxCell     = 4_000 // bytes
)

// Workbook is the table of a workbook: the first sheet in sight that has a cell with something in it.
type Workbook struct {
	Sheet  string
	Others []string // sheets that were left out
	Rows   [][]string
}

// reading is the one place for workbooks in a process; maxTurn is how long a caller waits for it.
var reading = make(chan struct{}, 1)

const maxTurn = 10 * time.Second

const (
	errWorkbook = Refusal("This workbook cannot be read: it is damaged, or made in an unusual way. Save it as CSV, and choose that.")
	errLarge    = Refusal("This workbook is too large to be read here. Save the sheet that matters as CSV, and choose that.")
	errBusy     = Refusal("Other workbooks are being read at this moment. Try again.")
)

func isZip(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06")) || bytes.HasPrefix(data, []byte("PK\x07\x08"))
}

// IsWorkbook tells whether bytes are a workbook in Office's open form (.xlsx, .xlsm).
func IsWorkbook(data []byte) bool { return isZip(data) && zipKind(data) == kindWorkbook }

const kindWorkbook = "an Excel workbook (.xlsx)"

// zipKind says what a ZIP holds by the names in its directory.
func zipKind(data []byte) string {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "a damaged ZIP archive"
	}
	for _, part := range archive.File[:min(len(archive.File), maxParts)] {
		switch name := strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/")); {
		case name == "xl/workbook.xml":
			return kindWorkbook
		case name == "xl/workbook.bin":
			return "a binary Excel workbook (.xlsb)"
		case strings.HasPrefix(name, "word/"):
			return "a Word document (.docx)"
		case strings.HasPrefix(name, "ppt/"):
			return "a PowerPoint presentation (.pptx)"
		case name == "mimetype":
			return openDocument(part)
		case strings.HasPrefix(name, "index/") && strings.HasSuffix(name, ".iwa"):
			return "a document of Numbers, Pages or Keynote"
		}
	}
	return "a ZIP archive"
}

// openDocument says what a document of LibreOffice is by its first part.
func openDocument(part *zip.File) string {
	in, err := part.Open()
	if err != nil {
		return "a damaged ZIP archive"
	}
	defer in.Close()
	kind, _ := io.ReadAll(io.LimitReader(in, 100))
	switch {
	case bytes.Contains(kind, []byte("opendocument.spreadsheet")):
		return "an OpenDocument spreadsheet (.ods)"
	case bytes.Contains(kind, []byte("opendocument")):
		return "an OpenDocument file"
	case bytes.Contains(kind, []byte("epub")):
		return "an e-book (.epub)"
	}
	return "a ZIP archive"
}

// ReadWorkbook reads the table of a workbook, one at a time in a process. Every way in which it is none, or too
// much, is a Refusal.
func ReadWorkbook(ctx context.Context, data []byte) (book *Workbook, err error) {
	waited := time.NewTimer(maxTurn)
	defer waited.Stop()
	select {
	case reading <- struct{}{}:
		defer func() { <-reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-waited.C:
		return nil, errBusy
	}
	if err := weigh(data); err != nil {
		return nil, err
	}
	defer func() { // the library was written for files that Excel made
		if recover() != nil {
			book, err = nil, errWorkbook
		}
	}()
	file, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		RawCellValue: true, UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked,
	})
	if err != nil {
		return nil, errWorkbook
	}
	defer file.Close()
	return firstSheet(ctx, file)
}

// weigh refuses what would take too much to read, by reading it once without keeping it.
func weigh(data []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return errWorkbook
	}
	if len(archive.File) > maxParts {
		return errLarge
	}
	scan := scale{buffer: make([]byte, 32<<10)}
	for _, part := range archive.File {
		if err := scan.add(part); err != nil {
			return err
		}
	}
	return nil
}

// scale adds up what parts unpack to.
type scale struct {
	buffer          []byte
	bytes, elements int
}

func (s *scale) add(part *zip.File) error {
	in, err := part.Open()
	if err != nil {
		return errWorkbook
	}
	defer in.Close()
	for {
		n, err := in.Read(s.buffer)
		s.bytes += n
		s.elements += bytes.Count(s.buffer[:n], []byte("<")) + bytes.Count(s.buffer[:n], []byte("=\"")) // attributes take memory, too
		if s.bytes > maxUnpacked || s.elements > maxElements {
			return errLarge
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errWorkbook
		}
	}
}

// firstSheet reads the first sheet in sight that holds something.
func firstSheet(ctx context.Context, file *excelize.File) (*Workbook, error) {
	names := file.GetSheetList()
	if len(names) > maxParts {
		return nil, errLarge
	}
	for i, name := range names {
		if seen, err := file.GetSheetVisible(name); err == nil && !seen {
			continue
		}
		rows, err := sheetRows(ctx, file, name)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			return &Workbook{Sheet: name, Others: append(append([]string{}, names[:i]...), names[i+1:]...), Rows: rows}, nil
		}
	}
	return nil, Refusal("This workbook is empty.")
}

func sheetRows(ctx context.Context, file *excelize.File, name string) (table [][]string, err error) {
	rows, err := file.Rows(name)
	if err != nil {
		return nil, nil // a sheet of charts has no rows
	}
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cells, err := rows.Columns()
		if err != nil {
			return nil, errWorkbook
		}
		row, filled := make([]string, min(len(cells), MaxColumns)), false
		for i := range row {
			if len(cells[i]) > MaxCell {
				return nil, Refusal(fmt.Sprintf("A cell of this workbook has more than %d bytes. Take it out, or save the columns that matter as CSV.", MaxCell))
			}
			row[i] = oneLine(LineBreaks(cells[i]))
			filled = filled || row[i] != ""
		}
		if !filled {
			continue
		}
		if len(table) == MaxRows {
			return nil, Refusal(fmt.Sprintf("This workbook has more than %d rows. Save those that matter as CSV, and choose that.", MaxRows))
		}
		table = append(table, row)
	}
	if rows.Error() != nil {
		return nil, errWorkbook
	}
	return table, nil
}
