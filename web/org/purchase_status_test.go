//go:build !race

package org

import (
	"testing"

	"atelier/web/query"
)

func TestPurchaseStatuses(t *testing.T) {
	for _, s := range query.AllPurchaseStatus {
		if _, ok := purchaseStatuses[s]; !ok {
			t.Errorf("%s has no word", s)
		}
	}
}
