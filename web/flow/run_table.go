package flow

import (
	"context"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// runRow is a run as a row of a list.
type runRow struct {
	query.RunRow
	Name      string
	Kind, Src string // of its thumbnail
	Problem   string // why it failed, in a few words
}

// runRows prepares runs for a list.
func (c Pages) runRows(ctx context.Context, rows []query.RunRow) (out []runRow) {
	for _, run := range rows {
		row := runRow{RunRow: run, Name: runTitle(ctx, &run), Kind: "none"}
		switch {
		case run.Result != nil:
			row.Kind, row.Src = string(run.Result.Kind), c.ShownMedia(run.Result.Url)
		case run.Status == query.ExecutionStatusFailed:
			row.Kind, row.Problem = "failed", runProblem(ctx, run.ErrorCode, c.runError(ctx, run.ErrorMessage))
		}
		out = append(out, row)
	}
	return out
}

// runProblem is why a run failed, for a line.
func runProblem(ctx context.Context, code, message *string) string {
	if frame.Value(code) == "cancelled" {
		return t(ctx, "Cancelled by hand")
	}
	return ui.Short(frame.Value(message), 140)
}
