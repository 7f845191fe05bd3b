package usage

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
	"atelier/models/run"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("rapid.checks", "8") // each is some sixty transactions
	os.Exit(m.Run())
}

// books is a world whose runs are also added up in Go.
type books struct {
	*orgtest.World
	s       *Service
	credits *credit.Service

	owner, admin, ann, bob context.Context
	org                    *org.Organization
	rooms                  []*org.Workspace
	runs                   []*knownRun
}

func newBooks(t testing.TB) *books {
	t.Helper()
	w := orgtest.New(t)
	w.Orgs.RegisterHooks()
	credits := &credit.Service{DB: w.DB, Orgs: w.Orgs}
	credits.RegisterHooks()
	b := &books{World: w, credits: credits, s: &Service{DB: w.DB, Orgs: w.Orgs, Credits: credits, Runs: &run.Service{DB: w.DB}}}
	b.s.RegisterHooks()
	b.owner, b.admin, b.ann, b.bob = w.Person("olga"), w.Person("ada"), w.Person("ann"), w.Person("bob")
	b.org = w.School(b.owner, "Northgate")
	for _, name := range []string{"7a", "7b"} {
		room := w.Workspace(b.owner, b.org, name)
		b.rooms = append(b.rooms, room)
		w.Assign(b.ann, room, org.WorkspaceRoleMember)
		w.Assign(b.bob, room, org.WorkspaceRoleMember)
	}
	w.Enroll(b.admin, b.org, org.Admin)
	return b
}

// entry is a line of the ledger; an empty model is none.
type entry struct {
	kind, model string
	amount      int64
}

// knownRun is a run as the test knows it.
type knownRun struct {
	id, workspace, user models.ID
	at                  time.Time
	hold                int64
	parts               map[string]int64
	entries             []entry
	ended               bool
}

// byModel is what a run costs by model, worked out the long way.
func (r *knownRun) byModel() (settled, inFlight map[string]int64, absorbed, markupAbsorbed int64) {
	booked, total := map[string]int64{}, int64(0)
	for _, e := range r.entries {
		switch e.kind {
		case "markup_absorbed":
			markupAbsorbed += e.amount
			if e.model != "" {
				booked[e.model] += 0
			}
			continue
		case "absorbed":
			absorbed += e.amount
		}
		booked[e.model] += e.amount
		total += e.amount
	}
	if r.ended {
		return named(booked), map[string]int64{}, absorbed, markupAbsorbed
	}
	if total > r.hold {
		return map[string]int64{}, named(booked), 0, 0
	}
	planned := map[string]int64{}
	rest := r.hold
	for model, amount := range r.parts {
		planned[model] += amount
		rest -= amount
	}
	if rest != 0 {
		planned[""] += rest
	}
	return map[string]int64{}, named(planned), 0, 0
}

// named gives what names no model to the most expensive one.
func named(amounts map[string]int64) map[string]int64 {
	rest, unnamed := amounts[""]
	if !unnamed {
		return amounts
	}
	delete(amounts, "")
	amounts[maxOf(amounts)] += rest
	return amounts
}

func maxOf(amounts map[string]int64) string {
	best := "other"
	models := make([]string, 0, len(amounts))
	for model := range amounts {
		models = append(models, model)
	}
	slices.Sort(models)
	for i, model := range models {
		if i == 0 || amounts[model] > amounts[best] {
			best = model
		}
	}
	return best
}

