package web

import (
	"net/http"
	"strconv"

	"atelier/web/query"
)

// saveVersion yields the number of the version that was made.
func (c *Console) saveVersion(r *http.Request, graph graphText) (int, error) {
	version, err := strconv.Atoi(text(r, "version"))
	if err != nil {
		return 0, invalid("version", "The editor does not say which version it began with.")
	}
	res, err := query.SaveGraph(r.Context(), c.client, pathID(r), graph.Nodes, graph.Edges, version)
	if err != nil {
		return 0, err
	}
	return res.UpdateWorkflow.Version, nil
}
