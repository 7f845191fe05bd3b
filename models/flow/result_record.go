package flow

import (
	"context"
	"fmt"
	"strings"

	"atelier/models"
	"atelier/models/nodegraph"
)

// subject is what a new run is about.
func (s Start) subject() *string {
	if s.Subject != nil {
		return s.Subject
	}
	if words := nodegraph.Subject(s.Nodes, s.Inputs); words != "" {
		return &words
	}
	return nil
}

// recordResult keeps what a run that has completed made, and gives the run of an
// app its picture: the output of the node that the publisher named, else of the
// last node.
func (s *Service) recordResult(tx *models.Tx, exec *Execution) error {
	if exec.Status != ExecutionCompleted {
		return nil
	}
	all, err := s.madeBy(tx.Context(), exec)
	if err != nil || len(all) == 0 {
		return err
	}
	var named *string
	if exec.AppID != nil {
		if named, err = namedResult(tx, exec); err != nil {
			return err
		}
		if err := setThumbnail(tx, exec, all, named); err != nil {
			return err
		}
	}
	ends, err := s.endsOf(tx, exec, all)
	if err != nil {
		return err
	}
	main := mainResult(all, named, ends)
	if main == nil {
		return nil
	}
	row := Result{
		ExecutionID: exec.ID, AccountID: exec.AccountID, WorkspaceID: exec.WorkspaceID,
		NodeID: main.nodeID, Kind: main.kind(), CreatedAt: tx.Now,
	}
	if row.Address = &main.address; main.address == "" {
		excerpt := models.Shortened(strings.TrimSpace(main.text), mostInExcerpt)
		row.Address, row.Excerpt = nil, &excerpt
	}
	return tx.Create(&row).Error
}

// namedResult is the node that the publisher of an app named for its main result.
func namedResult(tx *models.Tx, exec *Execution) (named *string, err error) {
	err = tx.Raw(`
		SELECT v.thumbnail_node_id FROM app_runs r JOIN app_versions v ON v.app_id = r.app_id AND v.version = r.version
		WHERE r.execution_id = ? AND r.account_id = ?`, exec.ID, exec.AccountID).Scan(&named).Error
	return named, err
}

// setThumbnail gives the run of an app its picture.
func setThumbnail(tx *models.Tx, exec *Execution, all []made, named *string) error {
	last := all[len(all)-1]
	for _, m := range all {
		if named != nil && m.nodeID == *named {
			last = m
		}
	}
	if last.address == "" || named != nil && last.nodeID != *named {
		return nil
	}
	return tx.Model(&Run{}).Where("execution_id = ? AND account_id = ?", exec.ID, exec.AccountID).
		UpdateColumn("thumbnail_url", last.address).Error
}

// endsOf tells of a run's nodes whether nothing follows them. Where one node made
// something, it is not asked.
func (s *Service) endsOf(tx *models.Tx, exec *Execution, all []made) (func(string) bool, error) {
	if len(all) < 2 {
		return func(string) bool { return true }, nil
	}
	var plan *nodegraph.Plan
	if exec.Nodes != nil { // just accepted
		plan = nodegraph.NewPlan(exec.Nodes, exec.Edges)
	} else {
		var err error
		if plan, err = s.cachedPlan(tx, exec); err != nil {
			return nil, err
		}
	}
	return func(id string) bool { return plan.Nodes[id] != nil && len(plan.After(id)) == 0 }, nil
}

// madeBy reads what the completed nodes of an execution made, in the graph's order.
func (s *Service) madeBy(ctx context.Context, exec *Execution) ([]made, error) {
	return models.Rows(ctx, s.DB, func(m *made) []any {
		return []any{&m.nodeID, &m.jobType, &m.index, &m.key, &m.address, &m.text}
	}, madeQuery, exec.ID, exec.firstJob(), mostInExcerpt+1)
}

// madeQuery finds the first key of an output that holds an address, which is not
// too long for one, and the beginning of its text, without reading outputs as a whole.
var madeQuery = fmt.Sprintf(`
	SELECT j.node_id, j.job_type, j.node_index, coalesce(a.key, ''), coalesce(a.address, ''),
		CASE WHEN jsonb_typeof(j.output_data -> 'text') = 'string' THEN left(ltrim(j.output_data ->> 'text', E' \n\r\t'), $3) ELSE '' END
	FROM jobs j LEFT JOIN LATERAL (
		SELECT k.key, j.output_data ->> k.key AS address FROM unnest(ARRAY['%s']) WITH ORDINALITY k(key, place)
		WHERE jsonb_typeof(j.output_data -> k.key) = 'string' AND length(j.output_data ->> k.key) BETWEEN 1 AND 8192 ORDER BY k.place LIMIT 1
	) a ON true
	WHERE j.execution_id = $1 AND j.id >= $2 AND j.status = 'completed' ORDER BY j.node_index`, strings.Join(resultKeys, "','"))
