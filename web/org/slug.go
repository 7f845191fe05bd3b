package org

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// SlugPreview tells whether a short name is free, again while a person types.
func (c Pages) SlugPreview(w http.ResponseWriter, r *http.Request) error {
	slug := previewSlug(r.FormValue("name"), r.FormValue("slug"))
	return frame.Write(w, r, http.StatusOK, slugPreview(slug, c.slugState(r, slug), r.FormValue("slug") != ""))
}

// slugState tells whether a short name is free; it is not known before one is typed, nor when too many were asked for.
func (c Pages) slugState(r *http.Request, slug string) slugState {
	if slug == "" {
		return slugUnknown
	}
	res, err := query.SlugFree(r.Context(), c.Client, slug)
	switch {
	case frame.HasCode(err, "validation_error"):
		return slugWrong
	case err != nil:
		return slugUnknown
	case res.SlugFree:
		return slugIsFree
	}
	return slugTaken
}

type slugState int

const (
	slugUnknown slugState = iota
	slugIsFree
	slugTaken
	slugWrong
)

// previewSlug is the short name as the service will make it from a name, unless one was typed; empty where that
// is not plain to see.
func previewSlug(name, slug string) string {
	if slug != "" {
		return slug
	}
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteRune(c)
		case c > 0x7f: // the service takes its marks off; that is not repeated here
			return ""
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	out := b.String()
	return strings.Trim(out[:min(len(out), 50)], "-")
}
