package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
)

// outside is /graphql on a database, for a visitor and for an account.
type outside struct {
	testing.TB
	db       *models.DB
	resolver *Resolver
	handler  http.Handler
	member   models.Actor
}

func newOutside(t testing.TB) *outside {
	db := dbtest.New(t)
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts}
	credits := &credit.Service{DB: db, Orgs: orgs}
	events := &event.Service{DB: db}
	spaces := &space.Service{DB: db, Accounts: accounts, Orgs: orgs}
	flows := &flow.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Events: events}
	runs := &run.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Credits: credits, Events: events, Flows: flows}
	o := &outside{
		TB: t, db: db, resolver: &Resolver{Accounts: accounts, Orgs: orgs, Credits: credits, Events: events, Spaces: spaces, Flows: flows, Runs: runs},
		member: models.Actor{Kind: models.ByToken, UserID: uuid.New(), TokenID: uuid.New(), RunsPerMinute: 120},
	}
	o.handler = NewHandler(o.resolver)
	o.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES ($1, 'a@example.com', 'a@example.com', 'A', now(), now())`, o.member.UserID)
	o.exec(`INSERT INTO wallets (user_id, balance) VALUES ($1, 1000000)`, o.member.UserID)
	return o
}

// on is the same for a test within the test.
func (o *outside) on(t testing.TB) *outside {
	within := *o
	within.TB = t
	return &within
}

func (o *outside) exec(sql string, args ...any) {
	o.Helper()
	if _, err := o.db.Pool.Exec(context.Background(), sql, args...); err != nil {
		o.Fatal(err)
	}
}

// outcome is what came back.
type outcome struct {
	status int
	header http.Header
	body   []byte
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Extensions struct {
			Code   string
			Status int
		}
	}
}

// send posts a body as it is.
func (o *outside) send(actor models.Actor, body []byte, header ...string) *outcome {
	o.Helper()
	request := httptest.NewRequest("POST", "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	return o.do(actor, request)
}

func (o *outside) do(actor models.Actor, request *http.Request) *outcome {
	o.Helper()
	recorder := httptest.NewRecorder()
	ctx := WithLoaders(models.WithActor(models.WithAllowances(request.Context()), actor), o.resolver)
	o.handler.ServeHTTP(recorder, request.WithContext(ctx))
	answer := &outcome{status: recorder.Code, header: recorder.Header(), body: recorder.Body.Bytes()}
	if err := json.Unmarshal(answer.body, answer); err != nil && !strings.Contains(recorder.Header().Get("Content-Type"), "event-stream") {
		o.Fatalf("the answer is no JSON: %v\n%.500s", err, answer.body)
	}
	return answer
}

// ask sends a document as a visitor.
func (o *outside) ask(document string) *outcome {
	o.Helper()
	return o.askAs(models.Actor{}, document, nil)
}

func (o *outside) askAs(actor models.Actor, document string, variables any) *outcome {
	o.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		o.Fatal(err)
	}
	return o.send(actor, body)
}

// refused fails unless the whole request was refused with status and code.
func (a *outcome) refused(t testing.TB, what string, status int, code string) {
	t.Helper()
	if a.status != status || len(a.Errors) == 0 || a.Errors[0].Extensions.Code != code || a.Data != nil {
		t.Errorf("%s: %d %.300s, want %d %s", what, a.status, a.body, status, code)
	}
}

// sound fails when an answer is the service's own fault.
func (a *outcome) sound(t testing.TB, what string) {
	t.Helper()
	if a.status >= 500 {
		t.Errorf("%.300q: %d %.300s", what, a.status, a.body)
	}
	for _, fault := range a.Errors {
		if fault.Extensions.Status >= 500 || fault.Extensions.Code == "" {
			t.Errorf("%.300q: %d %.300s", what, a.status, a.body)
		}
		if strings.Contains(fault.Message, "Did you mean") {
			t.Errorf("%.300q: suggests: %s", what, fault.Message)
		}
	}
}

// errorLog collects what is logged as an error while a test runs.
type errorLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func watchErrors(t testing.TB) *errorLog {
	log, before := &errorLog{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelError})))
	t.Cleanup(func() {
		slog.SetDefault(before)
		log.mu.Lock()
		defer log.mu.Unlock()
		if log.text.Len() > 0 {
			t.Errorf("logged as errors: %.2000s", log.text.String())
		}
	})
	return log
}

// Write takes a line.
func (l *errorLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}
