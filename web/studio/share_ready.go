package studio

import (
	"context"

	"atelier/web/locale"
)

// showable tells whether there is anything of a shot that others could be shown.
func (s shotView) showable() bool {
	return s.IsShared || s.Picture != "" || s.Video != "" || s.Sound != ""
}

// notYetShown is why a shot cannot be shown to others.
func notYetShown(ctx context.Context) string {
	return locale.T(ctx, "Nothing is made of it yet. Render it first.")
}
