package org_test

import (
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestEnableJoinCodeUntil(t *testing.T) {
	w := orgtest.New(t)
	ada, first, late, again := w.Person("ada"), w.Person("first"), w.Person("late"), w.Person("again")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	closes := w.Clock.Now().Add(10 * time.Minute)

	for name, at := range map[string]time.Time{"now": w.Clock.Now(), "past": w.Clock.Now().Add(-time.Hour), "too far": w.Clock.Now().Add(8 * 24 * time.Hour)} {
		_, err := w.Orgs.JoinCodes().EnableUntil(ada, room.ID, at)
		if w.Refused(err, models.CodeValidation, 400); t.Failed() {
			t.Fatal(name)
		}
	}
	code, err := w.Orgs.JoinCodes().EnableUntil(ada, room.ID, closes)
	w.NoError(err)
	if !code.Enabled || code.ClosesAt == nil || !code.ClosesAt.Equal(closes) {
		t.Fatalf("code %+v", code)
	}
	rotated, err := w.Orgs.JoinCodes().Change(ada, room.ID, org.RotateCode)
	w.NoError(err)
	if !rotated.Enabled || rotated.ClosesAt == nil {
		t.Fatalf("rotating forgot when it closes: %+v", rotated)
	}
	_, err = w.Orgs.JoinCodes().Join(first, rotated.Code)
	w.NoError(err)
	open, err := w.Orgs.JoinCodes().ListOpen(ada, o.ID)
	w.NoError(err)
	if len(open) != 1 || open[0].WorkspaceName != "Room" || open[0].JoinedToday != 1 {
		t.Fatalf("open codes %+v", open)
	}

	w.Clock.Advance(10 * time.Minute)
	_, err = w.Orgs.JoinCodes().Join(late, rotated.Code)
	w.Refused(err, models.CodeJoinCodeInvalid, 400)
	closed, err := w.Orgs.JoinCodes().Find(ada, room.ID)
	w.NoError(err)
	if closed.Enabled || closed.ClosesAt != nil {
		t.Fatalf("a closed code reads %+v", closed)
	}
	if open, err = w.Orgs.JoinCodes().ListOpen(ada, o.ID); err != nil || len(open) != 0 {
		t.Fatalf("open codes %+v, %v", open, err)
	}
	if same, err := w.Orgs.JoinCodes().Change(ada, room.ID, org.DisableCode); err != nil || same.Enabled {
		t.Fatalf("disabling a closed code: %+v, %v", same, err)
	}
	reopened, err := w.Orgs.JoinCodes().Change(ada, room.ID, org.EnableCode)
	w.NoError(err)
	if !reopened.Enabled || reopened.ClosesAt != nil || reopened.Code != rotated.Code {
		t.Fatalf("enabled again %+v", reopened)
	}
	_, err = w.Orgs.JoinCodes().Join(again, rotated.Code)
	w.NoError(err)
	w.Audited(o.ID, "organization.created", "workspace.created", "join_code.enabled", "join_code.rotated", "member.joined", "join_code.enabled", "member.joined")
	_, err = w.Orgs.JoinCodes().EnableUntil(first, room.ID, w.Clock.Now().Add(time.Minute))
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.JoinCodes().ListOpen(first, o.ID)
	w.Refused(err, models.CodeInsufficientRole, 403)
	if orgtest.ID(ada) != reopened.RotatedBy {
		t.Fatal("enabling is not rotating")
	}
}
