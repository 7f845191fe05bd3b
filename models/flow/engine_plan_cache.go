package flow

import (
	"sync"

	"atelier/models"
	"atelier/models/nodegraph"
)

// plans keeps the plans of executions at work: a graph never changes once its
// execution was accepted.
type plans struct {
	mu   sync.Mutex
	byID map[models.ID]*nodegraph.Plan
}

// mostPlans bounds the memory; beyond it everything is read anew.
const mostPlans = 500

func (p *plans) get(id models.ID) *nodegraph.Plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byID[id]
}

func (p *plans) put(id models.ID, graph *nodegraph.Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil || len(p.byID) >= mostPlans {
		p.byID = map[models.ID]*nodegraph.Plan{}
	}
	p.byID[id] = graph
}

// planOf is the plan of an execution that is at work.
func (s *Service) planOf(tx *models.Tx, exec *Execution) (*nodegraph.Plan, error) {
	if graph := s.plans.get(exec.ID); graph != nil {
		return graph, nil
	}
	whole, err := models.First[Execution](tx.Select("id", "nodes", "edges").
		Where("id = ? AND account_id = ?", exec.ID, exec.AccountID), models.NotFound("Execution"))
	if err != nil {
		return nil, err
	}
	graph := nodegraph.NewPlan(whole.Nodes, whole.Edges)
	s.plans.put(exec.ID, graph)
	return graph, nil
}
