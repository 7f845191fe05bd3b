package graph

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// presentError gives an error the same code and status as REST:
// extensions.code, status, field, retryAfter (seconds).
func presentError(ctx context.Context, err error) *gqlerror.Error {
	var shown *gqlerror.Error
	if !errors.As(err, &shown) {
		shown = gqlerror.WrapPath(graphql.GetPath(ctx), err)
	}
	refusal := refusalOf(ctx, shown)
	shown.Message = refusal.Message
	extensions := map[string]any{"code": refusal.Code, "status": refusal.HTTPStatus()}
	if refusal.Field != "" {
		extensions["field"] = refusal.Field
	}
	if refusal.RetryAfter > 0 {
		extensions["retryAfter"] = models.RetrySeconds(refusal.RetryAfter)
	}
	for key, value := range refusal.Extra {
		extensions[key] = value
	}
	shown.Extensions = extensions
	return shown
}

// refusalOf is the refusal behind an error of the executor: ours, or a
// document or variable that does not fit the schema.
func refusalOf(ctx context.Context, err *gqlerror.Error) *models.Error {
	if err.Err == nil {
		return documentError(err)
	}
	var refusal *models.Error
	if errors.As(err.Err, &refusal) {
		return refusal
	}
	if ctx.Err() != nil { // whatever was at work then failed of it
		return errTooLong
	}
	if field := argumentField(ctx, err.Path); field != "" {
		return models.Invalid(field, "is not valid: %s", err.Err.Error())
	}
	refusal, known := models.AsError(err.Err)
	if !known && refusal.Code == models.CodeInternal {
		slog.ErrorContext(ctx, "resolver failed", "path", err.Path.String(), "error", err.Err)
	}
	return refusal
}

// logUnavailable logs a failure that an answer only hints at.
func logUnavailable(ctx context.Context, what string, err error) {
	if err != nil {
		slog.ErrorContext(ctx, "lookup failed", "what", what, "error", err)
	}
}

// documentError says what is wrong with a document or its variables.
func documentError(err *gqlerror.Error) *models.Error {
	refusal := models.Err(models.CodeValidation, "%s", shortened(err.Message))
	if field := inputField(err.Path); field != "" {
		refusal.Field = field
	}
	return refusal
}

// shortened keeps what a message quotes of a document from filling the answer.
func shortened(message string) string {
	const most = 300
	if letters := []rune(message); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return message
}

// argumentField is the argument at fault, or the input within it, when the
// path of an error leads beyond the field that was to be resolved; "" when it
// does not. Arguments are read one field deep: what lies behind the field's
// own path is the argument's.
func argumentField(ctx context.Context, path ast.Path) string {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Field.Field == nil || field.Field.Definition == nil {
		return ""
	}
	for i, part := range path {
		name, ok := part.(ast.PathName)
		if ok && field.Field.Definition.Arguments.ForName(string(name)) != nil && i >= len(field.Path()) {
			return inputField(path[i:])
		}
	}
	return ""
}

// inputField is the dotted input at fault: the path behind "input" or "variable".
func inputField(path ast.Path) string {
	text := path.String()
	for _, before := range []string{"input.", "variable."} {
		if i := strings.Index(text, before); i >= 0 {
			text = text[i+len(before):]
		}
	}
	return strings.TrimPrefix(text, "input.")
}
