package frame

import "net/url"

// AddressWith changes values of an address, or drops those that become empty; the page of the list starts again.
func AddressWith(path string, values url.Values, pairs ...string) string {
	next := url.Values{}
	for name, list := range values {
		if name != "after" && name != at && len(list) > 0 && list[0] != "" {
			next.Set(name, list[0])
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		if next.Del(pairs[i]); pairs[i+1] != "" {
			next.Set(pairs[i], pairs[i+1])
		}
	}
	if len(next) == 0 {
		return path
	}
	return path + "?" + next.Encode()
}
