package web

import (
	"strings"
	"testing"

	"atelier/web/frame"
)

// TestListsKeepTheirStateInTheAddress follows heads, filters and pages of a list.
func TestListsKeepTheirStateInTheAddress(t *testing.T) {
	base := "/orgs/" + someID + "/members"
	f := newFake(t).school().with("PageInfo.endCursor", "next").with("PageInfo.previousCursor", "back").
		with("OrganizationMemberConnection.totalCount", 388).with("OrganizationMember.role", "member").with("Profile.id", anotherID)
	body := get(f, base+"?q=mi&role=member&sort=-name&after=here&at=31").Body.String()
	if got := frame.JSONOf(f.last(t, "Members").Variables); !strings.Contains(got, `"sort":{"by":"name","descending":true}`) || !strings.Contains(got, `"after":"here"`) {
		t.Errorf("asked for %s", got)
	}
	for what, want := range map[string]string{
		"where one is":        "31–32 of 388",
		"the page behind":     `href="` + base + `?after=next&amp;at=33&amp;q=mi&amp;role=member&amp;sort=-name"`,
		"the page before":     `href="` + base + `?after=back&amp;q=mi&amp;role=member&amp;sort=-name"`,
		"the order":           `aria-sort="descending"`,
		"the other way round": `href="` + base + `?q=mi&amp;role=member&amp;sort=name"`,
		"another order":       `href="` + base + `?q=mi&amp;role=member&amp;sort=-spent"`,
		"coming back":         `name="return" value="` + base + `?after=here&amp;at=31&amp;q=mi&amp;role=member&amp;sort=-name"`,
	} {
		if what == "the page before" {
			want = strings.Replace(want, "after=back&amp;", "after=back&amp;at=1&amp;", 1)
		}
		if !strings.Contains(body, want) {
			t.Errorf("%s: no %s", what, want)
		}
	}
	f.with("OrganizationMemberConnection.totalCount", 10_000)
	if body = get(f, base+"?sort=nothing").Body.String(); !strings.Contains(body, "1–2 of 10,000+") || strings.Contains(body, "sort=name") {
		t.Error("a list that is too long can be sorted")
	}
	if got := frame.JSONOf(f.last(t, "Members").Variables); !strings.Contains(got, `"sort":null`) {
		t.Errorf("asked for %s", got)
	}
}

func TestLedgerIsFilteredAndSaved(t *testing.T) {
	f := newFake(t).school().with("Movement.kind", "run").with("PageInfo.hasNextPage", false).with("Organization.slug", "northgate")
	base := "/orgs/" + someID + "/credits"
	body := get(f, base+"?kind=run&from=2026-11-01&to=2026-11-02&person="+someID).Body.String()
	got := frame.JSONOf(f.last(t, "OrganizationCredits").Variables)
	for _, want := range []string{`"kind":"run"`, `"from":"2026-11-01T00:00:00Z"`, `"to":"2026-11-03T00:00:00Z"`, `"userId":"` + someID + `"`} {
		if !strings.Contains(got, want) {
			t.Errorf("asked for %s, not %s", got, want)
		}
	}
	if !strings.Contains(body, "12.5 credits still reserved") || !strings.Contains(body, `href="/runs/`+someID+`"`) {
		t.Error("a run without what it holds")
	}
	w := post(f, base+"/export", "kind", "run")
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), "createdAt,kind,") || w.Header().Get("Content-Disposition") != `attachment; filename="northgate-ledger-2026-11-20.csv"` {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if got := frame.JSONOf(f.last(t, "RecordExport").Variables); !strings.Contains(got, `"filter":"kind=run","format":"csv","kind":"ledger"`) {
		t.Errorf("recorded %s", got)
	}
}

// TestEmptyWorkflowsAreNotRun: where there is nothing to run, the list offers to open the workflow, also to those who may
// run it.
func TestEmptyWorkflowsAreNotRun(t *testing.T) {
	for empty, action := range map[bool]string{true: "Open", false: "Run"} {
		f := newFake(t).with("WorkflowConnection.nodes", 1).with("Workflow.isEmpty", empty).with("Workflow.name", "Poster")
		body := get(f, "/workflows").Body.String()
		at := strings.Index(body, `class="row-first"`)
		if at < 0 {
			t.Fatal("a row has no actions")
		}
		if first, _, _ := strings.Cut(body[at:], "</a>"); !strings.HasSuffix(first, ">"+action) {
			t.Errorf("a workflow that is empty: %v offers\n%s", empty, first)
		}
	}
}

// TestSeveralResultsAreSavedAtOnce: by boxes and a form, without script.
func TestSeveralResultsAreSavedAtOnce(t *testing.T) {
	f := newFake(t).with("ResultConnection.nodes", 2).with("Result.subject", "A fox")
	body := get(f, "/results?kind=image").Body.String()
	for what, want := range map[string]string{
		"a box":           `name="id" value="` + someID + `" form="bulk-results"`,
		"the form":        `action="/results/download?kind=image"`,
		"all of the page": `href="/results?all=1&amp;kind=image"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s: no %s", what, want)
		}
	}
	const picked = `form="bulk-results" checked`
	if strings.Contains(body, picked) || strings.Count(get(f, "/results?all=1").Body.String(), picked) != 2 {
		t.Error("all are selected where none is, or none where all are")
	}
	w := post(f, "/results/download", "id", someID, "id", anotherID)
	if w.Header().Get("Content-Type") != "application/zip" || w.Body.String() != someID+" "+anotherID {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := post(f, "/results/download"); w.Code != 400 || !strings.Contains(w.Body.String(), "Choose at least one result.") {
		t.Errorf("nothing chosen: %d", w.Code)
	}
}
