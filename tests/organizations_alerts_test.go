//go:build !race

package tests

import (
	"fmt"
	"strings"
	"testing"

	"atelier/jobs/mail/mailtest"
)

// A pool and a budget that run out are told at the console and by mail, each level
// once; half of it by mail to no one who did not choose that.
func TestAlertsByMail(t *testing.T) {
	server := mailtest.New(t)
	p := startService(t, "SMTP_URL="+server.URL().String(), "MAIL_FROM=Atelier <no-reply@example.com>", "ORG_AUTO_APPROVE=true",
		"PLATFORM_OPERATOR_EMAILS=op@example.com")
	visitor := client{t: t, URL: p.URL}
	person := func(name string) client {
		visitor.post("/auth/sign-up", object{"email": name + "@example.com", "password": "correct horse", "displayName": name}).want(202)
		return visitor.with(confirm(visitor, server, name+"@example.com").text("data.token"))
	}
	ada, head, pupil, op := person("ada"), person("head"), person("pupil"), person("op")
	school := ada.post("/v1/orgs", object{"name": "North", "kind": "school", "acceptTerms": true}).want(201).text("data.id")
	room := ada.post("/v1/orgs/"+school+"/workspaces", object{"name": "Room"}).want(201).text("data.id")
	ask := func(who client, query string) *reply {
		t.Helper()
		r := who.post("/graphql", object{"query": query})
		if r.path("errors") != nil {
			t.Fatalf("%s: %s", query, r.Body)
		}
		return r
	}
	ask(ada, fmt.Sprintf(`mutation { setWorkspaceDefaultCap(workspaceId: %q, creditCap: 2) { defaultCap } }`, room))
	code := ada.post("/v1/workspaces/"+room+"/join-code", object{"action": "enable"}).want(200).text("data.code")
	for _, who := range []client{head, pupil} {
		who.post("/v1/workspaces/join", object{"code": code}).want(200)
	}
	ada.do("PATCH", "/v1/workspaces/"+room+"/members/"+head.get("/v1/me").text("data.id"), object{"role": "admin", "creditCap": nil}).want(200)
	if limit := pupil.get("/v1/workspaces/" + room + "/budget").path("data.own.cap"); fmt.Sprint(limit) != "2" {
		t.Errorf("the pupil's cap is %v", limit)
	}

	told := func(who client, kind string) (sentences []string) {
		r := ask(who, `{ notifications(first: 50) { nodes { kind sentence } } }`)
		nodes, _ := r.path("data.notifications.nodes").([]any)
		for _, n := range nodes {
			if n := n.(map[string]any); n["kind"] == kind {
				sentences = append([]string{n["sentence"].(string)}, sentences...)
			}
		}
		return sentences
	}
	mailed := func(name, subject string) {
		t.Helper()
		eventually(t, func() error {
			for _, m := range server.To(name + "@example.com") {
				if strings.Contains(strings.Join(strings.Fields(m.Text), " "), subject) {
					return nil
				}
			}
			return errNoMail
		})
	}
	ask(op, fmt.Sprintf(`mutation { grantCredits(input: { organizationId: %q, amount: 10, reason: "Test" }) { amount } }`, school))
	allocate := func(delta float64) {
		t.Helper()
		ada.post("/v1/orgs/"+school+"/workspaces/"+room+"/allocate", object{"delta": delta}).want(200)
	}
	allocate(6)
	allocate(2.5)
	half, more := "The pool of North has reached 50 percent: 4 of the 10 credits that it held are left.",
		"The pool of North has reached 80 percent: 1.5 of the 10 credits that it held are left."
	if got := fmt.Sprint(told(ada, "budget_half"), told(ada, "budget_alert")); got != fmt.Sprint([]string{half}, []string{more}) {
		t.Errorf("the owner was told %s", got)
	}
	mailed("ada", more)

	// The pupil's one run uses up their own limit and, once credits are taken back, most of the budget.
	pupil.in(room).post("/v1/generate-image", object{"prompt": "A tree", "seed": 1, "aspectRatio": "1:1", "resolution": "1K"}).want(202)
	eventually(t, func() error {
		if got := told(pupil, "limit_low"); len(got) != 1 || !strings.HasPrefix(got[0], "You have used all 2 credits of your limit in Room.") {
			return fmt.Errorf("the pupil was told %q", got)
		}
		return nil
	})
	allocate(-6.1)
	budget := "The budget of Room has reached 80 percent: 2 of 2.4 credits are spent."
	if got := told(head, "budget_alert"); len(got) != 1 || got[0] != budget {
		t.Errorf("the teacher was told %q", got)
	}
	mailed("head", budget)
	if got := told(pupil, "budget_alert"); len(got) != 0 {
		t.Errorf("the pupil was told %q", got)
	}
	for _, m := range server.To("ada@example.com") {
		if strings.Contains(strings.Join(strings.Fields(m.Text), " "), half) {
			t.Error("half of the pool came by mail")
		}
	}
}
