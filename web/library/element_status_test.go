//go:build !race

package library

import (
	"testing"

	"atelier/web/query"
)

func TestElementStatuses(t *testing.T) {
	for _, s := range query.AllElementStatus {
		if _, ok := elementStatuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}
