package flow

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
)

// GraphsByID are those of some workflows that the caller sees, with their graphs, in a
// constant number of statements for each space.
func (s *Service) GraphsByID(ctx context.Context, ids ...models.ID) (map[models.ID]*Workflow, error) {
	if len(ids) == 0 {
		return map[models.ID]*Workflow{}, nil
	}
	found, err := s.reachAll(ctx, s.DB.Read(ctx), ids)
	if err != nil || len(found) == 0 {
		return found, err
	}
	type graph struct {
		id    models.ID
		nodes nodegraph.Nodes
		edges nodegraph.Edges
	}
	graphs, err := models.Rows(ctx, s.DB, func(g *graph) []any { return []any{&g.id, &g.nodes, &g.edges} }, `
		SELECT w.id, v.nodes, v.edges FROM workflows w JOIN workflow_versions v ON v.workflow_id = w.id AND v.version = w.version
		WHERE w.id = ANY ($1::uuid[]) AND w.deleted_at IS NULL`, ids)
	for _, g := range graphs {
		if w := found[g.id]; w != nil {
			w.Nodes, w.Edges = g.nodes, g.edges
		}
	}
	return found, err
}
