//go:build !race

package flow

import (
	"strings"
	"testing"

	"atelier/web/frame"
)

// A form that is refused for the limit that its page shows anyway has no summary of errors beside it.
func TestALimitIsSaidOnce(t *testing.T) {
	limit := &appLimit{Code: "member_cap_exceeded", Title: "You have reached your limit."}
	for code, refused := range map[string]bool{"": false, "member_cap_exceeded": true, "validation_error": false} {
		f := frame.Form{}
		if code != "" {
			f.Err = &frame.Error{Code: code}
		}
		var page strings.Builder
		if err := limitNote(*limit, f, "It was not run.").Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		if limit.refused(f) != refused || strings.Contains(page.String(), "It was not run. You have reached your limit.") != refused || strings.Contains(page.String(), "data-error-summary") != refused {
			t.Errorf("after %q: %s", code, page.String())
		}
	}
	if (*appLimit)(nil).refused(frame.Form{Err: &frame.Error{Code: "member_cap_exceeded"}}) {
		t.Error("without a limit there is a summary")
	}
}
