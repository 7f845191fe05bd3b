package web

import (
	"encoding/csv"
	"net/http"
	"regexp"
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

// TestAuditLogOffersWhatToSearchFor: actions in sentences, fields in words and names; and each entry says from where it is.
func TestAuditLogOffersWhatToSearchFor(t *testing.T) {
	f := newFake(t).school().with("AuditEntry.action", "member.removed").with("AuditEntry.device", "A browser on Linux").with("AuditEntry.place", "this machine").
		with("User.displayName", "Mina Okafor").with("Workspace.name", "Art 7a").with("AuditActor.displayName", "Ms. Adeyemi")
	body := get(f, "/orgs/"+someID+"/audit").Body.String()
	for what, want := range map[string]string{
		"a field for it":   `list="tools-words"`,
		"an action":        `<option value="switched off the join code of"></option>`,
		"a recorded field": `<option value="creditCap">The cap</option>`,
		"a setting":        `<option value="admin_access">`,
		"a member":         `<option value="Mina Okafor">Person</option>`,
		"who acted":        `<option value="Ms. Adeyemi">Person</option>`,
		"a class":          `<option value="Art 7a">`,
		"with what it was": "Device: A browser on Linux, from this machine",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s: no %s", what, want)
		}
	}
	german := read(f, "/orgs/"+someID+"/audit", "de", "").Body.String()
	for _, want := range []string{`<option value="creditCap">Das Limit</option>`, "Gerät: Ein Browser auf Linux, von diesem Rechner"} {
		if !strings.Contains(german, want) {
			t.Errorf("in German there is no %s", want)
		}
	}
}

