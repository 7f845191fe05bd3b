package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"atelier/config"
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/lane"
	"atelier/models/org"
	"atelier/models/payment"
	"atelier/models/run"
)

// demoDays is how long ago the demo begins.
const demoDays = 90

// demoPassword signs in everyone of the demo.
const demoPassword = "atelier-demo-2026"

// walkingClock is a clock that the demo moves through the past.
type walkingClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *walkingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *walkingClock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// demo fills an empty install by the same use cases that people call. It works beside a running service, whose workers
// leave its jobs to it. A try that was not finished is cleared away and begun again; a demo that is there stays as it is.
func (i *install) demo(ctx context.Context) error {
	release, err := i.onlyDemo(ctx)
	if err != nil {
		return err
	}
	defer release()
	clock := &walkingClock{now: i.DB.Clock.Now().AddDate(0, 0, -demoDays)}
	db, err := i.DB.At(clock, i.SessionKey)
	if err != nil {
		return err
	}
	defer db.SQL.Close()
	past := *i
	past.DB = db
	past.OperatorEmails = append(past.OperatorEmails, operatorAddress)
	past.SignUp, past.SMTPURL = config.SignUpOpen, nil
	past.Payments = config.PaymentsManual // an operator of the demo confirms
	past.SignupCredits = 100 * models.Credit
	past.program = "" // its jobs are done here
	run.WorkApart("demo")
	s, err := past.build(ctx)
	if err != nil {
		return err
	}
	s.Accounts.SessionLasts = (demoDays + 1) * 24 * time.Hour // else a service beside it would remove them as ended
	there, err := i.readyForDemo(ctx, s)
	if err != nil {
		return err
	}
	if there {
		fmt.Fprintf(i.out, "\nThe demo is there already; nothing was changed.")
	} else {
		d := &demonstration{Server: s, ctx: ctx, clock: clock, end: i.DB.Clock.Now(), people: map[string]context.Context{}, random: rand.New(rand.NewPCG(7, 2026))}
		if err := d.tell(); err != nil {
			return fmt.Errorf("demo: %w (make demo begins it again)", err)
		}
		if _, err := s.Credits.RebuildSpending(ctx); err != nil { // a server beside it may have added up hours that the demo came to later
			return err
		}
		fmt.Fprintf(i.out, "\nThe demo is there.")
	}
	fmt.Fprintf(i.out, " Everyone signs in with the password %s:\n\n", demoPassword)
	for _, line := range demoSignIns {
		fmt.Fprintf(i.out, "  %-34s %s\n", line[0], line[1])
	}
	fmt.Fprintf(i.out, "\nTo act as the operator, start with PLATFORM_OPERATOR_EMAILS=%s.\n", operatorAddress)
	return nil
}

var demoSignIns = [][2]string{
	{operatorAddress, "operates the install"},
	{"mara@northgate.example", "owns Northgate School"},
	{"daniel@northgate.example", "teaches Art 9b and the film lab"},
	{"jonas@northgate.example", "student in Art 9b and the film lab"},
	{"mina@northgate.example", "student in Art 9b"},
	{"lee@brightline.example", "owns the team Brightline"},
}

// demonstration is the demo while it is told.
type demonstration struct {
	*Server
	ctx    context.Context
	clock  *walkingClock
	end    time.Time // the present, at which the clock arrives
	people map[string]context.Context
	random *rand.Rand
}

// demoClass is a workspace of the demo: who is in it, what it may spend, and how busy it is.
type demoClass struct {
	name, teacher string
	credits       int64
	members       []string
	apps          []demoApp
	// busy is how many runs a school day of the last month has about, quiet how
	// many days pass between two before.
	busy, quiet int
}

// demoRoom is a class of the demo that stands: its workspace, and where its apps are.
type demoRoom struct {
	demoClass
	workspace *org.Workspace
	slugs     []string
}

