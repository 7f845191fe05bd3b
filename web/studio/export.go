package studio

import (
	"net/http"
	"strings"
	"unicode"

	"atelier/web/frame"
	"atelier/web/ui"
)

// formats are those that a production can be taken along in, in English. The hint says what is in the file.
var formats = []ui.Option{
	{Value: "zip", Text: mark("Everything"), Hint: mark("a ZIP file with pictures, sounds, clips, film and captions")},
	{Value: "csv", Text: mark("Shot list"), Hint: mark("a table for spreadsheets (CSV)")},
	{Value: "srt", Text: mark("Captions (SRT)"), Hint: mark("what is said, with its times")},
	{Value: "vtt", Text: mark("Captions (WebVTT)"), Hint: mark("what is said, with its times, for the web")},
	{Value: "json", Text: mark("Data"), Hint: mark("the production as JSON")},
}

// Export is a production as a file.
func (c Pages) Export(w http.ResponseWriter, r *http.Request) error {
	format := frame.Text(r, "format")
	if c.Config.ExportProduction == nil || ui.OptionText(formats, format) == format {
		return frame.ErrNotFound
	}
	file, kind, name, err := c.Config.ExportProduction(r.Context(), frame.PathID(r), format)
	if err != nil {
		return frame.Again(w, r, err, c.ProductionPage)
	}
	return frame.SendFile(w, kind, name, file)
}

// fileName is a name as a file's: its letters and digits, with hyphens between them.
func fileName(name string) string {
	var b strings.Builder
	for _, r := range ui.Short(name, 60) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return frame.Or(strings.Trim(b.String(), "-"), "film")
}
