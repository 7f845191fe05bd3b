package frame

import (
	"strings"

	"atelier/web/query"
)

var storageLabels = map[query.StorageKind]string{
	query.StorageKindFiles: "Files", query.StorageKindOutputs: "Outputs of runs", query.StorageKindGraphs: "Workflows with their versions",
	query.StorageKindWorkflows: "Number of workflows",
}

// fullParts names what has no room left; empty when there is room everywhere.
func fullParts(parts []query.StoragePart) string {
	var full []string
	for _, part := range parts {
		if part.Quota != nil && part.Used >= *part.Quota {
			full = append(full, Lower(storageLabels[part.Kind]))
		}
	}
	return strings.Join(full, ", ")
}
