// Package nextpath decides where a browser may be led next. It knows nothing of
// the house, so that every face asks the same function.
package nextpath

import (
	"net/url"
	"strings"
)

// Landing is where a person arrives who signed in without having asked for a
// page (contract 3, "External sign-in endpoints"); it leads on to where they belong.
const Landing = "/projects"

// most is how many bytes a path may have.
const most = 4_000

// Safe returns p when it is a path of this site that a browser may be sent to,
// else "". Browsers read "/\host" and "/<TAB>/host" as another host, so
// backslashes, spaces and control bytes are refused before parsing, and what
// the path says once it is decoded is held to the same.
func Safe(p string) string {
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "//") || len(p) > most {
		return ""
	}
	for i := range len(p) {
		if p[i] < 0x21 || p[i] == 0x7f || p[i] == '\\' {
			return ""
		}
	}
	u, err := url.Parse(p)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(u.Path, "/") ||
		strings.HasPrefix(u.Path, "//") || strings.ContainsRune(u.Path, '\\') {
		return ""
	}
	return p
}

// Or is Safe with a path for what is not.
func Or(p, otherwise string) string {
	if safe := Safe(p); safe != "" {
		return safe
	}
	return otherwise
}
