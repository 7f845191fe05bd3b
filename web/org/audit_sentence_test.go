//go:build !race

package org

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/web/locale"
	"atelier/web/query"
)

// northgate is a log of a school, read in Berlin.
func northgate(t *testing.T) auditNames {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return auditNames{Zone: berlin, Org: query.OrganizationHead{Id: "o1", Name: "Northgate", Vocabulary: query.Words{
		Workspace: "Class", Workspaces: "Classes", Member: "Student", Members: "Students", Admin: "Teacher", Admins: "Teachers",
	}}}
}

// line is an entry by Jonas about a target in Art 9b, or in no class where the action is the organization's.
func line(action, kind, target, details string) query.AuditLine {
	id, class := "w1", "Art 9b"
	l := query.AuditLine{
		Action: action, TargetType: kind, TargetId: &id, Details: json.RawMessage(details), Actor: &query.AuditPerson{DisplayName: "Jonas"},
		CreatedAt: time.Date(2026, 11, 22, 12, 50, 0, 0, time.UTC),
	}
	if target != "" {
		l.TargetName = &target
	}
	if !strings.HasPrefix(action, "organization.") && !strings.HasPrefix(action, "member.") && kind != "organization" && kind != "purchase" || action == "member.cap_changed" || action == "member.joined" {
		l.WorkspaceId, l.WorkspaceName = &id, &class
	}
	return l
}

func (n auditNames) sentence(ctx context.Context, l query.AuditLine) string {
	e := n.entry(ctx, l)
	return locale.T(ctx, e.Message, append([]any{e.Actor, e.Object}, e.Args...)...)
}

