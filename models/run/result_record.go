package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
)

// recordResult keeps what a run that has completed made, and gives the run of an
// app its picture: the output of the node that the publisher named, else of the
// last node.
func (s *Service) recordResult(tx *models.Tx, exec *Execution) error {
	return s.recordResults(tx, exec)
}

// recordResults is recordResult for several runs.
func (s *Service) recordResults(tx *models.Tx, runs ...*Execution) error {
	runs = slices.DeleteFunc(runs, func(e *Execution) bool { return e.Status != ExecutionCompleted })
	if len(runs) == 0 {
		return nil
	}
	all, err := s.madeBy(tx.Context(), runs...)
	if err != nil {
		return err
	}
	var rows []*Result
	for _, exec := range runs {
		row, err := s.resultOf(tx, exec, all[exec.ID])
		if err != nil {
			return err
		}
		if row != nil {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.Create(rows).Error
}

// resultOf is what is kept of a run that made all of this; nil when that is nothing.
func (s *Service) resultOf(tx *models.Tx, exec *Execution, all []made) (*Result, error) {
	if len(all) == 0 {
		return nil, nil
	}
	var named *string
	var err error
	if exec.AppID != nil {
		if named, err = namedResult(tx, exec); err != nil {
			return nil, err
		}
		if err := setThumbnail(tx, exec, all, named); err != nil {
			return nil, err
		}
	}
	ends, err := s.endsOf(tx, exec, all)
	if err != nil {
		return nil, err
	}
	return exec.result(tx, mainResult(all, named, ends)), nil
}

// resultAtOnce is what a new run has made that has completed before it is written,
// nil when there is nothing to show; the run of an app, which has its row, gets its picture. A
// retry may not have at hand what it took over: recordResult serves it.
func (s *Service) resultAtOnce(tx *models.Tx, exec *Execution, jobs []*Job) (*Result, error) {
	if exec.Status != ExecutionCompleted || exec.RetryOf != nil || len(jobs) == 0 {
		return nil, nil
	}
	all := make([]made, len(jobs))
	for i, job := range jobs {
		all[i] = madeOf(job)
	}
	if exec.AppID != nil {
		if err := setThumbnail(tx, exec, all, exec.mainNode); err != nil {
			return nil, err
		}
	}
	ends, err := s.endsOf(tx, exec, all)
	if err != nil {
		return nil, err
	}
	return exec.result(tx, mainResult(all, exec.mainNode, ends)), nil
}

// result is the row of what a run has made.
func (e *Execution) result(tx *models.Tx, main *made) *Result {
	if main == nil {
		return nil
	}
	row := &Result{
		ExecutionID: e.ID, AccountID: e.AccountID, WorkspaceID: e.WorkspaceID,
		NodeID: main.nodeID, Kind: main.kind(), CreatedAt: tx.Now, Shard: models.ShardOf(e.space()),
	}
	if row.Address = &main.address; main.address == "" {
		excerpt := models.Shortened(strings.TrimSpace(main.text), maxInExcerpt)
		row.Address, row.Excerpt = nil, &excerpt
	}
	return row
}

// namedResult is the node that the publisher of an app named for its main result.
func namedResult(tx *models.Tx, exec *Execution) (named *string, err error) {
	err = tx.Raw(`
		SELECT v.thumbnail_node_id FROM app_runs r `+flow.JoinAppVersion+`
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
	return tx.Model(&AppRun{}).Where("execution_id = ? AND account_id = ?", exec.ID, exec.AccountID).
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

// madeBy reads what the completed nodes of executions made, in the graph's order.
func (s *Service) madeBy(ctx context.Context, runs ...*Execution) (map[models.ID][]made, error) {
	ids := make([]models.ID, len(runs))
	for i, exec := range runs {
		ids[i] = exec.ID
	}
	first, after := jobIDs(ids...)
	query, args := madeQuery, []any{ids, first, after, maxInExcerpt + 1}
	if len(runs) == 1 {
		query, args = madeQuery+" AND shard_fits_space(j.shard, $5)", append(args, runs[0].space())
	}
	rows, err := models.Rows(ctx, s.DB, func(m *madeIn) []any {
		return []any{&m.executionID, &m.nodeID, &m.jobType, &m.index, &m.key, &m.address, &m.text}
	}, query+" ORDER BY j.node_index", args...)
	all := map[models.ID][]made{}
	for _, m := range rows {
		all[m.executionID] = append(all[m.executionID], m.made)
	}
	return all, err
}

// madeIn is what a node of an execution made.
type madeIn struct {
	made
	executionID models.ID
}

// madeOf is what madeQuery finds, of a job that is at hand.
func madeOf(job *Job) made {
	m := made{nodeID: job.NodeID, jobType: job.JobType, index: job.NodeIndex}
	for _, key := range resultKeys {
		if address, ok := job.OutputData[key].(string); ok && address != "" && utf8.RuneCountInString(address) <= maxInAddress {
			m.key, m.address = key, address
			break
		}
	}
	m.text, _ = job.OutputData["text"].(string)
	m.text = strings.TrimLeft(m.text, " \n\r\t")
	return m
}

// maxInAddress bounds what is read as an address, in characters.
const maxInAddress = 8192

// madeQuery finds the first key of an output that holds an address, which is not
// too long for one, and the beginning of its text, without reading outputs as a whole.
var madeQuery = fmt.Sprintf(`
	SELECT j.execution_id, j.node_id, j.job_type, j.node_index, coalesce(a.key, ''), coalesce(a.address, ''),
		CASE WHEN jsonb_typeof(j.output_data -> 'text') = 'string' THEN left(ltrim(j.output_data ->> 'text', E' \n\r\t'), $4) ELSE '' END
	FROM jobs j LEFT JOIN LATERAL (
		SELECT k.key, j.output_data ->> k.key AS address FROM unnest(ARRAY['%s']) WITH ORDINALITY k(key, place)
		WHERE jsonb_typeof(j.output_data -> k.key) = 'string' AND length(j.output_data ->> k.key) BETWEEN 1 AND %d ORDER BY k.place LIMIT 1
	) a ON true
	WHERE j.execution_id = ANY($1::uuid[]) AND j.id >= $2 AND j.id < $3 AND j.status = 'completed'`, strings.Join(resultKeys, "','"), maxInAddress)