// tell makes everything, oldest first: the clock never goes back, so that the ledger, whose entries follow each other by
// their ids, stands in the order in which it was written.
func (d *demonstration) tell() error {
	if err := d.gather(); err != nil {
		return err
	}
	if err := d.connect(); err != nil {
		return err
	}
	students := namesOf(demoStudents)
	school, err := d.organization("Mara Weiss", "Northgate School", org.School, 100)
	if err != nil {
		return err
	}
	team, err := d.organization("Lee Park", "Brightline", org.Team, 300)
	if err != nil {
		return err
	}
	first := d.clock.Now().AddDate(0, 0, 1).Truncate(24 * time.Hour)
	d.clock.set(first.Add(7 * time.Hour))
	if _, err := d.buy(school, "Mara Weiss", "small", true); err != nil {
		return err
	}
	var rooms []*demoRoom
	for _, class := range []demoClass{
		{"Art 9b", "Daniel Okafor", 90, students, []demoApp{quoteCard, posterPainter}, 2, 6},
		{"Film lab", "Daniel Okafor", 100, append(students[:1:1], students[3:9]...), []demoApp{moodBoard}, 1, 9},
		{"Media club", "Helen Brandt", 40, students[8:], []demoApp{linkPoster, quoteCard}, 1, 12},
		{"Launch", "Lee Park", 80, []string{"Ada Lindqvist", "Rui Costa"}, []demoApp{posterPainter}, 1, 12},
	} {
		o, owner := school, "Mara Weiss"
		if class.teacher == "Lee Park" {
			o, owner = team, "Lee Park"
		}
		room, err := d.class(o, owner, class)
		if err != nil {
			return fmt.Errorf("%s: %w", class.name, err)
		}
		rooms = append(rooms, room)
	}
	days := d.business(school, team)
	days[86] = func() error { return d.film(rooms[1]) }
	if err := d.live(first, rooms, days); err != nil {
		return err
	}
	for _, room := range rooms {
		if err := d.ask(room.workspace, room.demoClass); err != nil {
			return err
		}
	}
	return d.today(school)
}

// live is ninety days of lessons, most of all in the last month, and what is done in the office, by day.
func (d *demonstration) live(first time.Time, rooms []*demoRoom, office map[int]func() error) error {
	type lesson struct {
		*demoRoom
		at   time.Time
		runs int
	}
	for day := range 90 {
		morning := first.AddDate(0, 0, day)
		if do := office[day]; do != nil {
			d.reach(morning.Add(7 * time.Hour))
			if err := do(); err != nil {
				return err
			}
		}
		if weekday := morning.Weekday(); weekday == time.Saturday || weekday == time.Sunday {
			continue
		}
		var lessons []lesson
		for _, room := range rooms {
			runs := 0
			if day >= 60 {
				runs = d.random.IntN(room.busy + 2)
			} else if d.random.IntN(room.quiet) == 0 {
				runs = 1
			}
			lessons = append(lessons, lesson{room, morning.Add(time.Duration(8*60+d.random.IntN(5*60)) * time.Minute), runs})
		}
		slices.SortFunc(lessons, func(a, b lesson) int { return a.at.Compare(b.at) })
		for _, l := range lessons {
			if l.at.After(d.end) { // the day is not over
				continue
			}
			d.reach(l.at)
			if err := d.lesson(l.workspace, l.demoClass, l.slugs, l.runs); err != nil {
				return err
			}
		}
	}
	return nil
}

// reach waits until then; what took longer than that is not undone.
func (d *demonstration) reach(then time.Time) {
	if then.After(d.clock.Now()) {
		d.clock.set(then)
	}
}

// business is what is bought and refunded, by day.
func (d *demonstration) business(school, team *org.Organization) map[int]func() error {
	var second *payment.Purchase
	return map[int]func() error{
		46: func() (err error) {
			second, err = d.buy(school, "Mara Weiss", "small", true)
			return err
		},
		61: func() error {
			if second == nil {
				return nil
			}
			_, err := d.Payments.RefundPurchase(d.as("Operator"), second.ID, min(200*models.Credit, second.Refundable()))
			return err
		},
		88: func() error {
			_, err := d.buy(team, "Lee Park", "medium", false)
			return err
		},
	}
}

