//go:build !race

package ui

import (
	"strings"
	"testing"
	"time"
)

// TestASentenceMayEndAtATime renders moments of today and of long ago: no blank stands behind either.
func TestASentenceMayEndAtATime(t *testing.T) {
	for name, at := range map[string]time.Time{"an hour ago": now.Add(-time.Hour), "a year ago": now.AddDate(-1, 0, 0)} {
		got := render(t, Time(at, now))
		if !strings.HasSuffix(got, "</span></time>") {
			t.Errorf("%s: %s", name, got)
		}
		if ago := strings.Contains(got, `</span> <span class="ago"`); ago != (name == "an hour ago") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
