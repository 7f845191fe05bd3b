package event

import (
	"testing"

	"atelier/web/query"
)

func TestDeliveryStatuses(t *testing.T) {
	for _, s := range query.AllDeliveryStatus {
		if _, ok := deliveryStatuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}
