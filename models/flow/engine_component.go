package flow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/lane"
	"atelier/nodes"
)

// componentType runs another workflow as one step of this one. Its nodes are
// done one after another by the component's job; after each, the charge and
// what is done so far are committed, so that a worker that takes over goes on
// behind the last finished node. They are no jobs of their own (contract 2,
// "Event endpoints", rule 8).
const componentType = "component"

const (
	deepestComponent  = 5
	mostInComponent   = 500      // nodes that one component runs, with those inside
	mostInComponents  = 2_000    // nodes of all components of a run
	mostPacked        = 16 << 20 // bytes of their graphs, each counted as often as it is run
	componentBoundary = "/"
)

// component is the state of a component's job: the graph as it was when the
// run was accepted, and what is done.
type component struct {
	// OwnerID is whose workflow it is: the headers that were sealed for them open.
	OwnerID models.ID             `json:"ownerId"`
	Nodes   Nodes                 `json:"nodes"`
	Edges   Edges                 `json:"edges"`
	Parts   map[string]*component `json:"parts,omitempty"` // of components inside, by node id
	Outputs map[string]Data       `json:"outputs"`
	// State is what the node that waits keeps.
	State json.RawMessage `json:"state,omitempty"`
}

// packComponent keeps the workflow behind a component with its job, and tells
// what its nodes cost.
func packComponent(packer *packer, node *Node) (models.Credits, []byte, error) {
	packed, cost, err := packer.component(node)
	if err != nil {
		return 0, nil, err
	}
	state, err := json.Marshal(packed)
	return cost, state, err
}

// packer reads the workflows behind the components of a graph, those within
// them too, and bounds what they come to.
type packer struct {
	db          *gorm.DB
	author      models.ID
	workspaceID *models.ID
	// actor is who starts the run; a restricted token must cover every workflow.
	actor models.Actor
	path  []models.ID
	// count and cost are of one component, total and size of all.
	count, total, size int
	cost               models.Credits
	read               map[models.ID]*packedVersion
}

// packedVersion is a workflow that was read already; nil is one that may not be run.
type packedVersion struct {
	version *ownedVersion
	size    int
}

// ownedVersion is a version with the owner of its workflow.
type ownedVersion struct {
	Version `gorm:"embedded"`
	OwnerID models.ID
}

func newPacker(tx *models.Tx, exec *Execution, start Start) *packer {
	p := &packer{db: tx.DB, author: start.author(), workspaceID: start.HomeID, actor: tx.Actor}
	if exec.WorkflowID != nil {
		p.path = []models.ID{*exec.WorkflowID}
	}
	return p
}

// component packs what one component runs, and tells what that costs.
func (p *packer) component(node *Node) (*component, models.Credits, error) {
	p.count, p.cost = 0, 0
	packed, err := p.pack(node)
	return packed, p.cost, err
}

// EstimateCost is what one run of a workflow costs, with all that its
// components run; one that cannot run costs nothing.
func (s *Service) EstimateCost(ctx context.Context, w *Workflow) models.Credits {
	total := w.Nodes.Cost()
	p := &packer{db: s.DB.Read(ctx), author: w.OwnerID, workspaceID: w.WorkspaceID, path: []models.ID{w.ID}}
	for _, node := range w.Nodes {
		if node.Type != componentType {
			continue
		}
		if _, cost, err := p.component(node); err == nil {
			total += cost
		}
	}
	return total
}

// author is whose workflows the components may run.
func (start Start) author() models.ID {
	if start.AuthorID == (models.ID{}) {
		return start.Payer.UserID
	}
	return start.AuthorID
}

// namedWorkflow is the workflow that a component runs, and the field that names it.
func (n *Node) namedWorkflow() (id models.ID, field string, err error) {
	field = "nodes." + n.ID + ".data.workflowId"
	id, err = models.ParseID(field, n.component())
	return id, field, err
}

// component is the id of the workflow that a component runs, as it was written.
func (n *Node) component() string {
	text, _ := n.Data["workflowId"].(string)
	return text
}

