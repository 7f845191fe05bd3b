//go:build !race

package org

import (
	"context"
	"testing"
	"time"

	"atelier/web/locale"
	"atelier/web/query"
)

// TestResultsAreNamedInTheReadersLanguage translates the label of a node, and not a name that a person gave.
func TestResultsAreNamedInTheReadersLanguage(t *testing.T) {
	ctx := locale.With(context.Background(), locale.ByCode("es"))
	for want, r := range map[string]query.HomeResult{
		"Generar imagen": {Title: "Generate image", TitleIsOfType: true, Mine: true},
		"Generate image": {Title: "Generate image", Mine: true},
	} {
		if got := (homeView{}).tile(ctx, r, time.Time{}).Name; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
