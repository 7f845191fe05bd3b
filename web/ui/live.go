package ui

import (
	"context"

	"github.com/a-h/templ"
)

// Live returns htmx attributes together with the page's nonce, without which hx-csp removes them.
// Names are written without the prefix: Live(ctx, "get", "/usage", "target", "#rows"). It panics on an odd
// number of words, and on the attributes that carry script, which the content security policy refuses anyway.
func Live(ctx context.Context, pairs ...string) templ.Attributes {
	if len(pairs)%2 != 0 {
		panic("ui.Live: names and values come in pairs")
	}
	a := templ.Attributes{"hx-nonce": templ.GetNonce(ctx)}
	for i := 0; i < len(pairs); i += 2 {
		if len(pairs[i]) >= 2 && pairs[i][:2] == "on" {
			panic("ui.Live: hx-on carries script")
		}
		a["hx-"+pairs[i]] = pairs[i+1]
	}
	return a
}
