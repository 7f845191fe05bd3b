package org

import (
	"fmt"
	"strings"
	"testing"

	"atelier/web/query"
)

func TestAuditSentences(t *testing.T) {
	name, ws, class := "Mina Lang", "w1", "Art 9b"
	n := auditNames{Org: query.OrganizationHead{Id: "o1", Name: "Northgate", Vocabulary: query.Words{Workspace: "Class"}}}
	line := func(action, kind string, target *string) query.AuditLine {
		return query.AuditLine{Action: action, TargetType: kind, TargetId: &ws, TargetName: target, WorkspaceId: &ws, WorkspaceName: &class, Actor: &query.AuditPerson{DisplayName: "Jonas"}}
	}
	gone := line("workspace.archived", "workspace", nil)
	gone.Actor = nil
	for want, l := range map[string]query.AuditLine{
		"Jonas joined Art 9b":                          line("member.joined", "user", &name),
		"Jonas changed the cap of Mina Lang in Art 9b": line("member.cap_changed", "user", &name),
		"Jonas switched on the join code of Mina Lang": line("join_code.enabled", "join_code", &name),
		"Jonas created a workflow in Art 9b":           line("workflow.created", "workflow", nil),
		"System archived a class that is gone":         gone,
		"Jonas robot.painted: a robot":                 line("robot.painted", "robot", nil),
		"Jonas added a person who is gone to Art 9b":   line("workspace_member.added", "user", nil),
		"Jonas changed the settings of Northgate":      line("organization.updated", "organization", nil),
	} {
		e := n.entry(l)
		if got := strings.TrimSpace(e.Actor + " " + e.Text + " " + e.Object + " " + e.Tail); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The log is found by the words that it shows, not by its actions alone.
func TestActionsSaying(t *testing.T) {
	for words, want := range map[string]string{
		"Credits": "[budget.allocated budget.request_declined budget.requested credits.granted]", "moved credits": "[budget.allocated]", "purple": "[]", " ": "[]",
		"Credits": "[budget.allocated budget.request_closed budget.requested credits.granted]", "moved credits": "[budget.allocated]", "purple": "[]", " ": "[]",
	} {
		if got := fmt.Sprint(actionsSaying(words)); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
