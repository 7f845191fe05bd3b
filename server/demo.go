package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"atelier/config"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// demoPassword signs in everybody of the demo.
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

// demo fills an empty install by the same use cases that people call.
func (i *install) demo(ctx context.Context) error {
	clock := &walkingClock{now: i.DB.Clock.Now().AddDate(0, 0, -90)}
	db, err := i.DB.At(clock, i.SessionKey)
	if err != nil {
		return err
	}
	defer db.SQL.Close()
	past := *i
	past.DB = db
	past.OperatorEmails = append(past.OperatorEmails, "operator@atelier.example")
	past.SignUp, past.SMTPURL = config.SignUpOpen, nil
	s, err := past.build(ctx)
	if err != nil {
		return err
	}
	if anybody, err := s.Accounts.AnyUser(ctx); err != nil || anybody {
		return errors.Join(err, errors.New("demo needs an empty install: this one has accounts already"))
	}
	d := &demonstration{Server: s, ctx: ctx, clock: clock, people: map[string]context.Context{}, random: rand.New(rand.NewPCG(7, 2026))}
	if err := d.tell(); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	fmt.Fprintf(i.out, "\nThe demo is there. Everybody signs in with the password %s:\n\n", demoPassword)
	for _, line := range demoSignIns {
		fmt.Fprintf(i.out, "  %-34s %s\n", line[0], line[1])
	}
	fmt.Fprintf(i.out, "\nTo act as the operator, start with PLATFORM_OPERATOR_EMAILS=operator@atelier.example.\n")
	return nil
}

var demoSignIns = [][2]string{
	{"operator@atelier.example", "operates the install"},
	{"mara@northgate.example", "owns Northgate School"},
	{"jonas@northgate.example", "student in Art 9b and the film lab"},
	{"mina@northgate.example", "student in Art 9b"},
	{"lee@brightline.example", "owns the team Brightline"},
}

// demonstration is the demo while it is told.
type demonstration struct {
	*Server
	ctx    context.Context
	clock  *walkingClock
	people map[string]context.Context
	random *rand.Rand
}

// tell makes everything, oldest first.
func (d *demonstration) tell() error {
	for _, name := range []string{"Operator", "Mara Weiss", "Jonas Reuter", "Mina Lang", "Tomás Ortega", "Yuki Kimura", "Sara Bello", "Lee Park", "Ada Lindqvist"} {
		if err := d.join(name); err != nil {
			return err
		}
	}
	school, err := d.organization("Mara Weiss", "Northgate School", org.School, 500)
	if err != nil {
		return err
	}
	for name, credits := range map[string]int64{"Art 9b": 60, "Film lab": 40, "Media club": 90} {
		if err := d.class(school, "Mara Weiss", name, models.Credits(credits)*models.Credit,
			"Jonas Reuter", "Mina Lang", "Tomás Ortega", "Yuki Kimura", "Sara Bello"); err != nil {
			return err
		}
	}
	team, err := d.organization("Lee Park", "Brightline", org.Team, 300)
	if err != nil {
		return err
	}
	if err := d.class(team, "Lee Park", "Launch", 80*models.Credit, "Ada Lindqvist"); err != nil {
		return err
	}
	d.clock.set(time.Now().UTC())
	_, err = d.organizationPending("Ada Lindqvist", "Riverside Evening School")
	return err
}

// address is a person's address: the first name, plain, at the school or the team.
func address(name string) string {
	switch name {
	case "Operator":
		return "operator@atelier.example"
	case "Lee Park", "Ada Lindqvist":
		return map[string]string{"Lee Park": "lee", "Ada Lindqvist": "ada"}[name] + "@brightline.example"
	}
	first := map[string]string{
		"Mara Weiss": "mara", "Jonas Reuter": "jonas", "Mina Lang": "mina", "Tomás Ortega": "tomas", "Yuki Kimura": "yuki", "Sara Bello": "sara",
	}[name]
	return first + "@northgate.example"
}

// join makes an account.
func (d *demonstration) join(name string) error {
	result, err := d.Accounts.SignUp(d.ctx, account.SignUpInput{Email: address(name), Password: demoPassword, DisplayName: name, OperatorCode: &d.OperatorCode})
	if err != nil {
		return err
	}
	credentials, err := d.Accounts.Authenticate(d.ctx, result.SignedIn.Token)
	if err != nil {
		return err
	}
	d.people[name] = models.WithActor(d.ctx, credentials.Actor)
	return nil
}

func (d *demonstration) organizationPending(owner, name string) (*org.Organization, error) {
	terms := true
	return d.Orgs.CreateOrganization(d.people[owner], org.CreateOrganizationInput{Name: name, Kind: org.School, AcceptTerms: &terms})
}

