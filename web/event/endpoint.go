package event

import (
	"context"
	"net/url"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// host is the host of an address, the address itself when it has none.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// endpointState is an endpoint in a word.
func endpointState(ctx context.Context, e query.Endpoint, resting bool) ui.Status {
	switch {
	case !e.IsActive && frame.Value(e.DisabledReason) != "":
		return ui.Status{Text: t(ctx, "Shut off"), Tone: ui.Bad}
	case !e.IsActive:
		return ui.Status{Text: t(ctx, "Off"), Tone: ui.Warn}
	case resting:
		return ui.Status{Text: t(ctx, "Resting"), Tone: ui.Warn}
	}
	return ui.Status{Text: t(ctx, "On"), Tone: ui.OK}
}

// resting tells whether deliveries wait because nothing has answered at the address.
func resting(e query.Endpoint, now time.Time) bool {
	return e.IsActive && e.RestUntil != nil && e.RestUntil.After(now)
}
