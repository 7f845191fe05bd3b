package usage

import (
	"context"
	"fmt"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestDates(t *testing.T) {
	now := time.Date(2026, 3, 2, 23, 30, 0, 0, time.UTC)
	for _, c := range []struct{ from, to, tz, want string }{
		{"", "", "", "2026-02-01 2026-03-02"},
		{"", "", "Asia/Tokyo", "2026-02-02 2026-03-03"},
		{"2026-01-01", "", "", "2026-01-01 2026-01-30"},
		{"2026-02-20", "", "", "2026-02-20 2026-03-02"},
		{"2026-03-03", "", "", "from"},
		{"", "2026-01-30", "", "2026-01-01 2026-01-30"},
		{"", "2027-01-30", "", "2027-01-01 2027-01-30"},
		{"2024-01-01", "2024-12-31", "", "2024-01-01 2024-12-31"},
		{"2024-01-01", "2025-01-01", "", "to"},
		{"2026-03-02", "2026-03-01", "", "from"},
		{"2026-02-30", "", "", "from"}, {"2026-2-3", "", "", "from"}, {"02.03.2026", "", "", "from"}, {"2026-03-01T00:00:00Z", "", "", "from"},
		{" 2026-03-01", "", "", "from"}, {"", "0000-01-01", "", "to"}, {"", "٢٠٢٦-٠٣-٠١", "", "to"},
		{"", "", "Local", "tz"}, {"", "", "../UTC", "tz"}, {"", "", "/etc/localtime", "tz"}, {"", "", "Mars/Olympus", "tz"}, {"", "", "europe/berlin ", "tz"},
		{"", "", "+02:00", "tz"}, {"", "", "Europe", "tz"},
	} {
		q := Query{}
		for text, field := range map[*string]**string{&c.from: &q.From, &c.to: &q.To, &c.tz: &q.TZ} {
			if *text != "" {
				*field = text
			}
		}
		a, err := q.read(now)
		got := fmt.Sprint(a.from, " ", a.to)
		if err != nil {
			refusal, _ := models.AsError(err)
			got = refusal.Field
		}
		if got != c.want {
			t.Errorf("%+v: %s (%v)", c, got, err)
		}
	}
	if _, err := (Query{TZ: new("")}).read(now); err == nil {
		t.Error("an empty zone is one")
	}
	if _, err := (Query{GroupBy: new(Group("hour"))}).read(now); err == nil {
		t.Error("an unknown grouping is one")
	}
}

// TestWhoReadsUsage asks in every role.
func TestWhoReadsUsage(t *testing.T) {
	b := newBooks(t)
	teacher, outsider, outside, suspended := b.Person("teacher"), b.Person("outsider"), b.Person("outside"), b.Person("gone")
	b.Assign(teacher, b.rooms[0], org.WorkspaceRoleAdmin)
	b.Enroll(outside, b.org, org.Member)
	b.Assign(suspended, b.rooms[0], org.WorkspaceRoleMember)
	b.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(suspended))
	other := b.Workspace(outsider, b.Team(outsider, "Rival"), "Lab")
	at := b.Clock.Now()
	b.paid(b.ann, b.rooms[0], at, "gpt", 2*models.Credit)
	b.paid(b.bob, b.rooms[0], at, "gpt", 3*models.Credit)
	b.paid(b.bob, b.rooms[1], at, "sdxl", 5*models.Credit)
	ann, nobody := orgtest.ID(b.ann), b.DB.NewID(at)
	type want struct {
		credits models.Credits
		code    models.Code
	}
	for _, status := range []org.Status{org.Active, org.Suspended, org.Pending} {
		b.Exec(`UPDATE organizations SET status = ? WHERE id = ?`, status, b.org.ID)
		for _, c := range []struct {
			name string
			who  context.Context
			room *org.Workspace // nil asks for the organization
			q    Query
			want want
		}{
			{"owner", b.owner, nil, Query{}, want{10000, ""}},
			{"admin", b.admin, nil, Query{}, want{10000, ""}},
			{"admin of a room", b.admin, nil, Query{WorkspaceID: &b.rooms[1].ID}, want{5000, ""}},
			{"admin of a member", b.admin, nil, Query{UserID: &ann}, want{2000, ""}},
			{"admin of nobody", b.admin, nil, Query{UserID: &nobody}, want{0, ""}},
			{"admin of a foreign room", b.admin, nil, Query{WorkspaceID: &other.ID}, want{0, models.CodeNotFound}},
			{"admin of no room", b.admin, nil, Query{WorkspaceID: &nobody}, want{0, models.CodeNotFound}},
			{"member", b.ann, nil, Query{}, want{0, models.CodeInsufficientRole}},
			{"teacher", teacher, nil, Query{}, want{0, models.CodeInsufficientRole}},
			{"outsider", outsider, nil, Query{}, want{0, models.CodeNotFound}},
			{"suspended", suspended, nil, Query{}, want{0, models.CodeMemberSuspended}},
			{"nobody", context.Background(), nil, Query{}, want{0, models.CodeUnauthorized}},
			{"bad form first", outsider, nil, Query{GroupBy: new(Group("x"))}, want{0, models.CodeValidation}},

			{"admin in a room", b.admin, b.rooms[0], Query{}, want{5000, ""}},
			{"teacher in a room", teacher, b.rooms[0], Query{GroupBy: new(ByMember)}, want{5000, ""}},
			{"teacher of a member", teacher, b.rooms[0], Query{UserID: &ann}, want{2000, ""}},
			{"teacher by room", teacher, b.rooms[0], Query{GroupBy: new(ByWorkspace)}, want{0, models.CodeValidation}},
			{"teacher of the room", teacher, b.rooms[0], Query{WorkspaceID: &b.rooms[0].ID}, want{5000, ""}},
			{"teacher of another room", teacher, b.rooms[0], Query{WorkspaceID: &b.rooms[1].ID}, want{0, models.CodeNotFound}},
			{"teacher elsewhere", teacher, b.rooms[1], Query{}, want{0, models.CodeNotFound}},
			{"member in a room", b.ann, b.rooms[0], Query{}, want{2000, ""}},
			{"member by model", b.ann, b.rooms[0], Query{GroupBy: new(ByModel)}, want{2000, ""}},
			{"member's runs", b.ann, b.rooms[0], Query{GroupBy: new(Runs)}, want{2000, ""}},
			{"member of oneself", b.ann, b.rooms[0], Query{UserID: &ann}, want{2000, ""}},
			{"member by member", b.ann, b.rooms[0], Query{GroupBy: new(ByMember)}, want{0, models.CodeValidation}},
			{"member of another", b.bob, b.rooms[0], Query{UserID: &ann}, want{0, models.CodeInsufficientRole}},
			{"outside the room", outside, b.rooms[0], Query{}, want{0, models.CodeNotFound}},
			{"outsider in a room", outsider, b.rooms[0], Query{}, want{0, models.CodeNotFound}},
			{"suspended in a room", suspended, b.rooms[0], Query{}, want{0, models.CodeMemberSuspended}},
		} {
			var r *Report
			var err error
			if c.room == nil {
				r, err = b.s.ForOrganization(c.who, b.org.ID, c.q, models.Page{})
			} else {
				r, err = b.s.ForWorkspace(c.who, c.room.ID, c.q, models.Page{})
			}
			if c.want.code != "" {
				if !models.HasCode(err, c.want.code) {
					t.Errorf("%s (%s): %v, expected %s", c.name, status, err, c.want.code)
				}
				continue
			}
			b.NoError(err)
			totals, err := b.s.Totals(c.who, r)
			b.NoError(err)
			sum := models.Credits(0)
			for _, row := range r.Rows.Nodes {
				sum += row.Credits
			}
			if totals.Credits != c.want.credits || sum != c.want.credits {
				t.Errorf("%s (%s): %s, rows %s, expected %s", c.name, status, totals.Credits, sum, c.want.credits)
			}
		}
	}
}

