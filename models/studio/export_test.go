//go:build !race

package studio

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

func (w *world) export(ctx contextType, id models.ID, format string) ([]byte, *Export) {
	w.t.Helper()
	x, err := w.ExportProduction(ctx, id, format)
	if err != nil {
		w.t.Fatal(err)
	}
	var b bytes.Buffer
	if err := x.Write(context.Background(), &b); err != nil {
		w.t.Fatal(err)
	}
	return b.Bytes(), x
}

// A production is taken along as data, as a shot list, as captions, and with all that was made.
func TestExport(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	mina := w.element(ctx, library.Character, "Mina", space.Private)
	p := w.production(ctx, CreateProductionInput{Script: ptr("Once."), CastIDs: []models.ID{mina.ID}})
	first := w.shot(ctx, p.ID, CreateShotInput{Title: ptr("=HYPERLINK(1)"), Dialogue: ptr("Hush & wait!"), CharacterIDs: []models.ID{mina.ID}, Duration: ptr(3.0)})
	w.shot(ctx, p.ID, CreateShotInput{Dialogue: ptr("Left out."), Skip: ptr(true)})
	third := w.shot(ctx, p.ID, CreateShotInput{Dialogue: ptr("Later."), Duration: ptr(2.0)})
	w.made(first, ImageStage)
	w.made(third, ClipStage)

	text, x := w.export(ctx, p.ID, "json")
	var read struct {
		Name  string
		Shots []struct{ Title, Dialogue, ImageURL string }
		Cast  []struct{ Name string }
	}
	if err := json.Unmarshal(text, &read); err != nil || read.Name != "Story" || len(read.Shots) != 3 || read.Shots[0].Dialogue != "Hush & wait!" || read.Shots[0].ImageURL == "" || read.Cast[0].Name != "Mina" {
		t.Errorf("as data it is %s, %v", text, err)
	}
	if x.Name() != "production.json" || x.ContentType() != "application/json" {
		t.Errorf("it is called %s of %s", x.Name(), x.ContentType())
	}
	text, _ = w.export(ctx, p.ID, "csv")
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][1] != "'=HYPERLINK(1)" || rows[1][3] != "Mina" || rows[2][13] != "true" {
		t.Errorf("as a table it is %v, %v", rows, err)
	}
	text, x = w.export(ctx, p.ID, "srt")
	if got := string(text); !strings.HasPrefix(got, "1\n00:00:00,000 --> 00:00:03,000\nHush & wait!\n\n2\n00:00:03,000 --> 00:00:07,500\nLater.") || strings.Contains(got, "Left out") {
		t.Errorf("as SubRip it is %q", got)
	}
	if x.Name() != "captions.srt" {
		t.Errorf("it is called %s", x.Name())
	}
	text, _ = w.export(ctx, p.ID, "vtt")
	if got := string(text); !strings.HasPrefix(got, "WEBVTT\n\n00:00:00.000 --> 00:00:03.000\nHush &amp; wait!\n") {
		t.Errorf("as WebVTT it is %q", got)
	}
	text, _ = w.export(ctx, p.ID, "zip")
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
		body, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if content, err := io.ReadAll(body); err != nil || len(content) == 0 {
			t.Errorf("%s is empty, %v", f.Name, err)
		}
	}
	if !slices.Equal(names, []string{"production.json", "shots.csv", "captions.srt", "captions.vtt", "pictures/01.png", "clips/03.png"}) {
		t.Errorf("the archive holds %v", names)
	}
	for _, format := range []string{"", "pdf", "JSON"} {
		_, err := w.ExportProduction(ctx, p.ID, format)
		w.refused(err, models.CodeValidation, "format")
	}
	w.exec(`UPDATE media_files SET size = ? WHERE NOT private`, int64(MaxExport/2+1))
	_, err = w.ExportProduction(ctx, p.ID, "zip")
	w.refused(err, models.CodeValidation, "format", "2 GiB")
	if n := w.count(`SELECT count(*) FROM audit_entries WHERE action = 'production.exported' AND target_id = ?`, p.ID); n != 5 {
		t.Errorf("%d entries tell of exports", n)
	}
}
