//go:build !race

package tests

import (
	"strings"
	"testing"
)

// TestWhatRunsByItselfInBrowsers makes an address, a schedule and a key in a browser, and looks at their pages and at
// those of an endpoint for events.
func TestWhatRunsByItselfInBrowsers(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	room := s.owner.in(s.class)
	workflow := room.post("/v1/workflows", object{
		"name": "Door bell", "edges": []object{{"id": "e", "source": "bell", "target": "words", "sourceHandle": "visitor", "targetHandle": "text"}},
		"nodes": []object{
			{"id": "bell", "type": "webhook-trigger", "data": object{"parameters": []object{{"name": "visitor", "type": "text"}}}},
			{"id": "words", "type": "text", "data": object{"text": "nobody"}},
			{"id": "morning", "type": "schedule-trigger", "data": object{"active": true, "timezone": "Europe/Berlin",
				"rules": []object{{"kind": "weeks", "every": 1, "weekdays": []int{1, 4}, "hour": 8, "minute": 30}}}},
			{"id": "broken", "type": "schedule-trigger", "data": object{"active": true, "rules": []object{{"kind": "cron"}}}},
			{"id": "out", "type": "webhook-output", "data": object{"url": "https://example.com/hook"}},
		},
	}).want(201).text("data.id")
	flow := "/workflows/" + workflow
	v := startBrowser(t, "triggers").visitor("Mara", p.URL)
	v.signIn("mara")

	v.open(flow + "/triggers")
	v.sees("Nothing has called it yet.", "/v1/webhooks/")
	v.press("Make an address by hand")
	v.look("triggers")
	v.leave(func() { v.click("css", `a[href$="/try"]`) })
	v.look("try a trigger")
	v.open(flow + "/triggers")
	v.leave(func() { v.click("css", `.triggers > :last-child a[href$="/try"]`) })
	v.fill("visitor", "Ada")
	v.press("Call it")
	v.until("the run", `location.pathname.startsWith("/runs/") || document.querySelector('#main a[href^="/runs/"]')`)

	v.open(flow + "/schedules")
	v.sees("08:30", "Cannot run")
	v.choose("Runs", "day")
	v.look("schedules")
	v.follow("Schedule (broken)")
	v.look("schedule that cannot run")
	v.open(flow + "/schedules")
	v.leave(func() { v.click("css", `tbody tr:has(.tag.ok) a[href*="/schedules/"]`) })
	v.sees("Europe/Berlin")
	v.look("schedule")

	v.open("/credentials")
	v.look("credentials empty")
	v.follow("Add key")
	v.look("credential new")
	v.fill("Name", "Bell service")
	v.fill("Header", "X-Bell")
	v.fill("Key", "ding dong")
	v.fill("The one address", "https://example.com/hook")
	v.press("Keep the key")
	v.sees("Bell service")
	v.look("credential")
	v.open("/credentials")
	v.look("credentials")
	for name, path := range map[string]string{"node that sends": flow + "/nodes/edit?node=out", "node of a schedule": flow + "/nodes/edit?node=morning"} {
		v.open(path)
		v.look(name)
	}

	endpoint := s.owner.post("/v1/webhook-endpoints", object{"url": "https://example.com/events"}).want(201).text("data.id")
	v.open("/webhooks/" + endpoint + "/check")
	v.look("signature checker")
	v.open("/webhooks/" + endpoint + "/again")
	v.look("send again")
	if strings.Contains(p.log.String(), "ding dong") {
		t.Error("the log shows a key")
	}
}
