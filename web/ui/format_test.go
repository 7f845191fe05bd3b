//go:build !race

package ui

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/web/locale"

	"pgregory.net/rapid"
)

func TestCredits(t *testing.T) {
	for in, want := range map[int64]string{
		0: "0", 1: "0.001", 1500: "1.5", 1284125: "1,284.125", -2050: "−2.05", 1000000000: "1,000,000",
		math.MinInt64: "−9,223,372,036,854,775.808",
	} {
		if got := Credits(in); got != want {
			t.Errorf("Credits(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestAmount(t *testing.T) {
	for in, want := range map[float64]string{0: "0", 0.0001: "0", -0.0001: "0", 1234.5: "1,234.5", 96: "96", -3.25: "−3.25"} {
		if got := Amount(in); got != want {
			t.Errorf("Amount(%v) = %q, want %q", in, got, want)
		}
	}
}

func TestRelative(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 12 * time.Minute: "12 min ago", 5 * time.Hour: "5 h ago", 25 * time.Hour: "yesterday",
		72 * time.Hour: "3 days ago", 60 * 24 * time.Hour: "", -3 * 24 * time.Hour: "in 3 days", -30 * time.Hour: "tomorrow",
	} {
		if got := locale.Relative(noReader, now.Add(-d), now); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"Mina Lang": "ML", "": "?", "  ": "?", "ada": "A", "Ana de la Cruz": "AC", "🧑 x": "X"} {
		if got := Initials(in); got != want {
			t.Errorf("Initials(%q) = %q, want %q", in, got, want)
		}
	}
	if got := GroupCode("k7qm 2xpa"); got != "K7QM-2XPA" {
		t.Errorf("GroupCode: %q", got)
	}
	if got := SpokenCode("K7QM2XPA"); got != "Kilo, 7, Quebec, Mike. 2, X-ray, Papa, Alfa." {
		t.Errorf("SpokenCode: %q", got)
	}
	if got := locale.Bytes(noReader, 1536) + " " + locale.Bytes(noReader, 12); got != "1.5 KiB 12 B" {
		t.Errorf("Bytes: %q", got)
	}
	if got := locale.Duration(noReader, 812*time.Millisecond) + ", " + locale.Duration(noReader, 200*time.Second); got != "812 ms, 3 min 20 s" {
		t.Errorf("Duration: %q", got)
	}
}

func TestMeterNeverLeavesItsTrack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string) int64 { return rapid.Int64Range(0, 1e12).Draw(t, name) }
		p := MeterProps{Label: "x", Spent: n("spent"), Reserved: n("reserved"), Limit: n("limit")}
		spent, held := share(t, p.share(p.Spent, 0)), share(t, p.share(p.Reserved, p.Spent))
		if spent < 0 || held < 0 || spent+held > 100.02 {
			t.Fatalf("%v and %v", spent, held)
		}
	})
}

func share(t *rapid.T, s string) float64 {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestGraphColumnsFollowTheEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		var p GraphProps
		for i := range n {
			p.Nodes = append(p.Nodes, GraphNode{ID: indexed("n", i)})
		}
		id := rapid.IntRange(0, n-1)
		for range rapid.IntRange(0, 24).Draw(t, "edges") {
			p.Edges = append(p.Edges, GraphEdge{indexed("n", id.Draw(t, "from")), indexed("n", id.Draw(t, "to"))})
		}
		at, w, h := p.layout()
		seen := map[[2]float64]bool{}
		for _, xy := range at {
			if seen[xy] || xy[0]+nodeWidth > w || xy[1]+nodeHeight > h {
				t.Fatalf("%v overlaps or leaves the picture", xy)
			}
			seen[xy] = true
		}
		for _, e := range p.forward() {
			if at[e.To][0] <= at[e.From][0] {
				t.Fatalf("%v does not lead to the right", e)
			}
		}
	})
}
