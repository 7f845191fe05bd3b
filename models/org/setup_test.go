package org_test

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// TestNextSetupStep goes from an empty install to one in use.
func TestNextSetupStep(t *testing.T) {
	w := orgtest.New(t)
	w.Orgs.AutoApprove = false
	step := func(want org.SetupStep) {
		t.Helper()
		w.Clock.Advance(10 * time.Second) // for that long an answer is given again
		got, err := w.Orgs.NextSetupStep(context.Background())
		if w.NoError(err); models.Deref(got) != want {
			t.Errorf("the next step is %q, want %q", models.Deref(got), want)
		}
	}
	step(org.NameOperator)
	w.Accounts.Operators = []string{"operator@example.com"}
	step(org.OperatorAccount)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	step(org.OperatorAccount) // the account of someone else is not enough
	operator := w.Operator()
	w.Exec(`UPDATE users SET address_proven_at = now() WHERE id = ?`, orgtest.ID(operator))
	step(org.ApproveOrganization)
	_, err := w.Orgs.ApproveOrganization(operator, o.ID)
	w.NoError(err)
	step("")
	w.Exec(`UPDATE organizations SET status = 'suspended'`)
	step("")
}

// TestNextSetupStepWithoutOperators: where organizations approve themselves, one is enough.
func TestNextSetupStepWithoutOperators(t *testing.T) {
	w := orgtest.New(t)
	w.School(w.Person("ada"), "North")
	if got, err := w.Orgs.NextSetupStep(context.Background()); err != nil || got != nil {
		t.Errorf("the next step is %v, %v", got, err)
	}
}