// organization makes one, approved and with credits in its pool.
func (d *demonstration) organization(owner, name string, kind org.Kind, credits int64) (*org.Organization, error) {
	terms := true
	o, err := d.Orgs.CreateOrganization(d.people[owner], org.CreateOrganizationInput{Name: name, Kind: kind, AcceptTerms: &terms})
	if err != nil {
		return nil, err
	}
	if o.Status == org.Pending {
		if _, err := d.Orgs.ApproveOrganization(d.people["Operator"], o.ID); err != nil {
			return nil, err
		}
	}
	_, err = d.Credits.GrantCredits(d.people["Operator"], credit.GrantInput{
		OrganizationID: &o.ID, Amount: models.Credits(credits) * models.Credit, Reason: "Starting balance",
	})
	return o, err
}

// class makes a workspace whose members joined by its code, with an app that
// they ran over the past ninety days.
func (d *demonstration) class(o *org.Organization, owner, name string, credits models.Credits, members ...string) error {
	start := time.Now().UTC().AddDate(0, 0, -89).Truncate(24 * time.Hour)
	d.clock.set(start.Add(8 * time.Hour))
	w, err := d.Orgs.CreateWorkspace(d.people[owner], o.ID, org.CreateWorkspaceInput{Name: name})
	if err != nil {
		return err
	}
	if _, err := d.Credits.AllocateCredits(d.people[owner], o.ID, w.ID, credits); err != nil {
		return err
	}
	code, err := d.Orgs.ChangeJoinCode(d.people[owner], w.ID, org.EnableCode)
	if err != nil {
		return err
	}
	for _, member := range members {
		if _, err := d.Orgs.JoinWorkspace(d.people[member], code.Code); err != nil {
			return err
		}
	}
	slug, err := d.publish(w, owner, name)
	if err != nil {
		return err
	}
	for day := range 90 {
		morning := start.AddDate(0, 0, day)
		if weekday := morning.Weekday(); weekday == time.Saturday || weekday == time.Sunday {
			continue
		}
		if d.random.IntN(2) == 0 {
			continue // each run does its real work, so the demo has a run on every other day
		}
		d.clock.set(morning.Add(time.Duration(8*60+d.random.IntN(8*60)) * time.Minute))
		if err := d.run(slug, w, members[d.random.IntN(len(members))]); err != nil {
			return err
		}
	}
	return nil
}

// publish makes a workflow of the workspace and its app.
func (d *demonstration) publish(w *org.Workspace, owner, name string) (slug string, err error) {
	ctx := d.in(w, owner)
	visible := flow.WorkspaceShared
	to := func(s string) *string { return &s }
	workflow, err := d.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{
		Name: "Quote card", Visibility: &visible,
		Nodes: []*nodegraph.Node{
			{ID: "quote", Type: "text", Data: map[string]any{"text": "A line is a dot that went for a walk."}},
			{ID: "sentence", Type: "template-text", Data: map[string]any{"template": "{{quote}}\n\n– {{author}}", "values": map[string]any{"author": "Paul Klee"}}},
			{ID: "card", Type: "text-card", Data: map[string]any{}},
			{ID: "small", Type: "resize-image", Data: map[string]any{"width": 480, "height": 270, "fit": "inside"}},
		},
		Edges: []*nodegraph.Edge{
			{ID: "e1", Source: "quote", Target: "sentence", TargetHandle: to("values.quote")},
			{ID: "e2", Source: "sentence", Target: "card"},
			{ID: "e3", Source: "card", Target: "small"},
		},
	})
	if err != nil {
		return "", err
	}
	app, err := d.Flows.PublishWorkflow(ctx, workflow.ID, flow.PublishInput{
		Name: "Quote card " + name, ThumbnailNodeID: to("small"), Description: to("Puts a sentence on a card."),
		PresentationSettings: &flow.PresentationSettings{InputItems: rawItems(
			`{"type":"richtext","id":"intro","content":"Type a **sentence** worth keeping."}`,
			`{"type":"field","id":"quote","nodeId":"quote","field":"text"}`,
		)},
	})
	if err != nil {
		return "", err
	}
	return app.Slug, nil
}

// run starts the app for somebody and does its work at once.
func (d *demonstration) run(slug string, w *org.Workspace, member string) error {
	quotes := []string{"Less is more.", "Draw what you see.", "The details are not the details.", "Make it simple, but significant."}
	_, err := d.Flows.RunApp(d.in(w, member), slug, flow.RunAppInput{Inputs: map[string]any{"quote": quotes[d.random.IntN(len(quotes))]}})
	if err != nil {
		return err
	}
	for worked := true; worked; {
		worked = false
		for _, pool := range flow.Pools {
			leases, err := lane.Claim(d.ctx, d.DB, pool.Kind, "demo", 16)
			if err != nil {
				return err
			}
			for _, lease := range leases {
				worked = true
				if err := d.Flows.RunJob(d.ctx, lease); err != nil {
					return err
				}
			}
			d.clock.set(d.clock.Now().Add(1100 * time.Millisecond)) // a full lane is looked at again after a second
		}
	}
	return nil
}

// in is a person with the workspace selected.
func (d *demonstration) in(w *org.Workspace, name string) context.Context {
	actor := models.ActorFrom(d.people[name])
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
