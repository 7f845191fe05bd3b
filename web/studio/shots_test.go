//go:build !race

package studio

import (
	"strings"
	"testing"

	"atelier/web/query"
)

// TestAnUnmadeShotIsNotShared keeps the entry in the menu, and says what it waits for.
func TestAnUnmadeShotIsNotShared(t *testing.T) {
	var v productionView
	v.ViewerCan.ShareShots = true
	drawn := func(s shotView) string {
		var b strings.Builder
		if err := shotTools(v, s).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	shot := shotView{ShotRow: query.ShotRow{Id: "s", Position: 3}}
	if got := drawn(shot); strings.Contains(got, "/share") || !strings.Contains(got, "once something is made") {
		t.Errorf("nothing is made: %s", got)
	}
	shot.Picture = "/p.png"
	if got := drawn(shot); !strings.Contains(got, `/shots/s/share?in=personal"`) || !strings.Contains(got, `aria-label="Show it to everyone: shot 3"`) ||
		strings.Contains(got, "once something is made") {
		t.Errorf("a picture is made: %s", got)
	}
}
