//go:build !race

package operator

import (
	"testing"

	"atelier/web/query"
)

func TestOrganizationStatuses(t *testing.T) {
	for _, s := range query.AllOrganizationStatus {
		if _, ok := organizationStatuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}
