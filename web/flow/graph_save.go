package flow

import (
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
)

// saveVersion yields the number of the version that was made.
func (c Pages) saveVersion(r *http.Request, graph graphText) (int, error) {
	version, err := strconv.Atoi(frame.Text(r, "version"))
	if err != nil {
		return 0, frame.Invalid("version", t(r.Context(), "The editor does not say which version it began with."))
	}
	res, err := query.SaveGraph(r.Context(), c.Client, frame.PathID(r), graph.Nodes, graph.Edges, version)
	if err != nil {
		return 0, err
	}
	return res.UpdateWorkflow.Version, nil
}
