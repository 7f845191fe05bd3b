package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"atelier/inbound"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// arrive reads the body of a route into memory and judges it before anything
// decodes it: its size, its encoding, and how much is in it. Forms with files are
// left to their routes, which read them as they arrive.
func (a *API) arrive(r route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, w := humamux.Unwrap(ctx)
		if !bringsBody(request) || ctx.Operation().RequestBody == nil || kindOf(request) == multipartForm {
			next(ctx)
			return
		}
		raw, err := readBody(request, limitOf(r.MaxBody))
		if err != nil {
			WriteProblem(w, request, err)
			return
		}
		arrived := request.WithContext(request.Context())
		arrived.Body, arrived.ContentLength = newInMemory(raw, kindOf(request) == formEncoded), int64(len(raw))
		arrived.Header = request.Header.Clone()
		arrived.Header.Set("Content-Type", applicationJSON) // as huma writes it
		next(humamux.NewContext(ctx.Operation(), arrived, w))
	}
}

// checkSchema holds a body that has arrived against the schema of its operation,
// in place of huma, which names every fault. It comes after the Idempotency-Key,
// whose answers may be such refusals. A form has only texts: its route reads them.
func (a *API) checkSchema(ctx huma.Context, next func(huma.Context)) {
	request, w := humamux.Unwrap(ctx)
	if body, ok := request.Body.(inMemory); ok && !body.form {
		if err := a.judgeBody(ctx.Operation(), body.text); err != nil {
			WriteProblem(w, request, err)
			return
		}
	}
	next(ctx)
}

// inMemory is a body that has arrived.
type inMemory struct {
	*bytes.Reader
	text []byte
	form bool // it came as a form's fields
}

func newInMemory(text []byte, form bool) inMemory {
	return inMemory{bytes.NewReader(text), text, form}
}

// Close does nothing.
func (inMemory) Close() error { return nil }

// readBody is the JSON of a body; a form's fields become the members of an object.
func readBody(r *http.Request, most int64) ([]byte, error) {
	if kindOf(r) != formEncoded {
		return inbound.ReadJSON(r, most)
	}
	raw, err := inbound.Read(r, most)
	if err != nil {
		return nil, err
	}
	fields, err := inbound.ParseForm(raw)
	if err != nil {
		return nil, err
	}
	return membersOf(fields)
}

// membersOf is a form as a JSON object of texts; a field that is there several
// times is a list of them.
func membersOf(fields url.Values) ([]byte, error) {
	members := make(map[string]any, len(fields))
	for name, values := range fields {
		if members[name] = values[0]; len(values) > 1 {
			members[name] = values
		}
	}
	return json.Marshal(members)
}

// kindOf is the media type of a body, JSON when it names none.
func kindOf(r *http.Request) string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return applicationJSON
	}
	return kind
}

// isJSON tells JSON under its own name or one that builds on it.
func isJSON(kind string) bool {
	return kind == applicationJSON || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

// judgeBody judges the text of a body by the schema of its operation.
func (a *API) judgeBody(op *huma.Operation, raw []byte) error {
	schema := a.judged[op.Method+op.Path]
	if len(raw) == 0 || schema == nil {
		return nil
	}
	var value any
	if err := readJSON(raw, &value); err != nil {
		return formError("", []error{&huma.ErrorDetail{Location: "body", Message: err.Error(), Value: string(raw[:min(len(raw), 100)])}})
	}
	faults := a.judge(schema, value)
	if len(faults) == 0 {
		return nil
	}
	var p *Problem
	if errors.As(errors.Join(faults...), &p) {
		return p.Err
	}
	return formError("validation failed", faults)
}

// describeForms writes into the document that a body may be a form.
func (a *API) describeForms(op huma.Operation) {
	registered := a.operation(op.Method, op.Path)
	registered.RequestBody.Content[formEncoded] = &huma.MediaType{Schema: registered.RequestBody.Content[applicationJSON].Schema}
}
