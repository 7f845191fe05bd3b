package operator

import (
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
	at := frame.Page{Title: "Health", Section: frame.SectionOperator}
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

func todoWord(n int) string {
	if n == 1 {
		return "One thing has to be done."
	}
	return ui.Count(n) + " things have to be done."
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

func findingWord(f query.Finding) string {
	switch f.State {
	case query.FindingStateAction:
		return "To do"
	case query.FindingStateNotice:
		return "Notice"
	}
	return "Fine"
}
