//go:build !race

package flow

import (
	"testing"

	"atelier/web/query"
)

func TestJobStatuses(t *testing.T) {
	for _, s := range query.AllJobStatus {
		if _, ok := jobStatuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}
