package studio

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// statuses say how a production stands.
var statuses = map[query.ProductionStatus]ui.Status{
	query.ProductionStatusDraft:     {Text: "Draft", Tone: ui.Plain},
	query.ProductionStatusRendering: {Text: "Being made", Tone: ui.Info},
	query.ProductionStatusReady:     {Text: "Ready", Tone: ui.OK},
	query.ProductionStatusStale:     {Text: "Changed since it was made", Tone: ui.Warn},
	query.ProductionStatusFailed:    {Text: "Failed", Tone: ui.Bad},
}
