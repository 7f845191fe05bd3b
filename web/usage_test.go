package web

import (
	"net/http"
	"strings"
	"testing"
)

// usageWorld has a report of 30 days.
func usageWorld(t *testing.T) *fake {
	return newFake(t).school().
		with("UsageReport.from", "2026-10-22").with("UsageReport.to", "2026-11-20").with("UsageReport.tz", "UTC").
		with("UsageReport.truncated", false).with("UsageReport.gap", false).
		with("UsageTotals.credits", 1284.0).with("UsageTotals.settledCredits", 1250.0).with("UsageTotals.inFlightCredits", 34.0).
		with("UsageTotals.platformAbsorbedCredits", 12.0).with("UsageTotals.appMarkupAbsorbedCredits", 0.0).
		with("UsageDay.date", "2026-11-19").with("UsageHour.weekday", 2).with("UsageHour.hour", 10).
		with("UsageRow.label", "Film lab")
}

func TestUsageOfAnOrganization(t *testing.T) {
	f := usageWorld(t)
	w := get(f, "/orgs/"+someID+"/usage?group=workspace&range=7")
	text := shownText(t, w.Body.String())
	for _, want := range []string{
		"What runs cost, 22 Oct to 20 Nov 2026, in all classes. Days are those of UTC, for your time zone is not known.",
		"1,250 settled + 34 in flight = 1,284 credits.", "1,250 settled − 12 absorbed by the platform = 1,238 credits that reached the budgets.",
		"12 absorbed by the platform", "as much as in the 30 days before", "By class", "Film lab", "1 % ", "Link to exactly this report", "Save as CSV",
		"most on Wednesday, 10:00 to 11:00",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if w.Code != http.StatusOK || t.Failed() {
		t.Fatalf("%d %s", w.Code, text)
	}
	q := f.last(t, "OrganizationUsage").Variables["query"].(map[string]any)
	if q["from"] != "2026-11-14" || q["to"] != "2026-11-20" || q["tz"] != "UTC" || q["groupBy"] != "workspace" || q["workspaceId"] != nil {
		t.Errorf("asked for %v", q)
	}
	if !strings.Contains(w.Body.String(), "?from=2026-10-22&amp;group=workspace&amp;to=2026-11-20&amp;tz=UTC") {
		t.Error("there is no address of exactly this report")
	}
	for _, more := range []struct{ field, says string }{
		{"UsageReport.gap", "The history of a deleted member was removed from these days."}, {"UsageReport.truncated", "The totals above are of all of them all the same."},
	} {
		if text := shownText(t, get(usageWorld(t).with(more.field, true), "/orgs/"+someID+"/usage").Body.String()); !strings.Contains(text, more.says) {
			t.Errorf("%s: the page does not say %q", more.field, more.says)
		}
	}
}

func TestUsageInTheZoneOfItsReader(t *testing.T) {
	cookie := &http.Cookie{Name: "atelier_own_zone", Value: "Asia/Kolkata"}
	f := usageWorld(t).with("Profile.timeZone", "Asia/Kolkata").with("UsageReport.tz", "Asia/Kolkata")
	text := shownText(t, get(f, "/orgs/"+someID+"/usage", cookie).Body.String())
	if q := f.last(t, "OrganizationUsage").Variables["query"].(map[string]any); q["tz"] != "Asia/Kolkata" || !strings.Contains(text, "Days are those of Asia/Kolkata, your own time zone.") {
		t.Errorf("asked for %v: %s", q, text)
	}
	f = usageWorld(t)
	text = shownText(t, get(f, "/orgs/"+someID+"/usage?tz=UTC", cookie).Body.String())
	if !strings.Contains(text, "Days are those of UTC; your own time zone is Asia/Kolkata.") {
		t.Error(text)
	}
}

func TestUsageOfAWorkspaceByRole(t *testing.T) {
	path := "/workspaces/" + someID + "/usage?group=runs"
	admin := shownText(t, get(usageWorld(t).with("Workspace.role", "admin"), path).Body.String())
	member := shownText(t, get(powerless(usageWorld(t)), path).Body.String())
	if !strings.Contains(admin, "What runs cost, 22 Oct to 20 Nov 2026, in Art 9b.") || !strings.Contains(admin, "Who") || !strings.Contains(admin, "Somebody") && !strings.Contains(admin, "Mina Lang") {
		t.Error(admin)
	}
	if !strings.Contains(member, "What your runs cost, 22 Oct to 20 Nov 2026, in Art 9b.") || strings.Contains(member, "| Who |") || strings.Contains(member, "Mina Lang Art") {
		t.Error(member)
	}
	for text, admins := range map[string]bool{admin: true, member: false} {
		if strings.Contains(text, "Divided by | Student") != admins && strings.Contains(text, "Divided by Student") != admins {
			t.Errorf("grouping by student, for those who run the class %v: %s", admins, text)
		}
	}
}

func TestWrongWordsInTheAddressOfUsage(t *testing.T) {
	w := get(usageWorld(t), "/orgs/"+someID+"/usage?tz=Mars&range=ever&group=colour")
	text := shownText(t, w.Body.String())
	for _, want := range []string{"There is no time zone of that name. Write it as Europe/Berlin.", "There is no such range. These are the last 30 days.", "A report cannot be divided like that."} {
		if w.Code != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%d, and not %q: %s", w.Code, want, text)
		}
	}
	if !strings.Contains(w.Body.String(), `value="Mars"`) || !strings.Contains(w.Body.String(), "usage-more\" open") {
		t.Error("the field with the mistake is not shown as it was typed")
	}
}

