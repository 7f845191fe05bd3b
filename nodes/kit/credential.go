package kit

import (
	"net/http"
	"net/url"
	"strings"
)

// Credential is a header key for an outbound request (contract 2, "Credential").
type Credential struct {
	HeaderName, Key string
	// LockedURL is the only address that the key may be sent to, empty for a
	// plain credential.
	LockedURL     string
	AllowSubpaths bool
	// Host is the only host (see HostOf) that a plain credential may be sent to where the
	// address flows in: the one that its owner wrote. Empty where the owner wrote all of it.
	Host string
}

// apply sets the header, unless the credential is locked to another address, or the
// address that flowed in names another host than its owner wrote.
func (c *Credential) apply(req *http.Request) error {
	if c.Host != "" && HostOf(req.URL.String()) != c.Host {
		return Failf("The credential is not sent, for the address that flows into this node is on another host than the one written in it").
			WithHint("Write the address in the node itself, or lock the credential to it.")
	}
	if c.LockedURL != "" && !MatchesLocked(c.LockedURL, req.URL.String(), c.AllowSubpaths) {
		return Failf("The credential is locked to another address").
			WithHint("Use the address that the credential is locked to, or another credential.")
	}
	req.Header.Set(c.HeaderName, c.Key)
	return nil
}

// MatchesLocked tells whether a request to address may carry a credential that
// is locked to locked. Scheme and host are compared in lower case without the
// default port, the query is ignored, and subpaths begin at a slash.
func MatchesLocked(locked, address string, subpaths bool) bool {
	want, wantPath, ok := splitLocked(locked)
	got, gotPath, ok2 := splitLocked(address)
	if !ok || !ok2 || want != got {
		return false
	}
	if gotPath == wantPath {
		return true
	}
	return subpaths && strings.HasPrefix(gotPath, strings.TrimSuffix(wantPath, "/")+"/")
}

// splitLocked takes an https address apart for comparison. A path with dot
// segments, or with an encoded slash, dot or percent sign, matches nothing, for
// the receiver may read it as another one.
func splitLocked(address string) (origin, path string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || !strings.EqualFold(u.Scheme, "https") || u.Host == "" || u.User != nil {
		return "", "", false
	}
	host := strings.ToLower(u.Hostname())
	if port := u.Port(); port != "" && port != "443" {
		host += ":" + port
	}
	path = u.EscapedPath()
	if path == "" {
		path = "/"
	}
	lower := strings.ToLower(path)
	for _, twofold := range []string{"%2f", "%2e", "%5c", "%25", "%00", "\\"} {
		if strings.Contains(lower, twofold) {
			return "", "", false
		}
	}
	for segment := range strings.SplitSeq(path, "/") {
		name, _, _ := strings.Cut(segment, ";") // some receivers cut parameters off a segment first
		if name == "." || name == ".." {
			return "", "", false
		}
	}
	return host, path, true
}
