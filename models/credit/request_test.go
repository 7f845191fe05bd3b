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
	b.Orgs.Mail = true
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
	mails := func() (n int64) {
		b.NoError(b.DB.Read(ada).Table("river_job").Where("kind = 'mail_credit_request'").Count(&n).Error)
		return n
	}

	b.Refused(ask(outsider, fine), models.CodeNotFound, 404)
	b.Refused(ask(other, fine), models.CodeNotFound, 404)
	b.Refused(ask(context.Background(), fine), models.CodeUnauthorized, 401)
	none, minus := models.Credits(0), models.Credits(-1)
	for _, in := range []credit.RequestInput{{Reason: " "}, {Reason: "x", Amount: &none}, {Reason: "x", Amount: &minus}, {Reason: "\x00"}} {
		b.Refused(ask(pupil, in), models.CodeValidation, 400)
	}
	if mails() != 0 {
		t.Fatal("a refused request is mailed")
	}
	b.NoError(ask(pupil, fine))
	if n := mails(); n != 2 {
		t.Errorf("%d mails, one each for owner and admin expected", n)
	}
	b.NoError(ask(pupil, credit.RequestInput{Reason: "More"}))
	b.NoError(ask(pupil, fine))
	b.Refused(ask(pupil, fine), models.CodeRateLimitExceeded, 429)
	b.NoError(ask(head, fine))
	if n := mails(); n != 7 {
		t.Errorf("%d mails", n)
	}
	b.Audited(o.ID, "organization.created", "workspace.created", "budget.requested", "budget.requested", "budget.requested", "budget.requested")

	args := credit.RequestMail{WorkspaceID: room.ID, RequesterID: orgtest.ID(pupil), RecipientID: orgtest.ID(head), Amount: &amount, Reason: "x"}
	letter, err := b.credits.WriteRequestLetter(context.Background(), args)
	b.NoError(err)
	if letter == nil || letter.Address != "head@example.com" || letter.RequesterName != "pupil" || letter.WorkspaceName != "Room" {
		t.Errorf("letter %+v", letter)
	}
	b.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(pupil))
	if letter, err := b.credits.WriteRequestLetter(context.Background(), args); letter != nil || err != nil {
		t.Errorf("for somebody suspended: %+v, %v", letter, err)
	}
	b.Refused(ask(pupil, fine), models.CodeMemberSuspended, 403)
	b.Orgs.Mail = false
	b.Refused(ask(head, fine), models.CodeValidation, 400)
}
