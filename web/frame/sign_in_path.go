package frame

import (
	"net/url"

	"atelier/nextpath"
)

// Landing is where a person arrives who signed in without having asked for a page; it leads on to where they belong.
const Landing = nextpath.Landing

// WithNext carries the page that was asked for to another address.
func WithNext(path, next string) string {
	if next == "" {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}

// NextCookie keeps, while a person looks into their mail, where they wanted to go.
const NextCookie = "atelier_next"
