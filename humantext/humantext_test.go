package humantext

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

func TestDecode(t *testing.T) {
	for name, test := range map[string]struct {
		in, want string
		encoding Encoding
	}{
		"UTF-8":                {"Zoë", "Zoë", UTF8},
		"a mark":               {"\xef\xbb\xbfZoë", "Zoë", UTF8},
		"damaged after a mark": {"\xef\xbb\xbfZ\xff", "Z\ufffd", UTF8},
		"little endian":        {"\xff\xfeZ\x00\xeb\x00=\xd8\x00\xde", "Zë😀", UTF16},
		"big endian":           {"\xfe\xff\x00Z\x00\xeb", "Zë", UTF16},
		"half a pair":          {"\xff\xfeZ\x00\x00\xd8A\x00", "Z\ufffdA", UTF16},
		"no mark":              {"Z\x00o\x00e\x00,\x00", "Zoe,", UTF16},
		"Windows-1252":         {"Jos\xe9 N\xfa\xf1ez \x80 \x93q\x94", "José Núñez € “q”", Windows1252},
		"nothing":              {"", "", UTF8},
	} {
		if got, encoding, err := Decode([]byte(test.in)); got != test.want || encoding != test.encoding || err != nil {
			t.Errorf("%s: %q %s %v", name, got, encoding, err)
		}
	}
	for in, want := range map[string]string{
		"%PDF-1.7 ...": "a PDF", "\x89PNG\r\n\x1a\n....": "a picture (PNG)", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....": "an old or a locked Office file",
		"a\x00b": "no text", "\xff\xfea": "damaged", "\xff\xfe\x00\x00a\x00\x00\x00": "UTF-32", zipOf("word/document.xml", "x"): "a Word document",
		zipOf("a.txt", "x"): "a ZIP archive", zipOf("mimetype", "application/vnd.oasis.opendocument.spreadsheet"): "(.ods)", "\xff\x01\x02\x03": "no text",
		zipOf("xl/workbook.xml", "x"): "an Excel workbook",
	} {
		var refusal Refusal
		if text, _, err := Decode([]byte(in)); !errors.As(err, &refusal) || !strings.Contains(err.Error(), want) || text != "" {
			t.Errorf("%q: %q %v", in, text, err)
		}
	}
}

func zipOf(parts ...string) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(parts); i += 2 {
		part, _ := w.Create(parts[i])
		_, _ = part.Write([]byte(parts[i+1]))
	}
	_ = w.Close()
	return out.String()
}

