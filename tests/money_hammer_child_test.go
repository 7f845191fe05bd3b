package tests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"atelier/config"
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/nodes"
	"atelier/nodes/kit"
	"atelier/server"
)

// hammerChild is a process of the hammer: this test program once more, told by
// a variable what to do.
type hammerChild struct {
	Database, DataDir             string
	Organization, Owner, Operator string
	People, Rooms                 []string
	Workflows                     []hammerFlow
	Seed                          uint64
	// Only does what is queued, and starts nothing.
	Only bool
}

// hammerFlow is a workflow of a room, or a personal one.
type hammerFlow struct{ Room, ID, Owner string }

const (
	hammerVariable   = "ATELIER_HAMMER_CHILD"
	hammerSessionKey = "a-session-key-that-only-tests-use"
)

// hammerFlows cost something at once, by a worker, and for nodes that finished
// beside one that failed.
var hammerFlows = []object{
	{"name": "By workers", "nodes": []object{
		{"id": "a", "type": "text", "data": object{"text": "x"}},
		{"id": "b", "type": "template-text", "data": object{"template": "{{v}}", "values": object{"v": "1"}}},
		{"id": "c", "type": "combine-text", "data": object{"texts": []string{"a", "b"}}},
	}, "edges": []object{{"id": "e", "source": "a", "target": "b", "targetHandle": "values.v"}, {"id": "f", "source": "b", "target": "c"}}},
	{"name": "At once", "nodes": []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}, "edges": []object{}},
	{"name": "Half", "nodes": []object{
		{"id": "a", "type": "template-text", "data": object{"template": "x"}},
		{"id": "b", "type": "split-text", "data": object{"text": "x", "separator": " "}},
	}, "edges": []object{{"id": "e", "source": "a", "target": "b"}}},
}

// hammerNodes gives the nodes prices; one of them always fails, and leases are
// short, for workers to die.
func hammerNodes() {
	for name, pool := range run.Pools {
		pool.Kind.Lease = 2 * time.Second
		run.Pools[name] = pool
	}
	for name, cost := range map[string]models.Credits{"text": 250, "template-text": 400, "combine-text": 1500, "split-text": 600} {
		kind, _ := nodes.Find(name)
		kind.Cost, kind.Inline = cost, name == "text"
	}
	split, _ := nodes.Find("split-text")
	split.Run = func(context.Context, *kit.Call) (kit.Output, error) { return nil, &kit.Failure{Message: "no"} }
}

// hammer does what a child of the hammer does, until it is killed.
func hammer(settings string) error {
	var c hammerChild
	if err := json.Unmarshal([]byte(settings), &c); err != nil {
		return err
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	hammerNodes()
	ctx := context.Background()
	loaded, err := config.Load(lookupIn(map[string]string{
		"DATA_DIR": c.DataDir, "SESSION_KEY": hammerSessionKey, "SERVICE_ENCRYPTION_KEY": strings.Repeat("A", 43),
		"CREDIT_PACKS": `[{"id": "small", "label": "Small", "credits": 20.125, "price": 500, "currency": "eur"}]`,
	}))
	if err != nil {
		return err
	}
	pool, err := server.PoolConfig(c.Database)
	if err != nil {
		return err
	}
	pool.MaxConns = 2
	clock := &models.DatabaseClock{}
	db, err := models.Open(models.Config{Database: pool, Clock: clock, Secret: loaded.SessionKey, Wait: time.Minute})
	if err != nil {
		return err
	}
	if err := clock.Sync(ctx, db.SQL); err != nil {
		return err
	}
	s, err := server.New(ctx, loaded, db)
	if err != nil {
		return err
	}
	go db.Bus.Run(ctx)
	var all sync.WaitGroup
	if c.Only || c.Seed%4 == 0 { // the others leave their runs to these
		all.Go(func() { err = s.Jobs.Run(ctx) })
	}
	for n := range 2 {
		if !c.Only {
			h := &hammerer{hammerChild: c, Server: s, random: rand.New(rand.NewPCG(c.Seed, uint64(n)))}
			all.Go(h.run)
		}
	}
	all.Wait()
	return err
}

// hammerer does one operation after another.
type hammerer struct {
	hammerChild
	*server.Server
	random *rand.Rand
}

func (h *hammerer) run() {
	for {
		what, err := h.operate()
		var pg *pgconn.PgError
		refusal, isRefusal := models.AsError(err)
		switch {
		case err == nil:
			os.Stdout.WriteString("done\n")
		case isRefusal && refusal.HTTPStatus() < 500:
			os.Stdout.WriteString("refused\n")
		case errors.As(err, &pg) && pg.Code == "55P03": // others held the row for too long: the API says 503
			os.Stdout.WriteString("busy\n")
		default:
			fmt.Fprintf(os.Stdout, "%s: %v\n", what, err)
		}
	}
}

func id(text string) models.ID {
	parsed, err := models.ParseID("id", text)
	if err != nil {
		panic(err)
	}
	return parsed
}

func as(user string) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: id(user), DisplayName: "Hammer", Email: user + "@example.com", EmailVerified: true, ConfirmedAt: time.Now().AddDate(100, 0, 0)})
}

