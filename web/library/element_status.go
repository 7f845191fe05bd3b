package library

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// elementStatuses say how an element stands, where that is more than ready.
var elementStatuses = map[query.ElementStatus]ui.Status{
	query.ElementStatusReady:           {},
	query.ElementStatusGenerating:      {Text: "Being drawn", Tone: ui.Info},
	query.ElementStatusAwaitingConsent: {Text: "Waits for consent", Tone: ui.Warn},
	query.ElementStatusFailed:          {Text: "Failed", Tone: ui.Bad},
}
