package credit

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"atelier/models"
)

// linesOf are a running balance's lines in the order in which they moved it.
func linesOf(t *rapid.T) []line { return linesFrom(t, -9) }

// linesFrom are lines of amounts from the least on; only growing ones have one order alone.
func linesFrom(t *rapid.T, least int64) []line {
	deltas := rapid.SliceOfN(rapid.Int64Range(least, 9).Filter(func(d int64) bool { return d != 0 }), 1, 40).Draw(t, "deltas")
	lines, balance := make([]line, len(deltas)), models.Credits(0)
	for i, d := range deltas {
		balance += models.Credits(d)
		lines[i] = line{delta: models.Credits(d), after: new(balance), at: time.Unix(int64(i), 0)}
		lines[i].id[0] = byte(i)
	}
	return lines
}

func replayed(lines []line) *line {
	r := newReplay()
	for _, l := range lines {
		r.add(l)
	}
	return r.end()
}

// Lines that were written at once may stand in any order: whatever it is, they
// follow from each other.
func TestReplayTakesAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if broken := replayed(rapid.Permutation(linesOf(t)).Draw(t, "order")); broken != nil {
			t.Fatalf("line %d does not follow", broken.id[0])
		}
	})
}

// A line that was changed is named, and behind one that was taken away the next.
func TestReplayNamesTheFirstLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fault, least := rapid.SampledFrom([]string{"balance", "amount", "gone", "none"}).Draw(t, "fault"), int64(-9)
		if fault == "gone" {
			least = 1 // else what is left may follow from each other another way
		}
		lines := linesFrom(t, least)
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		switch fault {
		case "balance":
			lines[i].after = new(*lines[i].after + 100_000)
		case "amount":
			lines[i].delta += 100_000
		case "none":
			lines[i].after = nil
		case "gone":
			if i == len(lines)-1 { // which the counter alone tells
				t.Skip()
			}
			lines = append(lines[:i:i], lines[i+1:]...)
		}
		broken := replayed(lines)
		if broken == nil || int(broken.id[0]) > i+1 || int(broken.id[0]) < i {
			t.Fatalf("line %d is at fault, %v is named", i, broken)
		}
	})
}

// What is hours apart is not written at once.
func TestReplayIsShortSighted(t *testing.T) {
	hour := func(n int) time.Time { return time.Unix(int64(n)*3600, 0) }
	at := func(n int, delta, after models.Credits) line {
		l := line{delta: delta, after: &after, at: hour(n)}
		l.id[0] = byte(n)
		return l
	}
	if broken := replayed([]line{at(0, 5, 5), at(1, 3, 10), at(2, 2, 12), at(3, 2, 7)}); broken == nil || broken.id[0] != 1 {
		t.Errorf("%v is named", broken)
	}
}
