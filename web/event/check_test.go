package event

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"atelier/web/query"
	"atelier/web/ui"
)

var allFindings = []query.SignatureFinding{
	query.SignatureFindingAccepted, query.SignatureFindingNoHeader, query.SignatureFindingMalformedHeader, query.SignatureFindingTooOld,
	query.SignatureFindingAhead, query.SignatureFindingNoEvent, query.SignatureFindingWhitespaceChanged, query.SignatureFindingJsonRewritten,
	query.SignatureFindingContentChanged, query.SignatureFindingExpiredSecret, query.SignatureFindingAnotherEndpoint, query.SignatureFindingUnknown,
}

// Each finding has a sentence of its own, and only one is good.
func TestFindingWords(t *testing.T) {
	seen := map[string]bool{}
	for _, finding := range allFindings {
		title, text, tone := findingWords(t.Context(), query.SignatureCheck{Finding: finding})
		if seen[title] || !strings.HasSuffix(title, ".") || !strings.HasSuffix(text, ".") || strings.Contains(text, "_") {
			t.Errorf("%s: %q %q", finding, title, text)
		}
		if seen[title] = true; (tone == ui.OK) != (finding == query.SignatureFindingAccepted) {
			t.Errorf("%s is %s", finding, tone)
		}
	}
}

func TestWaitingWords(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	later, five := now.Add(10*time.Minute), 5
	for reason, want := range map[query.WaitReason]string{
		query.WaitReasonUnderWay: "being made now", query.WaitReasonOff: "is off", query.WaitReasonService: "12:10",
		query.WaitReasonNextAttempt: "next attempt is at 12:10", query.WaitReasonResting: "rests until 12:10", query.WaitReasonProbe: "rest is over",
		query.WaitReasonEndpointBusy: "5 of 5", query.WaitReasonAccountBusy: "5 of 5", query.WaitReasonQueued: "within moments",
	} {
		got := waitingWords(t.Context(), &query.Waiting{Reason: reason, Until: &later, Busy: &five, Slots: &five}, now)
		if !strings.Contains(got, want) || !strings.HasSuffix(got, ".") {
			t.Errorf("%s: %q", reason, got)
		}
	}
}

func TestAgainSentence(t *testing.T) {
	for want, found := range map[string]query.Redeliverable{
		"This sends 132 events again.": {Count: 132, Now: 132}, "This sends 1 event again.": {Count: 1, Now: 1},
		"This sends 1,000 of 2,310 events again, the oldest first. The others take further rounds.":          {Count: 2310, Now: 1000},
		"This sends 1,000 of 10,000 or more events again, the oldest first. The others take further rounds.": {Count: 10_000, Now: 1000},
		"Nothing that failed in this time can be sent again.":                                                {},
	} {
		if got := againSentence(t.Context(), found); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Times that a field sends are the viewer's; those of links are of any zone.
func TestMomentOf(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"2026-11-20T14:30": "2026-11-20T13:30:00Z", "2026-11-20T14:30:00Z": "2026-11-20T14:30:00Z", "": "0001-01-01T00:00:00Z",
	} {
		at, wrong := momentOf(t.Context(), url.Values{"from": {text}}, "from", time.Time{}, berlin)
		if wrong != nil || at.UTC().Format(time.RFC3339) != want {
			t.Errorf("%q: %v, %v", text, at, wrong)
		}
	}
	for _, text := range []string{"yesterday", "9999-01-01T00:00", "2026-11-20"} {
		if _, wrong := momentOf(t.Context(), url.Values{"from": {text}}, "from", time.Time{}, berlin); wrong == nil || wrong.Field != "from" {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestRate(t *testing.T) {
	for want, n := range map[string][2]int{"100 %": {7, 7}, "99.9 %": {99_999, 100_000}, "0 %": {0, 3}, "33.3 %": {1, 3}} {
		if got := rate(t.Context(), n[0], n[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
