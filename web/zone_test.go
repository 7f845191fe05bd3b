package web

import (
	"net/http"
	"strings"
	"testing"
)

// Times stand in the zone of the account, else of the browser, else in UTC, which is then named.
func TestTimesStandInTheZoneOfTheirReader(t *testing.T) {
	path := "/orgs/" + someID + "/audit"
	browser := &http.Cookie{Name: "atelier_zone", Value: "America/New_York"}
	for name, c := range map[string]struct {
		chosen any
		told   []*http.Cookie
		shown  string
		title  string
	}{
		"nobody knows it": {nil, nil, "20 Nov 2026, 10:00 UTC", `"2026-11-20 10:00:00 UTC"`},
		"the browser's":   {nil, []*http.Cookie{browser}, "20 Nov 2026, 05:00<", "Time in America/New_York · 2026-11-20 10:00:00 UTC"},
		"the account's":   {"Asia/Tokyo", []*http.Cookie{browser}, "20 Nov 2026, 19:00<", "Time in Asia/Tokyo"},
		"no zone at all":  {nil, []*http.Cookie{{Name: "atelier_zone", Value: "../etc/passwd"}}, "20 Nov 2026, 10:00 UTC", "UTC"},
	} {
		t.Run(name, func(t *testing.T) {
			w := get(newFake(t).school().with("Profile.timeZone", c.chosen), path, c.told...)
			if body := w.Body.String(); !strings.Contains(body, c.shown) || !strings.Contains(body, c.title) {
				t.Fatalf("%q or %q is missing", c.shown, c.title)
			}
			kept := ""
			for _, cookie := range w.Result().Cookies() {
				if cookie.Name == "atelier_own_zone" {
					kept = cookie.Value
				}
			}
			if want, _ := c.chosen.(string); kept != want {
				t.Errorf("the zone of the account is kept as %q, want %q", kept, want)
			}
		})
	}
}

// A day of the filter is a day of its reader.
func TestAuditDaysAreThoseOfTheReader(t *testing.T) {
	f := newFake(t).school()
	get(f, "/orgs/"+someID+"/audit?from=2026-11-20&to=2026-11-20", &http.Cookie{Name: "atelier_zone", Value: "America/New_York"})
	filter := f.last(t, "Audit").Variables["filter"].(map[string]any)
	if filter["from"] != "2026-11-20T00:00:00-05:00" || filter["to"] != "2026-11-21T00:00:00-05:00" {
		t.Errorf("from %v to %v", filter["from"], filter["to"])
	}
}

func TestTimeZoneIsChosen(t *testing.T) {
	f := newFake(t)
	post(f, "/account/time-zone", "timeZone", "Europe/Berlin")
	if got := f.last(t, "UpdateTimeZone").Variables["timeZone"]; got != "Europe/Berlin" {
		t.Errorf("chosen: %v", got)
	}
	post(f, "/account/time-zone", "timeZone", "")
	if got := f.last(t, "UpdateTimeZone").Variables["timeZone"]; got != nil {
		t.Errorf("none: %v", got)
	}
}
