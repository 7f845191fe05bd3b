package event

import (
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
func endpointState(e query.Endpoint, resting bool) (string, ui.Tone) {
	switch {
	case !e.IsActive && frame.Value(e.DisabledReason) != "":
		return "Shut off", ui.Bad
	case !e.IsActive:
		return "Off", ui.Warn
	case resting:
		return "Resting", ui.Warn
	}
	return "On", ui.OK
}

func deliveryTone(s query.DeliveryStatus) (string, ui.Tone) {
	switch s {
	case query.DeliveryStatusDelivered:
		return "Delivered", ui.OK
	case query.DeliveryStatusFailed:
		return "Failed", ui.Bad
	}
	return "Waiting", ui.Warn
}

// resting tells whether deliveries wait because nothing has answered at the address.
func resting(e query.Endpoint, now time.Time) bool {
	return e.IsActive && e.RestUntil != nil && e.RestUntil.After(now)
}
