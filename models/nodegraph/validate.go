package nodegraph

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// The sizes of a graph.
const (
	maxNodes      = 500
	maxEdges      = 5_000
	maxGraphBytes = 5 << 20
	maxNodeID     = 100 // characters
	// maxMappings bounds the field mappings of all nodes together.
	maxMappings = 5_000
	// maxDataDepth leaves the data room in {"nodes": [{"data": …}]}, the form in
	// which a graph is edited as a whole.
	maxDataDepth = models.MaxJSONDepth - 3
)

// Validate checks a graph that is to be saved: ids, types, values, edges,
// mappings, parents, and that nothing feeds itself. Refusals are
// validation_error (payload_too_large beyond 5 MiB) and name node and field.
func Validate(kinds *nodes.Catalogue, all Nodes, edges Edges) error {
	if err := ValidateUnsaved(kinds, all, edges); err != nil {
		return err
	}
	for _, n := range all {
		if err := checkDataDepth(n); err != nil {
			return err
		}
	}
	return nil
}

// ValidateUnsaved is Validate for graphs that no one edits, such as a single node.
func ValidateUnsaved(kinds *nodes.Catalogue, all Nodes, edges Edges) error {
	if len(all) > maxNodes {
		return models.Invalid("nodes", "must be at most %d", maxNodes)
	}
	if len(edges) > maxEdges {
		return models.Invalid("edges", "must be at most %d", maxEdges)
	}
	byID, err := indexNodes(all)
	if err != nil {
		return err
	}
	c := newCheck(kinds, byID)
	for _, n := range all {
		if err := c.node(n); err != nil {
			return err
		}
	}
	if err := c.edges(edges); err != nil {
		return err
	}
	if err := checkAcyclic(all, edges); err != nil {
		return err
	}
	if err := CheckSize(all, edges); err != nil {
		return err
	}
	return checkKnownFlow(all, edges)
}

// check looks through the nodes and edges of one graph.
type check struct {
	kinds    *nodes.Catalogue
	byID     map[string]*Node
	inputs   *inputs
	mappings int
}

func newCheck(kinds *nodes.Catalogue, byID map[string]*Node) *check {
	return &check{kinds: kinds, byID: byID, inputs: inputsOf(kinds)}
}

// indexNodes finds nodes by id, and refuses missing, odd and duplicate ids.
// Nodes without data get an empty object.
func indexNodes(all Nodes) (map[string]*Node, error) {
	byID := make(map[string]*Node, len(all))
	for i, n := range all {
		if n == nil {
			return nil, models.Invalid(fmt.Sprintf("nodes[%d]", i), "must be an object")
		}
		field := fmt.Sprintf("nodes[%d].id", i)
		if err := checkGraphID(field, n.ID); err != nil {
			return nil, err
		}
		if byID[n.ID] != nil {
			return nil, models.Invalid(field, "%q is used twice", n.ID)
		}
		if n.Data == nil {
			n.Data = map[string]any{}
		}
		byID[n.ID] = n
	}
	return byID, nil
}

func checkGraphID(field, id string) error {
	switch {
	case id == "":
		return models.Invalid(field, "is required")
	case len([]rune(id)) > maxNodeID:
		return models.Invalid(field, "must be at most %d characters", maxNodeID)
	case strings.ContainsFunc(id, unicode.IsControl):
		return models.Invalid(field, "must not hold control characters")
	}
	return nil
}

// node checks type, parent, values, paths and mappings of one node.
func (c *check) node(n *Node) error {
	prefix := "nodes." + n.ID + "."
	kind, ok := c.kinds.Find(n.Type)
	if !ok {
		return models.Invalid(prefix+"type", "%q is no node type", n.Type)
	}
	if kind.Internal {
		return models.Invalid(prefix+"type", "%q is not for workflows", n.Type)
	}
	if !kind.Offered() {
		return models.Invalid(prefix+"type", "%q %s", n.Type, kind.UnavailableReason())
	}
	if n.ParentID != nil {
		parent, ok := c.byID[*n.ParentID]
		if !ok {
			return models.Invalid(prefix+"parentId", "names no node: %q", *n.ParentID)
		}
		if parent.Type != groupType {
			return models.Invalid(prefix+"parentId", "must name a group, and %q is a %s", parent.ID, parent.Type)
		}
	}
	if held, ok := n.Data["holdForReview"]; ok && held != nil {
		if _, isBool := held.(bool); !isBool {
			return models.Invalid(prefix+"data.holdForReview", "must be true or false")
		}
	}
	if err := kind.ValidateData(prefix+"data.", n.Data); err != nil {
		return err
	}
	if err := CheckNames(prefix+"data.", n.Type, n.Data); err != nil {
		return err
	}
	return c.nodeMappings(prefix, kind, n)
}

