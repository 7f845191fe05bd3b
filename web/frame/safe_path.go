package frame

import (
	"net/http"
	"net/url"
	"strings"
)

// SafePath returns p when it is a path of this site that a browser may be sent to, else "". Browsers read
// "/\host" and "/<TAB>/host" as another host, so backslashes and control bytes are refused before parsing.
func SafePath(p string) string {
	if !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "//") {
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

// PathOr is SafePath with a fallback.
func PathOr(p, fallback string) string {
	if safe := SafePath(p); safe != "" {
		return safe
	}
	return fallback
}

// SeeOther sends the browser to a path of this site with GET. A path that is not safe becomes "/".
func SeeOther(w http.ResponseWriter, path string) error {
	w.Header().Set("Location", PathOr(path, "/"))
	w.WriteHeader(http.StatusSeeOther)
	return nil
}