func oneOf[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// amount is up to so many credits, with thousandths.
func (h *hammerer) amount(most int) models.Credits {
	return models.Credits(1 + h.random.IntN(most*1000))
}

// operate does one thing at random and says what.
func (h *hammerer) operate() (string, error) {
	owner, organization, room := as(h.Owner), id(h.Organization), id(oneOf(h.random, h.Rooms))
	switch n := h.random.IntN(100); {
	case n < 45:
		return h.start()
	case n < 50:
		return h.again()
	case n < 68:
		delta := h.amount(12)
		if h.random.IntN(2) == 0 {
			delta = -delta
		}
		_, err := h.Credits.AllocateCredits(owner, organization, room, delta)
		return "allocate", err
	case n < 69:
		_, err := h.Credits.ReturnCredits(owner, organization)
		return "return", err
	case n < 72:
		return h.trade()
	case n < 74:
		operator := models.ActorFrom(as(h.Operator))
		operator.Operator = true
		in := credit.GrantInput{Amount: h.amount(3), Reason: "Hammer"}
		if h.random.IntN(2) == 0 {
			in.OrganizationID = &organization
		} else {
			in.UserID = new(id(oneOf(h.random, append(h.People, h.Owner))))
		}
		_, err := h.Credits.GrantCredits(models.WithActor(owner, operator), in)
		return "grant", err
	case n < 86:
		in := credit.UpdateWorkspaceMemberInput{CreditCap: models.Null[models.Credits]()}
		if h.random.IntN(3) > 0 {
			in.CreditCap = models.Some(h.amount(30))
		}
		_, err := h.Credits.UpdateWorkspaceMember(owner, room, id(oneOf(h.random, h.People)), in)
		return "cap", err
	case n < 92:
		in := org.UpdateWorkspaceMemberInput{Status: models.Some(oneOf(h.random, []org.MemberStatus{org.MemberActive, org.MemberActive, org.MemberSuspended}))}
		_, err := h.Orgs.WorkspaceMembers().Update(owner, room, id(oneOf(h.random, h.People)), in)
		return "suspend", err
	case n < 94:
		_, err := h.Orgs.Workspaces().Archive(owner, room)
		return "archive", err
	case n < 98:
		_, err := h.Orgs.Workspaces().Unarchive(owner, room)
		return "unarchive", err
	default:
		_, err := h.Orgs.UpdateOrganization(owner, organization, org.UpdateOrganizationInput{Settings: map[string]any{"member_caps_enabled": h.random.IntN(3) > 0}})
		return "settings", err
	}
}

// start runs a workflow as a person.
func (h *hammerer) start() (string, error) {
	f := oneOf(h.random, h.Workflows)
	who := f.Owner
	if f.Room != "" {
		who = oneOf(h.random, append(h.People, h.Owner))
	}
	_, err := h.Runs.RunWorkflow(as(who), id(f.ID), run.Input{})
	return "run", err
}

// trade buys a pack, or refunds part of one that was bought.
func (h *hammerer) trade() (string, error) {
	owner := as(h.Owner)
	actor := models.ActorFrom(as(h.Operator))
	actor.Operator = true
	operator := models.WithActor(owner, actor)
	if h.random.IntN(2) == 0 {
		p, err := h.Payments.Checkout(owner, id(h.Organization), "small")
		if err == nil {
			_, err = h.Payments.ConfirmPurchase(operator, p.ID)
		}
		return "buy", err
	}
	var bought struct{ ID models.ID }
	err := h.DB.Read(owner).Raw(`SELECT id FROM purchases ORDER BY id DESC OFFSET ? LIMIT 1`, h.random.IntN(10)).Scan(&bought).Error
	if err != nil || bought.ID == (models.ID{}) {
		return "look", err
	}
	_, err = h.Payments.RefundPurchase(operator, bought.ID, h.amount(20))
	return "refund", err
}

// again cancels one of the newest runs, or tries it again.
func (h *hammerer) again() (string, error) {
	var run struct{ ID, AccountID models.ID }
	err := h.DB.Read(context.Background()).Raw(`SELECT id, account_id FROM executions ORDER BY id DESC OFFSET ? LIMIT 1`, h.random.IntN(20)).Scan(&run).Error
	if err != nil || run.ID == (models.ID{}) {
		return "look", err
	}
	if h.random.IntN(2) == 0 {
		return "cancel", h.Runs.Executions().Cancel(as(run.AccountID.String()), run.ID)
	}
	_, err = h.Runs.Executions().Retry(as(run.AccountID.String()), run.ID)
	return "retry", err
}
