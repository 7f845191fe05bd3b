package rest

import (
	"mime"
	"net/http"
	"time"

	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// checkForm refuses what can be judged before the input is read, on every
// route alike: a malformed selection of a workspace, malformed ids in the path
// and the query, cursors that this install never gave out, bodies of another
// type, and bodies that say that they are too large (open points, "Order of checks").
func (a *API) checkForm(r route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, w := humamux.Unwrap(ctx)
		_, err := a.wantedWorkspace(IdentityFrom(request.Context()))
		if err == nil {
			err = a.checkParameters(ctx)
		}
		if err == nil {
			err = checkBody(request, ctx.Operation(), r.MaxBody)
		}
		if err != nil {
			WriteProblem(w, request, err)
			return
		}
		next(ctx)
	}
}

// checkParameters judges ids and cursors. UUIDs have one notation in paths,
// though Go reads several.
func (a *API) checkParameters(ctx huma.Context) error {
	for _, p := range ctx.Operation().Parameters {
		text := ctx.Param(p.Name)
		if p.In == "query" {
			text = ctx.Query(p.Name)
		}
		if p.In != "path" && text == "" {
			continue
		}
		if p.Schema != nil && p.Schema.Format == "uuid" {
			if _, err := models.ParseID(p.Name, text); err != nil {
				return err
			}
		}
		if p.In == "query" && p.Name == "cursor" {
			if err := a.DB.CheckCursor(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkBody judges the headers of a body, also on routes that read none.
func checkBody(r *http.Request, op *huma.Operation, most int64) error {
	if r.Method == http.MethodGet || r.Method == http.MethodDelete || r.ContentLength == 0 {
		return nil
	}
	if sent := r.Header.Get("Content-Type"); sent != "" {
		kind, _, err := mime.ParseMediaType(sent)
		if err != nil || !takes(op, kind) {
			return models.Err(models.CodeUnsupportedMediaType, "Send %s", accepted(op))
		}
		if kind == applicationJSON {
			r.Header.Set("Content-Type", applicationJSON) // huma compares the letters
		}
	}
	if r.ContentLength > limitOf(most) {
		drain(r)
		return models.Err(models.CodePayloadTooLarge, "The body is too large for this route")
	}
	return nil
}

// How much of a body that is refused is read to its end, so that clients that
// send before they read see why.
const (
	mostDrained = 160 << 20
	drainTime   = 20 * time.Second
)

func drain(r *http.Request) {
	part := make([]byte, 32<<10)
	end := time.Now().Add(drainTime)
	for left := mostDrained; left > 0 && time.Now().Before(end); {
		n, err := r.Body.Read(part)
		if err != nil {
			return
		}
		left -= n
	}
}

const applicationJSON = "application/json"

// takes tells whether an operation reads bodies of a type.
func takes(op *huma.Operation, kind string) bool {
	if op.RequestBody == nil || len(op.RequestBody.Content) == 0 {
		return kind == applicationJSON
	}
	return op.RequestBody.Content[kind] != nil
}

// accepted names one type that an operation reads.
func accepted(op *huma.Operation) string {
	if op.RequestBody != nil {
		for kind := range op.RequestBody.Content {
			return kind
		}
	}
	return applicationJSON
}

// limitOf is a route's largest body; 1 MiB when it names none.
func limitOf(most int64) int64 {
	if most == 0 {
		return 1 << 20
	}
	return most
}
