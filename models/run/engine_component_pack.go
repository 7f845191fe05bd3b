package run

import (
	"encoding/json"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// What the components of a run may come to.
const (
	maxInComponent = 500      // nodes that one component runs, with those inside
	maxPacked      = 16 << 20 // bytes of their graphs, each counted as often as it is run
)

// packAnew is what a component of a new run runs: the workflow behind it, or on a retry
// the graph of the first run with what it had finished. A restricted token must cover all of it.
func (p *packer) packAnew(node *nodegraph.Node, earlier *Job) (*component, error) {
	packed, _, err := p.component(node)
	if err != nil {
		return nil, err
	}
	root := &component{}
	if earlier == nil || len(earlier.State) == 0 || json.Unmarshal(earlier.State, root) != nil {
		return packed, nil
	}
	root.dropStates()
	return root, root.checkCovered(p.actor)
}

// packer reads the workflows behind the components of a graph, those within
// them too, and bounds what they come to.
type packer struct {
	kinds       *nodes.Catalogue
	db          *gorm.DB
	author      models.ID
	workspaceID *models.ID
	// actor is who starts the run; a restricted token must cover every workflow.
	actor models.Actor
	path  []models.ID
	// count and parts are of one component, total and size of all.
	count, total, size int
	parts              []credit.Part
	read               map[models.ID]*packedVersion
}

// packedVersion is a workflow that was read already; nil is one that may not be run.
type packedVersion struct {
	version *flow.OwnedVersion
	size    int
}

func (s *Service) newPacker(q *gorm.DB, actor models.Actor, request *Request) *packer {
	p := &packer{kinds: s.Flows.Catalogue, db: q, author: request.author(), workspaceID: request.HomeID, actor: actor}
	if request.WorkflowID != nil {
		p.path = []models.ID{*request.WorkflowID}
	}
	return p
}

// component packs what one component runs, and tells what that costs, by model.
func (p *packer) component(node *nodegraph.Node) (*component, []credit.Part, error) {
	p.count, p.parts = 0, nil
	packed, err := p.pack(node)
	return packed, p.parts, err
}

func (p *packer) pack(node *nodegraph.Node) (*component, error) {
	id, field, err := node.NamedWorkflow()
	if err != nil {
		return nil, err
	}
	if err := flow.CheckTokenCovers(p.actor, id); err != nil {
		return nil, err
	}
	for _, outer := range p.path {
		if outer == id {
			return nil, models.Invalid(field, "would run the workflow within itself")
		}
	}
	if len(p.path) > flow.MaxComponentDepth {
		return nil, models.Invalid(field, "nests components too deeply")
	}
	version, err := p.findVersion(id, field)
	if err != nil {
		return nil, err
	}
	if version == nil {
		return nil, models.Invalid(field, "names no workflow that this one may run")
	}
	p.path = append(p.path, id)
	defer func() { p.path = p.path[:len(p.path)-1] }()
	return p.packNodes(node, version)
}

func (p *packer) packNodes(outer *nodegraph.Node, version *flow.OwnedVersion) (*component, error) {
	packed := &component{OwnerID: version.OwnerID, WorkspaceID: version.WorkspaceID, WorkflowID: version.WorkflowID, Nodes: version.Nodes, Edges: version.Edges, Parts: map[string]*component{}, Outputs: map[string]nodegraph.Data{}}
	for _, node := range version.Nodes {
		p.total++
		if p.count++; p.count > maxInComponent {
			return nil, models.Invalid("nodes."+outer.ID, "runs more than %d nodes", maxInComponent)
		}
		if p.total > flow.MaxInComponents {
			return nil, models.Invalid("nodes."+outer.ID, "would be too much: the components of a workflow run at most %d nodes together", flow.MaxInComponents)
		}
		if node.Type != nodegraph.ComponentType {
			p.parts = partsOf(p.kinds, node, p.parts)
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

// findVersion is VersionForComponent, which reads a workflow once however often it is named.
func (p *packer) findVersion(id models.ID, field string) (*flow.OwnedVersion, error) {
	found, known := p.read[id]
	if !known {
		version, err := flow.VersionForComponent(p.db, id, p.author, p.workspaceID)
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
	if p.size += found.size; p.size > maxPacked {
		return nil, models.Invalid(field, "would be too much: the workflows behind components have at most %d MiB together", maxPacked>>20)
	}
	return found.version, nil
}
