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
