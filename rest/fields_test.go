package rest

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/run"
)

func TestRowsHaveTheFieldsThatAreAskedFor(t *testing.T) {
	for name, has := range map[string]map[string]bool{
		"workflows": rowFields[many[workflowView]](), "older workflows": rowFields[legacyWorkflowList](),
		"jobs": rowFields[manyNext[run.PublicJob]](),
	} {
		if !has["id"] || has[""] || has["nextCursor"] {
			t.Errorf("rows of %s have %v", name, has)
		}
	}
	has := rowFields[many[workflowView]]()
	fields := "id, name"
	query := &PageQuery{FieldsQuery: FieldsQuery{Fields: queryString{Value: &fields}}}
	ctx, err := choose(context.Background(), query, has)
	if err != nil || chooses(ctx, "nodes", "edges") || !chooses(ctx, "name") || !chooses(context.Background(), "nodes") {
		t.Fatal(err)
	}
	kept, err := keepFields(workflowView{Name: "x"}, query.chosen())
	if err != nil || len(kept) != 2 || string(kept["name"]) != `"x"` {
		t.Errorf("%s, %v", kept, err)
	}
	fields = "id,secret"
	if _, err := choose(context.Background(), query, has); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("an unknown field: %v", err)
	}
}
