package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"atelier/inbound"
	"atelier/models"
	"atelier/models/account"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// idempotent runs a POST with an Idempotency-Key once: its work and its answer
// commit together (open points, "Conventions"). The body is read before.
func (a *API) idempotent(r route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, w := humamux.Unwrap(ctx)
		keys, sent := request.Header["Idempotency-Key"]
		if !sent {
			next(ctx)
			return
		}
		key := strings.Join(keys, ",")
		if r.Public && r.KeysOf == nil { // an anonymous request is not remembered
			if err := models.CheckIdempotencyKey(key); err != nil {
				WriteProblem(w, request, err)
				return
			}
			next(ctx)
			return
		}
		arriving, done, err := a.arriving(request, r)
		if err != nil {
			inbound.Drain(request)
			WriteProblem(w, request, err)
			return
		}
		defer done()
		request = request.WithContext(arriving)
		body, err := a.takeBody(request, r)
		if err != nil {
			inbound.Drain(request)
			WriteProblem(w, request, err)
			return
		}
		defer body.Close()
		answer, header, err := a.once(humamux.NewContext(ctx.Operation(), request, w), r, next, body, key)
		if err != nil {
			WriteProblem(w, request, err)
			return
		}
		for key, values := range header {
			w.Header()[key] = values
		}
		if answer.Replayed {
			w.Header().Set("Idempotency-Replayed", "true")
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(answer.Status)
		_, _ = w.Write(answer.Body)
	}
}

// arriving counts the files of a route that takes some against the caller's room.
func (a *API) arriving(r *http.Request, of route) (context.Context, func(), error) {
	if !of.Streams {
		return r.Context(), func() {}, nil
	}
	counted, _, done, err := a.Resolver.Media.Arriving(r.Context())
	return counted, done, err
}

// once answers a request by its key: with the remembered answer, or with a new one.
func (a *API) once(ctx huma.Context, r route, next func(huma.Context), body *body, key string) (models.Answer, http.Header, error) {
	request, _ := humamux.Unwrap(ctx)
	what := strings.Join([]string{
		request.Method, request.URL.RequestURI(), request.Header.Get("X-Service-Workspace"), body.identity(), reachOf(IdentityFrom(request.Context())),
	}, "\x00")
	header := http.Header{}
	work := func(inner context.Context) models.Answer {
		kept, again := newKept(), request.WithContext(inner)
		again.Body = body.again()
		next(humamux.NewContext(ctx.Operation(), again, kept))
		header = kept.header
		return models.Answer{Status: kept.status, Body: kept.body.Bytes(), Passing: kept.passing()}
	}
	answer, err := a.remembered(request.Context(), r, key, what, body, work)
	if answer.Replayed {
		header = nil // those of work that was not done
	}
	return answer, header, err
}

// remembered does work once for a key of the caller's account, or of what the route
// is about: there the same words to another address of it are the same request.
func (a *API) remembered(ctx context.Context, r route, key, what string, body *body, work func(context.Context) models.Answer) (models.Answer, error) {
	if r.KeysOf == nil {
		return a.DB.Idempotently(ctx, key, []byte(what), work)
	}
	owner, found := r.KeysOf(ctx)
	if !found {
		return work(ctx), nil
	}
	return a.DB.IdempotentlyFor(ctx, owner, key, []byte(body.identity()), work)
}

// reachOf is what a token is bound and restricted to, and whose app it is: with
// another one of the account the same words are another request.
func reachOf(identity Identity) string {
	reach := ""
	if app := identity.Actor.OfApp(); app != nil {
		reach = "app " + app.String() + " "
	}
	if identity.Bound != nil {
		reach += identity.Bound.String()
	}
	for _, id := range identity.Actor.WorkflowIDs {
		reach += " " + id.String()
	}
	return reach
}

// bufferedResponse is an answer that is held back until its transaction has committed.
type bufferedResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newKept() *bufferedResponse {
	return &bufferedResponse{header: http.Header{}, status: http.StatusOK}
}

func (k *bufferedResponse) Header() http.Header { return k.header }

func (k *bufferedResponse) WriteHeader(status int) { k.status = status }

func (k *bufferedResponse) Write(b []byte) (int, error) { return k.body.Write(b) }

// passing tells a refusal that ends when the caller confirms who they are.
func (k *bufferedResponse) passing() bool {
	var body struct{ Error struct{ Code models.Code } }
	return k.status == http.StatusForbidden && json.Unmarshal(k.body.Bytes(), &body) == nil && body.Error.Code == models.CodeReauthentication
}

// send gives the held answer out.
func (k *bufferedResponse) send(w http.ResponseWriter) {
	for key, values := range k.header {
		w.Header()[key] = values
	}
	w.WriteHeader(k.status)
	_, _ = w.Write(k.body.Bytes())
}

// maxWait is how long ?wait=true holds the connection.
const maxWait = 600 * time.Second

// wait answers ?wait=true with the finished execution (contract 1, "General
// endpoints"). The run is accepted first, with whatever that commits; the
// waiting holds neither a worker nor a database connection.
func (a *API) wait(ctx huma.Context, next func(huma.Context)) {
	if ctx.Query("wait") != "true" {
		next(ctx)
		return
	}
	request, w := humamux.Unwrap(ctx)
	held, err := a.Resolver.Accounts.Hold(request.Context())
	if err != nil {
		WriteProblem(w, request, err)
		return
	}
	request = request.WithContext(held)
	accepted, ended := newKept(), &endedRun{}
	next(humamux.NewContext(ctx.Operation(), request.WithContext(context.WithValue(request.Context(), endedRunKey{}, ended)), accepted))
	inbound.From(request.Context()).Release()
	var body struct {
		ExecutionID models.ID `json:"executionId"`
	}
	if accepted.status == http.StatusAccepted && json.Unmarshal(accepted.body.Bytes(), &body) == nil {
		if result, err := a.awaitResult(request.Context(), body.ExecutionID, ended); err != nil {
			WriteProblem(w, request, err)
			return
		} else if result != nil {
			accepted.status = http.StatusOK
			accepted.body.Reset()
			_ = jsonFormat.Marshal(&accepted.body, result)
		}
	}
	account.Release(request.Context())
	accepted.send(w)
}
