//go:build !race

package frame

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"atelier/web/locale"
	"atelier/web/query"
)

const cropSchema = `{"type":"object","x-order":["imageUrl","aspectRatio","model","own"],"required":["imageUrl"],"properties":{
	"imageUrl":{"type":"string","title":"Image","description":"The image to cut.","format":"uri"},
	"aspectRatio":{"type":"string","title":"Aspect ratio","enum":["free","16:9"],"default":"free"},
	"model":{"type":"string","title":"Model","description":"Of the provider; empty takes its first. replicate: a/model."},
	"own":{"type":"number","title":"No message says this","minimum":0.5}}}`

func cropKind() query.NodeKind {
	return query.NodeKind{Type: "crop-image", Label: "Crop image", Category: "image", Description: "Cuts a part out of an image.", InputSchema: json.RawMessage(cropSchema)}
}

// Pages get the catalogue in the reader's language, and nothing else of it changes.
func TestCatalogueIsInTheReadersLanguage(t *testing.T) {
	german := locale.With(context.Background(), locale.ByCode("de"))
	var list query.CatalogueResponse
	list.NodeTypes = []query.NodeKind{cropKind()}
	sayCatalogue(german, &list)
	one := query.MakePageResponse{NodeType: cropKind()}
	sayCatalogue(german, &one)
	for _, k := range []query.NodeKind{list.NodeTypes[0], one.NodeType} {
		if k.Type != "crop-image" || k.Label != "Bild zuschneiden" || k.Description != "Schneidet einen Teil aus einem Bild aus." {
			t.Errorf("%s: %q, %q", k.Type, k.Label, k.Description)
		}
		var s struct {
			Order      []string `json:"x-order"`
			Required   []string
			Properties map[string]struct {
				Title, Description, Default string
				Enum                        []string
				Minimum                     float64
				Words                       map[string]string `json:"x-words"`
			}
		}
		if err := json.Unmarshal(k.InputSchema, &s); err != nil {
			t.Fatal(err)
		}
		image, ratio, model, own := s.Properties["imageUrl"], s.Properties["aspectRatio"], s.Properties["model"], s.Properties["own"]
		if len(s.Order) != 4 || len(s.Required) != 1 || image.Title != "Bild" || image.Description != "Das Bild, das zugeschnitten wird." {
			t.Errorf("order %v, required %v, %+v", s.Order, s.Required, image)
		}
		if ratio.Default != "free" || len(ratio.Enum) != 2 || ratio.Enum[0] != "free" || len(ratio.Words) != 1 || ratio.Words["free"] != "Frei" {
			t.Errorf("choices: %+v", ratio)
		}
		if model.Description != "Des Anbieters; leer gilt sein erstes. replicate: a/model." {
			t.Errorf("with what the install adds: %q", model.Description)
		}
		if own.Title != "No message says this" || own.Minimum != 0.5 {
			t.Errorf("what has no translation: %+v", own)
		}
	}

	names := query.OrganizationUsageResponse{NodeTypes: []query.NodeLabel{{Type: "crop-image", Label: "Crop image"}}}
	sayCatalogue(german, &names)
	if names.NodeTypes[0].Label != "Bild zuschneiden" {
		t.Errorf("the name alone: %q", names.NodeTypes[0].Label)
	}

	english := query.CatalogueResponse{NodeTypes: []query.NodeKind{cropKind()}}
	sayCatalogue(context.Background(), &english)
	if k := english.NodeTypes[0]; k.Label != "Crop image" || !strings.Contains(string(k.InputSchema), `"x-words":{"free":"Free"}`) {
		t.Errorf("in English: %q, %s", k.Label, k.InputSchema)
	}
}

// Choices read as words in every language; what is sent stays as it is.
func TestChoicesReadAsWords(t *testing.T) {
	english, german := context.Background(), locale.With(context.Background(), locale.ByCode("de"))
	for _, of := range []struct{ field, choice, english, german string }{
		{"motion", "zoom-in", "Zoom in", "Hineinzoomen"}, {"aspectRatio", "16:9", "16:9", "16:9"}, {"resolution", "4K", "4K", "4K"},
		{"format", "webm", "WebM", "WebM"}, {"format", "mp3", "MP3", "MP3"}, {"provider", "openai", "OpenAI", "OpenAI"}, {"provider", "local", "Local", "Lokal"},
		{"voice", "en-gb", "English (Great Britain)", "Englisch (Großbritannien)"}, {"voice", "de", "German", "Deutsch"}, {"speaker", "alloy", "Alloy", "Alloy"},
		{"method", "GET", "GET", "GET"}, {"model", "gpt", "gpt", "gpt"}, {"position", "top-left", "Top left", "Oben links"},
	} {
		if one, other := choiceNamed(english, of.field, of.choice), choiceNamed(german, of.field, of.choice); one != of.english || other != of.german {
			t.Errorf("%s of %s: %q, %q", of.choice, of.field, one, other)
		}
	}
}
