package usage

import (
	"context"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/org/orgtest"
)

// TestFoldingChangesNothing makes random runs go on and end, adds them up at
// random moments, is cut off in between, and compares reports with the plain sum.
func TestFoldingChangesNothing(t *testing.T) {
	b := newBooks(t)
	rapid.Check(t, func(t *rapid.T) {
		b.runs = nil
		b.Exec(`TRUNCATE ledger_entries, usage_open, usage_sums, usage_quarters`)
		b.Exec(`DELETE FROM jobs`)
		b.Exec(`DELETE FROM executions`)
		modelNames := []string{"gpt", "sdxl", "resize-image", ""}
		begin := time.Date(2026, 3, 27, 20, 0, 0, 0, time.UTC)
		t.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) {
				minutes := rapid.SampledFrom([]int{0, 1, 14, 15, 29, 30, 59, 60, 125, 1440, 1441, 2000, 2880, 4000, 45000, 90000, 180000}).Draw(t, "minutes")
				hold := rapid.Int64Range(1, 9000).Draw(t, "hold")
				parts := map[string]int64{}
				for rest := hold; rest > 0 && rapid.Bool().Draw(t, "part"); {
					n := rapid.Int64Range(1, rest).Draw(t, "amount")
					parts[rapid.SampledFrom(modelNames[:3]).Draw(t, "model")] += n
					rest -= n
				}
				b.add(&knownRun{
					workspace: rapid.SampledFrom(b.rooms).Draw(t, "room").ID, user: orgtest.ID(rapid.SampledFrom([]context.Context{b.owner, b.ann, b.bob}).Draw(t, "who")),
					at: begin.Add(time.Duration(minutes) * time.Minute), hold: hold, parts: parts,
				})
			},
			"book": func(t *rapid.T) {
				open := b.open()
				if len(open) == 0 {
					t.Skip("nothing is at work")
				}
				r := rapid.SampledFrom(open).Draw(t, "run")
				var entries []entry
				for range rapid.IntRange(0, 3).Draw(t, "entries") {
					entries = append(entries, entry{
						rapid.SampledFrom([]string{"charge", "charge", "markup", "absorbed", "markup_absorbed"}).Draw(t, "kind"),
						rapid.SampledFrom(modelNames).Draw(t, "model"), rapid.Int64Range(1, 5000).Draw(t, "amount"),
					})
				}
				b.book(r, rapid.Bool().Draw(t, "ends"), entries...)
			},
			"fold": func(t *rapid.T) { b.fold() },
			"cut off": func(t *rapid.T) {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rapid.IntRange(0, 4000).Draw(t, "microseconds"))*time.Microsecond)
				defer cancel()
				_, _ = b.s.Fold(ctx)
			},
			"report": func(t *rapid.T) {
				q := query(rapid.SampledFrom([]string{"2026-03-27", "2026-03-28", "2026-03-29"}).Draw(t, "from"), rapid.SampledFrom([]string{"2026-03-29", "2026-04-30", "2026-08-20"}).Draw(t, "to"),
					rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"}).Draw(t, "zone"), rapid.SampledFrom(groups).Draw(t, "group"))
				if rapid.Bool().Draw(t, "of a room") {
					q.WorkspaceID = &rapid.SampledFrom(b.rooms).Draw(t, "room").ID
				}
				if rapid.Bool().Draw(t, "of a member") {
					q.UserID = new(orgtest.ID(b.ann))
				}
				b.compare(t, q)
			},
		})
		for _, g := range groups {
			b.compare(t, query("2026-03-01", "2026-12-01", "Europe/Berlin", g))
		}
		b.fold()
		for _, g := range groups {
			b.compare(t, query("2026-03-01", "2026-12-01", "Europe/Berlin", g))
		}
		if differences, err := b.s.Reconcile(context.Background(), false); err != nil || len(differences) > 0 {
			t.Fatalf("%v %+v", err, differences)
		}
	})
}

func (b *books) open() (open []*knownRun) {
	for _, r := range b.runs {
		if !r.ended && len(r.entries) < 20 {
			open = append(open, r)
		}
	}
	return open
}

// TestTwoFold has two processes add up the same runs at once.
func TestTwoFold(t *testing.T) {
	b := newBooks(t)
	at := b.Clock.Now()
	for i := range 60 {
		b.paid(b.ann, b.rooms[i%2], at.Add(time.Duration(i)*time.Minute), "gpt", models.Credits(1+i))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				if _, err := b.s.Fold(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	b.fold()
	for _, g := range groups {
		b.compare(t, query("2026-03-01", "2026-03-05", "UTC", g))
	}
	var left int
	b.NoError(b.DB.Row(context.Background(), `SELECT count(*) FROM usage_open`).Scan(&left))
	if left != 0 {
		t.Errorf("%d runs are still open", left)
	}
}

// TestReconcile finds what differs and makes it right.
func TestReconcile(t *testing.T) {
	b := newBooks(t)
	at := b.Clock.Now()
	for i := range 10 {
		b.paid(b.ann, b.rooms[i%2], at.Add(time.Duration(i)*time.Hour), "gpt", models.Credit)
	}
	running := b.add(&knownRun{workspace: b.rooms[0].ID, user: orgtest.ID(b.bob), at: at, hold: 500, parts: map[string]int64{"gpt": 500}})
	b.fold()
	reconcile := func(repair bool, tables ...string) {
		t.Helper()
		differences, err := b.s.Reconcile(context.Background(), repair)
		b.NoError(err)
		found := map[string]bool{}
		for _, d := range differences {
			found[d.Table] = true
		}
		for _, table := range tables {
			if !found[table] {
				t.Errorf("nothing differs in %s: %+v", table, differences)
			}
		}
		if len(found) != len(tables) {
			t.Errorf("%+v differ, expected %v", differences, tables)
		}
	}
	reconcile(false)
	b.Exec(`UPDATE usage_sums SET settled = settled + 1 WHERE grain = 'day'`)
	b.Exec(`DELETE FROM usage_quarters WHERE scope_id = ?`, b.rooms[0].ID)
	b.Exec(`INSERT INTO usage_quarters (scope_id, starts_at, model, runs, main_runs, settled, absorbed, markup_absorbed) VALUES (?, now(), 'never', 1, 1, 1, 1, 1)`, b.rooms[0].ID)
	b.Exec(`DELETE FROM usage_open WHERE execution_id = ?`, running.id)
	reconcile(false, "usage_sums", "usage_quarters", "usage_open")
	reconcile(true, "usage_sums", "usage_quarters", "usage_open")
	reconcile(false)
	for _, g := range groups {
		b.compare(t, query("2026-03-01", "2026-03-05", "UTC", g))
	}
}
