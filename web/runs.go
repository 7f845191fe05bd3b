package web

import (
	"net/http"
	"net/url"
	"regexp"

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

// runs lists the executions of the selected space.
func (c *Console) runs(w http.ResponseWriter, r *http.Request) error {
	filter := runFilter(r.URL.Query())
	res, err := query.Runs(r.Context(), c.client, after(r), &filter)
	if err != nil {
		return err
	}
	v := runsView{
		Space: spaceName(placeOf(r, res.Shell, "", "")), Trigger: deref(filter.Trigger), Workflow: deref(filter.WorkflowId),
		Rows: res.Executions.Nodes, Next: nextHref(r, res.Executions.PageInfo),
	}
	if filter.Status != nil {
		v.Status = string(*filter.Status)
	}
	return c.page(w, r, res.Shell, page{Title: "Runs", Section: sectionRuns, StaysOnSwitch: true}, runsContent(v, c.now()))
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
