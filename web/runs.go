package web

import (
	"net/http"

	"atelier/web/query"
)

func (c *Console) runRoutes(on routes) {
	on.get("/runs", c.runs)
	on.get("/runs/{id"+id+"}", c.runPage)
	on.get("/runs/{id"+id+"}/live", c.runLive)
	on.post("/runs/{id"+id+"}/cancel", c.cancelRun)
	on.get("/jobs/{id"+id+"}", c.jobPage)
	on.get("/jobs/{id"+id+"}/live", c.jobLive)
	on.post("/jobs/{id"+id+"}/cancel", c.cancelJob)
	on.post("/jobs/{id"+id+"}/approve", c.approveJob)
	on.post("/jobs/{id"+id+"}/reject", c.rejectJob)
}

// runs lists the executions of the selected space.
func (c *Console) runs(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Runs(r.Context(), c.client, after(r))
	if err != nil {
		return err
	}
	at := page{Title: "Runs", Section: sectionRuns, StaysOnSwitch: true}
	space := spaceName(placeOf(r, res.Shell, "", ""))
	return c.page(w, r, res.Shell, at, runsContent(space, res.Executions.Nodes, nextHref(r, res.Executions.PageInfo), c.now()))
}
