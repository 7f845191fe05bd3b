package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/tracing"
	"atelier/nodes/kit"
)

// componentBoundary stands in the path of a node between a component and what
// lies within it.
const componentBoundary = "/"

// component is the state of a component's job: the graph as it was when the
// run was accepted, and what is done.
type component struct {
	// OwnerID is whose workflow it is: the headers that were sealed for them open.
	OwnerID models.ID `json:"ownerId"`
	// WorkspaceID is where that workflow lives.
	WorkspaceID *models.ID `json:"workspaceId,omitempty"`
	// WorkflowID is that workflow: what was approved for it alone is sent from it.
	WorkflowID models.ID                 `json:"workflowId"`
	Nodes      nodegraph.Nodes           `json:"nodes"`
	Edges      nodegraph.Edges           `json:"edges"`
	Parts      map[string]*component     `json:"parts,omitempty"` // of components inside, by node id
	Outputs    map[string]nodegraph.Data `json:"outputs"`
	// State is what the node that waits keeps.
	State json.RawMessage `json:"state,omitempty"`
}

// runComponent does the nodes of a component behind those that are done, one
// after another. After each, the charge and what is done so far are committed, so
// that a worker that takes over goes on behind the last finished node. They are no
// jobs of their own (contract 2, "Event endpoints", rule 8).
func (s *Service) runComponent(ctx context.Context, w *work) (kit.Output, error) {
	root := &component{}
	if err := json.Unmarshal(w.job.State, root); err != nil {
		return nil, err
	}
	r := &componentRun{s: s, w: w, root: root}
	if root.usesLibrary(s.Flows.Catalogue) {
		var err error
		if r.refs, err = readRefs(s.DB.Read(ctx), w.job.ID); err != nil {
			return nil, &engineError{err}
		}
	}
	return r.runComponent(ctx, root, w.job.NodeID, w.input)
}

type componentRun struct {
	s    *Service
	w    *work
	root *component
	// fed is how many bytes fed its nodes, since this worker took it up.
	fed int
	// refs are what its nodes may use of the library.
	refs JobRefs
	// spent is what the last node cost, price what was held for it, model what did its work.
	spent, price models.Credits
	model        string
}

// runComponent does a component whose node has the given path and input.
func (r *componentRun) runComponent(ctx context.Context, c *component, path string, input map[string]any) (kit.Output, error) {
	all, err := nodegraph.ComponentInputs(c.Nodes, c.Edges, input)
	if err != nil {
		return nil, err
	}
	if err := nodegraph.KeepsNames(c.Nodes, all); err != nil {
		return nil, err
	}
	plan := nodegraph.NewPlan(all, c.Edges)
	for _, id := range plan.Steps() {
		if _, done := c.Outputs[id]; done {
			continue
		}
		node := plan.Nodes[id]
		input, fed, err := plan.Input(node, c.Outputs)
		if r.fed += fed; err == nil && r.fed > maxFed {
			err = errRunFedTooMuch()
		}
		if err != nil {
			return nil, r.failureOf(plan, id, err)
		}
		out, err := r.runNode(ctx, c, plan, path+componentBoundary+id, node, input)
		if err != nil {
			return nil, r.failureOf(plan, id, err)
		}
		if c.Outputs[id], _, err = storable(out); err != nil {
			return nil, r.failureOf(plan, id, err)
		}
		c.State = nil
		if err := r.checkpoint(ctx, path+componentBoundary+id, node); err != nil {
			return nil, err
		}
	}
	return nodegraph.ComponentOutput(plan, c.Outputs), nil
}

