package event

import "atelier/web/ui"

// answerWord is the status of an answer, or why there was none.
func answerWord(status *int, problem *string) string {
	switch {
	case status != nil:
		return ui.Digits(*status)
	case problem != nil:
		return shortProblem(*problem)
	}
	return "—"
}

// answerText is answerWord in whole words, for lists.
func answerText(status *int, problem *string) string {
	if status == nil && problem != nil {
		return errorWords(*problem)
	}
	return answerWord(status, problem)
}

func milliseconds(n *int) string {
	if n == nil {
		return "—"
	}
	return ui.Duration(ms(*n))
}
