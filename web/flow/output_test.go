//go:build !race

package flow

import (
	"reflect"
	"strings"
	"testing"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
)

func outputOf(t *testing.T, output, input map[string]any) outputWords {
	return Pages{frame.New(frame.Config{PublicURL: "https://atelier.example"})}.wordsOf(t.Context(), query.NodeKind{}, output, input)
}

func TestOutputInWords(t *testing.T) {
	w := outputOf(t, map[string]any{
		"url": "https://atelier.example/media/a.mp4", "duration": 4.5, "size": 2048.0, "provider": "local", "style": "ink", "seed": 12345678.0, "captionsUrl": "https://atelier.example/media/c.vtt",
		"warnings": []any{"dark", 1.0}, "notUnderstood": []any{"blorf"}, "palette": []any{"#aabbcc", "#000000"}, "attributes": map[string]any{"age": "old"},
		"badUrl": "javascript:alert(1)", "elements": []any{map[string]any{"id": "01a0f8d4-0000-7000-8000-000000000001", "kind": "character", "how": "drawn"}},
	}, nil)
	facts := map[string]string{}
	for _, f := range w.Facts {
		facts[f.Name] = f.Value + f.Href
	}
	want := map[string]string{
		"Length": "4.5 seconds", "Size": locale.Bytes(t.Context(), 2048), "Style": "ink", "Seed": "12345678", "Palette": "#aabbcc, #000000", "Attributes: Age": "old",
		"Character": "Drawn by this server/library/characters/01a0f8d4-0000-7000-8000-000000000001",
	}
	if !reflect.DeepEqual(facts, want) {
		t.Errorf("facts: %v", facts)
	}
	if !reflect.DeepEqual(w.Warnings, []string{"dark"}) || !reflect.DeepEqual(w.NotUnderstood, []string{"blorf"}) || len(w.Files) != 1 || w.Files[0].Href != "/media/c.vtt" {
		t.Errorf("%+v", w)
	}
}

func TestOutputTables(t *testing.T) {
	shot := map[string]any{"title": "One", "action": "Rain falls", "dialogue": "", "seconds": 2.5}
	w := outputOf(t, map[string]any{"data": map[string]any{"names": []any{map[string]any{"name": "Ben", "count": 2.0}}, "shots": []any{shot}}, "count": 1.0}, nil)
	if len(w.Tables) != 2 || w.Tables[0].Title != "Shots" || !reflect.DeepEqual(w.Tables[0].Columns, []string{"Title", "Action", "Seconds"}) ||
		!reflect.DeepEqual(w.Tables[0].Rows, [][]string{{"One", "Rain falls", "2.5"}}) {
		t.Errorf("%+v", w.Tables)
	}
	rows := []any{}
	for range 100 {
		rows = append(rows, map[string]any{"b": "x", "a": nil})
	}
	w = outputOf(t, map[string]any{"data": rows, "columns": []any{"b", "a"}}, nil)
	if len(w.Tables) != 1 || w.Tables[0].More != 100-maxOutputRows || !reflect.DeepEqual(w.Tables[0].Rows[0], []string{"x", "—"}) {
		t.Errorf("%+v", w.Tables)
	}
	w = outputOf(t, map[string]any{"items": []any{strings.Repeat("long ", 60), "two"}, "data": []any{strings.Repeat("long ", 60), "two"}}, nil)
	if len(w.Lists) != 1 || len(w.Lists[0].Items) != 2 {
		t.Errorf("%+v", w.Lists)
	}
}

// TestFacesStandInTheirPicture keeps boxes within the picture, whatever an output says.
func TestFacesStandInTheirPicture(t *testing.T) {
	face := map[string]any{"x": 0.25, "y": 0.5, "width": 0.1, "height": 2.0, "score": 9.0}
	output := map[string]any{"faces": []any{face, "no face"}, "count": 1.0, "width": 400.0, "height": 200.0}
	w := outputOf(t, output, map[string]any{"imageUrl": "https://atelier.example/media/a.png"})
	if w.Faces == nil || w.Faces.Src != "/media/a.png" || w.Faces.Boxes[0] != (faceBox{100, 100, 40, 200}) {
		t.Errorf("%+v", w.Faces)
	}
	if w = outputOf(t, output, map[string]any{"imageUrl": "https://elsewhere.example/a.png"}); w.Faces == nil || w.Faces.Src != "" {
		t.Errorf("a picture of elsewhere: %+v", w.Faces)
	}
	if w = outputOf(t, map[string]any{"faces": 2.0, "covered": 1.0}, nil); w.Faces != nil || len(w.Facts) != 2 {
		t.Errorf("how many a recast found: %+v", w)
	}
}

func TestGeneratedElementIsLinked(t *testing.T) {
	id := "01a0f8d4-0000-7000-8000-000000000001"
	w := outputOf(t, map[string]any{"characterId": id, "images": []any{
		map[string]any{"role": "front", "url": "https://atelier.example/media/a.png", "width": 10.0, "height": 20.0}, map[string]any{"url": "https://elsewhere.example/b.png"},
	}}, nil)
	if w.Kept == nil || w.Kept.Href != "/library/characters/"+id || len(w.Pictures) != 1 || w.Pictures[0].Label != "Front" || w.Pictures[0].Note != "10 × 20 pixels" {
		t.Errorf("%+v", w)
	}
}

func TestCountedWords(t *testing.T) {
	counted := []any{map[string]any{"word": "house", "count": 1.0}, map[string]any{"word": "pines", "count": 2.0}}
	if got := countedWords(counted); !reflect.DeepEqual(got, []any{"house", "pines (2)"}) {
		t.Errorf("%v", got)
	}
	if other := []any{"a", "b"}; !reflect.DeepEqual(countedWords(other), any(other)) {
		t.Error("texts do not stay as they are")
	}
}
