package frame

import "net/url"

// PostHref is the form that posts a thing to the community, by its kind among posts.
func PostHref(kind, id string) string {
	return "/community/post?" + url.Values{"kind": {kind}, "source": {id}}.Encode()
}
