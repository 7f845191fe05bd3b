package credit_test

import (
	"testing"

	"atelier/models"
	"atelier/models/credit"
)

func TestForemost(t *testing.T) {
	view := &credit.BudgetView{Members: []*credit.MemberShare{
		{DisplayName: "Ada", Spent: 1}, {DisplayName: "Ben", Spent: 9}, {DisplayName: "Cem", Spent: 9}, {DisplayName: "Dan", Spent: 3},
	}}
	for _, c := range []struct {
		first *int
		want  string
		code  models.Code
	}{
		{nil, "AdaBenCemDan", ""}, {new(4), "AdaBenCemDan", ""}, {new(100), "AdaBenCemDan", ""},
		{new(3), "BenCemDan", ""}, {new(1), "Ben", ""}, {new(0), "", models.CodeValidation}, {new(-1), "", models.CodeValidation},
	} {
		rows, err := view.Foremost(c.first)
		names := ""
		for _, row := range rows {
			names += row.DisplayName
		}
		if names != c.want || (c.code != "") != models.HasCode(err, c.code) {
			t.Errorf("the first %v are %q, %v", c.first, names, err)
		}
	}
	if view.Members[0].DisplayName != "Ada" {
		t.Error("the rows themselves were sorted")
	}
}
