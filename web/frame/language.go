package frame

import (
	"context"
	"net/http"

	"atelier/web/locale"
)

// LanguageCookie is the language that a visitor chose, for pages before signing in.
const LanguageCookie = "atelier_language"

// LanguageOf is the language in which a page is written: what the account chose, else what the visitor chose in this
// browser, else what the browser asks for.
func LanguageOf(r *http.Request) *locale.Language {
	return locale.Choose(r.Header.Get("Accept-Language"), locale.Choice(r.Context()), CookieValue(r, LanguageCookie))
}

// Saying is the context of what is said in the words of an organization: messages with {workspace} and the like take them.
func Saying(ctx context.Context, w Words) context.Context {
	return locale.WithTerms(ctx, locale.Terms(w))
}