func (c *check) nodeMappings(prefix string, kind *kit.Node, n *Node) error {
	mappings, err := readMappings(n)
	if err != nil {
		return err
	}
	if c.mappings += len(mappings); c.mappings > maxMappings {
		return models.Invalid(prefix+"data.fieldMappings", "must be at most %d, together with those of the other nodes", maxMappings)
	}
	for _, m := range mappings {
		field := prefix + "data.fieldMappings." + m.Field
		if err := m.checkPaths(field); err != nil {
			return err
		}
		if c.byID[m.NodeID] == nil {
			return models.Invalid(field+".nodeId", "names no node: %q", m.NodeID)
		}
		if !c.inputs.has(n, m.Field) {
			return models.Invalid(field, "is no input of %s", n.Type)
		}
		if kind.SetsPrice(m.Field) {
			return models.Invalid(field, "sets the price, so it is set on the node itself")
		}
		if namesLibrary(kind, m.Field) {
			return models.Invalid(field, "names things of the library, so it is set on the node itself")
		}
	}
	return nil
}

func checkDataDepth(n *Node) error {
	if models.JSONDepth(n.Data) > maxDataDepth {
		return models.Invalid("nodes."+n.ID+".data", "must not nest deeper than %d levels", maxDataDepth)
	}
	return nil
}

func (c *check) edges(edges Edges) error {
	seen := make(map[string]bool, len(edges))
	for i, e := range edges {
		if e == nil {
			return models.Invalid(fmt.Sprintf("edges[%d]", i), "must be an object")
		}
		field := fmt.Sprintf("edges[%d].id", i)
		if err := checkGraphID(field, e.ID); err != nil {
			return err
		}
		if seen[e.ID] {
			return models.Invalid(field, "%q is used twice", e.ID)
		}
		seen[e.ID] = true
		if err := c.edge(e); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) edge(e *Edge) error {
	prefix := "edges." + e.ID + "."
	if c.byID[e.Source] == nil {
		return models.Invalid(prefix+"source", "names no node: %q", e.Source)
	}
	target := c.byID[e.Target]
	if target == nil {
		return models.Invalid(prefix+"target", "names no node: %q", e.Target)
	}
	if err := e.checkHandles(prefix); err != nil {
		return err
	}
	if target.Type == groupType {
		return nil // feeds whatever the group holds
	}
	field := targetField(e, target)
	if field == "" {
		return models.Invalid(prefix+"target", "%q is a %s, which takes no input", target.ID, target.Type)
	}
	if !c.inputs.has(target, field) {
		return models.Invalid(prefix+"targetHandle", "%q is no input of %s %q", field, target.Type, target.ID)
	}
	kind, ok := c.kinds.Find(target.Type)
	if ok && kind.SetsPrice(field) {
		return models.Invalid(prefix+"targetHandle", "%q sets the price of %q, so it is set on the node itself", field, target.ID)
	}
	if ok && namesLibrary(kind, field) {
		return models.Invalid(prefix+"targetHandle", "%q names things of the library, so it is set on %q itself", field, target.ID)
	}
	return nil
}

// checkHandles bounds the names of the output and the input that an edge joins.
func (e *Edge) checkHandles(prefix string) error {
	handles := []struct {
		name  string
		value *string
	}{{"sourceHandle", e.SourceHandle}, {"targetHandle", e.TargetHandle}}
	for _, h := range handles {
		if h.value == nil || *h.value == "" {
			continue
		}
		if err := checkPath(prefix+h.name, *h.value); err != nil {
			return err
		}
	}
	return nil
}

// CheckSize refuses a graph of more than 5 MiB as JSON with payload_too_large.
func CheckSize(all Nodes, edges Edges) error {
	b, err := json.Marshal([]any{all, edges})
	if err != nil {
		return models.Invalid("nodes", "must be JSON")
	}
	if len(b) > maxGraphBytes {
		return models.Err(models.CodePayloadTooLarge, "A workflow may have at most 5 MiB")
	}
	return nil
}

// SizeOf is about how large a graph is as JSON, in bytes.
func SizeOf(all Nodes, edges Edges) (size int) {
	for _, n := range all {
		size += 2*len(n.ID) + len(n.Type) + 100 + models.SizeOfJSON(n.Data, models.JSONSize{Bytes: maxGraphBytes, Values: maxGraphBytes}).Bytes
	}
	for _, e := range edges {
		size += len(e.ID) + len(e.Source) + len(e.Target) + 100
	}
	return size
}
