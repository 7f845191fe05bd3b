package frame

import (
	"context"
	"net/http"
	"net/url"
	"slices"
)

type addressKey struct{}

// withAddress tells the content of a page at which address it stands. The page of a refused form has none.
func withAddress(ctx context.Context, r *http.Request) context.Context {
	if r.Method != http.MethodGet {
		return ctx
	}
	return context.WithValue(ctx, addressKey{}, r.URL.RequestURI())
}

// PageAddress is the address of the page that is rendered, "" where it has none to come back to.
func PageAddress(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

// helped are what the prompt helper composes prompts for.
var helped = []string{
	"generate-image", "generate-video", "generate-character", "generate-object", "generate-creature", "generate-location", "3d-scene", "generate-text",
}

// Helped tells whether the prompt helper composes prompts for a type of nodes.
func Helped(target string) bool { return slices.Contains(helped, target) }

// promptHelpHref is the page of the prompt helper, which leads back to the field.
func promptHelpHref(field, target, back string) string {
	q := url.Values{"back": {back}, "field": {field}}
	if Helped(target) {
		q.Set("target", target)
	}
	return "/prompt-helper?" + q.Encode()
}
