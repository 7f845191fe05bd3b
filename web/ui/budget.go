package ui

import (
	"context"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// What a page shows of texts that have no bound of their own, in bytes: of one, and of all in the form in which they
// are sent.
const (
	MaxShown    = 64 << 10
	maxPageText = 512 << 10
)

type budgetKey struct{}

// WithBudget gives the page that is rendered with the context its share.
func WithBudget(ctx context.Context) context.Context {
	left := maxPageText
	return context.WithValue(ctx, budgetKey{}, &left)
}

// Spend takes bytes from what the page may still show; false when there are not so many left.
func Spend(ctx context.Context, bytes int) bool {
	left, ok := ctx.Value(budgetKey{}).(*int)
	if !ok {
		return bytes <= maxPageText
	}
	if bytes > *left {
		return false
	}
	*left -= bytes
	return true
}

// cut is what a page shows of a text that it sends a number of times, and whether that is all of it.
func cut(ctx context.Context, text string, most, times int) (shown string, whole bool) {
	shown = text[:atRune(text, most)]
	for !Spend(ctx, times*len(templ.EscapeString(shown))) {
		shown = shown[:atRune(shown, len(shown)/2)]
	}
	return shown, len(shown) == len(text)
}

// maxInCell bounds one value of a comparison, and what is said of a failure, in bytes.
const maxInCell = 4 << 10

// Said is a text that stands among others, or its beginning.
func Said(ctx context.Context, text string) string {
	shown, whole := cut(ctx, text, maxInCell, 1)
	if !whole {
		shown += "…"
	}
	return shown
}

// Short is a text of at most n characters; the last one of a text that was cut is an ellipsis.
func Short(s string, n int) string {
	count, last := 0, 0
	for at := range s {
		if count++; count == n {
			last = at
		} else if count > n {
			return s[:last] + "…"
		}
	}
	return s
}

// atRune is the last place up to most at which a character begins.
func atRune(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}
