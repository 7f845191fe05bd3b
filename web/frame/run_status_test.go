//go:build !race

package frame

import (
	"testing"

	"atelier/web/query"
)

func TestRunStatuses(t *testing.T) {
	for _, s := range query.AllExecutionStatus {
		if _, ok := runStatuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}
