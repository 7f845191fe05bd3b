package operator

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// OperatorHealth is what a look at everything that the install needs came to.
func (c Pages) OperatorHealth(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OperatorFindings(r.Context(), c.Client)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Health"), Section: frame.SectionOperator}
	return c.Page(w, r, res.Shell, at, operatorFindingsContent(res.OperatorFindings))
}

// todo is how many findings ask for something.
func todo(found []query.Finding) (n int) {
	for _, f := range found {
		if f.State == query.FindingStateAction {
			n++
		}
	}
	return n
}

func todoWord(ctx context.Context, n int) string {
	if n == 1 {
		return t(ctx, "One thing has to be done.")
	}
	return t(ctx, "%d things have to be done.", n)
}

// findingTone and findingWord are how a finding is shown.
func findingTone(f query.Finding) ui.Tone {
	switch f.State {
	case query.FindingStateAction:
		return ui.Bad
	case query.FindingStateNotice:
		return ui.Warn
	}
	return ui.OK
}

func findingWord(ctx context.Context, f query.Finding) string {
	switch f.State {
	case query.FindingStateAction:
		return t(ctx, "To do")
	case query.FindingStateNotice:
		return t(ctx, "Notice")
	}
	return t(ctx, "Fine")
}
