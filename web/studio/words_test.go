//go:build !race

package studio

import (
	"strings"
	"testing"

	"atelier/web/locale"
	"atelier/web/query"
)

func TestProductionStatuses(t *testing.T) {
	for _, s := range query.AllProductionStatus {
		if _, ok := statuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}

// TestStudioIsSaidInTheReadersLanguage holds the sentences that are made in Go: numbers, lists and tables of words.
func TestStudioIsSaidInTheReadersLanguage(t *testing.T) {
	german := locale.With(t.Context(), locale.ByCode("de"))
	shot := shotView{ShotRow: query.ShotRow{Position: 3, Camera: query.Camera{Size: "wide", Angle: "low", Movement: "static"}}, In: []string{"Ben"}}
	length := 2.5
	shot.Duration = &length
	for got, want := range map[string]string{
		strings.Join(lookFacts(german, shot), " · "):                      "Kamera: aus der Ferne, von unten · 2,5 s · mit Ben",
		strings.Join(lookFacts(t.Context(), shot), " · "):                 "Camera: from far, from below · 2.5 s · with Ben",
		nameOf(german, shot.ShotRow):                                      "Einstellung 3",
		sizeOf(german, query.ProductionCard{ShotCount: 12, Duration: 72}): "12 Einstellungen · 1 min 12 s",
		statusOf(german, query.ProductionStatusStale).Text:                "Seit der Erstellung geändert",
		languageOptions(german)[kindsOfEnglish].Text:                      "Arabisch",
		translated(german, stages)[0].Hint:                                "Es hält nach den Bildern an, damit Sie sie ansehen können, bevor weitere Kosten entstehen.",
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
