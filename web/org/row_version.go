package org

import (
	"net/http"
	"time"

	"atelier/web/frame"
)

// version is the row version that a form carries: when the row was last changed.
func version(updated time.Time) string { return updated.UTC().Format(time.RFC3339Nano) }

// sentVersion is the version that a form was made for; nil when it has none.
func sentVersion(r *http.Request) *time.Time {
	t, err := time.Parse(time.RFC3339Nano, frame.Text(r, "version"))
	if err != nil {
		return nil
	}
	return &t
}
