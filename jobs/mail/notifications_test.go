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
	month := mail.NotificationLetter(context.Background(), base, &notice.Written{Name: "Ada", Told: []*notice.Notification{{
		Kind: notice.UsageMonth, OrganizationID: &room, Facts: notice.Facts{
			Organization: "Northgate", Month: "2026-10", Amount: new(150 * models.Credit), Before: new(120 * models.Credit),
			ByWorkspace: []notice.Spending{{Name: "7a", Amount: 100 * models.Credit}, {Name: "7b", Amount: 50 * models.Credit}},
			ByMember:    []notice.Spending{{Name: "Mina", Amount: models.Credit}},
		},
	}}})
	if month.Subject != "Northgate spent 150 credits in October 2026, 25 percent more than in the month before." ||
		month.Action.URL != base+"/orgs/"+room.String()+"/usage?from=2026-10-01&to=2026-10-31" ||
		month.Paragraphs[2] != "Where most was spent: 7a (100 credits), 7b (50 credits)." || month.Paragraphs[3] != "Who spent most: Mina (1 credit)." {
		t.Errorf("letter %+v", month)
	}
	many := mail.NotificationLetter(context.Background(), base, &notice.Written{Name: "Ada", Told: []*notice.Notification{asked, asked}, More: 3})
	if many.Subject != "5 things need your attention" || many.Action.URL != base+"/notifications" || many.Paragraphs[3] != "And 3 more." {
		t.Errorf("letter %+v", many)
	}
}