func TestPasted(t *testing.T) {
	for in, want := range map[string]string{
		"\u200bAB\u2060C\ufeff": "ABC", "\u202aAB\u202c": "AB", "A\u00adB\u200e": "AB", "\u2066AB\u2069": "AB", "A\u00a0B ": "A B", "e\u0301": "é", "": "", "o'b": "o'b",
	} {
		if got := Pasted(in); got != want {
			t.Errorf("Pasted(%q) = %q, expected %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"“123 456”.": "123 456", "<AB12>": "AB12", "'AB'": "AB", "AB12:": "AB12", "\u200bAB\u200b,": "AB", "(AB)": "AB", "\"": "\"",
	} {
		if got := Code(in); got != want {
			t.Errorf("Code(%q) = %q, expected %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"mailto:ann@x.example?subject=a": "ann@x.example", "MAILTO:ann@x.example.": "ann@x.example", "Ann Lee <ann@x.example>": "Ann Lee <ann@x.example>", "<ann@x.example>,": "ann@x.example",
		"'o'brien@x.example'": "o'brien@x.example", "o'brien@x.example": "o'brien@x.example", "«ann@x.example»": "ann@x.example", "ann＠x.example": "ann＠x.example", "a\xffb@x.example": "a\xffb@x.example",
		"\u00a0ann@x.example:": "ann@x.example", "ann@x.example\u200b.": "ann@x.example", "<mailto:ann@x.example>": "ann@x.example", "jörg@x.example": "jörg@x.example", "": "", "<": "<", ">": ">",
		"(ann@x.example)": "ann@x.example",
	} {
		if got := Address(in); got != want {
			t.Errorf("Address(%q) = %q, expected %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"Ann Lee <ann@x.example>": "ann@x.example", "Ann Lee <ann@x.example>.": "ann@x.example", "<mailto:ann@x.example>": "ann@x.example", "ann@x.example": "ann@x.example", ">": ">",
	} {
		if got := NamedAddress(in); got != want {
			t.Errorf("NamedAddress(%q) = %q, expected %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"\u200bhttps://x.example/a.": "https://x.example/a.", "<https://x.example/>": "https://x.example/", "“https://x.example/?q='a'”": "https://x.example/?q='a'",
	} {
		if got := Link(in); got != want {
			t.Errorf("Link(%q) = %q, expected %q", in, got, want)
		}
	}
}

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"\u202eevil": "evil", "a\u2066b\u2069": "ab", "Mi\u200bna": "Mina", "\ufeffMina": "Mina", "Mi\u00adna": "Mina", "a\u3164b": "ab", "Mi\u200dna": "Mina", "Zoe\u0308": "Zoë",
		"Mina\u00a0Lang": "Mina Lang", "山田\u3000太郎": "山田\u3000太郎", "علی\u200cرضا": "علی\u200cرضا", "क्\u200dष": "क्\u200dष", "👩\u200d🔬": "👩\u200d🔬", "👩🏽\u200d❤\ufe0f\u200d👩": "👩🏽\u200d❤\ufe0f\u200d👩",
		"1\ufe0f\u20e3": "1\ufe0f\u20e3", "葛\U000e0100": "葛\U000e0100", "a\U000e0100": "a", "🏴\U000e0067\U000e0062\U000e007f": "🏴\U000e0067\U000e0062\U000e007f", "a\U000e0041b": "ab", "\u06dd": "\u06dd",
		"Mina": "Mina", "a\x00b": "a\x00b", "\u200b": "", "علی\u200c": "علی",
	} {
		if got := Name(in); got != want || Name(got) != got {
			t.Errorf("Name(%q) = %q, expected %q", in, got, want)
		}
	}
}

func TestPassword(t *testing.T) {
	for in, want := range map[string]string{"mu\u0308ller": "müller", "a\u00a0b": "a b", "a\u3000b": "a b", "plain 1": "plain 1", "\xff": "\xff", "a\u200bb": "a\u200bb", "ﬁ": "ﬁ"} {
		if got := Password(in); got != want {
			t.Errorf("Password(%q) = %q, expected %q", in, got, want)
		}
	}
}

func TestTables(t *testing.T) {
	for in, want := range map[string][]string{
		"a\rb\r\nc\nd": {"a", "b", "c", "d"}, "\"a\nb\",c\nd": {"\"a\nb\",c", "d"}, "\"a\nb\nc": {"\"a", "b", "c"}, "a \"b\nc\"": {"a \"b", "c\""}, "\n\n": nil, "a\u2028b": {"a", "b"},
	} {
		if got := Records(in, Separators); !slices.Equal(got, want) {
			t.Errorf("Records(%q) = %q, expected %q", in, got, want)
		}
	}
	for in, want := range map[string][]string{
		`"a, ""b""",c`: {`a, "b"`, "c"}, "\"a\nb\" , c": {"a b", "c"}, `"Lang, Tom" <b@x>`: {`"Lang`, `Tom" <b@x>`}, "": {""}, "a,": {"a", ""}, `""`: {""},
	} {
		if got := Cells(in, ','); !slices.Equal(got, want) {
			t.Errorf("Cells(%q) = %q, expected %q", in, got, want)
		}
	}
	for in, want := range map[string]rune{"sep=;\r\na": ';', "SEP=,\na": ',', "\"sep=|\"\na": '|', "sep=\t\na": '\t', "sep=\na": 0, "separate": 0, "sep=\"\n": 0} {
		if got, _ := NamedSeparator(in); got != want {
			t.Errorf("NamedSeparator(%q) = %q, expected %q", in, got, want)
		}
	}
}

// What RFC 4180 says of a table is read as the standard library reads it.
func FuzzCells(f *testing.F) {
	f.Add("a", "b\"c", "d\ne")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		row := []string{a, b, c}
		for i, cell := range row {
			if !utf8.ValidString(cell) || len(cell) > 1000 {
				t.Skip()
			}
			row[i] = oneLine(LineBreaks(cell))
		}
		var out strings.Builder
		w := csv.NewWriter(&out)
		_ = w.Write(row)
		_ = w.Write(row)
		w.Flush()
		records := Records(out.String(), ",")
		for _, record := range records {
			if got := Cells(record, ','); !slices.Equal(got, row) {
				t.Errorf("%q read as %q", row, got)
			}
		}
	})
}

// Whatever is sent, what is read of it is text, and reading it again changes nothing.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"Zoë", "\xff\xfeZ\x00\x00\xd8", "Jos\xe9", "PK\x03\x04", "Z\x00o\x00", "ann\u200b <mailto:o'b@x.example>."} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, _, err := Decode(data)
		if err != nil {
			return
		}
		if !utf8.ValidString(text) {
			t.Errorf("%q is no text", text)
		}
		for name, read := range map[string]func(string) string{"Pasted": Pasted, "Code": Code, "Address": Address, "Name": Name, "LineBreaks": LineBreaks} {
			if once := read(text); read(once) != once {
				t.Errorf("%s of %q: %q, then %q", name, text, once, read(once))
			}
		}
	})
}

func workbook(t *testing.T, fill func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	fill(f)
	out, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWorkbook(t *testing.T) {
	data := workbook(t, func(f *excelize.File) {
		_ = f.SetSheetRow("Sheet1", "A3", &[]any{"Name", "Email"})
		_ = f.SetSheetRow("Sheet1", "A5", &[]any{"José\nNúñez", "jose@school.example", 9, true})
		_, _ = f.NewSheet("Guardians")
		_ = f.SetSheetRow("Guardians", "A1", &[]any{"Email"})
		_, _ = f.NewSheet("First")
		_ = f.MoveSheet("First", "Sheet1")
		_ = f.SetSheetRow("First", "A1", &[]any{"hidden"})
		_ = f.SetSheetVisible("First", false)
	})
	if !IsWorkbook(data) {
		t.Fatal("it is no workbook")
	}
	book, err := ReadWorkbook(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q %q %q", book.Sheet, book.Others, book.Rows); got != `"Sheet1" ["First" "Guardians"] [["Name" "Email"] ["José Núñez" "jose@school.example" "9" "1"]]` {
		t.Error(got)
	}
}

// What would take too much is refused before the library sees it, and what it cannot read is no failure of ours.
func TestHostileWorkbooks(t *testing.T) {
	sheet := func(rows string) string {
		return zipOf("[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
			"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
			"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
			"xl/worksheets/sheet1.xml", `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+rows+`</sheetData></worksheet>`)
	}
	var many []string
	for i := range maxParts + 1 {
		many = append(many, fmt.Sprint(i), "")
	}
	for name, test := range map[string]struct{ data, want string }{
		"a bomb":         {zipOf("xl/workbook.xml", strings.Repeat(" ", maxUnpacked+1)), "too large"},
		"elements":       {zipOf("xl/workbook.xml", strings.Repeat("<a/>", maxElements+1)), "too large"},
		"many parts":     {zipOf(append(many, "xl/workbook.xml", "")...), "too large"},
		"nothing in it":  {zipOf("xl/workbook.xml", ""), ""},
		"a bad index":    {sheet(`<row r="1"><c r="A1" t="s"><v>-1</v></c></row>`), ""},
		"a far cell":     {sheet(`<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>`), ""},
		"beyond":         {sheet(`<row r="99999999"><c r="ZZZZ1" t="inlineStr"><is><t>x</t></is></c></row>`), ""},
		"a long cell":    {sheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>` + strings.Repeat("x", MaxCell+1) + `</t></is></c></row>`), "more than 4000 bytes"},
		"too many rows":  {sheet(strings.Repeat(`<row><c t="inlineStr"><is><t>x</t></is></c></row>`, MaxRows+1)), "more than 5000 rows"},
		"deep":           {sheet(strings.Repeat("<a>", 200_000)), ""},
		"half a file":    {sheet("")[:300], ""},
		"entities":       {zipOf("xl/workbook.xml", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`), ""},
		"an empty sheet": {sheet(""), "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			book, err := ReadWorkbook(t.Context(), []byte(test.data))
			var refusal Refusal
			if err != nil && !errors.As(err, &refusal) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v %v", book, err)
			}
			if len(reading) != 0 {
				t.Error("the place is still taken")
			}
		})
	}
}