// TestSidebarOfAnOwner has at most 14 entries in sight, in groups with names; what is opened seldom is folded, and open on its pages.
func TestSidebarOfAnOwner(t *testing.T) {
	folded := regexp.MustCompile(`(?s)<details class="nav-fold">.*?</details>`)
	nav := func(path string) string {
		body := get(newFake(t).school().with("Profile.isOperator", false), path).Body.String()
		_, nav, _ := strings.Cut(body, `<nav class="nav"`)
		nav, _, _ = strings.Cut(nav, "</nav>")
		return nav
	}
	all := nav("/workspaces/" + someID)
	inSight := folded.ReplaceAllString(all, "")
	if n := strings.Count(inSight, "<a "); n > 14 || n < 10 || strings.Count(inSight, `class="nav-title"`) != 2 {
		t.Errorf("%d entries are in sight, in %d groups", n, strings.Count(inSight, `class="nav-title"`))
	}
	for _, page := range []string{"/audit", "/settings"} {
		href := `href="/orgs/` + someID + page + `"`
		if strings.Contains(inSight, href) || !strings.Contains(all, href) || !strings.Contains(folded.ReplaceAllString(nav("/orgs/"+someID+page), ""), href) {
			t.Errorf("%s is in sight elsewhere, or not on its own page", page)
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

func TestDefaultCap(t *testing.T) {
	f := newFake(t).school().with("Setting.key", "member_caps_enabled").with("Setting.value", true)
	path := "/workspaces/" + someID + "/members"
	f.set["WorkspaceBudget.defaultCap"], f.set["WorkspaceBudget.uncapped"] = 5.0, 23
	if body := get(f, path).Body.String(); !strings.Contains(body, "Apply to the 23 students without a cap") || !strings.Contains(body, `name="default_cap"`) {
		t.Error("the form is missing")
	}
	body := flashed(t, f, post(f, path+"/default-cap", "default_cap", "12", "was", "5"))
	if !strings.Contains(body, "Anyone who joins begins with a cap of 12 credits.") || !strings.Contains(body, `name="default_cap" value="5"`) {
		t.Errorf("no way back: %s", body)
	}
	if got := frame.JSONOf(f.last(t, "SetDefaultCap").Variables); got != `{"cap":12,"id":"`+someID+`"}` {
		t.Errorf("sent %s", got)
	}
	if post(f, path+"/default-cap", "default_cap", ""); frame.JSONOf(f.last(t, "SetDefaultCap").Variables) != `{"cap":null,"id":"`+someID+`"}` {
		t.Errorf("an empty one: %s", frame.JSONOf(f.last(t, "SetDefaultCap").Variables))
	}
	for _, bad := range []string{"-1", "much"} {
		if w := post(f, path+"/default-cap", "default_cap", bad); w.Code != 400 {
			t.Errorf("%s: %d", bad, w.Code)
		}
	}
	f.set["WorkspaceBudget.uncapped"] = 0
	if body := flashed(t, f, post(f, path+"/default-cap/apply")); !strings.Contains(body, "Everyone here who can have a cap has one now.") {
		t.Errorf("applied: %s", body)
	}
}

// A cap that leaves nothing for a new run warns of that.
func TestCapBelowWhatIsSpent(t *testing.T) {
	f := newFake(t).school().with("Setting.key", "member_caps_enabled").with("Setting.value", true)
	path := "/workspaces/" + someID + "/members/" + someID
	f.set["Mutation.setWorkspaceMemberCaps"] = 1
	for spent, warns := range map[float64]bool{4.5: false, 5: true, 8: true} {
		f.set["WorkspaceMember.creditCap"], f.set["WorkspaceMember.spent"], f.set["WorkspaceMember.reserved"] = 5.0, spent, 0.0
		f.set["WorkspaceMember.organizationRole"] = "member"
		if body := get(f, path).Body.String(); strings.Contains(body, "No new runs start until the cap is raised.") != warns {
			t.Errorf("with %v spent the page warns: %v", spent, !warns)
		}
		if body := flashed(t, f, post(f, path, "cap", "5")); strings.Contains(body, "spent already: no new runs start until it is raised.") != warns {
			t.Errorf("with %v spent saving warns: %v", spent, !warns)
		}
	}
	f.set["WorkspaceMember.organizationRole"] = "admin"
	if body := get(f, path).Body.String(); !strings.Contains(body, "No cap binds an admin of the organization.") || !strings.Contains(body, "readonly") {
		t.Error("the field of an admin is not locked with its reason")
	}
}

// A budget and a pool at 80 percent or more are marked on their pages.
func TestAlertsOnPages(t *testing.T) {
	for _, level := range []int{0, 50, 80, 95, 100} {
		f := newFake(t).school()
		f.set["WorkspaceBudget.level"], f.set["OrganizationCredits.level"], f.set["Allocation.level"] = level, level, level
		f.set["WorkspaceBudget.allocated"], f.set["WorkspaceBudget.spent"], f.set["WorkspaceBudget.headroom"] = 100.0, float64(level), 100-float64(level)
		f.set["Allocation.allocated"], f.set["Allocation.spent"], f.set["Allocation.archived"], f.set["Workspace.archived"] = 100.0, float64(level), false, false
		for path, text := range map[string]string{
			"/workspaces/" + someID + "/budget": "The budget is near its end.",
			"/orgs/" + someID + "/credits":      "The pool is near its end.",
			"/orgs/" + someID:                   "The pool is near its end.",
		} {
			if body := get(f, path).Body.String(); strings.Contains(body, text) != (level >= 80) {
				t.Errorf("%s at %d: marked is %v", path, level, level < 80)
			}
		}
	}
}

func TestCreditsThatNeverCame(t *testing.T) {
	f := newFake(t).school().with("OrganizationCredits.pool", 0.0).with("AllocationTotals.allocated", 0.0).with("MovementConnection.nodes", 0)
	body := get(f, "/orgs/"+someID+"/credits").Body.String()
	if !strings.Contains(body, "No credits yet.") || strings.Count(body, "Buy credits") != 1 || strings.Contains(body, `id="ledger"`) || strings.Contains(body, "Allocated from the pool") {
		t.Error(body)
	}
	body = get(f, "/orgs/"+someID+"/credits?kind=run").Body.String()
	if !strings.Contains(body, "Nothing moved that fits this filter.") {
		t.Error("a filter:", body)
	}
	if body = get(f.with("MovementConnection.nodes", 1), "/orgs/"+someID+"/credits").Body.String(); !strings.Contains(body, `id="ledger"`) {
		t.Error("something moved:", body)
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

func TestBuyingCredits(t *testing.T) {
	f := newFake(t).school().with("Organization.role", "owner").with("CreditPack.currency", "usd").with("CreditPack.price", 1000).
		with("CreditPack.credits", 500.0).with("CreditPack.id", "small").with("Install.payments", "manual").with("PurchaseConnection.nodes", 0)
	base := "/orgs/" + someID
	body := get(f, base+"/credits/buy").Body.String()
	for _, want := range []string{"500 credits", "$10.00", "$0.02 a credit", `value="small"`, "An operator confirms the payment", `name="idempotency_key"`} {
		if !strings.Contains(body, want) {
			t.Errorf("packs without %s", want)
		}
	}
	if w := post(f, base+"/credits/checkout"); w.Code != 400 || !strings.Contains(w.Body.String(), "Choose a pack.") {
		t.Errorf("nothing chosen: %d", w.Code)
	}
	w := post(f, base+"/credits/checkout", "pack", "small", "idempotency_key", "once-1")
	if w.Code != 303 || w.Header().Get("Location") != base+"/purchases/"+someID || f.last(t, "CheckoutCredits").Key != "once-1" {
		t.Errorf("checkout: %d %v", w.Code, w.Header())
	}
	f.with("OrganizationPermissions.allocate", false).with("Organization.role", "admin")
	body = get(f, base+"/credits/buy").Body.String()
	if !strings.Contains(body, "Only the owner can buy.") || !strings.Contains(body, "Ask Mina Lang, who owns Northgate.") || strings.Count(body, "disabled") < 3 {
		t.Error("an admin can buy, or is not told why not")
	}
	f.with("CreditPack.currency", "jpy").with("CreditPack.price", 1500)
	if body = get(f, base+"/credits/buy").Body.String(); !strings.Contains(body, "¥1,500") {
		t.Error("a currency without a minor unit")
	}
}

func TestPurchase(t *testing.T) {
	f := newFake(t).school().with("Organization.role", "owner").with("Purchase.currency", "usd").with("Purchase.price", 1000).
		with("Purchase.credits", 500.0).with("Purchase.label", "Small").with("Purchase.provider", "manual").with("Purchase.number", nil).
		with("PurchasePermissions.confirm", false).with("PurchasePermissions.refund", false).with("Purchase.takenBack", 0.0).
		with("Purchase.reversals", 0).with("Purchase.url", "https://checkout.stripe.com/c/pay/1")
	path := "/orgs/" + someID + "/purchases/" + someID
	has := func(page string, parts ...string) {
		t.Helper()
		w := get(f, page)
		for _, part := range parts {
			if absent := strings.TrimPrefix(part, "!"); strings.Contains(w.Body.String(), absent) == (absent != part) {
				t.Errorf("%s, %d: %s", page, w.Code, part)
			}
		}
	}
	has(path, "Awaiting payment.", "6E2A-8E04", "$10.00", "An operator of this install confirms", path+"/cancel", "!Receipt", "!checkout.stripe.com")
	has(path+"/receipt", "No receipt yet")
	f.with("Purchase.provider", "stripe")
	has(path, `href="https://checkout.stripe.com/c/pay/1" rel="noreferrer"`, "Pay $10.00")
	if body := get(f, path).Body.String(); strings.Contains(body, `action="https://`) {
		t.Error("a form leads to another site")
	}
	f.with("Purchase.url", "javascript:alert(1)")
	has(path, "!javascript:")
	f.with("Purchase.status", "paid").with("Purchase.number", "2026-000007").with("PurchasePermissions.cancel", false)
	has(path, "500 credits went into the pool of Northgate.", path+"/receipt", "!Cancel the purchase")
	f.with("Purchase.reversals", 1).with("Purchase.takenBack", 320.0).with("PurchaseReversal.kind", "refund").
		with("PurchaseReversal.requested", 500.0).with("PurchaseReversal.applied", 320.0)
	words := "320 of 500 credits were taken back; the rest had left the pool and is not owed."
	has(path, words, "Paid, and partly refunded.")
	has(path+"/receipt", "Receipt 2026-000007", words, "−320", "data-print", "atelier.example")
	f.with("Purchase.status", "disputed").with("PurchaseReversal.kind", "dispute").with("PurchaseReversal.applied", 500.0)
	has(path, "Disputed.", "500 credits were taken back, for the payer&#39;s bank disputes the payment.")
	f.with("PurchaseReversal.kind", "reinstatement")
	has(path, "500 credits came back")
	f.with("Purchase.status", "refunded")
	has(path, "All of it went back.")
	f.with("Purchase.status", "canceled")
	has(path, "Cancelled.", "still counts")
	f.with("Purchase.organizationId", anotherID)
	if w := get(f, path); w.Code != 404 {
		t.Errorf("the purchase of another organization: %d", w.Code)
	}
}

func TestOperatorsAndPurchases(t *testing.T) {
	f := newFake(t).school().with("Organization.role", nil).with("Purchase.currency", "usd").with("Purchase.price", 1000).with("Purchase.credits", 500.0).
		with("Purchase.number", nil).with("Organization.operatorPool", 260.0).with("Purchase.refundable", 400.0).with("Purchase.organizationName", "Northgate").
		with("PurchaseConnection.totalCount", 2)
	path := "/orgs/" + someID + "/purchases/" + someID
	body := get(f, "/operator/purchases").Body.String()
	if f.last(t, "OperatorPurchases").Variables["status"] != "pending" || !strings.Contains(body, "Waiting 2") || !strings.Contains(body, `data-dialog-open="confirm-`) ||
		!strings.Contains(body, "500 credits go into the pool of Northgate at once") || !strings.Contains(body, "1–2 of 2") {
		t.Errorf("the list: %v", f.last(t, "OperatorPurchases").Variables)
	}
	if get(f, "/operator/purchases?status=all"); f.last(t, "OperatorPurchases").Variables["status"] != nil {
		t.Errorf("all: %v", f.last(t, "OperatorPurchases").Variables)
	}
	if body = get(f, path+"/confirm?return=/operator/purchases").Body.String(); !strings.Contains(body, "260 → 760") || !strings.Contains(body, `name="return" value="/operator/purchases"`) {
		t.Error("the question does not say what happens")
	}
	if body = get(f, path+"/confirm?return=//evil.example").Body.String(); strings.Contains(body, `"//evil.example`) {
		t.Error("leads elsewhere")
	}
	if w := post(f, path+"/confirm", "return", "/operator/purchases"); w.Code != 303 || w.Header().Get("Location") != "/operator/purchases" {
		t.Errorf("confirm: %d %v", w.Code, w.Header())
	}
	for amount, want := range map[string]string{
		"100": "260 → 160; still refundable 400 → 300. That share of the price is $2.00.",
		"300": "100 → 0", "401": "Only 400 of this purchase", "0": "more than zero",
	} {
		if amount == "300" {
			f.with("Organization.operatorPool", 100.0)
		} else {
			f.with("Organization.operatorPool", 260.0)
		}
		if body = get(f, path+"/refund/preview?credits="+amount).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s: %s", amount, body)
		}
	}
	if w := post(f, path+"/refund", "credits", "much"); w.Code != 400 || !strings.Contains(w.Body.String(), `value="much"`) {
		t.Errorf("a bad amount: %d", w.Code)
	}
	if w := post(f, path+"/refund", "credits", "12.5"); w.Code != 303 || !strings.Contains(frame.JSONOf(f.last(t, "RefundPurchase").Variables), `"credits":12.5`) {
		t.Errorf("refund: %d", w.Code)
	}
	body = get(f, "/operator/orgs?sort=name&status=active").Body.String()
	if got := frame.JSONOf(f.last(t, "OperatorOrganizations").Variables); !strings.Contains(got, `"by":"name"`) || !strings.Contains(body, `aria-sort="ascending"`) {
		t.Errorf("organizations: %s", got)
	}
	if get(f, "/operator/people?sort=-created"); !strings.Contains(frame.JSONOf(f.last(t, "OperatorPeople").Variables), `"descending":true`) {
		t.Error("people")
	}
}

func TestFirstStepLeadsToBuying(t *testing.T) {
	fresh := func() *fake {
		return newFake(t).school().with("Organization.role", "owner").with("Organization.workspaceCount", 1).with("OrganizationCredits.pool", 0.0).
			with("AllocationTotals.allocated", 0.0).with("PurchaseConnection.nodes", 0).with("Install.payments", "manual")
	}
	for name, c := range map[string]struct {
		f    *fake
		want []string
	}{
		"owner, manual": {fresh(), []string{"pay the people who run this install", "/credits/buy"}},
		"owner, stripe": {fresh().with("Install.payments", "stripe"), []string{"as soon as the payment is through", "/credits/buy"}},
		"admin":         {fresh().with("Organization.role", "admin"), []string{"Mina Lang, who owns Northgate, can buy a pack.", "See the packs"}},
		"ordered":       {fresh().with("PurchaseConnection.nodes", 1), []string{"are ordered, and in it once the payment is confirmed", "See the purchase"}},
	} {
		body := get(c.f, "/orgs/"+someID).Body.String()
		for _, want := range c.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
	}
}

// Tabs and the history of a browser tell a class's page from that of one's own.
func TestTitlesNameTheirPlace(t *testing.T) {
	f := newFake(t).school().with("Memberships.organizations", 1).with("Memberships.workspaces", 1)
	for path, want := range map[string]string{
		"/workspaces/" + someID + "/runs": "<title>Runs · Art 9b · Atelier</title>",
		"/workspaces/" + someID:           "<title>Art 9b · Atelier</title>",
		"/orgs/" + someID + "/credits":    "<title>Credits · Northgate · Atelier</title>",
		"/runs":                           "<title>Runs · Atelier</title>",
		"/account":                        " · Atelier</title>",
	} {
		if body := get(f, path).Body.String(); !strings.Contains(body, want) {
			title, _, _ := strings.Cut(body[strings.Index(body, "<title>"):], "</title>")
			t.Errorf("%s is called %s, want %s", path, title, want)
		}
	}
}

// Before runs are deleted that a shorter time does not keep, the page says how many.
func TestAShorterTimeForRunsIsConfirmed(t *testing.T) {
	path := "/orgs/" + someID + "/settings/runs"
	kept := func(f *fake) bool { return f.called("KeepRuns") }
	for n, says := range map[int]string{1: "1 run is deleted within a day", 7: "7 runs are deleted within a day", 10_001: "More than 10,000 runs are deleted within a day"} {
		f := newFake(t).school().with("Organization.unkeptRuns", n)
		body := post(f, path, "keepRunsMonths", "6").Body.String()
		if kept(f) || !strings.Contains(body, says) || !strings.Contains(body, `name="keepRunsMonths" value="6"`) {
			t.Errorf("%d: saved %v, %s", n, kept(f), body)
		}
		post(f, path, "keepRunsMonths", "6", "confirmed", "yes")
		if got := f.last(t, "KeepRuns").Variables["months"]; got != 6.0 {
			t.Errorf("%d: kept for %v", n, got)
		}
	}
	for name, f := range map[string]*fake{"none": newFake(t).with("Organization.unkeptRuns", 0), "not told": newFake(t).with("Organization.unkeptRuns", nil)} {
		if w := post(f, path, "keepRunsMonths", "6"); !kept(f) || w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	f := newFake(t).with("Organization.unkeptRuns", 7)
	if post(f, path, "keepRunsMonths", ""); !kept(f) {
		t.Error("a longer time is asked about")
	}
}