func (r *componentRun) runNode(ctx context.Context, c *component, plan *nodegraph.Plan, path string, node *nodegraph.Node, input map[string]any) (kit.Output, error) {
	switch {
	case nodegraph.IsTrigger(node.Type):
		return kit.Output(node.Given()), nil
	case node.Type == nodegraph.ComponentType:
		return r.runComponent(ctx, c.Parts[node.ID], path, input)
	}
	w := *r.w
	w.plan, w.node, w.owner, w.home = plan, node, &c.OwnerID, &c.WorkflowID
	w.now, w.spent, w.price = r.s.DB.Clock.Now(), nil, c.Nodes.Find(node.ID).Price(r.s.Flows.Catalogue)
	if kind, ok := r.s.Flows.Catalogue.Find(node.Type); ok {
		w.refs = r.refs[path].NamedBy(kind, input)
	}
	input = r.s.withPinnedModel(node, r.s.layInput(node.Type, input, w.refs))
	if pool := r.s.poolToMoveTo(node.Type, input, w.lease.Kind); pool != "" {
		return nil, r.pause(c, c.State, w.now, pool)
	}
	w.saveState = func(ctx context.Context, state json.RawMessage) error {
		c.State = state
		whole, err := json.Marshal(r.root)
		if err != nil {
			return err
		}
		return r.s.saveState(ctx, r.w, whole)
	}
	if len(c.State) == 0 {
		if err := r.s.stillUsable(ctx, w.refs); err != nil {
			return nil, err
		}
	}
	ctx, span := tracing.Start(ctx, tracing.Inside, "inner node "+r.s.knownType(node.Type))
	defer span.End()
	out, err := r.s.callNode(ctx, &w, node.Type, input, c.State)
	if err == nil && w.refs != nil {
		err = r.s.DB.Write(ctx, func(tx *models.Tx) error { return r.s.noteHow(tx, w.exec, w.refs, out) })
	}
	var pause *kit.Pause
	if errors.As(err, &pause) {
		return nil, r.pause(c, pause.State, pause.Until, "")
	}
	r.spent, r.price, r.model = w.cost(), w.price, nodegraph.ModelOf(node.Type, input)
	return out, err
}

// pause has the component go on later with what its node keeps.
func (r *componentRun) pause(c *component, state json.RawMessage, until time.Time, pool kit.Pool) error {
	c.State = state
	whole, err := json.Marshal(r.root)
	if err != nil {
		return err
	}
	return &kit.Pause{Until: until, State: whole, Pool: pool}
}

// poolToMoveTo is the pool in which a component's node belongs, empty when that is
// where the component is: waiting on a provider, importing and media work keep apart.
func (s *Service) poolToMoveTo(nodeType string, input map[string]any, lane string) kit.Pool {
	kind, ok := s.Flows.Catalogue.Find(nodeType)
	if !ok {
		return ""
	}
	pool := kind.PoolFor(input)
	if pool == kit.Cheap && lane == Pools[kit.Import].Kind.Name {
		return kit.Media // whose work keeps no import waiting
	}
	if pool == kit.Cheap || Pools[pool].Kind.Name == lane {
		return ""
	}
	return pool
}

// failureOf says which node of a component failed.
func (r *componentRun) failureOf(plan *nodegraph.Plan, id string, err error) error {
	var failure *kit.Failure
	if errors.As(err, &failure) {
		return &kit.Failure{Message: fmt.Sprintf("Node %s failed: %s", plan.Name(id), failure.Message), Hint: failure.Hint, Late: failure.Late}
	}
	return err
}

// checkpoint commits a finished inner node: its charge, once, and the state
// behind it, as long as the lease holds.
func (r *componentRun) checkpoint(ctx context.Context, path string, node *nodegraph.Node) error {
	state, err := json.Marshal(r.root)
	if err != nil {
		return err
	}
	if len(state) > maxState {
		return errTooLarge("What the component's nodes yielded is larger than %d MiB together", maxState>>20)
	}
	job, err := inTransaction(ctx, r.s.DB, func(tx *models.Tx) (job Job, err error) {
		exec, err := lockExecution(tx, r.w.exec.ID)
		if err != nil {
			return job, err
		}
		if err := lane.Hold(tx, r.w.lease); err != nil {
			return job, err
		}
		job = *r.w.job
		job.State = state
		exec.chargeInner(&job, path, node, r.model, r.price, r.spent)
		if err := updateJob(tx, &job, "state", "credits_charged"); err != nil {
			return job, err
		}
		return job, r.s.saveExecution(tx, exec)
	})
	if err != nil {
		return &engineError{err}
	}
	*r.w.job = job
	return nil
}