// buy orders a pack of the standard ones, which the operator confirms some hours later when it is paid. Where the
// install sells others, it is the first of those; nothing where it sells none.
func (d *demonstration) buy(o *org.Organization, owner, pack string, paid bool) (*payment.Purchase, error) {
	if len(d.Payments.Packs) == 0 {
		return nil, nil
	}
	p, err := d.Payments.Checkout(d.as(owner), o.ID, d.packLike(pack))
	if err != nil || !paid {
		return p, err
	}
	d.clock.set(d.clock.Now().Add(50 * time.Minute))
	return d.Payments.ConfirmPurchase(d.as("Operator"), p.ID)
}

func (d *demonstration) packLike(id string) string {
	for _, p := range d.Payments.Packs {
		if p.ID == id {
			return id
		}
	}
	return d.Payments.Packs[0].ID
}

// today is what waits for a person on the last day: invitations, a new school.
func (d *demonstration) today(school *org.Organization) error {
	d.reach(d.end)
	for _, emails := range [][]string{
		{"clara@northgate.example", "omar@northgate.example", "nele@northgate.example", "hugo@northgate.example"},
		{"ms.adeyemi@northgate.example"},
	} {
		in := org.CreateInvitationsInput{Emails: emails}
		if len(emails) == 1 {
			admin := org.Admin
			in.OrgRole = &admin
		}
		if _, err := d.Orgs.Invitations().Create(d.as("Mara Weiss"), school.ID, in); err != nil {
			return err
		}
	}
	terms := true
	_, err := d.Orgs.CreateOrganization(d.as("Ada Lindqvist"), org.CreateOrganizationInput{Name: demoLast, Kind: org.School, AcceptTerms: &terms})
	return err
}

// organization makes one, approved and with credits in its pool.
func (d *demonstration) organization(owner, name string, kind org.Kind, credits int64) (*org.Organization, error) {
	terms := true
	o, err := d.Orgs.CreateOrganization(d.as(owner), org.CreateOrganizationInput{Name: name, Kind: kind, AcceptTerms: &terms})
	if err != nil {
		return nil, err
	}
	if o.Status == org.Pending {
		if _, err := d.Orgs.ApproveOrganization(d.as("Operator"), o.ID); err != nil {
			return nil, err
		}
	}
	d.clock.set(d.clock.Now().Add(10 * time.Minute))
	_, err = d.Credits.GrantCredits(d.as("Operator"), credit.GrantInput{
		OrganizationID: &o.ID, Amount: models.Credits(credits) * models.Credit, Reason: "Starting balance",
	})
	return o, err
}

// class makes a workspace whose members joined by its code, with apps.
func (d *demonstration) class(o *org.Organization, owner string, c demoClass) (*demoRoom, error) {
	d.clock.set(d.clock.Now().Add(4 * time.Minute))
	w, err := d.Orgs.Workspaces().Create(d.as(owner), o.ID, org.CreateWorkspaceInput{Name: c.name})
	if err != nil {
		return nil, err
	}
	if _, err := d.Credits.AllocateCredits(d.as(owner), o.ID, w.ID, models.Credits(c.credits)*models.Credit); err != nil {
		return nil, err
	}
	if err := d.fill(w, owner, c); err != nil {
		return nil, err
	}
	room := &demoRoom{demoClass: c, workspace: w, slugs: make([]string, len(c.apps))}
	for i, app := range c.apps {
		if room.slugs[i], err = d.publish(w, c.teacher, app); err != nil {
			return nil, err
		}
	}
	return room, d.caps(w, owner, c)
}

