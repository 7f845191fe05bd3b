package event

import (
	"context"

	"atelier/web/locale"
	"atelier/web/ui"
)

// answerWord is the status of an answer, or why there was none.
func answerWord(ctx context.Context, status *int, problem *string) string {
	switch {
	case status != nil:
		return ui.Digits(*status)
	case problem != nil:
		return shortProblem(ctx, *problem)
	}
	return "—"
}

// answerText is answerWord in whole words, for lists.
func answerText(ctx context.Context, status *int, problem *string) string {
	if status == nil && problem != nil {
		return errorWords(ctx, *problem)
	}
	return answerWord(ctx, status, problem)
}

func milliseconds(ctx context.Context, n *int) string {
	if n == nil {
		return "—"
	}
	return locale.Duration(ctx, ms(*n))
}
