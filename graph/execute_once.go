package graph

import (
	"context"
	"encoding/json"
	"net/http"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// ExecuteOnce is Execute for a form that may be sent twice: for 24 hours the
// same key with the same variables gets the first answer again. The mutation
// runs in one transaction with its remembered answer; it may ask only for
// fields of its result that read nothing more, for they would share the
// transaction's one connection.
func (e *Executor) ExecuteOnce(ctx context.Context, key, query, operation string, variables json.RawMessage) (json.RawMessage, error) {
	return e.ExecuteOnceAs(ctx, operation+":"+key, variables, query, operation, variables)
}

// ExecuteOnceAs is ExecuteOnce under a key of its own, for a request that says more
// than its variables: another request under the key is idempotency_key_reused.
func (e *Executor) ExecuteOnceAs(ctx context.Context, key string, request []byte, query, operation string, variables json.RawMessage) (json.RawMessage, error) {
	var failure error
	answer, err := e.resolver.Accounts.DB.Idempotently(ctx, key, request, func(inner context.Context) models.Answer {
		next, inner, err := e.start(inner, query, operation, variables)
		if err != nil {
			failure = err
			return models.Answer{Status: http.StatusInternalServerError}
		}
		response := next(inner)
		body, err := json.Marshal(response)
		if err != nil {
			failure = err
			return models.Answer{Status: http.StatusInternalServerError}
		}
		return models.Answer{Status: worstStatus(response.Errors), Body: body}
	})
	if failure != nil {
		return nil, failure
	}
	if err != nil {
		return json.Marshal(&graphql.Response{Errors: gqlerror.List{presentError(ctx, err)}})
	}
	return answer.Body, nil
}

// worstStatus is the highest status of an operation's errors, 200 without any.
func worstStatus(errs gqlerror.List) int {
	worst := http.StatusOK
	for _, err := range errs {
		status, ok := err.Extensions["status"].(int)
		if !ok {
			status = http.StatusInternalServerError
		}
		worst = max(worst, status)
	}
	return worst
}
