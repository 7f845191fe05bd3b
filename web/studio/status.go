package studio

import (
	"context"

	"atelier/web/query"
	"atelier/web/ui"
)

// statusOf is how a production stands in the reader's language.
func statusOf(ctx context.Context, status query.ProductionStatus) ui.Status {
	s := statuses[status]
	s.Text = tc(ctx, "production", s.Text)
	return s
}

// statuses say how a production stands.
var statuses = map[query.ProductionStatus]ui.Status{
	query.ProductionStatusDraft:     {Text: markc("production", "Draft"), Tone: ui.Plain},
	query.ProductionStatusRendering: {Text: markc("production", "Being made"), Tone: ui.Info},
	query.ProductionStatusReady:     {Text: markc("production", "Ready"), Tone: ui.OK},
	query.ProductionStatusStale:     {Text: markc("production", "Changed since it was made"), Tone: ui.Warn},
	query.ProductionStatusFailed:    {Text: markc("production", "Failed"), Tone: ui.Bad},
}
