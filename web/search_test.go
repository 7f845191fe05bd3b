package web

import (
	"strings"
	"testing"

	"atelier/web/frame"
)

func TestSearchPages(t *testing.T) {
	f := newFake(t).school().with("SearchHit.total", 24).with("SearchHit.name", "Mina").with("SearchHit.workspaceId", nil)
	body := get(f, "/search?q=mi&org="+someID).Body.String()
	for _, part := range []string{
		`data-search-for="mi"`, `href="/orgs/` + someID + `/members/` + someID + `"`, "All 24 in People", `/members?q=mi"`,
		`data-dialog-open="search"`, "Search everywhere you belong",
	} {
		if !strings.Contains(body, part) {
			t.Errorf("no %s", part)
		}
	}
	part := get(f, "/search/results?q=audit&org="+someID).Body.String()
	if strings.Contains(part, "<html") || strings.Contains(part, "hx-") || !strings.Contains(part, `/orgs/`+someID+`/audit"`) {
		t.Errorf("results alone: %s", part)
	}
	if vars := frame.JSONOf(f.last(t, "Search").Variables); !strings.Contains(vars, `"organizationId":"`+someID+`"`) {
		t.Errorf("searched %s", vars)
	}
	get(f, "/search?q=mi")
	if vars := frame.JSONOf(f.last(t, "Search").Variables); !strings.Contains(vars, `"organizationId":null`) {
		t.Errorf("searched %s", vars)
	}
}

func TestNotificationPages(t *testing.T) {
	f := newFake(t).school().with("Profile.unreadNotifications", 10).with("Notification.readAt", nil).with("Notification.sentence", "Mina asks.").
		with("CreditRequest.answer", nil).with("CreditRequest.canGive", true).with("CreditRequest.amount", 12.5)
	body := get(f, "/notifications").Body.String()
	for _, part := range []string{
		"9+", "more than 9 unread", `action="/notifications/` + someID + `"`, "Give 12.5 credits",
		`/credits/allocate?amount=12.5&amp;workspace=` + someID, `action="/credit-requests/` + someID + `/decline"`, "Mark all as read",
	} {
		if !strings.Contains(body, part) {
			t.Errorf("no %s", part)
		}
	}
	if vars := frame.JSONOf(f.last(t, "Notifications").Variables); !strings.Contains(vars, `"unread":true`) {
		t.Errorf("asked for %s", vars)
	}
	f.with("CreditRequest.answer", "declined").with("CreditRequest.canGive", false).with("Profile.unreadNotifications", 0)
	if body := get(f, "/notifications?show=all").Body.String(); strings.Contains(body, "/decline") || !strings.Contains(body, "Declined") || strings.Contains(body, "bell-count") {
		t.Error("an answered request can be answered")
	}

	f.with("Notification.path", "/workspaces/"+someID)
	if w := post(f, "/notifications/"+someID); w.Code != 303 || w.Header().Get("Location") != "/workspaces/"+someID {
		t.Errorf("followed to %d %s", w.Code, w.Header().Get("Location"))
	}
	f.with("Notification.path", "//evil.example")
	if w := post(f, "/notifications/"+someID); w.Header().Get("Location") != "/" {
		t.Errorf("followed to %s", w.Header().Get("Location"))
	}
	if w := post(f, "/notifications/"+someID+"/read?show=all"); w.Code != 303 || w.Header().Get("Location") != "/notifications?show=all" {
		t.Errorf("read: %d %s", w.Code, w.Header().Get("Location"))
	}
	post(f, "/notifications/read")
	if vars := frame.JSONOf(f.last(t, "MarkAllNotificationsRead").Variables); vars != "{}" && vars != "null" {
		t.Errorf("read %s", vars)
	}
	post(f, "/account/notifications", "mail", "budget_alert", "mail", "endpoint_off")
	if vars := frame.JSONOf(f.last(t, "ChooseNotifications").Variables); !strings.Contains(vars, `["budget_alert","endpoint_off"]`) {
		t.Errorf("chosen %s", vars)
	}
	if w := post(f, "/account/notifications", "mail", "nonsense"); w.Code != 400 {
		t.Errorf("nonsense: %d", w.Code)
	}
}
