package event_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/egress"
	"atelier/models/event"
	"atelier/models/lane"
	"atelier/webhook"
)

// Receivers that answer have plenty of time, for the machine may be busy;
// answerTime is for those that keep a test waiting, instead of 10 seconds.
const (
	plentyOfTime = time.Minute
	answerTime   = 3 * time.Second
)

// world is a service on a database of its own, with one account that has one
// receiver.
type world struct {
	*testing.T
	*event.Service
	clock    *dbtest.Clock
	account  models.ID
	receiver *receiver
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := dbtest.New(t)
	vault, err := models.NewVault([]byte("an encryption key of tests, 32 b"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, clock: db.Clock.(*dbtest.Clock), receiver: newReceiver(t)}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	w.Service = &event.Service{DB: db, Vault: vault, AllowCIDRs: loopback, Jitter: func() float64 { return 0.5 }}
	w.Egress = w.client(plentyOfTime)
	w.account = w.newAccount()
	return w
}

func (w *world) client(timeout time.Duration) *egress.Client {
	roots := w.receiver.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	return egress.New(egress.Config{AllowCIDRs: w.AllowCIDRs, Timeout: timeout, RootCAs: roots, Keep: egress.Deliveries})
}

func (w *world) newAccount() models.ID {
	w.Helper()
	id := uuid.New()
	_, err := w.DB.Pool.Exec(w.Context(), `INSERT INTO users (id, email, address, display_name, created_at, updated_at)
		VALUES ($1, $2, $2, 'Somebody', $3, $3)`, id, id.String()+"@example.com", w.clock.Now())
	w.must(err)
	return id
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// ctx is the context of a signed-in person.
func (w *world) ctx() context.Context {
	return w.as(models.Actor{Kind: models.BySession, UserID: w.account})
}

func (w *world) as(actor models.Actor) context.Context {
	actor.ConfirmedAt = w.clock.Now()
	return models.WithActor(w.Context(), actor)
}

func (w *world) create(url string) *event.EndpointSecret {
	w.Helper()
	created, err := w.CreateEndpoint(w.ctx(), event.CreateEndpointInput{URL: url})
	w.must(err)
	return created
}

func (w *world) endpoint(id models.ID) *event.Endpoint {
	w.Helper()
	e, err := w.FindEndpoint(w.ctx(), id)
	w.must(err)
	return e
}

func (w *world) set(id models.ID, in event.UpdateEndpointInput) *event.Endpoint {
	w.Helper()
	e, err := w.UpdateEndpoint(w.ctx(), id, in)
	w.must(err)
	return e
}

// publish ends n jobs of the account.
func (w *world) publish(n int) {
	w.Helper()
	for range n {
		w.publishJob(event.JobEvent{Type: event.JobCompleted, Job: json.RawMessage(`{"id":"x","status":"completed"}`)})
	}
}

func (w *world) publishJob(j event.JobEvent) {
	w.Helper()
	if j.JobID == (models.ID{}) {
		j.JobID = uuid.New()
	}
	j.At = w.clock.Now()
	w.must(w.DB.Write(w.Context(), func(tx *models.Tx) error { return w.PublishJob(tx, w.account, j) }))
}

func (w *world) claim() []lane.Lease {
	w.Helper()
	leases, err := lane.Claim(w.Context(), w.DB, event.Lane, "test", 64)
	w.must(err)
	return leases
}

// claimAndDeliver takes once what may be taken, and does it. Like a dispatcher
// it has the lanes looked at again whose slots that freed.
func (w *world) claimAndDeliver() int {
	w.Helper()
	leases := w.claim()
	for _, lease := range leases {
		w.must(w.Deliver(w.Context(), lease))
	}
	w.wakeLanes()
	return len(leases)
}

// wakeLanes has lanes looked at that wait for a slot.
func (w *world) wakeLanes() {
	w.Helper()
	_, err := w.DB.Pool.Exec(w.Context(), `UPDATE lanes l SET next_due_at = $1
		WHERE next_due_at > $1 AND (rest_until IS NULL OR rest_until <= $1) AND EXISTS (
			SELECT FROM lane_items i WHERE i.lane_id = l.id AND i.lease_until IS NULL AND i.due_at <= $1)`, w.clock.Now())
	w.must(err)
}

// work does everything that is due and returns how many attempts that took.
func (w *world) work() int {
	w.Helper()
	n := 0
	for {
		done := w.claimAndDeliver()
		if done == 0 {
			return n
		}
		n += done
	}
}

// deliveries are all of an endpoint's, oldest first.
func (w *world) deliveries(endpoint models.ID) []*event.Delivery {
	w.Helper()
	most := 100
	page, err := w.ListDeliveries(w.ctx(), endpoint, nil, models.Page{Limit: &most})
	w.must(err)
	oldest := make([]*event.Delivery, len(page.Nodes))
	for i, d := range page.Nodes {
		oldest[len(oldest)-1-i] = d
	}
	return oldest
}

func (w *world) only(endpoint models.ID) *event.Delivery {
	w.Helper()
	all := w.deliveries(endpoint)
	if len(all) != 1 {
		w.Fatalf("%d deliveries, want 1", len(all))
	}
	return all[0]
}

func (w *world) attempts(d *event.Delivery) []*event.Attempt {
	w.Helper()
	log, err := w.ListAttempts(w.ctx(), []models.ID{d.ID})
	w.must(err)
	return log[d.ID]
}

func wantCode(t testing.TB, err error, status int, code models.Code) {
	t.Helper()
	refusal, _ := models.AsError(err)
	if err == nil || refusal.HTTPStatus() != status || refusal.Code != code {
		t.Fatalf("got %v, want %d %s", err, status, code)
	}
}

func wantState(t testing.TB, d *event.Delivery, status event.DeliveryStatus, attempts int, value string) {
	t.Helper()
	got := ""
	if d.Error != nil {
		got = *d.Error
	}
	if d.Status != status || d.Attempts != attempts || got != value {
		t.Errorf("delivery is %s after %d attempts with %q, want %s after %d with %q", d.Status, d.Attempts, got, status, attempts, value)
	}
}

// posted is what a receiver got.
type posted struct {
	header http.Header
	body   []byte
	at     time.Time
}

// receiver is an https server that notes what it gets and answers as told; 200 at first.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	posts  []posted
	answer http.HandlerFunc
}

func newReceiver(t testing.TB) *receiver {
	r := &receiver{}
	r.Server = httptest.NewUnstartedServer(r)
	r.Config.ErrorLog = nil
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	r.posts = append(r.posts, posted{header: req.Header.Clone(), body: body, at: time.Now()})
	answer := r.answer
	r.mu.Unlock()
	if answer != nil {
		answer(rw, req)
	}
}

func (r *receiver) answers(fn http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = fn
}

func (r *receiver) got() []posted {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]posted(nil), r.posts...)
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// silence ends the connection without an answer.
func silence(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
}

// verify looks at a request as a receiver does, with the library for receivers,
// which shares nothing with what signs.
func verify(p posted, secret string, now time.Time) error {
	_, err := webhook.Verifier{Secrets: []string{secret}, Now: func() time.Time { return now }}.Verify(p.header, p.body)
	return err
}

// plainClient trusts the system's authorities alone.
func plainClient(w *world) *egress.Client {
	return egress.New(egress.Config{AllowCIDRs: w.AllowCIDRs, Timeout: plentyOfTime})
}

// tickingClock goes on from a moment in real time.
type tickingClock struct{ from, began time.Time }

// Now is the moment.
func (c tickingClock) Now() time.Time {
	return c.from.Add(time.Since(c.began)).UTC().Truncate(time.Microsecond)
}

// onlyFirst is a request with the first of its signatures alone.
func onlyFirst(p posted) posted {
	parts := strings.Split(p.header.Get("Service-Signature"), ",")
	p.header = p.header.Clone()
	p.header.Set("Service-Signature", strings.Join(parts[:2], ","))
	return p
}