// add writes a run that starts, with its execution.
func (b *books) add(r *knownRun) *knownRun {
	b.Helper()
	b.NoError(b.DB.Write(context.Background(), func(tx *models.Tx) error {
		r.id = b.DB.NewID(r.at)
		if err := tx.Exec(`INSERT INTO executions (id, account_id, organization_id, workspace_id, trigger, status, nodes, edges, total_nodes, open_nodes, hold, source, created_at, shard)
			VALUES (?, ?, ?, ?, 'editor', 'running', '[]', '[]', 1, 1, ?, 'api', ?, 0)`, r.id, r.user, b.org.ID, r.workspace, r.hold, r.at).Error; err != nil {
			return err
		}
		if err := tx.Exec(`INSERT INTO jobs (id, account_id, execution_id, workspace_id, node_id, node_index, job_type, status, input_data, cost, source, created_at, shard)
			VALUES (?, ?, ?, ?, 'n1', 0, 'text', 'pending', '{"model": "first"}', 0, 'api', ?, 0)`, b.DB.NewID(r.at), r.user, r.id, r.workspace, r.at).Error; err != nil {
			return err
		}
		if r.hold == 0 {
			return nil
		}
		parts, _ := json.Marshal(r.parts)
		if err := tx.Exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, amount, organization_id, workspace_id, user_id, execution_id, node_id, parts, created_at)
			VALUES (?, 'hold', 'headroom', 'held', ?, ?, ?, ?, ?, '', ?, ?)`, tx.NewID(), r.hold, b.org.ID, r.workspace, r.user, r.id, string(parts), r.at).Error; err != nil {
			return err
		}
		return tx.Create(&credit.OpenRun{ExecutionID: r.id, OrganizationID: b.org.ID, WorkspaceID: r.workspace, UserID: r.user, CreatedAt: r.at}).Error
	}))
	b.runs = append(b.runs, r)
	return r
}

// book writes entries of a run, and its release when it ends.
func (b *books) book(r *knownRun, ends bool, entries ...entry) {
	b.Helper()
	b.NoError(b.DB.Write(context.Background(), func(tx *models.Tx) error {
		for i, e := range entries {
			var model *string
			if e.model != "" {
				model = &e.model
			}
			node := "n" + string(rune('a'+len(r.entries)+i))
			if err := tx.Exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, amount, organization_id, workspace_id, user_id, execution_id, node_id, model, created_at)
				VALUES (?, ?, 'held', 'spent', ?, ?, ?, ?, ?, ?, ?, ?)`, tx.NewID(), e.kind, e.amount, b.org.ID, r.workspace, r.user, r.id, node, model, r.at).Error; err != nil {
				return err
			}
		}
		if !ends {
			return nil
		}
		return tx.Exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, amount, organization_id, workspace_id, user_id, execution_id, node_id, created_at)
			VALUES (?, 'release', 'held', 'headroom', 0, ?, ?, ?, ?, '', ?)`, tx.NewID(), b.org.ID, r.workspace, r.user, r.id, r.at).Error
	}))
	r.entries, r.ended = append(r.entries, entries...), r.ended || ends
}

// paid is a run that has ended, of one charge.
func (b *books) paid(who context.Context, room *org.Workspace, at time.Time, model string, amount models.Credits) *knownRun {
	b.Helper()
	r := b.add(&knownRun{workspace: room.ID, user: orgtest.ID(who), at: at, hold: int64(amount)})
	b.book(r, true, entry{"charge", model, int64(amount)})
	return r
}

func (b *books) fold() int {
	b.Helper()
	n, err := b.s.Fold(context.Background())
	b.NoError(err)
	return n
}

// expectation is a report that was worked out the long way.
type expectation struct {
	rows   map[string]Figures
	runs   map[string]int
	totals Totals
}

func (e *expectation) add(key string, settled, inFlight int64, counts bool) {
	f := e.rows[key]
	f.SettledCredits += models.Credits(settled)
	f.InFlightCredits += models.Credits(inFlight)
	f.Credits = f.SettledCredits + f.InFlightCredits
	e.rows[key] = f
	if counts {
		e.runs[key]++
	}
}

// expect adds up the runs for a query of the owner's.
func (b *books) expect(q Query) expectation {
	e := expectation{rows: map[string]Figures{}, runs: map[string]int{}}
	zone := time.UTC
	if q.TZ != nil {
		zone, _ = time.LoadLocation(*q.TZ)
	}
	for _, r := range b.runs {
		day := r.at.In(zone).Format(time.DateOnly)
		if day < *q.From || day > *q.To || q.WorkspaceID != nil && *q.WorkspaceID != r.workspace || q.UserID != nil && *q.UserID != r.user {
			continue
		}
		settled, inFlight, absorbed, markup := r.byModel()
		all := map[string]int64{}
		sumSettled, sumInFlight := int64(0), int64(0)
		for model, amount := range settled {
			all[model] += amount
			sumSettled += amount
		}
		for model, amount := range inFlight {
			all[model] += amount
			sumInFlight += amount
		}
		counts := sumSettled+sumInFlight > 0
		e.totals.SettledCredits += models.Credits(sumSettled)
		e.totals.InFlightCredits += models.Credits(sumInFlight)
		e.totals.Credits = e.totals.SettledCredits + e.totals.InFlightCredits
		e.totals.PlatformAbsorbedCredits += models.Credits(absorbed)
		e.totals.AppMarkupAbsorbedCredits += models.Credits(markup)
		if counts {
			e.totals.Runs++
		}
		switch *q.GroupBy {
		case ByDay:
			e.add(day, sumSettled, sumInFlight, counts)
		case ByMember:
			e.add(r.user.String(), sumSettled, sumInFlight, counts)
		case ByWorkspace:
			e.add(r.workspace.String(), sumSettled, sumInFlight, counts)
		case ByModel:
			for model := range all {
				e.add(model, settled[model], inFlight[model], all[model] > 0)
			}
		case Runs:
			e.add(r.id.String(), sumSettled, sumInFlight, counts)
		}
	}
	return e
}

// compare asks for a report as the owner and compares it with the plain sum.
func (b *books) compare(t interface {
	Helper()
	Fatalf(string, ...any)
}, q Query) {
	t.Helper()
	r, err := b.s.ForOrganization(b.owner, b.org.ID, q, models.Page{Limit: new(200)})
	if err != nil {
		t.Fatalf("%v: %v", q, err)
	}
	totals, err := b.s.Totals(b.owner, r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	want := b.expect(q)
	if *totals != want.totals {
		t.Fatalf("%s %s-%s %s: totals are %+v, the ledger comes to %+v", *q.GroupBy, *q.From, *q.To, r.TZ, *totals, want.totals)
	}
	got := map[string]Figures{}
	for _, row := range r.Rows.Nodes {
		key := row.Key
		if row.RunID != nil {
			key = row.RunID.String()
		} else if row.Runs != want.runs[key] {
			t.Fatalf("%s has %d runs, expected %d", key, row.Runs, want.runs[key])
		}
		if row.Credits > 0 || row.RunID != nil {
			got[key] = row.Figures
		}
	}
	for key, figures := range want.rows {
		if figures.Credits == 0 && *q.GroupBy != Runs {
			delete(want.rows, key)
		}
	}
	if len(got) != len(want.rows) {
		t.Fatalf("%s: %d rows, expected %d\n%v\n%v", *q.GroupBy, len(got), len(want.rows), got, want.rows)
	}
	for key, figures := range want.rows {
		if got[key] != figures {
			t.Fatalf("%s %s: %+v, expected %+v", *q.GroupBy, key, got[key], figures)
		}
	}
	if *q.GroupBy != ByDay && *q.GroupBy != Runs && !slices.IsSortedFunc(r.Rows.Nodes, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(b.Credits, a.Credits), cmp.Compare(a.Key, b.Key))
	}) {
		t.Fatalf("%s is not in order", *q.GroupBy)
	}
}

func query(from, to, tz string, g Group) Query {
	return Query{From: &from, To: &to, TZ: &tz, GroupBy: &g}
}

var groups = []Group{ByWorkspace, ByMember, ByModel, ByDay, Runs}
