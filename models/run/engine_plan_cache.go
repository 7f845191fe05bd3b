package run

import (
	"sync"

	"atelier/models"
	"atelier/models/nodegraph"
)

// planCache keeps the plans of executions at work: a graph never changes once its
// execution was accepted.
type planCache struct {
	mu   sync.Mutex
	byID map[models.ID]*nodegraph.Plan
}

// maxCachedPlans bounds the memory; beyond it everything is read again.
const maxCachedPlans = 500

func (p *planCache) get(id models.ID) *nodegraph.Plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byID[id]
}

func (p *planCache) put(id models.ID, plan *nodegraph.Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil || len(p.byID) >= maxCachedPlans {
		p.byID = map[models.ID]*nodegraph.Plan{}
	}
	p.byID[id] = plan
}

// cachedPlan is the plan of an execution that is at work.
func (s *Service) cachedPlan(tx *models.Tx, exec *Execution) (*nodegraph.Plan, error) {
	if plan := s.planCache.get(exec.ID); plan != nil {
		return plan, nil
	}
	whole, err := models.First[Execution](tx.Select("id", "nodes", "edges").
		Where("id = ? AND account_id = ? AND shard_fits_space(shard, ?)", exec.ID, exec.AccountID, exec.space()), models.NotFound("Execution"))
	if err != nil {
		return nil, err
	}
	plan := nodegraph.NewPlan(whole.Nodes, whole.Edges)
	s.planCache.put(exec.ID, plan)
	return plan, nil
}

// keepPlan remembers the plan of a new run that goes on.
func (s *Service) keepPlan(draft *Draft) {
	if draft.Exec.OpenNodes > 0 {
		s.planCache.put(draft.Exec.ID, draft.plan)
	}
}
