package flow

import (
	"net/http"
	"net/url"
	"regexp"

	"atelier/web/frame"
	"atelier/web/query"
)

// runsView lists the executions of a space, narrowed by the address.
type runsView struct {
	Space           string
	Status, Trigger string
	Workflow        string // id; its name comes with its runs
	Rows            []query.RunRow
	Next            string
}

// Runs lists the executions of the selected space.
func (c Pages) Runs(w http.ResponseWriter, r *http.Request) error {
	filter := runFilter(r.URL.Query())
	res, err := query.Runs(r.Context(), c.Client, frame.After(r), &filter)
	if err != nil {
		return err
	}
	v := runsView{
		Space: frame.SpaceName(frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")), Trigger: frame.Value(filter.Trigger), Workflow: frame.Value(filter.WorkflowId),
		Rows: res.Executions.Nodes, Next: frame.NextHref(r, res.Executions.PageInfo),
	}
	if filter.Status != nil {
		v.Status = string(*filter.Status)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Runs", Section: frame.SectionRuns, List: "/runs"}, runsContent(v, c.Now()))
}

// runFilter reads what a list of runs is narrowed to; what it does not know narrows nothing.
func runFilter(values url.Values) query.ExecutionFilter {
	var f query.ExecutionFilter
	for _, s := range query.AllExecutionStatus {
		if values.Get("status") == string(s) {
			f.Status = &s
		}
	}
	for _, t := range triggers {
		if values.Get("trigger") == t {
			f.Trigger = &t
		}
	}
	if id := values.Get("workflow"); isID.MatchString(id) {
		f.WorkflowId = &id
	}
	return f
}

// triggers are what starts a run.
var triggers = []string{"editor", "api", "app", "webhook", "schedule"}

var isID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