func (p *packer) pack(node *Node) (*component, error) {
	id, field, err := node.namedWorkflow()
	if err != nil {
		return nil, err
	}
	if err := checkTokenCovers(p.actor, id); err != nil {
		return nil, err
	}
	for _, outer := range p.path {
		if outer == id {
			return nil, models.Invalid(field, "would run the workflow within itself")
		}
	}
	if len(p.path) > deepestComponent {
		return nil, models.Invalid(field, "nests components too deeply")
	}
	version, err := p.find(id, field)
	if err != nil {
		return nil, err
	}
	if version == nil {
		return nil, models.Invalid(field, "names no workflow that this one may run")
	}
	p.path = append(p.path, id)
	defer func() { p.path = p.path[:len(p.path)-1] }()
	return p.fill(node, version)
}

func (p *packer) fill(outer *Node, version *ownedVersion) (*component, error) {
	packed := &component{OwnerID: version.OwnerID, Nodes: version.Nodes, Edges: version.Edges, Parts: map[string]*component{}, Outputs: map[string]Data{}}
	for _, node := range version.Nodes {
		p.total++
		if p.count++; p.count > mostInComponent {
			return nil, models.Invalid("nodes."+outer.ID, "runs more than %d nodes", mostInComponent)
		}
		if p.total > mostInComponents {
			return nil, models.Invalid("nodes."+outer.ID, "would be too much: the components of a workflow run at most %d nodes together", mostInComponents)
		}
		if kind, ok := nodes.Find(node.Type); ok && node.Type != componentType {
			p.cost += kind.Price(node.Data)
		}
		if node.Type != componentType {
			continue
		}
		part, err := p.pack(node)
		if err != nil {
			return nil, err
		}
		packed.Parts[node.ID] = part
	}
	return packed, nil
}

// find is graph, which reads a workflow once however often it is named.
func (p *packer) find(id models.ID, field string) (*ownedVersion, error) {
	found, known := p.read[id]
	if !known {
		version, err := p.graph(id)
		if err != nil {
			return nil, err
		}
		if p.read == nil {
			p.read = map[models.ID]*packedVersion{}
		}
		if version != nil {
			b, err := json.Marshal([]any{version.Nodes, version.Edges})
			if err != nil {
				return nil, err
			}
			found = &packedVersion{version, len(b)}
		}
		p.read[id] = found
	}
	if found == nil {
		return nil, nil
	}
	if p.size += found.size; p.size > mostPacked {
		return nil, models.Invalid(field, "would be too much: the workflows behind components have at most %d MiB together", mostPacked>>20)
	}
	return found.version, nil
}

// graph is the current version of a workflow that a component names: one of
// the author's own, or one that the workspace shares. nil: neither.
func (p *packer) graph(id models.ID) (*ownedVersion, error) {
	return models.First[ownedVersion](p.db.Table("workflow_versions v").Select("v.*, w.owner_id").
		Joins("JOIN workflows w ON w.id = v.workflow_id AND w.version = v.version").
		Where("w.id = ? AND w.deleted_at IS NULL", id).
		Where("w.owner_id = ? OR (w.visibility = ? AND w.workspace_id = ?)", p.author, WorkspaceShared, p.workspaceID), nil)
}

// runComponent does the nodes of a component behind those that are done.
func (s *Service) runComponent(ctx context.Context, w *work) (nodes.Output, error) {
	root := &component{}
	if err := json.Unmarshal(w.job.State, root); err != nil {
		return nil, err
	}
	r := &componentRun{s: s, w: w, root: root}
	return r.run(ctx, root, w.job.NodeID, w.input)
}

type componentRun struct {
	s    *Service
	w    *work
	root *component
	// spent is what the last node cost.
	spent models.Credits
}

// run does a component whose node has the given path and input.
func (r *componentRun) run(ctx context.Context, c *component, path string, input map[string]any) (nodes.Output, error) {
	all, err := c.withInputs(input)
	if err != nil {
		return nil, err
	}
	graph := newPlan(all, c.Edges)
	for _, id := range graph.steps() {
		if _, done := c.Outputs[id]; done {
			continue
		}
		node := graph.nodes[id]
		input, err := graph.input(node, c.Outputs)
		if err != nil {
			return nil, r.within(graph, id, err)
		}
		out, err := r.step(ctx, c, graph, path+componentBoundary+id, node, input)
		if err != nil {
			return nil, r.within(graph, id, err)
		}
		if c.Outputs[id], _, err = storable(out); err != nil {
			return nil, r.within(graph, id, err)
		}
		c.State = nil
		if err := r.checkpoint(ctx, path+componentBoundary+id, node); err != nil {
			return nil, err
		}
	}
	return c.result(graph), nil
}

