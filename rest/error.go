package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
)

// Problem is the contract's error form: { error: { code, message, … } }.
type Problem struct {
	Err *models.Error
}

func (p *Problem) Error() string { return p.Err.Error() }

func (p *Problem) GetStatus() int { return p.Err.HTTPStatus() }

// GetHeaders adds Retry-After to refusals that pass with time.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.Err.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(models.RetrySeconds(p.Err.RetryAfter)))
	}
	if scope, ok := p.Err.Extra["missingScope"].(string); ok && p.Err.Code == models.CodeInsufficientScope {
		h.Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+scope+`"`)
	}
	return h
}

func (p *Problem) MarshalJSON() ([]byte, error) {
	body := map[string]any{}
	for key, value := range p.Err.Extra {
		body[key] = value
	}
	body["code"], body["message"] = p.Err.Code, p.Err.Message
	if p.Err.Field != "" {
		body["field"] = p.Err.Field
	}
	return json.Marshal(map[string]any{"error": body})
}

// refusalSchema is the name of the envelope in the OpenAPI document.
const refusalSchema = "Refusal"

// Schema describes the envelope in the OpenAPI document: once, since nearly every operation has ten of it.
func (*Problem) Schema(r huma.Registry) *huma.Schema {
	if r.Map()[refusalSchema] == nil {
		r.Map()[refusalSchema] = envelopeSchema()
	}
	return &huma.Schema{Ref: schemaRef + refusalSchema}
}

func envelopeSchema() *huma.Schema {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	return &huma.Schema{
		Type: huma.TypeObject, Required: []string{"error"},
		Properties: map[string]*huma.Schema{"error": {
			Type: huma.TypeObject, Required: []string{"code", "message"},
			Properties: map[string]*huma.Schema{
				"code":    text("Machine-readable; dispatch on it."),
				"message": text("What went wrong, and what to do."),
				"field":   text("The input at fault."),
			},
			AdditionalProperties: true,
		}},
	}
}

// problem turns any error into the contract's form; one that is shown as
// internal_error is logged once.
func problem(ctx context.Context, err error) *Problem {
	refusal, known := models.AsError(err)
	if !known && refusal.Code == models.CodeInternal && !errors.Is(err, context.Canceled) { // else the client has left
		slog.ErrorContext(ctx, "request failed", "error", err)
	}
	return &Problem{refusal}
}

// WriteProblem answers a plain net/http request with the contract's form.
func WriteProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := problem(r.Context(), err)
	for key, values := range p.GetHeaders() {
		w.Header()[key] = values
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(p.GetStatus())
	_ = json.NewEncoder(w).Encode(p)
}

// newHumaError renders what huma itself refuses: a malformed, wrongly typed or
// oversized input.
func newHumaError(in huma.Context, status int, message string, errs ...error) huma.StatusError {
	for _, err := range errs {
		var p *Problem
		if errors.As(err, &p) {
			return p
		}
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return &Problem{models.Err(models.CodePayloadTooLarge, "The body is too large for this route")}
	case http.StatusUnsupportedMediaType:
		return &Problem{models.Err(models.CodeUnsupportedMediaType, "Send application/json")}
	case http.StatusRequestTimeout:
		return &Problem{SlowBody()}
	}
	if status < 500 {
		return &Problem{formError(message, errs)}
	}
	ctx := context.Background()
	if in != nil {
		ctx = in.Context()
	}
	return problem(ctx, fmt.Errorf("%s: %w", message, errors.Join(errs...)))
}

// unreadNumber is how the reading of a body fails that has an integer in a
// notation or of a size that the program does not hold.
var unreadNumber = regexp.MustCompile(`^json: cannot unmarshal number (\S+) into Go struct field [^.]*\.(\S+) of type u?int`)

// formError says what is wrong with the input and names the field.
func formError(message string, errs []error) *models.Error {
	for _, err := range errs {
		detail, ok := err.(huma.ErrorDetailer)
		if !ok {
			continue
		}
		d := detail.ErrorDetail()
		if unread := unreadNumber.FindStringSubmatch(d.Message); unread != nil {
			return models.Invalid(unread[2], "must be a whole number in its plain notation, not %s", unread[1])
		}
		field := fieldOf(d.Location)
		if name, ok := strings.CutPrefix(d.Message, "expected required property "); ok {
			name = strings.TrimSuffix(name, " to be present")
			return models.Invalid(join(field, name), "is required")
		}
		if field == "" {
			return models.Err(models.CodeValidation, "The body is not valid JSON of the expected form: %s", d.Message)
		}
		return models.Invalid(field, "%s", formWords(d.Message))
	}
	return models.Err(models.CodeValidation, "%s", message)
}

// fieldOf drops where an input came from (body, query, path) from its location.
func fieldOf(location string) string {
	for _, source := range []string{"body", "query", "path", "header"} {
		if location == source {
			return ""
		}
		if rest, ok := strings.CutPrefix(location, source+"."); ok {
			return rest
		}
	}
	return strings.TrimPrefix(location, "body")
}

func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}
