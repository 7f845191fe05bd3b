package frame

import (
	"net/http"

	"atelier/nextpath"
)

// SafePath returns p when it is a path of this site that a browser may be sent to, else "".
func SafePath(p string) string { return nextpath.Safe(p) }

// PathOr is SafePath with a fallback.
func PathOr(p, fallback string) string { return nextpath.Or(p, fallback) }

// SeeOther sends the browser to a path of this site with GET. A path that is not safe becomes "/".
func SeeOther(w http.ResponseWriter, path string) error {
	w.Header().Set("Location", PathOr(path, "/"))
	w.WriteHeader(http.StatusSeeOther)
	return nil
}
