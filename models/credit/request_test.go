package credit_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestRequestCredits(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, outsider, other := b.Person("ada"), b.Person("head"), b.Person("pupil"), b.Person("outsider"), b.Person("other")
	o := b.School(ada, "North")
	room := b.Workspace(ada, o, "Room")
	b.Assign(head, room, org.WorkspaceRoleAdmin)
	b.Assign(pupil, room, org.WorkspaceRoleMember)
	b.Enroll(other, o, org.Member)
	amount := 5 * models.Credit
	ask := func(ctx context.Context, in credit.RequestInput) error {
		return b.credits.RequestCredits(ctx, room.ID, in)
	}
	fine := credit.RequestInput{Amount: &amount, Reason: " For the film "}
	told := func() (n int64) {
		b.NoError(b.DB.Read(ada).Table("notifications").Where("kind = 'credit_request'").Count(&n).Error)
		return n
	}

	b.Refused(ask(outsider, fine), models.CodeNotFound, 404)
	b.Refused(ask(other, fine), models.CodeNotFound, 404)
	b.Refused(ask(context.Background(), fine), models.CodeUnauthorized, 401)
	none, minus := models.Credits(0), models.Credits(-1)
	for _, in := range []credit.RequestInput{{Reason: " "}, {Reason: "x", Amount: &none}, {Reason: "x", Amount: &minus}, {Reason: "\x00"}} {
		b.Refused(ask(pupil, in), models.CodeValidation, 400)
	}
	if told() != 0 {
		t.Fatal("a refused request is told")
	}
	b.NoError(ask(pupil, fine))
	if n := told(); n != 2 {
		t.Errorf("%d told, one each for owner and admin expected", n)
	}
	b.NoError(ask(pupil, credit.RequestInput{Reason: "More"}))
	b.NoError(ask(pupil, fine))
	b.Refused(ask(pupil, fine), models.CodeRateLimitExceeded, 429)
	b.NoError(ask(head, fine))
	if n := told(); n != 7 {
		t.Errorf("%d told", n)
	}
	b.Audited(o.ID, "organization.created", "workspace.created", "budget.requested", "budget.requested", "budget.requested", "budget.requested")

	b.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(pupil))
	b.Refused(ask(pupil, fine), models.CodeMemberSuspended, 403)
}

// A request stays open, once for a person, until it is granted, declined, taken
// back, or answered by the credits that it asks for.
func TestOpenRequests(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, mate, outsider := b.Person("ada"), b.Person("head"), b.Person("pupil"), b.Person("mate"), b.Person("outsider")
	o := b.School(ada, "North")
	room := b.Workspace(ada, o, "Room")
	b.Assign(head, room, org.WorkspaceRoleAdmin)
	b.Assign(pupil, room, org.WorkspaceRoleMember)
	b.Assign(mate, room, org.WorkspaceRoleMember)
	amount, limit := 5*models.Credit, 2*models.Credit
	b.setCap(room, pupil, &limit)
	ask := func(who context.Context, reason string) {
		t.Helper()
		b.NoError(b.credits.RequestCredits(who, room.ID, credit.RequestInput{Amount: &amount, Reason: reason}))
	}
	open := func(who context.Context) []*credit.Request {
		t.Helper()
		found, err := b.credits.ListRequests(who, room.ID)
		b.NoError(err)
		return found
	}
	ask(pupil, "A film")
	ask(mate, "A poster")
	ask(pupil, "A longer film")
	all := open(head)
	if len(all) != 2 || all[0].RequesterID != orgtest.ID(mate) || all[1].Reason != "A longer film" || all[1].Cap == nil || *all[1].Cap != limit || all[0].Cap != nil {
		t.Fatalf("open are %+v", all)
	}
	if own := open(pupil); len(own) != 1 || own[0].RequesterID != orgtest.ID(pupil) {
		t.Errorf("the pupil sees %+v", own)
	}
	_, err := b.credits.ListRequests(outsider, room.ID)
	b.Refused(err, models.CodeNotFound, 404)
	if everywhere, err := b.credits.ListOrganizationRequests(ada, o.ID); err != nil || len(everywhere) != 2 {
		t.Errorf("the owner sees %+v, %v", everywhere, err)
	}
	_, err = b.credits.ListOrganizationRequests(pupil, o.ID)
	b.Refused(err, models.CodeInsufficientRole, 403)

	mates, pupils := all[0].ID, all[1].ID
	for _, who := range []context.Context{outsider, mate} {
		b.Refused(b.credits.GrantRequest(who, pupils, amount), models.CodeNotFound, 404)
		b.Refused(b.credits.CloseRequest(who, pupils), models.CodeNotFound, 404)
	}
	b.Refused(b.credits.GrantRequest(pupil, pupils, amount), models.CodeInsufficientRole, 403)
	b.Refused(b.credits.GrantRequest(head, pupils, 0), models.CodeValidation, 400)
	b.Refused(b.credits.GrantRequest(head, mates, amount), models.CodeValidation, 400) // no cap bounds them
	b.NoError(b.credits.GrantRequest(head, pupils, amount))
	b.Refused(b.credits.GrantRequest(head, pupils, amount), models.CodeNotFound, 404)
	view, err := b.credits.FindWorkspaceBudget(pupil, room.ID)
	b.NoError(err)
	if view.Own.Cap == nil || *view.Own.Cap != limit+amount {
		t.Errorf("the cap is %v", view.Own.Cap)
	}
	b.NoError(b.credits.CloseRequest(head, mates))
	ask(mate, "Please")
	b.NoError(b.credits.CloseRequest(mate, open(mate)[0].ID))
	ask(mate, "Once more")
	b.fund(ada, b.Operator(), room, amount)
	if left := open(head); len(left) != 0 {
		t.Errorf("still open are %+v", left)
	}
}
