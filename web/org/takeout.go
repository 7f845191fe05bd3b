package org

import (
	"net/http"

	"atelier/web/frame"
)

// Takeout sends its owner everything that is stored of an organization.
func (c Pages) Takeout(w http.ResponseWriter, r *http.Request) error {
	return c.SendTakeout(w, r, frame.PathID(r))
}