func (r *componentRun) step(ctx context.Context, c *component, graph *plan, path string, node *Node, input map[string]any) (nodes.Output, error) {
	switch {
	case isTrigger(node.Type):
		return nodes.Output(node.given()), nil
	case node.Type == componentType:
		return r.run(ctx, c.Parts[node.ID], path, input)
	}
	w := *r.w
	w.graph, w.node, w.owner = graph, node, &c.OwnerID
	w.now, w.spent, w.price = r.s.DB.Clock.Now(), nil, priceOf(c.Nodes, node.ID)
	input = pinned(node, input)
	if pool := elsewhere(node.Type, input, w.lease.Kind); pool != "" {
		return nil, r.pause(c, c.State, w.now, pool)
	}
	w.keep = func(ctx context.Context, state json.RawMessage) error {
		c.State = state
		whole, err := json.Marshal(r.root)
		if err != nil {
			return err
		}
		return r.s.keepState(ctx, r.w, whole)
	}
	out, err := r.s.callNode(ctx, &w, node.Type, input, c.State)
	var pause *nodes.Pause
	if errors.As(err, &pause) {
		return nil, r.pause(c, pause.State, pause.Until, "")
	}
	r.spent = w.price
	if w.spent != nil {
		r.spent = min(w.price, *w.spent)
	}
	return out, err
}

// pause has the component go on later with what its node keeps.
func (r *componentRun) pause(c *component, state json.RawMessage, until time.Time, pool nodes.Pool) error {
	c.State = state
	whole, err := json.Marshal(r.root)
	if err != nil {
		return err
	}
	return &nodes.Pause{Until: until, State: whole, Pool: pool}
}

// priceOf is what a node costs at most on the settings that its author gave it.
func priceOf(all Nodes, id string) models.Credits {
	for _, n := range all {
		if kind, ok := nodes.Find(n.Type); ok && n.ID == id {
			return kind.Price(n.Data)
		}
	}
	return 0
}

// elsewhere is the pool in which a component's node belongs, empty when that is
// where the component is: waiting on a provider, importing and media work keep apart.
func elsewhere(nodeType string, input map[string]any, lane string) nodes.Pool {
	kind, ok := nodes.Find(nodeType)
	if !ok {
		return ""
	}
	pool := kind.PoolFor(input)
	if pool == nodes.Cheap && lane == Pools[nodes.Import].Kind.Name {
		return nodes.Media // whose work keeps no import waiting
	}
	if pool == nodes.Cheap || Pools[pool].Kind.Name == lane {
		return ""
	}
	return pool
}

// within says which node of a component failed.
func (r *componentRun) within(graph *plan, id string, err error) error {
	var failure *nodes.Failure
	if errors.As(err, &failure) {
		return &nodes.Failure{Message: fmt.Sprintf("Node %s failed: %s", graph.name(id), failure.Message), Hint: failure.Hint, Late: failure.Late}
	}
	return err
}

// checkpoint commits a finished inner node: its charge, once, and the state
// behind it, as long as the lease holds.
func (r *componentRun) checkpoint(ctx context.Context, path string, node *Node) error {
	state, err := json.Marshal(r.root)
	if err != nil {
		return err
	}
	if len(state) > mostState {
		return outgrown("What the component's nodes yielded is larger than %d MiB together", mostState>>20)
	}
	job := *r.w.job
	err = r.s.DB.Write(ctx, func(tx *models.Tx) error {
		exec, err := lockExecution(tx, r.w.exec.ID)
		if err != nil {
			return err
		}
		if err := lane.Hold(tx, r.w.lease); err != nil {
			return err
		}
		job = *r.w.job
		job.State = state
		spent := min(r.spent, job.Cost-orZero(job.CreditsCharged))
		if node.Type != componentType && !isTrigger(node.Type) && spent > 0 {
			exec.charge(path, node.Type, spent)
			charged := orZero(job.CreditsCharged) + spent
			job.CreditsCharged = &charged
		}
		if err := updateJob(tx, &job, "state", "credits_charged"); err != nil {
			return err
		}
		return r.s.saveExecution(tx, exec)
	})
	if err != nil {
		return &engineTrouble{err}
	}
	*r.w.job = job
	return nil
}

