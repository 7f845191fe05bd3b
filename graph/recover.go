package graph

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"atelier/models"
)

// recovered turns a panic of a resolver into internal_error and logs it once.
func recovered(ctx context.Context, fault any) error {
	slog.ErrorContext(ctx, "panic in a resolver", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
	return models.Err(models.CodeInternal, "Something failed on our side. Try once more in a moment.")
}