// TestDeletedAccountsLeaveAGap removes what a person ran, added up, ended or at work.
func TestDeletedAccountsLeaveAGap(t *testing.T) {
	b := newBooks(t)
	at := b.Clock.Now()
	b.paid(b.ann, b.rooms[0], at, "gpt", models.Credit)
	b.paid(b.bob, b.rooms[0], at.AddDate(0, 0, 2), "gpt", models.Credit)
	b.paid(b.bob, b.rooms[0], at.AddDate(0, 0, 4), "gpt", models.Credit)
	b.fold()
	b.paid(b.bob, b.rooms[0], at.AddDate(0, 0, 5), "sdxl", models.Credit)
	running := b.add(&knownRun{workspace: b.rooms[1].ID, user: orgtest.ID(b.bob), at: at.AddDate(0, 0, 6), hold: 700})
	operator := b.Operator()
	_, err := b.Accounts.People().Delete(operator, orgtest.ID(b.bob))
	b.NoError(err)
	b.runs = b.runs[:1]
	for range 2 {
		for _, g := range groups {
			b.compare(t, query("2026-02-25", "2026-03-20", "UTC", g))
		}
		b.fold()
	}
	b.runs = append(b.runs, running)
	b.book(running, true, entry{"charge", "gpt", 700})
	b.runs = b.runs[:1]
	b.fold()
	b.compare(t, query("2026-02-25", "2026-03-20", "UTC", ByDay))
	if differences, err := b.s.Reconcile(context.Background(), false); err != nil || len(differences) > 0 {
		t.Errorf("%v %+v", err, differences)
	}
	for _, c := range []struct {
		from, to string
		room     *models.ID
		gap      bool
	}{
		{"2026-03-01", "2026-03-31", nil, true}, {"2026-03-01", "2026-03-03", nil, false}, {"2026-03-05", "2026-03-05", nil, true}, {"2026-03-09", "2026-03-12", nil, false},
		{"2026-03-08", "2026-03-08", &b.rooms[1].ID, true}, {"2026-03-05", "2026-03-05", &b.rooms[1].ID, false},
	} {
		q := query(c.from, c.to, "UTC", ByDay)
		q.WorkspaceID = c.room
		r, err := b.s.ForOrganization(b.owner, b.org.ID, q, models.Page{})
		b.NoError(err)
		if r.Gap != c.gap {
			t.Errorf("%+v: %v", c, r.Gap)
		}
	}
}

