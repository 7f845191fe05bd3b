package library

import (
	"context"

	"atelier/web/query"
	"atelier/web/ui"
)

// elementState is how an element stands in the reader's language.
func elementState(ctx context.Context, status query.ElementStatus) ui.Status {
	s := elementStatuses[status]
	if s.Text != "" {
		s.Text = t(ctx, s.Text)
	}
	return s
}

// elementStatuses say how an element stands, where that is more than ready.
var elementStatuses = map[query.ElementStatus]ui.Status{
	query.ElementStatusReady:           {},
	query.ElementStatusGenerating:      {Text: mark("Being drawn"), Tone: ui.Info},
	query.ElementStatusAwaitingConsent: {Text: mark("Waits for consent"), Tone: ui.Warn},
	query.ElementStatusFailed:          {Text: mark("Failed"), Tone: ui.Bad},
}
