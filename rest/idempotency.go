package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// idempotent runs a POST with an Idempotency-Key once: its work and its answer
// commit together (open points, "Conventions"). What a slow route does before
// its transaction is done before this one as well.
func (a *API) idempotent(r route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, w := humamux.Unwrap(ctx)
		keys, sent := request.Header["Idempotency-Key"]
		if !sent {
			next(ctx)
			return
		}
		body, err := takeBody(w, request, r.MaxBody)
		if err != nil {
			WriteProblem(w, request, err)
			return
		}
		defer body.Close()
		once := repeatable{ctx: ctx, request: request, body: body, next: next}
		answer, header, err := a.once(r, &once, strings.Join(keys, ","))
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

// repeatable is a request that is handed on more than once.
type repeatable struct {
	ctx     huma.Context
	request *http.Request
	body    *body
	next    func(huma.Context)
}

// run hands the request on within ctx and holds the answer back.
func (r *repeatable) run(ctx context.Context) *kept {
	answer := newKept()
	again := r.request.WithContext(ctx)
	again.Body = r.body.again()
	r.next(humamux.NewContext(r.ctx.Operation(), again, answer))
	return answer
}

// once answers a request by its key: with the remembered answer, or with a new one.
func (a *API) once(r route, request *repeatable, key string) (models.Answer, http.Header, error) {
	ctx := request.request.Context()
	what := strings.Join([]string{
		request.request.Method, request.request.URL.RequestURI(), request.request.Header.Get("X-Service-Workspace"), request.body.identity(),
	}, "\x00")
	if r.Slow {
		remembered, err := a.DB.Remembered(ctx, key, []byte(what))
		if err != nil || remembered != nil {
			return *cmp.Or(remembered, &models.Answer{}), nil, err
		}
		done := &ahead{}
		defer done.close()
		slow := context.WithValue(ctx, aheadKey{}, done)
		if request.run(slow); done.asked { // else the form was refused before
			ctx = slow
		}
	}
	header := http.Header{}
	answer, err := a.DB.Idempotently(ctx, key, []byte(what), func(inner context.Context) models.Answer {
		kept := request.run(inner)
		header = kept.header
		return models.Answer{Status: kept.status, Body: kept.body.Bytes()}
	})
	return answer, header, err
}

// kept is an answer that is held back until its transaction has committed.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newKept() *kept { return &kept{header: http.Header{}, status: http.StatusOK} }

// Header is the held header.
func (k *kept) Header() http.Header { return k.header }

// WriteHeader holds the status.
func (k *kept) WriteHeader(status int) { k.status = status }

// Write holds the body.
func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }

// send gives the held answer out.
func (k *kept) send(w http.ResponseWriter) {
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
	accepted, ended := newKept(), &endedRun{}
	next(humamux.NewContext(ctx.Operation(), request.WithContext(context.WithValue(request.Context(), endedRunKey{}, ended)), accepted))
	var body struct {
		ExecutionID models.ID `json:"executionId"`
	}
	if accepted.status == http.StatusAccepted && json.Unmarshal(accepted.body.Bytes(), &body) == nil {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(maxWait + time.Minute))
		if result, err := a.awaitResult(request.Context(), body.ExecutionID, ended); err != nil {
			WriteProblem(w, request, err)
			return
		} else if result != nil {
			accepted.status = http.StatusOK
			accepted.body.Reset()
			_ = jsonFormat.Marshal(&accepted.body, result)
		}
	}
	accepted.send(w)
}
