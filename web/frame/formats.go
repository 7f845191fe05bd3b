package frame

import (
	"context"
	"strings"

	"atelier/mediatype"
)

// Formats are the formats of a kind of files for a sentence: "PNG, JPEG and WebP".
func Formats(ctx context.Context, kind string) string {
	labels := mediatype.Labels(kind)
	if at := strings.LastIndex(labels, " and "); at > 0 {
		return t(ctx, "%s and %s", labels[:at], labels[at+len(" and "):])
	}
	return labels
}
