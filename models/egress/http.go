package egress

import "net/http"

// HTTP is the client in the standard library's form, for code that takes an
// *http.Client: every request goes through Do, redirects included.
func (c *Client) HTTP() *http.Client {
	return &http.Client{
		Transport:     roundTripper{c},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type roundTripper struct{ client *Client }

// RoundTrip makes a guarded request.
func (r roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return r.client.Do(req) }