// TestTooManyGroups cuts rows and not totals.
func TestTooManyGroups(t *testing.T) {
	b := newBooks(t)
	at := b.Clock.Now()
	b.Exec(`INSERT INTO usage_sums SELECT ?, 'quarter', date_trunc('hour', ?::timestamptz), ?, ?, 'model-' || n, 1, 1, n, 0, 0 FROM generate_series(1, 5003) n`,
		b.org.ID, at, b.rooms[0].ID, orgtest.ID(b.ann))
	r, err := b.s.ForOrganization(b.owner, b.org.ID, query("2026-03-02", "2026-03-02", "Asia/Kolkata", ByModel), models.Page{})
	b.NoError(err)
	if len(r.Rows.Nodes) != 5000 || !r.Truncated || r.totals.Credits != 5003*5004/2 || r.totals.Runs != 5003 || r.Rows.Nodes[4999].Key != "model-4" {
		t.Errorf("%d rows, %v, %+v", len(r.Rows.Nodes), r.Truncated, r.totals)
	}
}

// TestRunsArePaged walks through single runs, free ones too.
func TestRunsArePaged(t *testing.T) {
	b := newBooks(t)
	at := b.Clock.Now()
	for i := range 7 {
		b.paid(b.ann, b.rooms[i%2], at.Add(time.Duration(i)*time.Minute), "gpt", models.Credit)
		b.add(&knownRun{workspace: b.rooms[0].ID, user: orgtest.ID(b.bob), at: at.Add(time.Duration(i)*time.Minute + time.Second)})
	}
	q := query("2026-03-01", "2026-03-03", "UTC", Runs)
	seen, last, cursor := 0, time.Now().AddDate(100, 0, 0), (*string)(nil)
	for {
		r, err := b.s.ForOrganization(b.owner, b.org.ID, q, models.Page{Limit: new(3), Cursor: cursor})
		b.NoError(err)
		for _, row := range r.Rows.Nodes {
			free := *row.UserID == orgtest.ID(b.bob)
			if row.CreatedAt.After(last) || free != (row.Credits == 0) || *row.Model != map[bool]string{true: "first", false: "gpt"}[free] || *row.WorkspaceName == "" {
				t.Errorf("%+v", row)
			}
			last = *row.CreatedAt
			seen++
		}
		if r.Rows.PageInfo.EndCursor != nil {
			for _, other := range []Query{query("2026-03-01", "2026-03-04", "UTC", Runs), query("2026-03-01", "2026-03-03", "Asia/Tokyo", Runs), query("2026-03-01", "2026-03-03", "UTC", ByDay)} {
				_, err := b.s.ForOrganization(b.owner, b.org.ID, other, models.Page{Cursor: r.Rows.PageInfo.EndCursor})
				b.Refused(err, models.CodeValidation, 400)
			}
		}
		if cursor = r.Rows.Next(); cursor == nil {
			break
		}
	}
	if seen != 14 {
		t.Errorf("%d runs", seen)
	}
	_, err := b.s.ForOrganization(b.owner, b.org.ID, query("2026-03-01", "2026-03-03", "UTC", ByDay), models.Page{Limit: new(201)})
	b.Refused(err, models.CodeValidation, 400)
}

// TestExportsAreRecorded: first the audit log, 10 a minute, refused ones not counted.
func TestExportsAreRecorded(t *testing.T) {
	b := newBooks(t)
	nothing := func([]*Row) error { return nil }
	for range 12 {
		b.Refused(b.s.Export(b.bob, &b.org.ID, nil, Query{}, nothing), models.CodeInsufficientRole, 403)
		b.Refused(b.s.Export(b.owner, &b.org.ID, nil, Query{TZ: new("x")}, nothing), models.CodeValidation, 400)
	}
	for i := range 10 {
		parts := 0
		b.NoError(b.s.Export(b.owner, &b.org.ID, nil, Query{GroupBy: &groups[i%len(groups)]}, func([]*Row) error { parts++; return nil }))
		if parts != 1 {
			t.Errorf("%d parts", parts)
		}
	}
	b.Refused(b.s.Export(b.owner, nil, &b.rooms[0].ID, Query{}, nothing), models.CodeRateLimitExceeded, 429)
	b.NoError(b.s.Export(b.ann, nil, &b.rooms[0].ID, Query{}, nothing))
	var recorded int
	b.NoError(b.DB.Row(context.Background(), `SELECT count(*) FROM audit_entries WHERE action = 'usage.exported' AND (workspace_id IS NULL OR workspace_id = $1)`, b.rooms[0].ID).Scan(&recorded))
	if recorded != 11 {
		t.Errorf("%d exports are recorded", recorded)
	}
	b.Exec(`ALTER TABLE audit_entries RENAME TO elsewhere`)
	b.Refused(b.s.Export(b.bob, nil, &b.rooms[0].ID, Query{}, func([]*Row) error { t.Error("something leaves"); return nil }), models.CodeAuditUnavailable, 503)
}
