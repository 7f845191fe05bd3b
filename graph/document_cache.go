package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// The documents of outsiders that stay parsed. One of 8 KiB takes some hundred
// KiB, so that all of them stay within some tens of MiB.
const (
	cachedDocuments   = 100
	maxCachedDocument = 8 << 10
)

// smallDocuments keeps documents that passed the bounds and fit the schema,
// when they are short.
type smallDocuments struct {
	*lru.LRU[*ast.QueryDocument]
}

func newSmallDocuments() smallDocuments {
	return smallDocuments{lru.New[*ast.QueryDocument](cachedDocuments)}
}

// Add keeps a short document and passes over a long one.
func (c smallDocuments) Add(ctx context.Context, query string, document *ast.QueryDocument) {
	if len(query) <= maxCachedDocument {
		c.LRU.Add(ctx, query, document)
	}
}
