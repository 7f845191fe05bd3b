package web

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"atelier/web/frame"
)

func TestExportOfPeople(t *testing.T) {
	f := newFake(t).school().with("User.displayName", "=HYPERLINK(\"x\")").with("Organization.slug", "northgate").with("PageInfo.hasNextPage", false)
	w := post(f, "/orgs/"+someID+"/members/export", "q", "mi", "role", "admin")
	if w.Code != 200 || w.Header().Get("Content-Disposition") != `attachment; filename="northgate-people-2026-11-20.csv"` {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	body := w.Body.String()
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][1] != `'=HYPERLINK("x")` || !strings.HasPrefix(body, "userId,displayName,") || strings.Count(body, "\r\n") != 3 {
		t.Fatalf("%v %q", err, body)
	}
	if got := frame.JSONOf(f.last(t, "RecordExport").Variables); !strings.Contains(got, `"filter":"q=mi role=admin","format":"csv","kind":"members"`) {
		t.Fatalf("recorded %s", got)
	}
	if got := frame.JSONOf(f.last(t, "MembersPart").Variables); !strings.Contains(got, `"role":"admin"`) || !strings.Contains(got, `"search":"mi"`) {
		t.Fatalf("read %s", got)
	}
}

func TestExportIsRefusedWhenItCannotBeRecorded(t *testing.T) {
	f := newFake(t).school()
	f.refuse("RecordExport", "audit_unavailable", http.StatusServiceUnavailable, nil)
	for _, path := range []string{"/members/export", "/audit/export"} {
		w := post(f, "/orgs/"+someID+path, "format", "jsonl")
		if w.Code != 503 || w.Header().Get("Content-Disposition") != "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	for _, c := range f.calls {
		if c.Operation == "MembersPart" || c.Operation == "AuditPart" {
			t.Errorf("%s was read all the same", c.Operation)
		}
	}
}

func TestExportOfTheAuditLog(t *testing.T) {
	f := newFake(t).school().with("PageInfo.hasNextPage", false).with("AuditEntry.action", "member.removed")
	for format, want := range map[string]string{"csv": "member.removed,", "jsonl": `"action":"member.removed"`, "ocsf": `"type_uid":300404`} {
		w := post(f, "/orgs/"+someID+"/audit/export", "format", format, "from", "2026-11-01", "to", "2026-11-02")
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) || strings.Count(w.Body.String(), "member.removed") < 2 {
			t.Errorf("%s: %d %s", format, w.Code, w.Body)
		}
	}
	if got := frame.JSONOf(f.last(t, "AuditPart").Variables); !strings.Contains(got, `"from":"2026-11-01T00:00:00Z"`) || !strings.Contains(got, `"to":"2026-11-03T00:00:00Z"`) {
		t.Fatalf("the days are not whole: %s", got)
	}
	if w := post(f, "/orgs/"+someID+"/audit/export", "format", "exe"); w.Code != 400 {
		t.Fatalf("an unknown format: %d", w.Code)
	}
}

func TestDanger(t *testing.T) {
	f := newFake(t).school().with("Organization.role", "owner")
	if w := post(f, "/orgs/"+someID+"/danger/delete", "form", "delete", "typed_name", "Northgat"); w.Code != 400 || !strings.Contains(w.Body.String(), "That is not its name") {
		t.Fatalf("a wrong name: %d", w.Code)
	}
	if w := post(f, "/orgs/"+someID+"/danger/transfer", "form", "transfer", "typed_name", "Northgate"); w.Code != 400 {
		t.Fatalf("nobody chosen: %d", w.Code)
	}
	for _, c := range f.calls {
		if c.Operation == "DeleteOrganization" || c.Operation == "TransferOwnership" {
			t.Fatalf("%s was called", c.Operation)
		}
	}
	if w := post(f, "/orgs/"+someID+"/danger/transfer", "form", "transfer", "typed_name", " Northgate ", "user", someID); w.Code != 303 {
		t.Fatalf("transfer: %d %s", w.Code, w.Body)
	}
	if w := post(f, "/orgs/"+someID+"/danger/return", "idempotency_key", "once-1"); w.Code != 303 || f.last(t, "ReturnCredits").Key != "once-1" {
		t.Fatalf("return: %d %+v", w.Code, f.last(t, "ReturnCredits"))
	}
}