func TestUsageBeforeAnythingRan(t *testing.T) {
	f := usageWorld(t).with("UsageTotals.credits", 0.0).with("UsageTotals.runs", 0).with("UsageRowConnection.nodes", 0)
	text := shownText(t, get(f, "/orgs/"+someID+"/usage").Body.String())
	if !strings.Contains(text, "Nothing ran in these days. When something does, this page shows what it cost: day by day, by class, student and model, and at which hours.") ||
		!strings.Contains(text, "Show the last 90 days") || strings.Contains(text, "settled") {
		t.Error(text)
	}
}

func TestUsageAsAFile(t *testing.T) {
	f := usageWorld(t).with("UsageRow.label", "=1+1").with("PageInfo.hasNextPage", false)
	w := post(f, "/orgs/"+someID+"/usage/export", "from", "2026-11-01", "to", "2026-11-20", "tz", "Europe/Berlin", "group", "workspace")
	line := someID + ",'=1+1,12.5,12.5,12.5\r\n"
	f2 := strings.ReplaceAll(w.Body.String(), hostile, someID)
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), "key,label,credits,settledCredits,inFlightCredits\r\n") || !strings.Contains(f2, line) && !strings.Contains(f2, "'=1+1") {
		t.Errorf("%d %q", w.Code, w.Body.String())
	}
	if got := w.Header().Get("Content-Type"); got != "text/csv; charset=utf-8" {
		t.Error(got)
	}
	recorded := f.last(t, "RecordUsageExport").Variables
	if q := recorded["query"].(map[string]any); recorded["organization"] != someID || recorded["workspace"] != nil || q["from"] != "2026-11-01" || q["tz"] != "Europe/Berlin" {
		t.Errorf("recorded %v", recorded)
	}
	for i, c := range f.calls {
		if c.Operation == "OrganizationUsagePart" && i == 0 {
			t.Error("it was read before it was recorded")
		}
	}
	f = usageWorld(t).with("PageInfo.hasNextPage", false)
	w = post(f, "/workspaces/"+someID+"/usage/export", "group", "runs", "workspace", "elsewhere")
	if !strings.HasPrefix(w.Body.String(), "runId,createdAt,userId,workspaceId,model,credits,settledCredits,inFlightCredits\r\n"+someID+",2026-11-20T10:00:00.000Z,") {
		t.Errorf("%d %q", w.Code, w.Body.String())
	}
	if recorded := f.last(t, "RecordUsageExport").Variables; recorded["workspace"] != someID || recorded["query"].(map[string]any)["workspaceId"] != nil {
		t.Errorf("recorded %v", recorded)
	}
}

func TestUsageThatIsNoFile(t *testing.T) {
	for code, want := range map[string]struct {
		status int
		says   string
	}{
		"audit_unavailable":   {http.StatusServiceUnavailable, "Each file that leaves is written into the audit log first, and just now that could not be done. Nothing was sent."},
		"rate_limit_exceeded": {http.StatusTooManyRequests, "Ten files a minute is the most for one person, and these were ten. Nothing was sent. Wait "},
	} {
		for _, place := range []string{"/orgs/", "/workspaces/"} {
			f := usageWorld(t)
			f.refuse("RecordUsageExport", code, want.status, nil)
			w := post(f, place+someID+"/usage/export", "group", "model", "from", "2026-11-01", "to", "2026-11-20")
			text := shownText(t, w.Body.String())
			if w.Code != want.status || !strings.Contains(text, want.says) || !strings.Contains(text, "Back to the report") {
				t.Errorf("%s%s: %d %s", place, code, w.Code, text)
			}
			if !strings.Contains(w.Body.String(), place+someID+"/usage?from=2026-11-01&amp;group=model&amp;to=2026-11-20") {
				t.Errorf("%s%s: no way back to the same report", place, code)
			}
			for _, c := range f.calls {
				if strings.HasSuffix(c.Operation, "UsagePart") {
					t.Errorf("%s%s: %s was asked", place, code, c.Operation)
				}
			}
		}
	}
}
