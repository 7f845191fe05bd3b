package studio

import (
	"context"
	"encoding/json"
	"io"

	"atelier/csvtext"
	"atelier/models"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/nodes/phrase"
)

// MaxExport is how much an archive of a production holds, in bytes; see docs/security.md.
const MaxExport = 2 << 30

// Export is a production as a file, to be written without the database.
type Export struct {
	production *Production
	form       exportForm
	media      *media.Store
	// elements are those that the caller sees, by their ids.
	elements map[models.ID]*library.Element
	// files are what an archive holds beside the texts.
	files []exportedFile
}

// exportForm is a format: the file's name and type, and what writes it.
type exportForm struct {
	name, contentType string
	write             func(x *Export, ctx context.Context, out io.Writer) error
}

// The formats of exports.
var exportForms = map[string]exportForm{
	"json": {"production.json", "application/json", (*Export).writeJSON},
	"csv":  {"shots.csv", csvtext.Type, (*Export).writeShots},
	"srt":  {"captions.srt", "application/x-subrip", (*Export).writeSRT},
	"vtt":  {"captions.vtt", "text/vtt; charset=utf-8", (*Export).writeVTT},
	"zip":  {"production.zip", "application/zip", (*Export).writeArchive},
}

// ExportProduction is a production as a file that the caller takes along: json, csv (the shot
// list), srt or vtt (what is said, when), or zip (all of them with what was made, at most
// MaxExport). Another format, and an archive that would be larger, is a validation_error. It is audited.
func (s *Service) ExportProduction(ctx context.Context, id models.ID, format string) (*Export, error) {
	form, known := exportForms[format]
	if !known {
		return nil, models.Invalid("format", "must be json, csv, srt, vtt or zip")
	}
	p, r, err := s.reachProduction(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	if err := s.showResults(s.DB.Read(ctx), p); err != nil {
		return nil, err
	}
	x := &Export{production: p, form: form, media: s.Media.Store}
	if x.elements, err = s.Library.Elements().In(s.DB.Read(ctx), r, p.CastIDs...); err != nil {
		return nil, err
	}
	if format == "zip" {
		if err := s.collectFiles(ctx, x); err != nil {
			return nil, err
		}
	}
	return x, s.DB.Write(ctx, func(tx *models.Tx) error {
		return audit(tx, p.Placed, productionNoun, p.ID, "exported", models.Fields{"format": {To: format}})
	})
}

// Name is what the file is called, ContentType what it is.
func (x *Export) Name() string        { return x.form.name }
func (x *Export) ContentType() string { return x.form.contentType }

// Write writes the file.
func (x *Export) Write(ctx context.Context, out io.Writer) error { return x.form.write(x, ctx, out) }

func (x *Export) writeJSON(_ context.Context, out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(x.view())
}

func (x *Export) writeShots(_ context.Context, out io.Writer) error {
	return csvtext.Write(out, x.table()...)
}

func (x *Export) writeSRT(_ context.Context, out io.Writer) error {
	_, err := io.WriteString(out, phrase.SRT(x.captions()))
	return err
}

func (x *Export) writeVTT(_ context.Context, out io.Writer) error {
	_, err := io.WriteString(out, phrase.VTT(x.captions()))
	return err
}

// captions are what is said in the film, one shot behind the other.
func (x *Export) captions() (all []phrase.Caption) {
	at := 0.0
	for _, shot := range x.production.Shots {
		if shot.Skip {
			continue
		}
		length := shot.seconds()
		all = append(all, phrase.Captions(shot.Dialogue, at, at+length)...)
		at += length
	}
	return all
}

// seconds is how long a shot stands in the film: its clip, or else about.
func (s *Shot) seconds() float64 {
	if clip := s.Results[ClipStage]; clip != nil && clip.Duration != nil {
		return *clip.Duration
	}
	var sound *float64
	if said := s.Results[SpeechStage]; said != nil {
		sound = said.Duration
	}
	return s.length(sound)
}
