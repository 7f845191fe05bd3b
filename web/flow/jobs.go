package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// jobsView lists the work of single nodes.
type jobsView struct {
	Status string
	Rows   []query.JobRow
	Kinds  kinds
	List   frame.Listing
}

// Jobs lists the account's jobs, newest first.
func (c Pages) Jobs(w http.ResponseWriter, r *http.Request) error {
	var status *query.JobStatus
	for _, s := range query.AllJobStatus {
		if r.URL.Query().Get("status") == string(s) {
			status = &s
		}
	}
	list := frame.ListingOf(r, "/jobs", mostRuns)
	res, err := query.Jobs(r.Context(), c.Client, list.After(), status)
	if err != nil {
		return err
	}
	list.Loaded(res.Jobs.PageInfo, len(res.Jobs.Nodes), res.Jobs.TotalCount)
	v := jobsView{Rows: res.Jobs.Nodes, Kinds: kindsOf(res.NodeTypes), List: list}
	if status != nil {
		v.Status = string(*status)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Jobs", Section: frame.SectionRuns}, jobsContent(v, c.Now()))
}

func (v jobsView) statuses() []ui.Option {
	out := []ui.Option{{Value: "", Text: "In any state"}}
	for _, s := range query.AllJobStatus {
		word, _ := jobTone(s)
		out = append(out, ui.Option{Value: string(s), Text: word, Selected: v.Status == string(s)})
	}
	return out
}
