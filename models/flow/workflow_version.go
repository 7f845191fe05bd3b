package flow

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/nodegraph"
)

// ListVersions lists the saved states of a workflow, newest first and without
// their graphs. The caller has made sure that the actor may see the workflow.
func (s *Service) ListVersions(ctx context.Context, w *Workflow, page models.Page) (*models.Connection[*Version], error) {
	query := s.DB.Read(ctx).Model(&Version{}).Select("workflow_id", "version", "created_by", "created_at").Where("workflow_id = ?", w.ID)
	list := models.List[*Version]{
		Name: "workflow-versions:" + w.ID.String(), Position: func(v *Version) string { return strconv.Itoa(v.Version) },
	}
	return models.ListPage(s.DB, list, page, query, models.HighestFirst("version"))
}

// FindVersion reads one saved state of a workflow with its graph, for anyone who
// may look at the workflow.
func (s *Service) FindVersion(ctx context.Context, id models.ID, version int) (*Version, error) {
	if _, err := s.FindWorkflow(ctx, id); err != nil {
		return nil, err
	}
	query := s.DB.Read(ctx).Where("workflow_id = ? AND version = ?", id, version)
	return models.First[Version](query, models.NotFound("Version"))
}

// GraphNodes are the nodes of the saved state.
func (v *Version) GraphNodes() []*nodegraph.Node { return v.Nodes }

// GraphEdges are the edges of the saved state.
func (v *Version) GraphEdges() []*nodegraph.Edge { return v.Edges }

// NodesOfVersion are the nodes of a version of a workflow, none where it is gone; it asks nothing about access.
func NodesOfVersion(q *gorm.DB, workflowID models.ID, number int) (nodegraph.Nodes, error) {
	version, err := models.First[Version](q.Where("workflow_id = ? AND version = ?", workflowID, number), nil)
	if err != nil || version == nil {
		return nil, err
	}
	return version.Nodes, nil
}
