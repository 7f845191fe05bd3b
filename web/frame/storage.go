package frame

import (
	"context"
	"strings"

	"atelier/web/locale"
	"atelier/web/query"
)

var storageLabels = map[query.StorageKind]string{
	query.StorageKindFiles: mark("Files"), query.StorageKindOutputs: mark("Outputs of runs"), query.StorageKindGraphs: mark("Workflows with their versions"),
	query.StorageKindWorkflows: mark("Number of workflows"),
}

// fullParts names what has no room left; empty when there is room everywhere.
func fullParts(ctx context.Context, parts []query.StoragePart) string {
	var full []string
	for _, part := range parts {
		if part.Quota != nil && part.Used >= *part.Quota {
			full = append(full, locale.Pattern(ctx, storageLabels[part.Kind]))
		}
	}
	return strings.Join(full, ", ")
}