// withInputs is the component's graph with what the outer workflow feeds in:
// inputs by node and field (a node id, a dot, a field; or nested), and input
// into its triggers, else into the main input of its first node without one.
// Nothing that is fed in may say where the inner workflow sends.
func (c *component) withInputs(input map[string]any) (Nodes, error) {
	given, _ := input["inputs"].(map[string]any)
	if len(given) > maxRunValues {
		return nil, &nodes.Failure{Message: fmt.Sprintf("The component is given more than %d inputs", maxRunValues), Hint: "Give it fewer."}
	}
	locks := locksOf(c.Nodes, c.Edges)
	all := make(Nodes, len(c.Nodes))
	for i, node := range c.Nodes {
		data := overlayOf(node.Data)
		fields := fieldsFor(node.ID, given)
		for _, field := range slices.Sorted(maps.Keys(fields)) { // an object before what lies in it
			if locks.field(node, field) {
				return nil, errInnerDestination(node.ID)
			}
			if err := data.set(field, fields[field]); err != nil {
				return nil, errUnfed(field, err)
			}
		}
		copied := *node
		copied.Data = data.data
		all[i] = &copied
	}
	value := input["input"]
	if value == nil {
		return all, nil
	}
	fed, err := feedFirst(all, c.Edges, value)
	if err != nil {
		return nil, err
	}
	for _, id := range fed {
		node := c.Nodes[slices.IndexFunc(c.Nodes, func(n *Node) bool { return n.ID == id })]
		if kind, ok := nodes.Find(node.Type); ok && locks.field(node, kind.MainInput) {
			return nil, errInnerDestination(id)
		}
	}
	return all, nil
}

// fieldsFor are the values for one node among a component's inputs.
func fieldsFor(nodeID string, given map[string]any) map[string]any {
	fields := map[string]any{}
	for name, value := range given {
		if name == nodeID {
			nested, _ := value.(map[string]any)
			maps.Copy(fields, nested)
		} else if field, ok := strings.CutPrefix(name, nodeID+"."); ok {
			fields[field] = value
		}
	}
	return fields
}

func errInnerDestination(nodeID string) error {
	return &nodes.Failure{
		Message: fmt.Sprintf("What is fed into the component would change where node %s of its workflow sends", nodeID),
		Hint:    "Set the address in the inner workflow, or feed another node of it.",
	}
}

// feedFirst hands a value to the graph's triggers, else to its first node that
// nothing feeds, and tells to which.
func feedFirst(all Nodes, edges Edges, value any) (fed []string, err error) {
	for _, node := range all {
		if isTrigger(node.Type) {
			if node.Data, err = setPath(node.Data, givenField, value); err != nil {
				return nil, errUnfed(node.ID, err)
			}
			fed = append(fed, node.ID)
		}
	}
	if len(fed) > 0 {
		return fed, nil
	}
	graph := newPlan(all, edges)
	for _, id := range graph.order {
		node := graph.nodes[id]
		kind, ok := nodes.Find(node.Type)
		if !ok || kind.MainInput == "" || graph.waitsFor(id) > 0 {
			continue
		}
		if kind.IsList(kind.MainInput) {
			value = []any{value}
		}
		if node.Data, err = setPath(node.Data, kind.MainInput, value); err != nil {
			return nil, errUnfed(kind.MainInput, err)
		}
		return []string{id}, nil
	}
	return nil, nil
}

// givenField holds in a trigger's data what reaches it within a component.
const givenField = "given"

// given is a trigger's output: an object's keys, or any value under data.
func (n *Node) given() map[string]any {
	switch value := n.Data[givenField].(type) {
	case nil:
		return map[string]any{}
	case map[string]any:
		return value
	default:
		return map[string]any{"data": value}
	}
}

// result is the component's output: that of the last node in the graph's
// order, with every node's under outputs, and its main value under data.
func (c *component) result(graph *plan) nodes.Output {
	out, all := nodes.Output{}, map[string]any{}
	for _, id := range graph.order {
		all[id] = map[string]any(c.Outputs[id])
	}
	out["outputs"] = all
	if len(graph.order) == 0 {
		return out
	}
	last := graph.order[len(graph.order)-1]
	for key, value := range c.Outputs[last] {
		out[key] = value
	}
	if kind, ok := nodes.Find(graph.nodes[last].Type); ok && out["data"] == nil {
		if value := c.Outputs[last][kind.MainOutput]; value != nil {
			out["data"] = value
		}
	}
	return out
}
