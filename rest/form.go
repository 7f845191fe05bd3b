package rest

import (
	"mime"
	"net/http"

	"atelier/inbound"
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
			err = inbound.CheckQuery(request.URL)
		}
		if err == nil {
			err = checkBody(request, ctx.Operation(), r)
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
		if err := inbound.CheckParameter(p.Name, text); err != nil {
			return err
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
func checkBody(r *http.Request, op *huma.Operation, of route) error {
	most := limitOf(of.MaxBody)
	if !bringsBody(r) || r.ContentLength == 0 {
		return nil
	}
	if sent := r.Header.Get("Content-Type"); sent != "" {
		kind, _, err := mime.ParseMediaType(sent)
		if err != nil || !takes(op, kind) && !(of.Forms && isJSON(kind)) {
			return models.Err(models.CodeUnsupportedMediaType, "Send %s", accepted(op))
		}
	}
	if err := inbound.CheckHeaders(r); err != nil {
		return err
	}
	if inbound.Announced(r, most) {
		inbound.Drain(r)
		return inbound.TooLarge()
	}
	inbound.Limit(r, most)
	return nil
}

// bringsBody tells whether the method of a request goes with a body.
func bringsBody(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodDelete
}

const (
	applicationJSON = "application/json"
	multipartForm   = "multipart/form-data"
)

// takes tells whether an operation reads bodies of a type.
func takes(op *huma.Operation, kind string) bool {
	if op.RequestBody == nil || len(op.RequestBody.Content) == 0 {
		return kind == applicationJSON
	}
	return op.RequestBody.Content[kind] != nil
}

// accepted names one type that an operation reads.
func accepted(op *huma.Operation) string {
	if op.RequestBody == nil || op.RequestBody.Content[applicationJSON] != nil {
		return applicationJSON
	}
	for kind := range op.RequestBody.Content {
		return kind
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