func TestFormsCarryFreshKeys(t *testing.T) {
	f := newFake(t).school()
	for _, path := range []string{"/orgs/new", "/orgs/" + someID + "/workspaces/new", "/orgs/" + someID + "/credits/allocate"} {
		first, second := get(f, path).Body.String(), get(f, path).Body.String()
		key := func(body string) string {
			_, rest, _ := strings.Cut(body, `name="idempotency_key" value="`)
			value, _, _ := strings.Cut(rest, `"`)
			return value
		}
		if key(first) == "" || key(first) == key(second) {
			t.Errorf("%s: keys %q and %q", path, key(first), key(second))
		}
	}
}

func TestStaleSettingsShowBothVersions(t *testing.T) {
	f := newFake(t).school()
	f.refuse("UpdateOrganization", "stale_version", http.StatusConflict, nil)
	w := post(f, "/orgs/"+someID+"/settings", "name", "Southgate", "version", "2026-11-20T09:00:00Z", "settings.admin_access", `"edit"`)
	body := w.Body.String()
	if w.Code != 409 || !strings.Contains(body, "Southgate") || !strings.Contains(body, "Northgate") || !strings.Contains(body, "Save mine over it") ||
		!strings.Contains(body, `name="version" value="2026-11-20T10:00:00Z"`) {
		t.Fatalf("%d %s", w.Code, body)
	}
	if got := frame.JSONOf(f.last(t, "UpdateOrganization").Variables); !strings.Contains(got, `"unchangedSince":"2026-11-20T09:00:00Z"`) {
		t.Fatalf("sent %s", got)
	}
}

func TestCaps(t *testing.T) {
	f := newFake(t).school()
	body := flashed(t, f, post(f, "/workspaces/"+someID+"/members/caps", "user", someID, "cap", "1,250.5"))
	if !strings.Contains(body, "Mina Lang has a cap of 1,250.5 credits now.") || !strings.Contains(body, `name="was" value="12.5"`) {
		t.Fatalf("no way back: %s", body)
	}
	if got := frame.JSONOf(f.last(t, "SetCaps").Variables); !strings.Contains(got, `"cap":1250.5`) {
		t.Fatalf("sent %s", got)
	}
	post(f, "/workspaces/"+someID+"/members/caps", "user", someID, "was", "12.5", "user", anotherID, "was", "")
	if got := frame.JSONOf(f.last(t, "SetCaps").Variables); !strings.Contains(got, `"cap":12.5`) || !strings.Contains(got, someID) {
		t.Fatalf("taken back by %s", got)
	}
	if post(f, "/workspaces/"+someID+"/members/"+someID, "cap", ""); frame.JSONOf(f.last(t, "SetCaps").Variables) != `{"cap":null,"id":"`+someID+`","users":["`+someID+`"]}` {
		t.Fatalf("an empty cap: %s", frame.JSONOf(f.last(t, "SetCaps").Variables))
	}
	for _, pairs := range [][]string{{"cap", "5"}, {"user", someID, "cap", "-1"}, {"user", someID, "cap", "much"}} {
		if w := post(f, "/workspaces/"+someID+"/members/caps", pairs...); w.Code != 400 {
			t.Errorf("%v: %d", pairs, w.Code)
		}
	}
}

