package flow

import (
	"testing"

	"atelier/models"
)

func TestModelCosts(t *testing.T) {
	e := newWorkshop(t)
	costs, err := e.ModelCosts(e.As(e.user), []string{"resize-image", "nope", "text", "resize-image"})
	if err != nil || len(costs) != 2 || *costs[0] != (ModelCost{"resize-image", models.Credit / 2}) || *costs[1] != (ModelCost{"text", 0}) {
		t.Errorf("%+v, %v", costs, err)
	}
	if costs, err = e.ModelCosts(e.As(e.user), make([]string, 50)); err != nil || costs == nil || len(costs) != 0 {
		t.Errorf("%+v, %v", costs, err)
	}
	_, err = e.ModelCosts(e.As(e.user), make([]string, 51))
	wantCode(t, err, models.CodeValidation)
	_, err = e.ModelCosts(t.Context(), nil)
	wantCode(t, err, models.CodeUnauthorized)
}
