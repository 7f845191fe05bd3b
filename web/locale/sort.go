package locale

import (
	"context"
	"slices"

	"golang.org/x/text/collate"
)

// Sort orders a list by names as the reader's language does: "Änne" beside "Anne".
func Sort[E any](ctx context.Context, list []E, name func(E) string) {
	order := collate.New(Of(ctx).tag, collate.IgnoreCase, collate.Numeric)
	slices.SortStableFunc(list, func(a, b E) int { return order.CompareString(name(a), name(b)) })
}
