package flow

import (
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// requestType is the node type whose headers may hold keys. Secret ones are
// sealed before anything of a graph is stored, and shown, copied and exported
// as that sealed text only. A text opens for the owner of the workflow whose
// graph runs and for the host that the node's address named when it was typed:
// neither a copy in another account's workflow nor another address opens it.
const requestType = "http-request"

const (
	addressField = "url"
	headersField = "headers"
)

// maxSealed is how many headers one save seals at most.
const maxSealed = 1_000

// headerPurpose binds a sealed header to the host that the node itself names, also where
// other nodes feed its address: those may be written by others.
func headerPurpose(owner models.ID, host string) string {
	return "header:" + owner.String() + ":" + host
}

// sealGraph seals the secret headers of a workflow that is about to be stored.
// What is sealed stays as it is, no matter who sealed it. The nodes that it changes
// are copies. Refusals are validation_error and name the header.
func (s *Service) sealGraph(w *Workflow) error {
	count, sealed := 0, slices.Clone(w.Nodes)
	for i, node := range w.Nodes {
		if len(plainSecrets(node)) == 0 {
			continue
		}
		var err error
		if sealed[i], err = s.SealNode(w.OwnerID, dataField(node), node, &count); err != nil {
			return err
		}
	}
	w.Nodes = sealed
	if count == 0 {
		return nil
	}
	return nodegraph.CheckSize(w.Nodes, w.Edges) // which grew
}

// SealNode is a node with its secret headers sealed: the node itself when it
// has none. prefix stands before field names; count counts what was sealed.
func (s *Service) SealNode(owner models.ID, prefix string, node *nodegraph.Node, count *int) (*nodegraph.Node, error) {
	names := plainSecrets(node)
	if len(names) == 0 {
		return node, nil
	}
	address, _ := node.Data[addressField].(string)
	host := kit.HostOf(address)
	given, _ := node.Data[headersField].(map[string]any)
	headers := maps.Clone(given)
	for _, name := range names {
		field := prefix + headersField + "." + name
		value, _ := given[name].(string)
		switch *count++; {
		case s.Vault == nil:
			return nil, models.Invalid(field, "is a secret, and this install has no SERVICE_ENCRYPTION_KEY to keep it with: its operator must set one")
		case len(value) > kit.MaxSecretHeader:
			return nil, models.Invalid(field, "must be at most %d bytes long", kit.MaxSecretHeader)
		case *count > maxSealed:
			return nil, models.Invalid(field, "is too much: a workflow may have at most %d secret headers", maxSealed)
		}
		sealed, err := s.Vault.Seal(headerPurpose(owner, host), value)
		if err != nil {
			return nil, err
		}
		headers[name] = kit.SealedPrefix + sealed
	}
	copied := *node
	copied.Data = maps.Clone(node.Data)
	copied.Data[headersField] = headers
	return &copied, nil
}

// plainSecrets are the names of a node's secret headers that are not sealed.
func plainSecrets(node *nodegraph.Node) (names []string) {
	if node == nil || node.Type != requestType {
		return nil
	}
	headers, _ := node.Data[headersField].(map[string]any)
	for name, value := range headers {
		if text, _ := value.(string); text != "" && kit.IsSecretHeader(name) && !kit.IsSealed(text) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// headerProblems is what sealGraph refuses.
func (s *Service) headerProblems(w *Workflow) []*nodegraph.Problem {
	trial := *w
	err := s.sealGraph(&trial)
	if err == nil {
		return []*nodegraph.Problem{}
	}
	problem := nodegraph.NewProblem(err, nil)
	for _, node := range w.Nodes {
		if strings.HasPrefix(problem.Field, dataField(node)+headersField) {
			problem.NodeID = &node.ID
		}
	}
	return []*nodegraph.Problem{problem}
}

// dataField stands before the names of a node's fields in refusals.
func dataField(node *nodegraph.Node) string { return "nodes." + node.ID + ".data." }

// OpenHeader opens a sealed header of a graph of the owner for the host that its node asks.
func OpenHeader(vault *models.Vault, owner models.ID, sealed, host string) (value string, ok bool) {
	value, err := vault.Open(headerPurpose(owner, host), sealed[len(kit.SealedPrefix):])
	return value, err == nil
}

// OwnerOf is whose a workflow is, a deleted one too. It asks nothing about access.
func OwnerOf(q *gorm.DB, id models.ID) (models.ID, error) {
	w, err := models.First[Workflow](q.Select("owner_id").Where("id = ?", id), models.NotFound("Workflow"))
	if err != nil {
		return models.ID{}, err
	}
	return w.OwnerID, nil
}