// fill lets the members join by the code, and makes one of them the teacher.
func (d *demonstration) fill(w *org.Workspace, owner string, c demoClass) error {
	code, err := d.Orgs.JoinCodes().Change(d.as(owner), w.ID, org.EnableCode)
	if err != nil {
		return err
	}
	members := c.members
	if c.teacher != owner {
		members = append([]string{c.teacher}, members...)
	}
	for _, member := range members {
		if _, err := d.Orgs.JoinCodes().Join(d.as(member), code.Code); err != nil {
			return err
		}
	}
	if c.teacher == owner {
		return nil
	}
	_, err = d.Credits.UpdateWorkspaceMember(d.as(owner), w.ID, models.ActorFrom(d.as(c.teacher)).UserID,
		credit.UpdateWorkspaceMemberInput{Role: models.Some(org.WorkspaceRoleAdmin)})
	return err
}

// caps gives a few students of a school less than all: two of them reach it, and neither of them is one who is printed.
func (d *demonstration) caps(w *org.Workspace, owner string, c demoClass) error {
	if len(c.members) < 6 {
		return nil
	}
	for i, most := range []models.Credits{20, 30, 5, 6} {
		id := models.ActorFrom(d.as(c.members[i])).UserID
		if _, err := d.Credits.UpdateWorkspaceMember(d.as(owner), w.ID, id, credit.UpdateWorkspaceMemberInput{CreditCap: models.Some(most * models.Credit)}); err != nil {
			return err
		}
	}
	return nil
}

// lesson is some runs that begin within minutes, and their work.
func (d *demonstration) lesson(w *org.Workspace, c demoClass, slugs []string, runs int) error {
	for range runs {
		n := max(0, d.random.IntN(len(c.apps)+1)-1) // the first app is everyone's favourite, and no painter where there are two
		app, inputs := c.apps[n], map[string]any(nil)
		if app.failing != nil && d.random.IntN(7) == 0 {
			inputs = app.failing()
		} else {
			inputs = app.inputs(d)
		}
		_, err := d.Runs.AppRuns().Start(d.in(w, c.members[d.random.IntN(len(c.members))]), slugs[n], run.AppInput{Inputs: inputs})
		if err != nil && !models.HasCode(err, models.CodeMemberCapExceeded) && !models.HasCode(err, models.CodeBudgetExceeded) {
			return err
		}
		d.clock.set(d.clock.Now().Add(time.Duration(20+d.random.IntN(300)) * time.Second))
	}
	if runs == 0 {
		return nil
	}
	return d.work()
}

// work does what waits, several pieces at once as workers do.
func (d *demonstration) work() error {
	for worked := true; worked; {
		worked = false
		var leases []lane.Lease
		for _, pool := range run.Pools {
			claimed, err := lane.Claim(d.ctx, d.DB, pool.Kind, "demo", 16)
			if err != nil {
				return err
			}
			leases = append(leases, claimed...)
		}
		worked = len(leases) > 0
		failed := make([]error, len(leases))
		var all sync.WaitGroup
		for i, lease := range leases {
			all.Go(func() { failed[i] = d.Runs.RunJob(d.ctx, lease) })
		}
		all.Wait()
		if err := errors.Join(failed...); err != nil {
			return err
		}
		d.clock.set(d.clock.Now().Add(1100 * time.Millisecond)) // a full lane is looked at again after a second
	}
	return nil
}

// ask is a student who has reached the cap and asks for more, where requests can be sent.
func (d *demonstration) ask(w *org.Workspace, c demoClass) error {
	if len(c.members) < 6 {
		return nil
	}
	amount := 5 * models.Credit
	err := d.Credits.RequestCredits(d.as(c.members[2]), w.ID, credit.RequestInput{Amount: &amount, Reason: "I want to finish my poster for the exhibition."})
	if models.HasCode(err, models.CodeValidation) {
		return nil // an install without mail
	}
	return err
}

// in is a person with the workspace selected.
func (d *demonstration) in(w *org.Workspace, name string) context.Context {
	actor := models.ActorFrom(d.as(name))
	actor.WorkspaceID, actor.OrganizationID = &w.ID, &w.OrganizationID
	return models.WithActor(d.ctx, actor)
}

func rawItems(items ...string) []json.RawMessage {
	raw := make([]json.RawMessage, len(items))
	for i, item := range items {
		raw[i] = json.RawMessage(item)
	}
	return raw
}
