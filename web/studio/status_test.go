package studio

import (
	"testing"

	"atelier/web/query"
)

func TestProductionStatuses(t *testing.T) {
	for _, s := range query.AllProductionStatus {
		if _, ok := statuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}
