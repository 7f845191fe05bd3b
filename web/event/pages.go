// Package event is the pages of webhook endpoints and their deliveries.
package event

import "atelier/web/frame"

// Pages are the pages of webhooks.
type Pages struct{ *frame.Console }
