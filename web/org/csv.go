package org

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"atelier/csvtext"
	"atelier/web/ui"

	"golang.org/x/text/language"
)

// plainNumber writes a number for programs.
func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// The two forms of a table: for programs, and for Excel, which opens a file by a click only if it is written as the
// language of its person has it.
const (
	sheetField = "for"
	forExcel   = "excel"
)

// sheet is how a table is written.
type sheet struct {
	comma   rune
	decimal string
	mark    bool
}

// sheetOf is the form that was chosen, for Excel by the first language of the browser.
func sheetOf(r *http.Request) sheet {
	if r.PostForm.Get(sheetField) != forExcel {
		return sheet{comma: ',', decimal: "."}
	}
	s := sheet{comma: ',', decimal: ".", mark: true}
	tags, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(tags) == 0 {
		return s
	}
	base, _ := tags[0].Base()
	region, _ := tags[0].Region()
	if slices.Contains(semicolonLanguages, base.String()) && !(base.String() == "es" && slices.Contains(commaRegions, region.String())) {
		s.comma, s.decimal = ';', ","
	}
	if region.String() == "CH" || region.String() == "LI" {
		s.comma, s.decimal = ';', "."
	}
	return s
}

var (
	// semicolonLanguages write one and a half as 1,5, so that Excel expects a semicolon between cells.
	semicolonLanguages = strings.Fields(`af az be bg bs ca cs da de el es et eu fi fo fr fur fy gl hr hu hy id is it ka kk ky lb lt lv mk nb nl nn no pl pt
		ro ru sk sl sq sr sv tr uk uz vi`)
	// commaRegions are where Spanish is written with a point in numbers.
	commaRegions = strings.Fields("MX US PR GT HN NI PA PE SV DO 419")
)

// number writes a number as the table's reader expects it.
func (s sheet) number(f float64) string { return strings.Replace(plainNumber(f), ".", s.decimal, 1) }

// write writes rows; first is true before the first one.
func (s sheet) write(out io.Writer, first bool, rows ...[]string) error {
	if first && s.mark {
		if _, err := io.WriteString(out, csvtext.Mark); err != nil {
			return err
		}
	}
	return csvtext.WriteWith(out, s.comma, rows...)
}

// tableButtons are the two forms in which a table is saved.
func tableButtons(ctx context.Context, text string) []ui.ButtonProps {
	return []ui.ButtonProps{{Text: text}, {Text: t(ctx, "For Excel"), Name: sheetField, Value: forExcel, Kind: ui.Quiet}}
}
