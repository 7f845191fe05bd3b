package web

import "net/url"

// landing is where somebody arrives who signed in without having asked for a page.
const landing = "/projects"

// withNext carries the page that was asked for to another address.
func withNext(path, next string) string {
	if next == "" {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}

// nextCookie keeps, while somebody looks into their mail, where they wanted to go.
const nextCookie = "atelier_next"
