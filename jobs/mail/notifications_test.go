package mail_test

import (
	"context"
	"strings"
	"testing"

	"atelier/jobs/mail"
	"atelier/models"
	"atelier/models/notice"
)

func TestNotificationLetter(t *testing.T) {
	room, amount := models.ID{1}, 5*models.Credit
	asked := &notice.Notification{Kind: notice.CreditRequest, WorkspaceID: &room, Count: 1, Facts: notice.Facts{Workspace: "Room", Person: "Mina", Amount: &amount, Reason: "A film"}}
	one := mail.NotificationLetter(context.Background(), base, &notice.Written{Name: "Ada", Told: []*notice.Notification{asked}})
	if one.Subject != "Mina asks for 5 credits in Room." || one.Action.URL != base+"/workspaces/"+room.String() ||
		!strings.Contains(one.Paragraphs[1], "A film") || !strings.Contains(one.Small[0], "/account/notifications") {
		t.Errorf("letter %+v", one)
	}
	many := mail.NotificationLetter(context.Background(), base, &notice.Written{Name: "Ada", Told: []*notice.Notification{asked, asked}, More: 3})
	if many.Subject != "5 things need your attention" || many.Action.URL != base+"/notifications" || many.Paragraphs[3] != "And 3 more." {
		t.Errorf("letter %+v", many)
	}
}
