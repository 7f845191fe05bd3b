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
	Space                string
	Status, Trigger, App string
	Workflow             string // id; its name comes with its runs
	Apps                 []query.AppChoice
	Rows                 []runRow
	List                 frame.Listing
}

// maxRuns is the length of a page.
const maxRuns = 30

// Runs lists the executions of the space of its address.
func (c Pages) Runs(w http.ResponseWriter, r *http.Request) error {
	list, filter := frame.ListingOf(r, r.URL.Path, maxRuns), runFilter(r.URL.Query())
	res, err := query.Runs(r.Context(), c.Client, list.After(), &filter)
	if err != nil {
		return err
	}
	list.Loaded(res.Executions.PageInfo, len(res.Executions.Nodes), res.Executions.TotalCount)
	v := runsView{
		Space:   frame.SpaceName(r.Context(), frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")),
		Trigger: frame.Value(filter.Trigger), Workflow: frame.Value(filter.WorkflowId), App: frame.Value(filter.AppId),
		Apps: res.RunnableApps.Nodes, Rows: c.runRows(r.Context(), res.Executions.Nodes), List: list,
	}
	if filter.Status != nil {
		v.Status = string(*filter.Status)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Runs"), Section: frame.SectionRuns, List: "/runs"}, runsContent(v, c.Now()))
}

// runFilter reads what a list of runs is narrowed to; what it does not know narrows nothing.
func runFilter(values url.Values) query.ExecutionFilter {
	var f query.ExecutionFilter
	for _, s := range query.AllExecutionStatus {
		if values.Get("status") == string(s) {
			f.Status = &s
		}
	}
	for _, by := range triggers {
		if values.Get("trigger") == by {
			f.Trigger = &by
		}
	}
	if id := values.Get("workflow"); isID.MatchString(id) {
		f.WorkflowId = &id
	}
	if id := values.Get("app"); isID.MatchString(id) {
		f.AppId = &id
	}
	return f
}

// triggers are what starts a run.
var triggers = []string{"editor", "api", "app", "webhook", "schedule"}

var isID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
