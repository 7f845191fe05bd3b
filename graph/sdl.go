package graph

import (
	"strings"

	"atelier/graph/generated"

	"github.com/vektah/gqlparser/v2/formatter"
)

// SDL is the schema in GraphQL's own notation.
func SDL() string {
	var text strings.Builder
	formatter.NewFormatter(&text).FormatSchema(generated.NewExecutableSchema(generated.Config{}).Schema())
	return text.String()
}
