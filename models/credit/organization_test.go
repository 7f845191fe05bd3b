package credit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// TestNearLimit finds the workspaces that need credits soon, and adds all up.
func TestNearLimit(t *testing.T) {
	b := newBank(t)
	ada, bob := b.Person("ada"), b.Person("bob")
	o := b.School(ada, "North")
	var archived *org.Workspace
	ids := map[string]models.ID{}
	for name, budget := range map[string][3]int{
		"nothing": {0, 0, 0}, "archived": {100, 100, 0}, "tenth": {100, 90, 0}, "nine": {100, 90, 1}, "full": {100, 60, 40},
		"eight": {200, 184, 0}, "one": {1000, 900, 90}, "two": {100, 98, 0}, "three": {100, 97, 0},
	} {
		room := b.Workspace(ada, o, name)
		b.Exec(`UPDATE workspace_budgets SET allocated = ?, spent = ?, reserved = ? WHERE workspace_id = ?`, budget[0], budget[1], budget[2], room.ID)
		if ids[name] = room.ID; name == "archived" {
			archived = room
		}
	}
	b.Assign(bob, &org.Workspace{ID: ids["two"], OrganizationID: o.ID}, org.WorkspaceRoleAdmin)
	_, err := b.Orgs.Workspaces().Archive(ada, archived.ID)
	b.NoError(err)

	rows, err := b.credits.ListNearLimit(ada, o.ID)
	b.NoError(err)
	var names []string
	for _, a := range rows {
		names = append(names, a.Name)
	}
	if got := strings.Join(names, " "); got != "full one two three eight" {
		t.Errorf("near their limit: %q", got)
	}
	totals, err := b.credits.SumAllocations(ada, o.ID)
	b.NoError(err)
	if want := (credit.AllocationTotals{Workspaces: 9, Holding: 7, Allocated: 1800, Reserved: 131, Spent: 1619}); *totals != want {
		t.Errorf("totals %+v, want %+v", *totals, want)
	}

	for name, refused := range map[string]func(context.Context) error{
		"near": func(ctx context.Context) error { _, err := b.credits.ListNearLimit(ctx, o.ID); return err },
		"sums": func(ctx context.Context) error { _, err := b.credits.SumAllocations(ctx, o.ID); return err },
		"all":  func(ctx context.Context) error { _, err := b.credits.ListAllocations(ctx, o.ID); return err },
	} {
		if err := refused(bob); !models.HasCode(err, models.CodeInsufficientRole) {
			t.Errorf("%s for a member: %v", name, err)
		}
	}
	wanted := []models.ID{ids["two"], ids["full"]}
	for who, ctx := range map[int]context.Context{2: ada, 0: bob} {
		held, err := b.credits.AllocationsByWorkspace(ctx, wanted)
		b.NoError(err)
		if len(held) != who {
			t.Error(fmt.Sprint(len(held), " of two for ", orgtest.ID(ctx)))
		}
	}
}
