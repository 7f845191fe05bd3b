// Package nodegraph is what can be said of a graph of nodes without a database:
// whether it is sound, what feeds what, what a run may set, what it costs at most,
// and in which order its nodes are done.
package nodegraph

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// Node is one node of a graph. Its JSON form is the one that is stored and
// that the contract shows.
type Node struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	ParentID *string        `json:"parentId,omitempty"`
	Position *Position      `json:"position,omitempty"`
	Data     map[string]any `json:"data"`
}

// Position is where the editor draws a node.
type Position struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Edge feeds the source's output into a field of the target; without a
// TargetHandle that is the target's main input.
type Edge struct {
	ID           string  `json:"id"`
	Source       string  `json:"source"`
	Target       string  `json:"target"`
	SourceHandle *string `json:"sourceHandle,omitempty"`
	TargetHandle *string `json:"targetHandle,omitempty"`
}

// Nodes is a column of nodes.
type Nodes []*Node

// Edges is a column of edges.
type Edges []*Edge

// Find is the node of that id, nil when there is none.
func (n Nodes) Find(id string) *Node {
	for _, node := range n {
		if node.ID == id {
			return node
		}
	}
	return nil
}

func (n Nodes) Value() (driver.Value, error) { return jsonColumn(n) }

func (n *Nodes) Scan(src any) error { return scanJSON(src, n) }

func (e Edges) Value() (driver.Value, error) { return jsonColumn(e) }

func (e *Edges) Scan(src any) error { return scanJSON(src, e) }

// Data is a column that holds a JSON object.
type Data map[string]any

// GormDataType makes gorm see a column in the map.
func (Data) GormDataType() string { return "jsonb" }

// Value writes the column; nil is NULL.
func (d Data) Value() (driver.Value, error) {
	if d == nil {
		return nil, nil
	}
	return jsonColumn(d)
}

func (d *Data) Scan(src any) error { return scanJSON(src, d) }

func jsonColumn(v any) (driver.Value, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

func scanJSON(src, dest any) error {
	switch v := src.(type) {
	case nil:
		return nil
	case []byte:
		return json.Unmarshal(v, dest)
	case string:
		return json.Unmarshal([]byte(v), dest)
	}
	return fmt.Errorf("cannot read %T as JSON", src)
}