// Each sentence names amount, direction, person and what it became.
func TestAuditSentences(t *testing.T) {
	n := northgate(t)
	nina := "Nina"
	gone := line("workspace.archived", "workspace", "", "{}")
	gone.Actor = nil
	owner := line("ownership.transferred", "organization", "Northgate", `{"owner":{"from":"x","to":"y"}}`)
	owner.PersonName = &nina
	shared := line("collaborator.added", "workflow", "Poster", `{"role":{"from":null,"to":"editor"},"userId":{"from":null,"to":"x"}}`)
	shared.PersonName = &nina
	school := line("invitation.sent", "invitation", "mina@northgate.example", `{"email":{"to":"m***@northgate.example"},"organizationRole":{"to":"admin"}}`)
	school.WorkspaceId, school.WorkspaceName = nil, nil
	for want, l := range map[string]query.AuditLine{
		"Jonas changed the production The lamp in Art 9b":                                                                line("production.updated", "production", "The lamp", `{"shots":{}}`),
		"Jonas deleted the production that is gone in Art 9b":                                                            line("production.deleted", "production", "", `{"name":{}}`),
		"Jonas gave 50 credits to Art 9b, pool now 260":                                                                  line("budget.allocated", "workspace", "Art 9b", `{"allocated":{"from":10,"to":60},"pool":{"from":310,"to":260}}`),
		"Jonas took 1 credit back from Art 9b, pool now 261":                                                             line("budget.allocated", "workspace", "Art 9b", `{"allocated":{"from":60,"to":59},"pool":{"from":260,"to":261}}`),
		"Jonas moved credits between the pool and Art 9b":                                                                line("budget.allocated", "workspace", "Art 9b", `{}`),
		"Jonas gave 500 credits to the pool of Northgate, pool now 760: x":                                               line("credits.granted", "organization", "Northgate", `{"pool":{"from":260,"to":760},"reason":{"from":null,"to":"x"}}`),
		"Jonas began to buy Medium, 2,500 credits":                                                                       line("purchase.started", "purchase", "", `{"name":{"from":null,"to":"Medium"},"amount":{"from":null,"to":2500}}`),
		"Jonas gave up the purchase of Medium":                                                                           line("purchase.canceled", "purchase", "", `{"name":{"from":"Medium","to":null}}`),
		"Jonas put 2,500 credits into the pool for the purchase of Medium, pool now 2,600":                               line("credits.purchased", "purchase", "", `{"name":{"to":"Medium"},"amount":{"to":2500},"pool":{"from":100,"to":2600}}`),
		"Jonas took 1 credit back for a refund of Medium, pool now 99":                                                   line("credits.refunded", "purchase", "", `{"name":{"to":"Medium"},"requested":{"to":1},"applied":{"to":1},"pool":{"from":100,"to":99}}`),
		"Jonas took 0 credits back for a dispute about Medium, of 5 credits asked for the pool held no more, pool now 0": line("credits.disputed", "purchase", "", `{"name":{"to":"Medium"},"requested":{"to":5},"applied":{"to":0},"pool":{"from":0,"to":0}}`),
		"Jonas gave 5 credits again for Medium, pool now 5":                                                              line("credits.reinstated", "purchase", "", `{"name":{"to":"Medium"},"amount":{"to":5},"pool":{"from":0,"to":5}}`),
		"Jonas asked for 12.5 credits for Art 9b: paint":                                                                 line("budget.requested", "workspace", "Art 9b", `{"amount":{"from":null,"to":12.5},"reason":{"from":null,"to":"paint"}}`),
		"Jonas asked for credits for Art 9b":                                                                             line("budget.requested", "workspace", "Art 9b", `{"amount":{"from":null,"to":null}}`),
		"Jonas set the cap of Mina Lang in Art 9b from 20 to 50":                                                         line("member.cap_changed", "user", "Mina Lang", `{"creditCap":{"from":20,"to":50}}`),
		"Jonas set the cap of Mina Lang in Art 9b to 50":                                                                 line("member.cap_changed", "user", "Mina Lang", `{"creditCap":{"from":null,"to":50}}`),
		"Jonas took the cap off Mina Lang in Art 9b that was 20":                                                         line("member.cap_changed", "user", "Mina Lang", `{"creditCap":{"from":20,"to":null}}`),
		"Jonas invited mina@northgate.example to Art 9b as student":                                                      line("invitation.sent", "invitation", "mina@northgate.example", `{"email":{"to":"m***@northgate.example"},"organizationRole":{"to":"member"},"role":{"to":"member"}}`),
		"Jonas invited mina@northgate.example to Northgate as admin":                                                     school,
		"Jonas withdrew the invitation of m***@northgate.example to Art 9b as teacher":                                   line("invitation.revoked", "invitation", "", `{"email":{"from":"m***@northgate.example"},"role":{"from":"admin"}}`),
		"Jonas withdrew the invitation of someone to Art 9b":                                                             line("invitation.revoked", "invitation", "", `{}`),
		"Jonas switched on the join code of Art 9b until 14:05":                                                          line("join_code.enabled", "join_code", "Art 9b", `{"enabled":{"from":false,"to":true},"closesAt":{"from":null,"to":"2026-11-22T13:05:00Z"}}`),
		"Jonas switched on the join code of Art 9b until 23 Nov 2026, 14:05":                                             line("join_code.enabled", "join_code", "Art 9b", `{"closesAt":{"from":null,"to":"2026-11-23T13:05:00Z"}}`),
		"Jonas switched off the join code of Art 9b":                                                                     line("join_code.disabled", "join_code", "Art 9b", `{"enabled":{"from":true,"to":false},"closesAt":{"from":"2026-11-22T13:05:00Z","to":null}}`),
		"Jonas set the default cap of Art 9b to 5":                                                                       line("workspace.default_cap_changed", "workspace", "Art 9b", `{"defaultCap":{"from":null,"to":5}}`),
		"Jonas set the default cap of Art 9b from 5 to 8":                                                                line("workspace.default_cap_changed", "workspace", "Art 9b", `{"defaultCap":{"from":5,"to":8}}`),
		"Jonas took away the default cap of Art 9b that was 8":                                                           line("workspace.default_cap_changed", "workspace", "Art 9b", `{"defaultCap":{"from":8,"to":null}}`),
		"Jonas joined Art 9b":                                                   line("member.joined", "user", "Jonas", `{}`),
		"Jonas made Mina Lang an admin of Northgate":                            line("member.role_changed", "user", "Mina Lang", `{"role":{"from":"member","to":"admin"}}`),
		"Jonas took the role of admin from Mina Lang in Northgate":              line("member.role_changed", "user", "Mina Lang", `{"role":{"from":"admin","to":"member"}}`),
		"Jonas added a person who is gone to Art 9b as teacher":                 line("workspace_member.added", "user", "", `{"role":{"from":null,"to":"admin"}}`),
		"Jonas changed the role of Mina Lang in Art 9b from student to teacher": line("workspace_member.role_changed", "user", "Mina Lang", `{"role":{"from":"member","to":"admin"}}`),
		"Jonas created the workflow that is gone in Art 9b":                     line("workflow.created", "workflow", "", `{}`),
		"Jonas deleted the workflow Poster in Art 9b":                           line("workflow.deleted", "workflow", "", `{"name":{"from":"Poster","to":null}}`),
		"System archived a class that is gone":                                  gone,
		"Jonas robot, painted fast: a robot":                                    line("robot.painted_fast", "robot", "", `{}`),
		"Jonas handed over the ownership of Northgate to Nina":                  owner,
		"Jonas shared Poster with Nina in Art 9b, who may change it":            shared,
		"Jonas suspended Northgate: unpaid":                                     line("organization.suspended", "organization", "Northgate", `{"reason":{"from":null,"to":"unpaid"}}`),
		"Jonas saved the audit log of Northgate as CSV":                         line("audit.exported", "organization", "Northgate", `{"format":{"from":null,"to":"csv"}}`),
		"Jonas changed the settings of Northgate: Each student can have a credit cap from “No” to “Yes”": line("organization.updated", "organization", "Northgate",
			`{"settings.member_caps_enabled":{"from":false,"to":true}}`),
		"Jonas changed the settings of Art 9b: Who sees a new workflow from “as Northgate has it” to “The whole class”": line("workspace.updated", "workspace", "Art 9b",
			`{"settings.default_workflow_visibility":{"from":null,"to":"workspace"}}`),
		"Jonas changed the settings of Northgate: Domains of addresses that may join from “as usual” to “a.example, b.example”; The name from “North” to “Northgate”": line("organization.updated", "organization", "Northgate",
			`{"name":{"from":"North","to":"Northgate"},"settings.allowed_email_domains":{"from":null,"to":["a.example","b.example"]}}`),
		"Jonas deleted the runs that Northgate keeps no longer (from before 1 September 2026)": line("run.expired", "organization", "Northgate",
			`{"before":{"from":null,"to":"2026-09-01T00:00:00Z"}}`),
		"Jonas changed the workflow Poster in Art 9b to version 4": line("workflow.updated", "workflow", "Poster", `{"version":{"from":3,"to":4}}`),
		"Jonas published the app Poster in Art 9b as version 2":    line("app.published", "app", "Poster", `{"slug":{"from":null,"to":"p"},"version":{"from":null,"to":2}}`),
	} {
		if got := n.sentence(t.Context(), l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whatever an entry recorded, no key of it is shown: neither of a known field nor of one to come.
func TestAuditDetailsAreInWords(t *testing.T) {
	n := northgate(t)
	for field := range recordedFields {
		for _, c := range n.changes(t.Context(), line("organization.updated", "organization", "N", `{"`+field+`":{"from":null,"to":"x"}}`)) {
			if strings.ContainsAny(c.Field, "._") || c.Field == field {
				t.Errorf("%s is shown as %q", field, c.Field)
			}
		}
	}
	for details, want := range map[string]string{
		`{"settings.members_can_create_projects":{"from":null,"to":true}}`: "[{Students may make folders for workflows as usual Yes}]",
		`{"settings.some_new_key":{"from":1,"to":2}}`:                      "[{Some new key 1 2}]",
		`{"someNewField":{"from":"a","to":null}}`:                          "[{Some new field a none}]",
		`{"closesAt":{"from":null,"to":"2026-11-22T13:05:00Z"}}`:           "[{It closes none 22 Nov 2026, 14:05}]",
		`{"owner":{"from":"x","to":"y"}}`:                                  "[]",
		`"text"`:                                                           "[]",
	} {
		if got := fmt.Sprint(n.changes(t.Context(), line("organization.updated", "organization", "N", details))); got != want {
			t.Errorf("%s: %s, want %s", details, got, want)
		}
	}
}

// The log is found by the words that it shows, not by its actions alone.
func TestActionsSaying(t *testing.T) {
	for words, want := range map[string]string{
		"Credits":            "[budget.allocated budget.request_closed budget.requested credits.disputed credits.granted credits.purchased credits.refunded credits.reinstated]",
		"gave 50 credits to": "[budget.allocated credits.granted]",
		"pool now 260":       "[budget.allocated credits.disputed credits.granted credits.purchased credits.refunded credits.reinstated]",
		"purple":             "[]", " ": "[]", "50": "[]",
		"took": "[budget.allocated credits.disputed credits.refunded member.cap_changed member.role_changed workspace.default_cap_changed]", "Invited": "[invitation.sent]",
	} {
		if got := fmt.Sprint(actionsSaying(t.Context(), words)); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// Every subject is made of actions that have sentences, and every sentence belongs to one.
func TestAuditSubjects(t *testing.T) {
	covered := map[string]bool{}
	for _, s := range auditSubjects() {
		for _, about := range s.Actions {
			found := false
			for action := range auditSentences {
				if action == about || strings.HasPrefix(action, about+".") {
					found, covered[action] = true, true
				}
			}
			if !found {
				t.Errorf("%s: no action is %s", s.Value, about)
			}
		}
	}
	for action := range auditSentences {
		if !covered[action] {
			t.Errorf("%s belongs to no subject", action)
		}
	}
}
