package usage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org/orgtest"
)

// newMonths are books whose owner and admin are told of months; only the owner wants them by mail.
func newMonths(t *testing.T) *books {
	b := newBooks(t)
	b.Orgs.Notices = &notice.Service{DB: b.DB, Mail: true}
	_, err := b.Orgs.Notices.Choose(b.owner, []notice.Kind{notice.UsageMonth})
	b.NoError(err)
	return b
}

// told are the sentences that a person was told about months, the oldest first.
func (b *books) told(who context.Context) (said []string) {
	b.Helper()
	list, err := b.Orgs.Notices.List(who, false, models.Page{})
	b.NoError(err)
	for _, n := range list.Nodes {
		if n.Kind == notice.UsageMonth {
			said = append(said, n.Sentence(nil))
		}
	}
	slices.Reverse(said)
	return said
}

func at(t *testing.T, moment string) time.Time {
	t.Helper()
	when, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

// TestMonthsAreToldOnce has many processes tell at once, again and again.
func TestMonthsAreToldOnce(t *testing.T) {
	b := newMonths(t)
	rival := b.Team(b.Person("rival"), "Rival") // in which nothing runs
	b.paid(b.ann, b.rooms[0], at(t, "2026-03-05T10:00:00Z"), "gpt", 4*models.Credit)
	b.paid(b.ann, b.rooms[0], at(t, "2026-04-01T00:00:00Z"), "gpt", 2*models.Credit)
	b.paid(b.bob, b.rooms[1], at(t, "2026-04-30T23:59:00Z"), "gpt", 3*models.Credit)
	b.paid(b.bob, b.rooms[1], at(t, "2026-05-01T00:00:00Z"), "gpt", 100*models.Credit)
	tell := func(moment string) {
		t.Helper()
		b.Clock.Set(at(t, moment))
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := b.s.TellMonths(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	for _, moment := range []string{"2026-05-01T00:00:00Z", "2026-05-01T01:00:00Z", "2026-05-31T23:00:00Z"} {
		tell(moment)
	}
	want := []string{"Northgate spent 5 credits in April 2026, 25 percent more than in the month before."}
	for name, who := range map[string]context.Context{"owner": b.owner, "admin": b.admin} {
		if got := b.told(who); !slices.Equal(got, want) {
			t.Errorf("the %s was told %q", name, got)
		}
	}
	for name, who := range map[string]context.Context{"ann": b.ann, "bob": b.bob} {
		if got := b.told(who); len(got) > 0 {
			t.Errorf("%s was told %q", name, got)
		}
	}
	tell("2026-06-01T00:00:00Z")
	if got := b.told(b.owner); len(got) != 2 || !strings.HasPrefix(got[1], "Northgate spent 100 credits in May 2026, ") {
		t.Errorf("after the next month: %q", got)
	}
	letters, err := models.Rows(context.Background(), b.DB, func(l *notice.Letter) []any { return []any{&l.RecipientID, &l.At} },
		`SELECT (args->>'recipientId')::uuid, (args->>'at')::timestamptz FROM river_job WHERE kind = 'mail_notifications' ORDER BY 2`)
	b.NoError(err)
	if len(letters) != 2 || letters[0].RecipientID != orgtest.ID(b.owner) || letters[1].RecipientID != orgtest.ID(b.owner) {
		t.Fatalf("letters %+v: one for each month to the owner alone, who wants them", letters)
	}
	letter, err := b.Orgs.Notices.WriteLetter(context.Background(), letters[0])
	b.NoError(err)
	lines := letter.Told[0].Lines(context.Background())
	if want := []string{"Where most was spent: 7b (3 credits), 7a (2 credits).", "Who spent most: bob (3 credits), ann (2 credits)."}; !slices.Equal(lines, want) {
		t.Errorf("the letter says %q", lines)
	}
	var told int
	b.NoError(b.DB.Row(context.Background(), `SELECT count(*) FROM notifications WHERE organization_id = $1`, rival.ID).Scan(&told))
	if told > 0 {
		t.Error("an organization that spent nothing was told so")
	}
}

// TestMonthsEndWhereTheOwnerLives goes by the clock of the owner, on both sides of UTC.
func TestMonthsEndWhereTheOwnerLives(t *testing.T) {
	for zone, c := range map[string]struct{ before, after string }{
		"":                    {"2026-03-31T23:59:59Z", "2026-04-01T00:00:00Z"},
		"Pacific/Kiritimati":  {"2026-03-31T09:59:59Z", "2026-03-31T10:00:00Z"},
		"America/Los_Angeles": {"2026-04-01T06:59:59Z", "2026-04-01T07:00:00Z"},
		"Europe/Berlin":       {"2026-03-31T21:59:59Z", "2026-03-31T22:00:00Z"},
	} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			b := newMonths(t)
			if zone != "" {
				b.Exec(`UPDATE users SET time_zone = ? WHERE id = ?`, zone, orgtest.ID(b.owner))
			}
			b.paid(b.ann, b.rooms[0], at(t, c.before).Add(-15*time.Minute), "gpt", 4*models.Credit)
			b.paid(b.ann, b.rooms[0], at(t, c.after), "gpt", 7*models.Credit)
			b.Clock.Set(at(t, c.before))
			b.NoError(b.s.TellMonths(context.Background()))
			if got := b.told(b.owner); len(got) > 0 {
				t.Errorf("at %s: %q", c.before, got)
			}
			b.Clock.Set(at(t, c.after))
			b.NoError(b.s.TellMonths(context.Background()))
			if got := fmt.Sprint(b.told(b.owner)); got != "[Northgate spent 4 credits in March 2026, and nothing in the month before.]" {
				t.Errorf("at %s: %s", c.after, got)
			}
		})
	}
}

// TestMonthsThatCannotBeTold: what fails leaves nothing behind and is told later; what is old is not told any more; a
// suspended organization is told nothing.
func TestMonthsThatCannotBeTold(t *testing.T) {
	b := newMonths(t)
	b.paid(b.ann, b.rooms[0], at(t, "2026-03-05T10:00:00Z"), "gpt", 4*models.Credit)
	b.Clock.Set(at(t, "2026-04-01T00:00:00Z"))
	b.Exec(`ALTER TABLE notifications RENAME TO hidden`)
	if err := b.s.TellMonths(context.Background()); err == nil {
		t.Fatal("it told without the table of notifications")
	}
	b.Exec(`ALTER TABLE hidden RENAME TO notifications`)
	b.Exec(`UPDATE organizations SET status = 'suspended'`)
	b.NoError(b.s.TellMonths(context.Background()))
	if got := b.told(b.owner); len(got) > 0 {
		t.Errorf("while suspended: %q", got)
	}
	b.Exec(`UPDATE organizations SET status = 'active'`)
	b.Clock.Set(at(t, "2026-04-07T23:00:00Z"))
	b.NoError(b.s.TellMonths(context.Background()))
	if got := b.told(b.owner); len(got) != 1 {
		t.Errorf("within a week: %q", got)
	}
	late := b.School(b.admin, "Late")
	b.Clock.Set(at(t, "2026-05-08T00:00:01Z"))
	b.NoError(b.s.TellMonths(context.Background()))
	if got := b.told(b.owner); len(got) != 1 {
		t.Errorf("after a week: %q", got)
	}
	if done := b.DB.Read(context.Background()).Exec(`SELECT FROM usage_months WHERE organization_id = ? AND month = '2026-04-01'`, late.ID).RowsAffected; done != 1 {
		t.Error("a month that is too old is looked at again and again")
	}
}