func TestCodeUntil(t *testing.T) {
	f := newFake(t).school()
	if w := post(f, "/workspaces/"+someID+"/join-code/until", "minutes", "15"); w.Code != 303 {
		t.Fatalf("%d", w.Code)
	}
	if got := f.last(t, "EnableCodeUntil").Variables["closesAt"]; got != "2026-11-20T12:15:00Z" {
		t.Fatalf("closes at %v", got)
	}
	if w := post(f, "/workspaces/"+someID+"/join-code/until", "minutes", "16"); w.Code != 400 {
		t.Fatalf("an odd time: %d", w.Code)
	}
	f.with("JoinCode.enabled", true).with("JoinCode.closesAt", "2026-11-20T12:04:05Z")
	w := get(f, "/workspaces/"+someID+"/join-code/show")
	if !strings.Contains(w.Body.String(), ">4:05</time>") || w.Header().Get("Refresh") != "246" {
		t.Fatalf("no countdown; refresh %q", w.Header().Get("Refresh"))
	}
}

func TestOverviewSaysWhatNeedsCare(t *testing.T) {
	f := newFake(t).school().with("InvitationCounts.endingSoon", 3).with("Allocation.archived", false).
		with("Allocation.allocated", 100.0).with("Allocation.headroom", 4.0)
	ending, allocate := `href="/orgs/`+someID+`/invitations?ending=soon">3 open invitations expire`, `/orgs/`+someID+`/credits/allocate?workspace=`+someID
	body := get(f, "/orgs/"+someID).Body.String()
	if !strings.Contains(body, ending) || !strings.Contains(body, allocate) {
		t.Errorf("neither or one alone: %v %v", strings.Contains(body, ending), strings.Contains(body, allocate))
	}
	f.with("InvitationCounts.endingSoon", 0).with("OrganizationCredits.nearLimit", 0).with("OrganizationPermissions.allocate", false)
	if body = get(f, "/orgs/"+someID).Body.String(); strings.Contains(body, "ending=soon") || strings.Contains(body, allocate) || !strings.Contains(body, "less than a tenth") {
		t.Error("says that something needs care")
	}
	if get(f, "/orgs/"+someID+"/invitations?ending=soon"); f.last(t, "Invitations").Variables["endingSoon"] != true {
		t.Errorf("asked for %v", f.last(t, "Invitations").Variables)
	}
	if get(f, "/orgs/"+someID+"/invitations?ending=soon&state=expired"); f.last(t, "Invitations").Variables["endingSoon"] != false {
		t.Errorf("asked for %v", f.last(t, "Invitations").Variables)
	}
}

func TestLastRunOfMembers(t *testing.T) {
	f := newFake(t).school().with("Workspace.role", "admin")
	for _, path := range []string{"/members", "/members/" + someID} {
		if body := get(f, "/workspaces/"+someID+path).Body.String(); !strings.Contains(body, "Last run") || !strings.Contains(body, "20 Nov 2026, 10:00 UTC") {
			t.Errorf("%s: no last run", path)
		}
	}
	f.with("WorkspaceMember.lastRunAt", nil)
	if body := get(f, "/workspaces/"+someID+"/members").Body.String(); !strings.Contains(body, ">never<") {
		t.Error("somebody who ran nothing")
	}
}

func TestRequestCredits(t *testing.T) {
	f := newFake(t).school()
	path := "/workspaces/" + someID + "/request"
	if body := get(f, path).Body.String(); !strings.Contains(body, `name="reason"`) {
		t.Error("no form")
	}
	if w := post(f, path, "amount", "12.5", "reason", "A film"); w.Code != 303 || !strings.Contains(frame.JSONOf(f.last(t, "RequestCredits").Variables), `"amount":12.5`) {
		t.Errorf("%d %s", w.Code, frame.JSONOf(f.last(t, "RequestCredits").Variables))
	}
	if w := post(f, path, "amount", "", "reason", "A film"); w.Code != 303 || !strings.Contains(frame.JSONOf(f.last(t, "RequestCredits").Variables), `"amount":null`) {
		t.Errorf("%d without an amount", w.Code)
	}
	if w := post(f, path, "amount", "much", "reason", "A film"); w.Code != 400 || !strings.Contains(w.Body.String(), "A film") {
		t.Errorf("%d for a bad amount", w.Code)
	}
}
