package credit_test

import (
	"context"
	"slices"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// told is what a person was told, the latest first.
func (b *bank) told(who context.Context) (sentences []string) {
	b.Helper()
	notices := &notice.Service{DB: b.DB}
	notices.ShowWhere(org.SeesNotice)
	list, err := notices.List(who, false, models.Page{})
	b.NoError(err)
	for _, n := range list.Nodes {
		sentences = append(sentences, n.Sentence(nil))
	}
	return sentences
}

func (b *bank) expectTold(name string, who context.Context, sentences ...string) {
	b.Helper()
	got := b.told(who)
	slices.Sort(got)
	slices.Sort(sentences)
	if !slices.Equal(got, sentences) {
		b.Errorf("%s was told %q, expected %q", name, got, sentences)
	}
}

// school is a room with a teacher and two pupils.
func (b *bank) classroom() (ada, head, pupil, other context.Context, room *org.Workspace) {
	ada, head, pupil, other = b.Person("Ada"), b.Person("Head"), b.Person("Pupil"), b.Person("Other")
	room = b.Workspace(ada, b.School(ada, "North"), "Room")
	b.Assign(head, room, org.WorkspaceRoleAdmin)
	b.Assign(pupil, room, org.WorkspaceRoleMember)
	b.Assign(other, room, org.WorkspaceRoleMember)
	return ada, head, pupil, other, room
}

func TestCreditsAreTold(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, other, room := b.classroom()
	operator := b.Operator()
	clear := func() { b.Exec(`DELETE FROM notifications`) }
	clear()

	t.Run("given", func(t *testing.T) {
		b.fund(ada, operator, room, 50*models.Credit)
		granted := models.ActorFrom(operator).DisplayName + " gave 50 credits to North."
		b.expectTold("the owner", ada, granted, "The pool of North is empty: all 50 credits that it held are gone, so nothing more can be allocated.")
		b.expectTold("the teacher", head, "Ada gave 50 credits to Room.")
		b.expectTold("a pupil", pupil)
	})
	t.Run("asked and given", func(t *testing.T) {
		clear()
		amount := 5 * models.Credit
		b.NoError(b.credits.RequestCredits(pupil, room.ID, credit.RequestInput{Amount: &amount, Reason: "For the film"}))
		b.expectTold("the owner", ada, "Pupil asks for 5 credits in Room.")
		b.expectTold("the teacher", head, "Pupil asks for 5 credits in Room.")
		b.expectTold("another pupil", other)
		clear()
		b.fund(ada, operator, room, 5*models.Credit)
		b.expectTold("the pupil", pupil, "Ada gave 5 credits to Room, as you asked.")
		b.expectTold("another pupil", other)
	})
	t.Run("asked and declined", func(t *testing.T) {
		clear()
		b.NoError(b.credits.RequestCredits(pupil, room.ID, credit.RequestInput{Reason: "More"}))
		var ids []models.ID
		b.NoError(b.DB.Read(ada).Table("credit_requests").Where("answered_at IS NULL").Pluck("id", &ids).Error)
		id := ids[0]
		for name, who := range map[string]context.Context{"the pupil": pupil, "another": other, "an outsider": b.Person("outsider")} {
			if found, err := b.credits.RequestsByID(who, []models.ID{id}); err != nil || len(found) != 0 {
				t.Errorf("%s sees %v, %v", name, found, err)
			}
			if name != "the pupil" { // who may take it back
				b.Refused(b.credits.CloseRequest(who, id), models.CodeNotFound, 404)
			}
		}
		for name, who := range map[string]context.Context{"owner": ada, "teacher": head} {
			found, err := b.credits.RequestsByID(who, []models.ID{id})
			if err != nil || found[id] == nil || found[id].CanGive != (name == "owner") {
				t.Errorf("the %s sees %+v, %v", name, found[id], err)
			}
		}
		clear()
		b.NoError(b.credits.CloseRequest(head, id))
		b.expectTold("the pupil", pupil, "Head declined your request for credits in Room.")
		b.Refused(b.credits.CloseRequest(ada, id), models.CodeNotFound, 404)
	})
	t.Run("what is answered is read", func(t *testing.T) {
		clear()
		b.NoError(b.credits.RequestCredits(pupil, room.ID, credit.RequestInput{Reason: "More"}))
		unread := func() (n int64) {
			b.NoError(b.DB.Read(ada).Table("notifications").Where("kind = 'credit_request' AND read_at IS NULL").Count(&n).Error)
			return n
		}
		if n := unread(); n != 2 {
			t.Errorf("%d unread", n)
		}
		b.fund(ada, operator, room, models.Credit)
		if n := unread(); n != 0 {
			t.Errorf("%d unread", n)
		}
	})
	t.Run("a raised limit answers", func(t *testing.T) {
		clear()
		b.Exec(`UPDATE organizations SET settings = '{"member_caps_enabled": true}'`)
		b.Exec(`DELETE FROM rate_windows`)
		b.NoError(b.credits.RequestCredits(pupil, room.ID, credit.RequestInput{Reason: "More"}))
		clear()
		for _, limit := range []models.Credits{5 * models.Credit, 20 * models.Credit} {
			_, err := b.credits.UpdateWorkspaceMember(head, room.ID, orgtest.ID(pupil), credit.UpdateWorkspaceMemberInput{CreditCap: models.Some(limit)})
			b.NoError(err)
		}
		b.expectTold("the pupil", pupil, "Head raised your limit in Room, as you asked.")
	})
}
